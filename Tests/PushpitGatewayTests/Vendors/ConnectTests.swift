import PushpitHTTPTypes
import PushpitJSON
import Testing

@testable import PushpitGateway

/// What asks for a tunnel at the gateway's port: RFC 9110 section 15.6.2 has 501 for it.
@Suite(.timeLimit(.minutes(5))) struct ConnectTests {
  private func expectRecord(_ gateway: TestGateway) async throws {
    let envelope = try await gateway.lastEnvelope()
    #expect(envelope["service"]?.stringValue == "unknown")
    #expect(envelope["status"]?.intValue == 501)
    #expect(envelope.pointer("/diagnosis/code")?.stringValue == "connect-not-built")
  }

  // Also at Apple's host and with APNs' fields: it is judged before it is routed.
  @Test(arguments: ["fcm.googleapis.com:443", "api.push.apple.com:443"])
  func `CONNECT in HTTP 1.1 is 501 without a body`(authority: String) async throws {
    try await withGateway { gateway in
      let port = gateway.report.gatewayPort
      let received = try await onThread {
        let socket = BlockingSocket(port: port)
        socket?.send(
          "CONNECT \(authority) HTTP/1.1\r\nhost: \(authority)\r\nconnection: close\r\n\r\n".utf8)
        return socket?.readToEnd() ?? []
      }
      let text = String(decoding: received, as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
      #expect(text.hasSuffix("\r\n\r\n"))
      try await expectRecord(gateway)
    }
  }

  @Test func `CONNECT in HTTP 2 is 501 without a body`() async throws {
    try await withGateway { gateway in
      let port = gateway.report.gatewayPort
      // HPACK literals with the names 2 (`:method`) and 1 (`:authority`) of the static table.
      let block = [0x02, 7] + Array("CONNECT".utf8) + [0x01, 7] + Array("a.b:443".utf8)
      let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
      // END_STREAM and END_HEADERS on stream 1.
      let head = [0, 0, UInt8(block.count), 1, 5, 0, 0, 0, 1] + block
      let isAnswered = try await onThread {
        guard let socket = BlockingSocket(port: port) else { return false }
        socket.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings + head)
        var received: [UInt8] = []
        while true {
          let piece = socket.read()
          if piece.isEmpty { return false }
          received += piece
          // A HEADERS frame on stream 1 with both flags.
          if received.contains([1, 5, 0, 0, 0, 1]) { return true }
        }
      }
      #expect(isAnswered)
      try await expectRecord(gateway)
    }
  }
}
