/// What a stream holds for HTTP/1.1 only.
struct HTTP1StreamState {
  /// The request line says HTTP/1.0.
  var isVersion10 = false
  /// The connection can be used again after the answer.
  var keepsAlive = true
  /// The body of the answer is sent in chunks.
  var isChunked = false
}
