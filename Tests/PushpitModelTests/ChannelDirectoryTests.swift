import PushpitModel
import Testing

@Suite struct ChannelDirectoryTests {
  let now = Timestamp(milliseconds: 1_800_000_000_000)

  func create(
    _ directory: inout ChannelDirectory, _ id: UInt8, app: String = "com.a",
    _ environment: APNsEnvironment = .sandbox
  ) throws(ChannelDirectory.Full) -> Channel {
    try directory.create(
      id: [id], app: app, environment: environment, storagePolicy: .none, at: now)
  }

  @Test func `channels are listed by app and environment, oldest first`() throws {
    var directory = ChannelDirectory()
    for id in [3, 1, 2] as [UInt8] { _ = try create(&directory, id) }
    _ = try create(&directory, 4, .production)
    _ = try create(&directory, 5, app: "com.b")
    #expect(directory.channels(of: "com.a", in: .sandbox).map(\.id) == [[3], [1], [2]])
    #expect(directory.channels(of: "com.a", in: .production).map(\.id) == [[4]])
    #expect(directory.channels(of: "com.b", in: .production).isEmpty)
    #expect(directory[[5]]?.app == "com.b")
    #expect(directory[[6]] == nil)
  }

  @Test func `Apple's limit holds for each app and environment, and a deletion makes room`() throws
  {
    var directory = ChannelDirectory(channelLimit: 2)
    let first = try create(&directory, 1)
    _ = try create(&directory, 2)
    #expect(throws: ChannelDirectory.Full.app(limit: 2)) { try create(&directory, 3) }
    _ = try create(&directory, 3, .production)
    _ = try create(&directory, 4, app: "com.b")
    directory.delete(first, at: now)
    _ = try create(&directory, 5)
    #expect(ChannelDirectory.channelLimit == 10_000)
  }

  @Test func `many apps together have a limit too`() throws {
    var directory = ChannelDirectory(totalLimit: 2)
    let first = try create(&directory, 1, app: "com.a")
    _ = try create(&directory, 2, app: "com.b")
    #expect(throws: ChannelDirectory.Full.workspace(limit: 2)) {
      try create(&directory, 3, app: "com.c")
    }
    directory.delete(first, at: now)
    _ = try create(&directory, 4, app: "com.c")
  }

  @Test func `a deleted channel is remembered until too many were deleted after it`() throws {
    var directory = ChannelDirectory(deletedLimit: 2)
    for id in 1...5 as ClosedRange<UInt8> {
      let channel = try create(&directory, id)
      directory.delete(channel, at: now)
      directory.delete(channel, at: now + .seconds(1))
      #expect(channel.end == .deleted(at: now))
    }
    #expect((1...5 as ClosedRange<UInt8>).filter { directory[[$0]] != nil } == [4, 5])
    #expect(directory.channels(of: "com.a", in: .sandbox).isEmpty)
  }

  @Test func `switching the capability off deletes the app's channels for good`() throws {
    let workspace = Workspace(id: .default)
    let channel = try create(&workspace.channels, 1)
    let other = try create(&workspace.channels, 2, app: "com.b")
    workspace.apns.broadcastDisabledApps = ["com.a"]
    #expect(channel.end == .capabilityRemoved)
    #expect(other.end == nil)
    workspace.apns.broadcastDisabledApps = []
    #expect(workspace.channels.channels(of: "com.a", in: .sandbox).isEmpty)
  }
}
