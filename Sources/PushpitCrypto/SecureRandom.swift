/// Random bytes of the operating system, for keys, serial numbers and console tokens.
package enum SecureRandom {
  /// `count` random bytes.
  package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// `count` characters drawn evenly from an alphabet.
  package static func text(_ count: Int, of alphabet: String) -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array(alphabet)
    return String(
      (0..<count).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
  }
}
