import Foundation
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitRecording

@testable import PushpitPersistence

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A path of its own in a temporary folder, whose files go with the object.
final class TemporaryFile {
  /// Where the system keeps what is temporary.
  static var folder: String { FileManager.default.temporaryDirectory.path }

  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).db").path
  }

  deinit {
    for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
  }

  /// Writes a file of these bytes.
  func write(_ text: String) {
    let file = fopen(path, "w")
    fputs(text, file)
    fclose(file)
  }

  /// Whether the file, or its log, has these bytes.
  func has(_ text: String) -> Bool {
    ["", "-wal"].contains { end in
      guard let file = fopen(path + end, "r") else { return false }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 22)
      let count = fread(&bytes, 1, bytes.count, file)
      return bytes[..<count].split(separator: 0).contains { part in
        String(decoding: part, as: UTF8.self).contains(text)
      }
    }
  }

  /// The permissions of a file.
  func mode(_ end: String = "") -> mode_t {
    var status = stat()
    return stat(path + end, &status) == 0 ? status.st_mode & 0o777 : 0
  }
}

/// A store that journals into a file.
final class KeptStore {
  let store: EnvelopeStore
  let journal = RecordJournal()
  let database: Database
  private(set) var lostCount = 0

  init(_ path: String, countLimit: Int = 1_000) throws {
    store = EnvelopeStore(countLimit: countLimit)
    database = try Database(path: path)
    var lost = 0
    let store = store
    for envelope in try database.envelopes()
    where !store.restore(envelope) { lost += 1 }
    lostCount = lost
    store.journal = journal
  }

  /// Writes what has happened.
  func flush() throws { try database.write(journal.take()) }

  /// All envelopes as the console shows them.
  var json: [String] {
    var query = EnvelopeQuery(workspace: nil)
    query.limit = 1000
    return store.page(query).items.map { item in
      var writer = JSONWriter(style: .compact)
      item.json(into: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  /// Records a push whose parts vary with a number.
  @discardableResult
  func push(_ number: UInt64 = 0) -> EnvelopeNumber {
    var head = RequestHead(
      method: "POST", target: "/3/device/abcd\(number)", authority: "api.push.apple.com",
      fields: ["authorization": "bearer a.b.c", "apns-topic": "com.example.app"])
    if number % 5 == 0 { head.fields.append("x-more", "\(number)") }
    var outcome = PushOutcome(
      service: number % 4 == 0 ? .fcm : .apns,
      workspace: number % 3 == 0 ? WorkspaceID("ci") : .default,
      status: number % 7 == 0 ? 400 : 200)
    outcome.token = Array("abcd\(number)".utf8)[...]
    outcome.tokenKind = number % 2 == 0 ? .apns : .fid
    outcome.environment = number % 2 == 0 ? .production : nil
    outcome.priority = number % 3 == 0 ? 5 : nil
    outcome.expiration = number % 2 == 0 ? Int64(number) : nil
    outcome.credential =
      number % 6 == 0
      ? nil
      : CredentialFacts(
        kind: .providerToken, keyID: "K\(number % 3)", teamID: "T", decoded: "{}",
        fingerprint: "f\(number % 3)")
    if number % 7 == 0 {
      outcome.reason = "BadDeviceToken"
      outcome.diagnosis = Diagnosis(.tokenNotHex, what: "what \(number)", fix: "fix")
      outcome.warnings = [PayloadWarning(code: "w", pointer: "/a", text: "\(number)")]
    }
    let time = Timestamp(milliseconds: 1_768_440_615_010 + Int64(number))
    return store.append(
      PushRequest(
        head: head, body: Array(#"{"aps":{"alert":"\#(number)"}}"#.utf8), receivedAt: time),
      outcome,
      EnvelopeOrigin(
        receivedAt: time, answeredAt: time, connection: number, stream: 3,
        httpProtocol: number % 2 == 0 ? .http2 : .http1, tls: number % 2 == 0 ? "TLSv1.3" : nil))
  }
}

extension RandomSource {
  /// A number of a repeatable run.
  func next(below limit: UInt64) -> UInt64 { next() % limit }
}
