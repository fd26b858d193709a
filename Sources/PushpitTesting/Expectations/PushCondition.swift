internal import PushpitJSON

/// What a field of an envelope has to be: a text, a number, true or false stand for themselves.
public struct PushCondition: Sendable, Equatable {
  let json: JSONValue

  private init(_ json: JSONValue) {
    self.json = json
  }

  /// The text contains this one; a list contains it as an element.
  public static func contains(_ text: String) -> PushCondition {
    operation("contains", .string(text))
  }

  /// The text fits a pattern, in which `*` stands for any text and `?` for any character.
  public static func glob(_ pattern: String) -> PushCondition {
    operation("glob", .string(pattern))
  }

  /// The text starts with this one.
  public static func startsWith(_ text: String) -> PushCondition {
    operation("startsWith", .string(text))
  }

  /// The text ends with this one.
  public static func endsWith(_ text: String) -> PushCondition {
    operation("endsWith", .string(text))
  }

  /// The number is greater.
  public static func greaterThan(_ number: Int) -> PushCondition {
    operation("greaterThan", .int(number))
  }

  /// The number is less.
  public static func lessThan(_ number: Int) -> PushCondition {
    operation("lessThan", .int(number))
  }

  /// The field is there, or is not.
  public static func exists(_ isThere: Bool = true) -> PushCondition {
    operation("exists", .bool(isThere))
  }

  /// One of these.
  public static func oneOf(_ texts: [String]) -> PushCondition {
    operation("oneOf", .array(texts.map { .string($0) }))
  }

  /// The condition does not hold.
  public static func not(_ condition: PushCondition) -> PushCondition {
    operation("not", condition.json)
  }

  private static func operation(_ name: String, _ value: JSONValue) -> PushCondition {
    PushCondition(.object(JSONObject([name: value])))
  }
}

extension PushCondition: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  /// This text.
  public init(stringLiteral value: String) { json = .string(value) }
  /// This number.
  public init(integerLiteral value: Int) { json = .int(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { json = .bool(value) }

  /// This text.
  public static func equal(_ text: String) -> PushCondition { PushCondition(.string(text)) }
}

/// How many envelopes or deliveries are expected.
public enum PushCount: Sendable, Equatable, ExpressibleByIntegerLiteral {
  /// So many and no more, until the time is over.
  case exactly(Int)
  /// So many or more.
  case atLeast(Int)
  /// So many or fewer, until the time is over.
  case atMost(Int)

  /// So many and no more.
  public init(integerLiteral value: Int) { self = .exactly(value) }

  var json: JSONValue {
    switch self {
    case .exactly(let count): .int(count)
    case .atLeast(let count): ["atLeast": .int(count)]
    case .atMost(let count): ["atMost": .int(count)]
    }
  }
}
