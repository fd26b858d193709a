import Foundation
import PushpitModel
import Synchronization

@testable import PushpitGateway

/// A folder for the state of one test, removed with the object.
final class TemporaryState: Sendable {
  /// Copied by tests that need no first start of their own: making RSA keys takes its time.
  private static let template = Result {
    let state = TemporaryState()
    keepUntilExit(state)
    _ = try state.open(hosts: hosts)
    return state
  }

  /// Folders made by the real clock, as a running gateway needs them, by their names.
  private static let currentTemplates = Mutex<[String: TemporaryState]>([:])

  private static let kept = Mutex<[URL]>([])
  // A lazy constant, so that it is done once.
  private static let removesKept: Int32 = atexit {
    for url in TemporaryState.kept.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
  }

  /// Has a folder that all tests copy removed with the process: nothing releases statics.
  private static func keepUntilExit(_ state: TemporaryState) {
    kept.withLock { $0.append(state.url) }
    precondition(removesKept == 0, "atexit takes at least 32 functions")
  }

  /// Copies a folder that was made now, for these host names; each name has its own keys.
  static func current(of name: String = "gateway", hosts: [String] = []) throws -> TemporaryState {
    let template = try currentTemplates.withLock { templates in
      if let template = templates[name] { return template }
      let template = TemporaryState()
      keepUntilExit(template)
      _ = try StateFolder.open(path: template.path, hosts: hosts, time: SystemTime())
      templates[name] = template
      return template
    }
    let state = TemporaryState()
    try FileManager.default.copyItem(at: template.url, to: state.url)
    return state
  }

  /// The host names of a folder that was made.
  static let hosts = ["pushpit", "10.1.2.3"]

  /// A moment long after Pushpit's first release and before its certificates run out.
  static let now = Timestamp(milliseconds: 1_790_000_000_000)

  let url = FileManager.default.temporaryDirectory.appending(path: "pushpit-\(UUID().uuidString)")

  /// Names a folder that is not there yet.
  init() {}

  /// Copies a folder that was made with `hosts`.
  static func made() throws -> TemporaryState {
    let state = TemporaryState()
    try FileManager.default.copyItem(at: template.get().url, to: state.url)
    return state
  }

  var path: String { url.path(percentEncoded: false) }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Opens the folder, after this many days.
  func open(hosts: [String] = [], days: Int64 = 0) throws -> StateFolder {
    let time = FixedTime(Self.now + .seconds(days * 86_400))
    return try StateFolder.open(path: path, hosts: hosts, time: time)
  }

  /// The error of opening the folder, without its path; nil when there is none.
  func problem(hosts: [String] = [], days: Int64 = 0) -> String? {
    do {
      _ = try open(hosts: hosts, days: days)
      return nil
    } catch {
      return "\(error)".replacing(path + "/", with: "")
    }
  }

  func read(_ name: String) throws -> [UInt8] {
    try FileSystem.contents(of: "\(path)/\(name)")
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: name))
  }

  /// Every file below the folder with its contents.
  func contents() throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      contents[name] = try? read(name)
    }
    return contents
  }

  func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: url.appending(path: name).path(percentEncoded: false))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }
}
