import PushpitDevices
import PushpitJSON
import Testing

@Suite struct DeviceChangeTests {
  @Test func `what is not named stays as it is`() throws {
    #expect(try DeviceChange(json: [:]) == DeviceChange())
  }

  @Test func `online is by request, or by stream when null`() throws {
    #expect(try DeviceChange(json: ["online": true]).online == .requested(true))
    #expect(try DeviceChange(json: ["online": false]).online == .requested(false))
    #expect(try DeviceChange(json: ["online": .null]).online == .byStream)
  }

  @Test func `foreground is closed, open or a conversation`() throws {
    #expect(try DeviceChange(json: ["foreground": false]).foreground == .closed)
    #expect(try DeviceChange(json: ["foreground": true]).foreground == .open)
    #expect(
      try DeviceChange(json: ["foreground": ["conversation": "7"]]).foreground == .conversation("7")
    )
  }

  @Test func `what cannot be changed is refused`() {
    #expect(throws: DeviceError.self) { try DeviceChange(json: ["platform": "ios"]) }
    #expect(throws: DeviceError.self) { try DeviceChange(json: ["online": 1]) }
  }
}
