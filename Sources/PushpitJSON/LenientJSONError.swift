/// Where and why even the lenient reader gives up.
package struct LenientJSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What the front end says, in its words.
  package let sentence: String
  /// Up to 20 bytes before and after the place; nil when the sentence comes without them.
  package let excerpt: [UInt8]?
  /// How many of the excerpt's bytes are before the place.
  package let caret: Int
  /// Whether it was met before the text had to be known as complete: the front end then says it at
  /// once, and otherwise only after the faults of the values read so far.
  package let isImmediate: Bool
  /// The place, for people.
  package let place: JSONSyntaxError

  package var description: String { place.description }
}
