/// One fault of a request body, as `google.rpc.BadRequest` lists it.
struct FieldViolation: Sendable, Equatable {
  /// The path of the field in proto names; nil when the fault is the root's.
  let field: String?
  let description: String

  init(_ field: String?, _ description: String) {
    self.field = field
    self.description = description
  }
}
