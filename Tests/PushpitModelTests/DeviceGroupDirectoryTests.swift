import PushpitModel
import Testing

/// Evidence: Google, "Send messages to device groups".
@Suite struct DeviceGroupDirectoryTests {
  private func create(
    _ directory: inout DeviceGroupDirectory, _ key: UInt8, _ name: String = "anna",
    project: String = "demo", members: [[UInt8]] = [[1], [2]]
  ) throws(DeviceGroupDirectory.Problem) -> DeviceGroup {
    try directory.create(key: [key], name: name, project: project, members: members)
  }

  @Test func `a group is found by its key and by its name in its project`() throws {
    var directory = DeviceGroupDirectory()
    let group = try create(&directory, 9, members: [[1], [2], [1]])
    #expect(group.members == [[1], [2]])
    #expect(directory[[9]] === group)
    #expect(directory.group(named: "anna", in: "demo") === group)
    #expect(directory.group(named: "anna", in: "other") == nil)
    #expect(throws: DeviceGroupDirectory.Problem.nameTaken) { try create(&directory, 8) }
    _ = try create(&directory, 8, project: "other")
  }

  @Test func `a group has 20 members at most, and is changed whole or not at all`() throws {
    var directory = DeviceGroupDirectory()
    let tokens = (1...21 as ClosedRange<UInt8>).map { [$0] }
    let group = try create(&directory, 9, members: Array(tokens.prefix(19)))
    let full = DeviceGroupDirectory.Problem.tooManyMembers(limit: 20)
    #expect(throws: full) { try directory.add(tokens, to: group) }
    #expect(group.members.count == 19)
    try directory.add(Array(tokens.prefix(20)), to: group)
    #expect(group.members.count == 20)
    #expect(throws: full) { try create(&directory, 8, "ben", members: tokens) }
    #expect(directory.count == 1)
  }

  @Test func `removing the last member deletes the group and frees its name`() throws {
    var directory = DeviceGroupDirectory()
    let group = try create(&directory, 9)
    directory.remove([[1], [7]], from: group)
    #expect(group.members == [[2]])
    directory.remove([[2]], from: group)
    #expect(directory[[9]] == nil)
    #expect(directory.count == 0)
    _ = try create(&directory, 8)
  }

  @Test func `a dead token leaves all its groups`() throws {
    var directory = DeviceGroupDirectory()
    let first = try create(&directory, 8, "anna", members: [[1], [2]])
    _ = try create(&directory, 9, "ben", members: [[1]])
    directory.removeAll([1])
    #expect(first.members == [[2]])
    #expect(directory.group(named: "ben", in: "demo") == nil)
  }

  @Test func `a workspace has no more groups than the limit`() throws {
    var directory = DeviceGroupDirectory(groupLimit: 1)
    let first = try create(&directory, 8)
    #expect(throws: DeviceGroupDirectory.Problem.tooManyGroups(limit: 1)) {
      try create(&directory, 9, "ben")
    }
    directory.remove(first.members, from: first)
    _ = try create(&directory, 9, "ben")
  }
}
