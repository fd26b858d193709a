import PushpitHTTPTypes
import Testing

@Suite struct RequestHeadTests {
  @Test(arguments: [
    ("/3/device/aa", "/3/device/aa", ""), ("/a?b=c", "/a", "b=c"), ("/a?", "/a", ""),
    ("/a?b?c", "/a", "b?c"), ("", "", ""),
  ])
  func `a target is split at its first question mark`(target: String, path: String, query: String) {
    let head = RequestHead(method: "GET", target: target)
    #expect(String(decoding: head.path, as: UTF8.self) == path)
    #expect(String(decoding: head.query, as: UTF8.self) == query)
  }

  @Test func `an emptied head has nothing left of the request before`() {
    var head = RequestHead(
      method: "POST", target: "/x", authority: "localhost", fields: ["a": "b"])
    head.removeAll()
    #expect(head.method.isEmpty && head.target.isEmpty && head.authority.isEmpty)
    #expect(head.scheme.isEmpty && head.fields.entries.isEmpty)
  }

  @Test(arguments: [
    ("", false), ("/a", false), ("?", false), ("/a?", false), ("/a?b", true), ("?b", true),
    ("/a?b?", true), ("/0123456789", false), ("/0123456789?", false), ("/0123456789?x", true),
    ("/01234?6789", true), ("/>@0123456789>@", false),
  ])
  func `a query is what follows the first question mark, where something does`(
    _ target: String, _ hasQuery: Bool
  ) {
    let head = RequestHead(method: "POST", target: target)
    #expect(head.hasQuery == hasQuery)
    #expect(head.hasQuery == !head.query.isEmpty)
  }
}
