import PushpitConsole
import PushpitJSON
import Testing

@testable import PushpitGateway

@Suite struct CredentialBodyTests {
  private static let key =
    #""kind":"apnsKey","keyID":"ABCDE12345","teamID":"TEAM123456","publicKey":"PEM""#
  private static let account =
    #""kind":"serviceAccount","projectID":"p","projectNumber":"1","clientEmail":"e","#
    + #""privateKeyID":"a1","publicKey":"PEM""#

  private func faults(_ body: String) throws -> [String] {
    let value = try JSONReader.parse(body.utf8)
    do throws(ConsoleProblem) {
      _ = try CredentialBody.members(value)
      return []
    } catch {
      return error.faults.map { fault in
        if case .body(let pointer) = fault.place { pointer } else { "not in the body" }
      }
    }
  }

  @Test(arguments: [
    "{\(key)}", "{\(account)}", #"{\#(key),"environments":["sandbox"],"topics":["a"]}"#,
    #"{\#(key),"environments":null,"topics":null,"relatedKeyID":null,"workspace":"w"}"#,
    #"{\#(account),"mayPush":false}"#, #"{"kind":"certificate","certificate":"PEM","subject":1}"#,
    #"{"kind":"authorizedUser"}"#, #"{"kind":"externalAccount"}"#,
  ])
  func `a good body is taken`(body: String) throws {
    #expect(try faults(body) == [])
  }

  @Test(arguments: [
    ("[]", [""]), ("{}", ["/kind"]), (#"{"kind":"key"}"#, ["/kind"]), (#"{"kind":1}"#, ["/kind"]),
    (#"{"kind":"apnsKey"}"#, ["/keyID", "/teamID", "/publicKey"]),
    (#"{\#(key),"mayPush":true}"#, ["/mayPush"]),
    (#"{\#(key),"environments":[]}"#, ["/environments"]),
    (#"{\#(key),"environments":["both"]}"#, ["/environments"]),
    (#"{\#(key),"topics":[1]}"#, ["/topics"]), (#"{\#(key),"relatedKeyID":1}"#, ["/relatedKeyID"]),
    (
      #"{"kind":"apnsKey","keyID":"short","teamID":7,"publicKey":""}"#,
      ["/keyID", "/teamID", "/publicKey"]
    ),
    (#"{\#(account),"mayPush":"no"}"#, ["/mayPush"]),
    (#"{"kind":"certificate","pem":"PEM"}"#, ["/certificate", "/pem"]),
    (#"{"kind":"authorizedUser","a/b":1}"#, ["/a~1b"]),
  ])
  func `what is wrong is named`(body: String, pointers: [String]) throws {
    #expect(try faults(body) == pointers)
  }

  @Test func `not more than a hundred mistakes are named`() throws {
    let members = (0..<1000).map { #""m\#($0)":1"# }.joined(separator: ",")
    #expect(try faults(#"{"kind":"authorizedUser",\#(members)}"#).count == 100)
  }
}
