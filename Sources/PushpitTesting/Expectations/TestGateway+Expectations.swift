internal import PushpitClient
internal import PushpitJSON
internal import PushpitModel

/// What is asked of the recording: expectations, and the workspace's own things.
extension TestGateway {
  /// Waits until so many envelopes match, those that came before included.
  ///
  /// - Parameters:
  ///   - match: Fields of an envelope, as `token`, `outcome` or `reason`, or JSON Pointers into its payload, as
  ///     `/aps/alert/title`, and what each has to be.
  ///   - count: How many; an exact count and a highest one are watched until the time is over.
  ///   - limit: How long, in real time; 60 seconds at most.
  ///   - isStrict: Whether any accepted envelope that does not match is a failure too.
  /// - Returns: The envelopes that match.
  /// - Throws: `TestGatewayError.unmet`, which names what came nearest and why it was refused.
  @discardableResult
  public func expect(
    _ match: [String: PushCondition], count: PushCount = .atLeast(1),
    within limit: Duration = .seconds(5), isStrict: Bool = false
  ) async throws -> [RecordedEnvelope] {
    var conditions = JSONObject()
    for (field, condition) in match.sorted(by: { $0.key < $1.key }) {
      conditions[field] = condition.json
    }
    let body: JSONValue = [
      "match": .object(conditions), "count": count.json, "strict": .bool(isStrict),
      "within": .string(DurationText.write(limit)),
    ]
    do {
      let answer = try await console.call(
        "POST", "/api/v1/expect", body: body, timeLimit: limit + .seconds(30))
      return (answer["matches"]?.arrayValue ?? []).map(RecordedEnvelope.init)
    } catch ConsoleCallError.refused(417, _, let problem) {
      throw TestGatewayError.unmet(UnmetExpectation(problem))
    }
  }

  /// Changes settings of the workspace, as the console's `PATCH /workspaces/{id}` takes them.
  /// - Parameter json: An object of names and values as JSON text: `{"wedge": "off"}`.
  /// - Throws: `TestGatewayError.settings` with what is wrong; nothing is changed then.
  public func set(_ json: String) async throws {
    let settings: JSONValue
    do { settings = try JSONReader.parse(json.utf8) } catch {
      throw TestGatewayError.settings("the settings are not JSON: \(error.message)")
    }
    do {
      _ = try await console.call(
        "PATCH", "/api/v1/workspaces/\(backend.place.workspace)", body: ["settings": settings])
    } catch let error as ConsoleCallError {
      throw TestGatewayError.settings(error.description)
    }
  }

  /// Empties the workspace: envelopes, devices, granted tokens, and its clock; credentials stay.
  public func reset() async throws {
    _ = try await console.call("POST", "/api/v1/reset")
  }
}
