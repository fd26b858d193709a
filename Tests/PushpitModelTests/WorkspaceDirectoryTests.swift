import Testing

@testable import PushpitModel

@Suite struct WorkspaceDirectoryTests {
  private let directory = WorkspaceDirectory()

  @Test func `workspaces are made once, and go`() throws {
    let id = WorkspaceID("ci")
    let made = try directory.create(id)
    #expect(directory[id] === made)
    #expect(throws: WorkspaceDirectory.Refusal.exists) { try directory.create(id) }
    directory.remove(id)
    #expect(directory[id] === directory.default && directory.all.count == 1)
    directory.remove(.default)
    #expect(directory.all[.default] === directory.default)
  }

  @Test func `there is a limit`() throws {
    for number in 1..<WorkspaceDirectory.limit {
      _ = try directory.create(WorkspaceID("w\(number)"))
    }
    #expect(throws: WorkspaceDirectory.Refusal.tooMany(limit: 1_000)) {
      try directory.create(WorkspaceID("more"))
    }
  }

  @Test func `a reset brings back what was settled, and forgets the rest`() throws {
    let workspace = try directory.create(WorkspaceID("ci"))
    workspace.policies.tokens = .strict
    workspace.settle()
    workspace.policies.tokens = .open
    workspace.apns.wedge = .off
    workspace.clock.offset = .seconds(60)
    workspace.reset()
    #expect(workspace.policies.tokens == .strict)
    #expect(workspace.apns == APNsSettings() && workspace.clock == WorkspaceClock())
  }

  @Test(arguments: [
    ("ci", true), ("CI-2.main_x", true), ("7", true), (String(repeating: "a", count: 64), true),
    ("", false), ("*", false), ("-a", false), (".a", false), ("a/b", false), ("é", false),
    (String(repeating: "a", count: 65), false),
  ])
  func `names stand in URLs and file names`(name: String, isGood: Bool) {
    #expect(WorkspaceID(name).isWellFormed == isGood)
  }
}
