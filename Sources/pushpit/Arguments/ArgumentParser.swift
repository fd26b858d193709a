internal import PushpitModel

/// Reads flags and words by a command's table; flags win over the environment.
struct ArgumentParser {
  let options: [OptionSpecification]
  /// How many words may follow.
  let positionalLimit: Int

  /// Reads the words after the command's name.
  /// - Throws: `UsageError` for an unknown flag, a missing or forbidden value, or a surplus word.
  func parse(_ words: [String], environment: EnvironmentLookup) throws(UsageError)
    -> ParsedArguments
  {
    var parsed = ParsedArguments()
    for option in options {
      guard let text = environment(option.environmentName), !text.isEmpty else { continue }
      parsed.values[option.name] = try environmentValues(option, text)
      parsed.origins[option.name] = option.environmentName
    }
    var given: Set<String> = []
    var index = 0
    var isPositionalOnly = false
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--", !isPositionalOnly {
        isPositionalOnly = true
      } else if word.hasPrefix("--"), !isPositionalOnly {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let option = try option(named: String(parts[0]))
        var value = parts.count > 1 ? String(parts[1]) : nil
        if option.placeholder != nil, value == nil {
          guard index < words.count else { throw UsageError("\(option.name) needs a value") }
          value = words[index]
          index += 1
        } else if option.placeholder == nil, value != nil {
          throw UsageError("\(option.name) takes no value")
        }
        let checked = try check(option, value ?? "true", calledAs: option.name)
        let isFirst = given.insert(option.name).inserted
        parsed.origins[option.name] = nil
        guard isFirst || option.isRepeatable else {
          throw UsageError("\(option.name) was given twice")
        }
        parsed.values[option.name] =
          isFirst ? [checked] : (parsed.values[option.name] ?? []) + [checked]
      } else {
        parsed.positionals.append(word)
      }
    }
    guard parsed.positionals.count <= positionalLimit else {
      throw UsageError("unexpected argument '\(parsed.positionals[positionalLimit])'")
    }
    return parsed
  }

  /// Checks one value against the choices of its flag.
  private func check(
    _ option: OptionSpecification, _ value: String, calledAs name: String
  ) throws(UsageError) -> String {
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw UsageError(
        "\(name) takes \(option.choices.joined(separator: " or ")), not '\(value)'")
    }
    return value
  }

  private func environmentValues(_ option: OptionSpecification, _ text: String) throws(UsageError)
    -> [String]
  {
    if option.placeholder == nil {
      switch text.lowercased() {
      case "1", "true", "yes": return ["true"]
      case "0", "false", "no": return ["false"]
      default: throw UsageError("\(option.environmentName) takes true or false, not '\(text)'")
      }
    }
    let values =
      option.isRepeatable ? text.split(separator: ",").map { trimmed($0) } : [text]
    for value in values {
      _ = try check(option, value, calledAs: option.environmentName)
    }
    return values
  }

  private func option(named name: String) throws(UsageError) -> OptionSpecification {
    if let option = options.first(where: { $0.name == name }) { return option }
    let distances = options.map { editDistance($0.name.utf8, name.utf8) }
    guard let nearest = distances.min(), nearest <= 3,
      let near = zip(options, distances).first(where: { $0.1 == nearest })?.0
    else {
      throw UsageError("unknown option '\(name)'")
    }
    throw UsageError("unknown option '\(name)'; did you mean \(near.name)?")
  }
}

/// Text without spaces at its ends.
func trimmed(_ text: some StringProtocol) -> String {
  String(
    text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
}
