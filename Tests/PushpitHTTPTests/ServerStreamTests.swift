import PushpitHTTPTypes
import Testing

@testable import PushpitHTTP

@Suite struct ServerStreamTests {
  @Test func `a request that was lent is the stream's again`() {
    let stream = ServerStream()
    stream.head = RequestHead(method: "HEAD", target: "/")
    stream.body = [1, 2]
    stream.isBodyCut = true
    var head = RequestHead()
    var body: [UInt8] = []
    let isBodyCut = stream.exchangeRequest(&head, &body)
    #expect(isBodyCut)
    #expect(head.method.elementsEqual("HEAD".utf8))
    #expect(body == [1, 2])
    #expect(stream.head.method.isEmpty)
    #expect(stream.body.isEmpty)
    stream.exchangeRequest(&head, &body)
    #expect(stream.isHeadRequest)
    #expect(stream.body == [1, 2])
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
