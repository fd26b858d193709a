import PushpitDevices
import PushpitModel
import Testing

@Suite struct DeviceErrorTests {
  @Test(arguments: [
    (
      DeviceError.invalid([InputProblem("/app", "is wrong"), InputProblem("", "too")]),
      "/app: is wrong; : too"
    ),
    (.tokenTaken(InputProblem("/tokens/fcm", "is taken")), "/tokens/fcm: is taken"),
    (.unknownDevice(DeviceID("d1")), "there is no device d1"),
    (.tooManyDevices(limit: 2), "there are 2 devices already, which is the limit"),
    (.tooManyStreams(limit: 3), "the device has 3 streams open already, which is the limit"),
    (.nothingShown, "the device shows no push that could be tapped"),
    (.notInInbox(7), "envelope e7 is not in the device's inbox"),
  ])
  func `an error says what is wrong`(_ error: DeviceError, _ text: String) {
    #expect(error.description == text)
  }
}
