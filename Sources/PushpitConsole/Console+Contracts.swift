internal import PushpitDevices
internal import PushpitJSON

extension Console {
  /// `GET /contracts`: the payload contracts that devices may follow, in the form that the configuration has.
  func listContracts(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    // Contracts are those of all workspaces; the parameter is known because every call takes it.
    _ = try workspace(&query, allowsAll: true)
    try query.finish()
    let contracts = devices.contracts.all
    return json { writer in
      writer.beginObject()
      writer.key("items")
      writer.beginArray()
      for contract in contracts { writer.value(contract.json) }
      writer.endArray()
      writer.key("next")
      writer.null()
      writer.member("total", contracts.count)
      writer.member("evicted", 0)
      writer.endObject()
    }
  }
}
