import PushpitDevices
import PushpitModel
import Testing

/// Registration tokens for apps that had only an APNs token.
@Suite struct ImportedTokenTests {
  let fixture = Fixture()

  @Test func `an iPhone gets one registration token by its APNs token`() throws {
    let device = try fixture.ios()
    let token = try #require(
      fixture.directory.importedToken(for: device.apnsToken, project: "demo-project"))
    #expect(TokenShape.kind(of: token) == .fcm)
    #expect(device.fcmToken?.token == token)
    #expect(fixture.tokens.record(of: token)?.project == "demo-project")
    #expect(
      fixture.directory.importedToken(for: device.apnsToken, project: "demo-project") == token)
    try fixture.directory.remove(device.id)
    #expect(fixture.tokens.record(of: token) == nil)
    let stranger = try #require(
      fixture.directory.importedToken(for: nil, project: "demo-project"))
    #expect(TokenShape.kind(of: stranger) == .fcm)
  }

  @Test func `an iPhone whose registration token is of another project, or dead, gets none`() throws
  {
    let device = try fixture.directory.create(
      DeviceSpecification(platform: .ios, hasFirebase: true))
    let known = try #require(device.fcmToken).token
    func imported(_ project: String) -> [UInt8]? {
      fixture.directory.importedToken(for: device.apnsToken, project: project)
    }
    #expect(imported("other") == nil)
    #expect(imported("123") == nil)
    try fixture.credentials.add(
      ServiceAccount(
        projectID: "demo-project", projectNumber: "123", clientEmail: "a@b", privateKeyID: "k",
        publicKey: []))
    #expect(imported("123") == known)
    #expect(imported("demo-project") == known)
    try fixture.directory.expireToken(device.id, .fcm)
    #expect(imported("demo-project") == nil)
  }
}
