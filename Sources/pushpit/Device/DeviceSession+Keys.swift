internal import PushpitJSON

extension DeviceSession {
  /// Does what a key asks for, and returns whether it quits.
  func press(_ key: KeyDecoder.Key) async -> Bool {
    if let entry { return await answer(entry, key) }
    switch key {
    case .character(let character):
      guard let key = DeviceKey(rawValue: character) else { return false }
      return await act(key)
    case .end: return true
    case .enter, .backspace, .clear, .escape: return false
    }
  }

  private func answer(_ entry: LineEntry, _ key: KeyDecoder.Key) async -> Bool {
    var entry = entry
    switch entry.press(key) {
    case .goesOn: self.entry = entry
    case .cancelled: self.entry = nil
    case .answered(let text):
      self.entry = nil
      await open(text, on: entry.device)
    }
    show([])
    return false
  }

  private func act(_ key: DeviceKey) async -> Bool {
    guard let phone = phones[current] else { return false }
    switch key {
    case .tap: await act("tap", on: phone)
    case .dismiss: await act("dismiss", on: phone)
    case .rotate: await act("rotate-token", on: phone)
    case .uninstall: await act(phone.isInstalled ? "uninstall" : "reinstall", on: phone)
    case .logout: await act("clear-token", on: phone, saying: "logged out")
    case .online:
      // Null leaves it to the stream, which is open.
      await change(
        "online", phone.isOnline ? false : .null, on: phone,
        saying: phone.isOnline ? "went offline" : "came online")
    case .power: await changePower(of: phone)
    case .foreground:
      entry = LineEntry(
        "conversation (empty: close the app): ", text: phone.newestConversation ?? "",
        device: phone.id)
      show([])
    case .help: show(DeviceKey.helpLines)
    case .quit: return true
    }
    return false
  }

  private func changePower(of phone: Phone) async {
    guard let key = phone.powerKey else {
      return complain("power: a device of platform \(phone.platform) saves none")
    }
    let word = phone.platform == "ios" ? "power saving" : "dozing"
    await change(
      key, .bool(!phone.savesPower), on: phone,
      saying: "\(word) \(phone.savesPower ? "off" : "on")")
  }

  /// Opens the app in a conversation, or closes it.
  private func open(_ conversation: String, on id: String) async {
    guard let phone = phones[id] else { return }
    let isClosing = conversation.isEmpty
    await change(
      "foreground", isClosing ? false : ["conversation": .string(conversation)], on: phone,
      saying: isClosing ? "closed the app" : "opened the conversation \(conversation)")
  }

  private func act(_ action: String, on phone: Phone, saying sentence: String? = nil) async {
    do {
      took(try await fleet.act(phone.id, action), of: phone, sentence)
    } catch {
      complain("\(action): \(error.message)")
    }
  }

  private func change(
    _ setting: String, _ value: JSONValue, on phone: Phone, saying sentence: String
  ) async {
    do {
      took(try await fleet.change(phone.id, setting, value), of: phone, sentence)
    } catch {
      complain("\(setting): \(error.message)")
    }
  }

  /// What an event will tell is not said here too.
  private func took(_ answer: JSONValue, of phone: Phone, _ sentence: String?) {
    phones[phone.id]?.update(answer)
    guard let sentence else { return show([]) }
    let subject = phones.count > 1 ? "\(phone.label): " : ""
    show([ink.paint(Terminal.printable(subject + sentence), .faint)])
  }

  private func complain(_ sentence: String) {
    show([ink.paint(Terminal.printable(sentence), .amber)])
  }
}
