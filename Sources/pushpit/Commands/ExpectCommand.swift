internal import PushpitClient
internal import PushpitHTTPTypes
internal import PushpitJSON

/// `pushpit expect`: waits until the right pushes have come, and says what was wrong when they have not.
enum ExpectCommand: Command {
  static let name = "expect"
  static let summary = "wait for pushes that match; exit 0 when they came, 1 with near misses"
  static let usage = """
    pushpit expect [--match FIELD=VALUE]... [--count N|at-least:N|at-most:N] [--within 5s]
      [--of KIND] [--strict] [--since TIME|ID] [--json] | --body FILE|-
    """
  static let options =
    consoleOptions + ExpectationBody.options + [
      OptionSpecification("--body", "FILE", "the whole expectation as JSON in a file; - for input")
    ]

  /// The options, then how values are read.
  static var help: String {
    standardHelp + """


      FIELD is a field of an envelope (token, topic, service, reason, status ...), of a delivery also
      device, state and cause, of a finding code, severity and status; or a JSON Pointer into the
      payload, e.g. /aps/alert/title. VALUE is text, a number or a JSON value; a number matches its
      text too. An object is a condition: '{"contains":"x"}', '{"exists":false}', glob, startsWith,
      endsWith, greaterThan, lessThan, oneOf or not.
      Without --count one is enough. What came before the command counts, since the workspace was made
      or reset, or --since.
      """
  }

  /// The longest time that the console waits, and some for the answer.
  private static let timeLimit = Duration.seconds(90)

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let body = try body(arguments)
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let response = try await console.send(
      "POST", "/api/v1/expect", body: body, timeLimit: timeLimit)
    let isMet = response.head.status == 200
    guard isMet || response.head.status == 417, let answer = ConsoleConnection.value(of: response)
    else {
      throw ConsoleClient.failure(response)
    }
    if arguments.flag("--json") {
      Terminal.print(answer)
    } else if isMet {
      for line in ExpectationText.met(answer) { Terminal.print(line) }
    }
    guard !isMet else { return 0 }
    throw CommandFailure(
      ExpectationText.missed(answer, hasDetails: !arguments.flag("--json")))
  }

  private static func body(_ arguments: ParsedArguments) throws -> JSONValue {
    guard let file = arguments.text("--body") else { return try ExpectationBody.read(arguments) }
    if let other = arguments.given(ExpectationBody.options.map(\.name)).first {
      throw UsageError("--body has the whole expectation; \(other) cannot be given beside it")
    }
    let bytes = try FileText.bytes(of: file)
    do throws(JSONSyntaxError) {
      return try JSONReader.parse(bytes)
    } catch {
      throw UsageError("\(file == "-" ? "standard input" : file) is not JSON: \(error)")
    }
  }
}
