import PushpitDevices
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitRecording
import Testing

@testable import PushpitConsole

/// The OpenAPI document against what the code knows; that answers are as it says is checked by
/// `Tests/Contract`.
@Suite struct ConsoleDocumentTests {
  private let document: JSONValue

  init() throws {
    document = try JSONReader.parse(Console.openAPI)
  }

  /// Method and path of each operation, with `*` for parameters.
  private var operations: [String] {
    (document["paths"]?.objectValue?.members ?? []).flatMap { path, item in
      let pattern = path.split(separator: "/").map { $0.hasPrefix("{") ? "*" : $0 }
      return (item.objectValue?.members ?? []).map { method, _ in
        "\(method.uppercased()) /\(pattern.joined(separator: "/"))"
      }
    }
  }

  private func schema(_ name: String) -> JSONValue? { document["components"]?["schemas"]?[name] }

  private func choices(_ name: String) -> [String]? {
    schema(name)?["enum"]?.arrayValue?.compactMap(\.stringValue)
  }

  @Test func `the document is served`() {
    let response = ConsoleFixture().send("GET", "/api/v1/openapi.json?workspace=default")
    #expect(response.status == 200)
    #expect(response.head.fields.text("content-type") == "application/json")
    #expect(response.json["openapi"] == "3.1.0")
  }

  @Test func `the document has every route, and no other`() {
    let routes = Console.routes.map { "\($0.method) /\($0.pattern.joined(separator: "/"))" }
    #expect(operations.sorted() == routes.sorted())
    #expect(Set(routes).count == routes.count)
  }

  @Test func `each operation has a name of its own and says what it answers`() throws {
    var names: Set<String> = []
    for (path, item) in try #require(document["paths"]?.objectValue).members {
      for (method, operation) in try #require(item.objectValue).members {
        let name = try #require(operation["operationId"]?.stringValue)
        #expect(names.insert(name).inserted, "\(name)")
        #expect(operation["summary"]?.stringValue?.hasSuffix(".") == true, "\(method) \(path)")
        let statuses = operation["responses"]?.objectValue?.members.map(\.key) ?? []
        #expect(statuses.contains { $0.hasPrefix("2") }, "\(method) \(path)")
        #expect(Set(["403", "413", "415"]).isSubset(of: statuses), "\(method) \(path)")
        let isOpen = ["/livez", "/readyz"].contains(path)
        #expect(statuses.contains("401") != isOpen, "\(method) \(path)")
      }
    }
  }

  @Test func `every reference is to something that is there`() {
    var count = 0
    func visit(_ value: JSONValue) {
      if let target = value["$ref"]?.stringValue {
        count += 1
        let names = target.split(separator: "/").dropFirst()
        #expect(names.reduce(document) { $0?[String($1)] } != nil, "\(target)")
      }
      for member in value.objectValue?.members ?? [] { visit(member.value) }
      for element in value.arrayValue ?? [] { visit(element) }
    }
    visit(document)
    #expect(count > 100)
  }

  @Test func `every schema is used`() {
    let text = String(decoding: Console.openAPI, as: UTF8.self)
    for kind in ["schemas", "parameters", "responses"] {
      for (name, _) in document["components"]?[kind]?.objectValue?.members ?? [] {
        let isUsed = text.contains("\"#/components/\(kind)/\(name)\"")
        #expect(isUsed, "\(kind) \(name)")
      }
    }
  }

  @Test func `every object says whether it has other members`() {
    func visit(_ value: JSONValue, _ place: String) {
      if value["properties"] != nil, value["type"] == "object" {
        #expect(value["additionalProperties"] != nil, "\(place)")
      }
      for member in value.objectValue?.members ?? []
      // A condition on an object is not what the object is.
      where !["if", "then", "oneOf", "allOf"].contains(member.key) {
        visit(member.value, place + "/" + member.key)
      }
      for (index, element) in (value.arrayValue ?? []).enumerated() {
        visit(element, "\(place)/\(index)")
      }
    }
    visit(document["components"]?["schemas"] ?? .null, "")
  }

  @Test func `the document has every setting with its default`() throws {
    let settings = try #require(schema("Settings")?["properties"]?.objectValue).members
    #expect(settings.map(\.key) == WorkspaceSetting.all.map(\.name))
    for (setting, entry) in zip(WorkspaceSetting.all, settings) {
      #expect(entry.value["default"] == setting.value(SettingValues()), "\(setting.name)")
      if let choices = entry.value["enum"]?.arrayValue?.compactMap(\.stringValue) {
        #expect(setting.form == "one of " + choices.joined(separator: ", "))
      }
    }
    let required = schema("SettingValues")?["required"]?.arrayValue?.compactMap(\.stringValue)
    #expect(required == WorkspaceSetting.all.map(\.name))
  }

  @Test func `the document has every name that the code has`() {
    #expect(
      choices("Service")?.sorted() == PushService.allCases.map(\.rawValue).sorted())
    #expect(
      choices("DeliveryState")?.sorted() == DeliveryState.allCases.map(\.rawValue).sorted())
    #expect(
      choices("Environment")?.sorted() == APNsEnvironment.allCases.map(\.rawValue).sorted())
    let problems = schema("Problem")?["properties"]?["code"]?["enum"]?.arrayValue
    #expect(
      problems?.compactMap(\.stringValue).sorted()
        == ConsoleProblem.Code.allCases.map(\.rawValue).sorted())
    let matches: [(name: String, of: PushExpectation.Subject)] = [
      ("EnvelopeMatch", .envelopes), ("EnvelopeMatch", .deliveries),
      ("ConnectionMatch", .connections), ("FindingMatch", .findings),
      ("ProviderTokenMatch", .providerTokens),
    ]
    #expect(matches.map(\.of) == PushExpectation.Subject.allCases)
    for (name, subject) in matches {
      let fields = schema(name)?["propertyNames"]?["anyOf"]?[0]?["enum"]?.arrayValue
      #expect(fields?.compactMap(\.stringValue).sorted() == subject.fields.sorted())
    }
    let codes = schema("Finding")?["properties"]?["code"]?["enum"]?.arrayValue
    #expect(
      codes?.compactMap(\.stringValue).sorted() == FindingCode.allCases.map(\.rawValue).sorted())
    let tokens = schema("OneToken")?["properties"]?["token"]?["enum"]?.arrayValue
    #expect(tokens?.compactMap(\.stringValue).sorted() == TokenName.all.sorted())
    let kinds = schema("Event")?["anyOf"]?.arrayValue?.compactMap { $0["title"]?.stringValue }
    #expect(kinds?.sorted() == EventKind.allCases.map(\.rawValue).sorted())
  }
}
