internal import PushpitGateway
internal import PushpitJSON

/// The file of `--config`: flag names in camelCase, settings and devices to declare.
///
/// Flags and environment win over it. An unknown key stops the start with file, line and pointer.
enum ConfigurationFile {
  /// What arguments and file say together.
  struct Merged {
    var arguments: ParsedArguments
    /// Devices of the default workspace, in the console's shape.
    var devices: [JSONValue] = []
    /// Settings of the default workspace, in the console's shape.
    var settings: [JSONValue] = []
    /// Payload contracts, in the console's shape.
    var contracts: [JSONValue] = []
    /// What devices report that say nothing of it, in the console's shape.
    var callbacks: JSONValue?
  }

  /// Reads the file that the arguments name, if any, and adds what they leave open.
  /// - Throws: `UsageError` that names file, line and pointer.
  static func merge(into arguments: ParsedArguments) throws(UsageError) -> Merged {
    guard let path = arguments.text("--config") else { return Merged(arguments: arguments) }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.contents(of: path)
    } catch {
      throw UsageError("cannot read the configuration file: \(error)")
    }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.parse(bytes)
    } catch {
      throw UsageError("\(path):\(error.line):\(error.column): \(error.message)")
    }
    guard let object = value.objectValue else {
      throw UsageError("\(path):1: the configuration is a JSON object")
    }
    var reader = Reader(path: path, bytes: bytes, merged: Merged(arguments: arguments))
    for (key, value) in object.members { try reader.take(key, value) }
    reader.merged.settings = reader.merged.settings.map {
      withoutFlags($0, reader.merged.arguments)
    }
    return reader.merged
  }

  /// Settings without those that a flag, which wins, gives too.
  private static func withoutFlags(_ settings: JSONValue, _ arguments: ParsedArguments) -> JSONValue
  {
    var object = settings.objectValue ?? JSONObject()
    object.members.removeAll { arguments.text("--" + $0.key) != nil }
    return .object(object)
  }

  /// Takes the file's members one by one.
  private struct Reader {
    let path: String
    let bytes: [UInt8]
    var merged: Merged

    mutating func take(_ key: String, _ value: JSONValue) throws(UsageError) {
      if key == "workspaces" { return try takeWorkspaces(value) }
      if key == "callbacks" {
        merged.callbacks = value
        return
      }
      if key == "contracts" {
        guard let contracts = value.arrayValue else {
          throw problem(key, "/contracts", "takes an array")
        }
        merged.contracts = contracts
        return
      }
      guard let option = serveOptions.first(where: { $0.fileName == key && key != "config" }) else {
        throw problem(key, "/\(key)", "unknown key")
      }
      guard merged.arguments.values[option.name] == nil else { return }
      let values = try texts(key, option, value)
      for text in values where !option.choices.isEmpty && !option.choices.contains(text) {
        throw problem(key, "/\(key)", "takes \(option.choices.joined(separator: " or "))")
      }
      merged.arguments.values[option.name] = values
      merged.arguments.origins[option.name] = "\(path): /\(key)"
    }

    private func texts(_ key: String, _ option: OptionSpecification, _ value: JSONValue)
      throws(UsageError) -> [String]
    {
      switch value {
      case .string(let text) where option.placeholder != nil: return [text]
      case .number(let number) where option.placeholder != nil: return [number.text]
      case .bool(let flag) where option.placeholder == nil: return [flag ? "true" : "false"]
      case .array(let items) where option.isRepeatable:
        var texts: [String] = []
        for item in items {
          guard let text = item.stringValue else { throw problem(key, "/\(key)", "takes strings") }
          texts.append(text)
        }
        return texts
      default:
        let kind = option.placeholder == nil ? "true or false" : "a string or a number"
        throw problem(key, "/\(key)", "takes \(kind)")
      }
    }

    private mutating func takeWorkspaces(_ value: JSONValue) throws(UsageError) {
      guard let items = value.arrayValue else {
        throw problem("workspaces", "/workspaces", "takes an array")
      }
      for (index, item) in items.enumerated() {
        let pointer = "/workspaces/\(index)"
        guard let workspace = item.objectValue else {
          throw problem("workspaces", pointer, "takes an object")
        }
        for (key, value) in workspace.members {
          switch key {
          case "name":
            guard value.stringValue == "default" else {
              throw problem(key, "\(pointer)/name", "only 'default' is built yet")
            }
          case "devices":
            guard let devices = value.arrayValue else {
              throw problem(key, "\(pointer)/devices", "takes an array")
            }
            merged.devices += devices
          case "settings":
            guard value.objectValue != nil else {
              throw problem(key, "\(pointer)/settings", "takes an object")
            }
            merged.settings.append(value)
          default: throw problem(key, "\(pointer)/\(key)", "unknown key, or not built yet")
          }
        }
      }
    }

    /// The line is that of the key's first occurrence.
    private func problem(_ key: String, _ pointer: String, _ what: String) -> UsageError {
      let name = Array("\"\(key)\"".utf8)
      var line = 1
      for index in bytes.indices {
        if bytes[index...].starts(with: name) { break }
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      }
      return UsageError("\(path):\(line): \(pointer): \(what)")
    }
  }
}
