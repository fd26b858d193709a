import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct ServerStreamTests {
  @Test func `a head that was lent is the stream's again`() {
    let stream = ServerStream()
    stream.head = RequestHead(method: "HEAD", target: "/")
    var lent = RequestHead()
    stream.exchangeHead(&lent)
    #expect(lent.method.elementsEqual("HEAD".utf8))
    #expect(stream.head.method.isEmpty)
    stream.exchangeHead(&lent)
    #expect(stream.isHeadRequest)
  }

  @Test func `an answer's head changes places with the stream's own`() {
    let stream = ServerStream()
    var head = ResponseHead(status: 501)
    stream.exchangeResponse(&head)
    #expect(stream.response.status == 501)
    #expect(head.status == 200)
  }

  @Test func `a stream without a connection has no context`() {
    #expect(ServerStream().context == nil)
  }
}
