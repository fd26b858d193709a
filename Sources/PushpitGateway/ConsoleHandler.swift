internal import PushpitConsole
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel

/// The console port's handler: hands requests to the console and streams its long answers.
final class ConsoleHandler: ServerHandler {
  private let core: GatewayCore
  private let console: Console

  init(_ core: GatewayCore, _ console: Console) {
    self.core = core
    self.console = console
  }

  func connectionOpened(_ connection: ServerConnection) {
    connection.context = OpeningTime(core.time.now)
  }

  func requestCompleted(_ stream: ServerStream) {
    guard let connection = stream.connection else { return }
    let request = ConsoleRequest(
      head: stream.head, body: stream.body, isBodyCut: stream.isBodyCut,
      connection: connection.facts)
    switch console.answer(request) {
    case .response(let response):
      stream.response = response.head
      stream.respond(body: response.body)
    case .later(let answer):
      stream.respondLater(answer)
      answer.sendBy { [console] response in
        stream.response = console.finished(response.head)
        stream.respond(body: response.body)
      }
    case .streaming(let head, let producer):
      stream.response = head
      stream.respondStreaming(producer)
    }
  }

  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {
    guard let opening = connection.context as? OpeningTime else { return }
    core.ledger.consoleClosed(connection, openedAt: opening.time, ending)
  }
}

/// When a console connection was opened.
private final class OpeningTime {
  let time: Timestamp

  init(_ time: Timestamp) {
    self.time = time
  }
}
