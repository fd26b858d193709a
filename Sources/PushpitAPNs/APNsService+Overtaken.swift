package import PushpitHTTPTypes
package import PushpitModel

/// Requests that the end of their connection overtook: they are answered without being judged.
extension APNsService {
  /// Why a request is answered with the reason of its connection's end.
  package enum Overtaking {
    /// Its body was incomplete when the connection had been silent for this long.
    ///
    /// Apple lists `IdleTimeout` among the reasons of answers, and no capture shows one. That a request
    /// gets it which keeps the connection waiting is assumed: nothing else on an idle connection could
    /// be answered.
    case silence(Duration)
    /// It became complete when the gateway had announced that it stops.
    ///
    /// Apple: "Shutdown: the APNs server is shutting down". No capture shows when; assumed is that what
    /// was in progress is answered with it.
    case stop
  }

  /// Writes the answer of a request that was overtaken, and says what became of it.
  package func refuse(
    _ request: PushRequest, overtakenBy cause: Overtaking, connection: APNsConnectionState,
    response: inout ResponseHead, body: inout [UInt8]
  ) -> PushOutcome {
    var push = read(request, connection)
    let refusal =
      switch cause {
      case .silence(let limit):
        APNsRefusal(
          .idleTimeout, APNsDiagnoses.requestStalled(request.body.count, limit: limit))
      case .stop: APNsRefusal(.shutdown, APNsDiagnoses.gatewayStopping())
      }
    let wire = push.policies.wire
    var outcome = PushOutcome(
      service: .apns, workspace: push.workspace.id, status: refusal.reason.status)
    describe(request, push, connection, in: &outcome)
    outcome.reason = refusal.reason.text(wire)
    outcome.diagnosis = refusal.diagnosis
    if BroadcastCall.Kind(request, push.path) == nil {
      outcome.apnsID = identifier(of: request, push)
      APNsResponse.refuse(&response, &body, refusal, id: outcome.apnsID, wire: wire)
    } else {
      outcome.apnsID = requestIdentifier(request.head.fields.value("apns-request-id"), push)
      BroadcastResponse.refuse(&response, &body, refusal, id: outcome.apnsID, wire: wire)
    }
    push.moveBytes(to: &outcome)
    return outcome
  }

  /// What a request says, for the record of one that gets no answer of APNs' own.
  package func describe(
    _ request: PushRequest, connection: APNsConnectionState, status: Int
  ) -> PushOutcome {
    var push = read(request, connection)
    var outcome = PushOutcome(service: .apns, workspace: push.workspace.id, status: status)
    describe(request, push, connection, in: &outcome)
    push.moveBytes(to: &outcome)
    return outcome
  }

  /// The workspace that a request belongs to, for a setting that decides before the first check.
  package func workspace(
    of request: PushRequest, connection: APNsConnectionState
  ) -> Workspace {
    read(request, connection).workspace
  }
}

extension APNsConnectionState {
  /// That of the client certificate, else of the last valid provider token's key; nil before either.
  package var workspace: WorkspaceID? { certificate?.workspace ?? lastToken?.key?.workspace }
}
