import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct WorkspaceCredentialsTests {
  private func project(_ name: String, taken: Set<String> = []) -> String {
    WorkspaceCredentials.projectID(for: WorkspaceID(name)) { taken.contains($0) }
  }

  @Test(arguments: [
    ("ci", "pushpit-ci"), ("My.Suite_1", "pushpit-my-suite-1"), ("a", "pushpit-a"),
    (String(repeating: "x", count: 22), "pushpit-" + String(repeating: "x", count: 22)),
  ])
  func `a project is called after its workspace`(name: String, id: String) {
    #expect(project(name) == id)
  }

  @Test(arguments: ["ci", "a-", String(repeating: "x", count: 64), "é", "A.B"])
  func `a name that is taken, too long or ends badly gets an end of its own, within Google's form`(
    name: String
  ) {
    let id = project(name, taken: ["pushpit-ci", "pushpit-a-b"])
    #expect((6...30).contains(id.count) && !id.hasSuffix("-"))
    let isOfForm = id.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    #expect(isOfForm)
    #expect(id != "pushpit-ci" && id != "pushpit-a-b")
  }
}
