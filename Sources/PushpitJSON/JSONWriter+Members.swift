extension JSONWriter {
  /// A member of the innermost object.
  package mutating func member(_ key: String, _ value: String) {
    self.key(key)
    string(value)
  }

  /// A member of the innermost object.
  package mutating func member(_ key: String, _ value: some FixedWidthInteger) {
    self.key(key)
    int(value)
  }

  /// A member of the innermost object.
  package mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  /// A member of the innermost object.
  package mutating func member(_ key: String, _ value: JSONValue) {
    self.key(key)
    self.value(value)
  }

  /// A member of the innermost object whose value is a string given as UTF-8.
  package mutating func member(_ key: String, utf8 value: some Collection<UInt8>) {
    self.key(key)
    string(utf8: value)
  }

  /// A member that is left out when there is no value.
  package mutating func memberIfPresent(_ key: String, _ value: String?) {
    if let value { member(key, value) }
  }

  /// A member that is left out when there is no value.
  package mutating func memberIfPresent(_ key: String, _ value: (some FixedWidthInteger)?) {
    if let value { member(key, value) }
  }

  /// A member that is left out when there is no value.
  package mutating func memberIfPresent(_ key: String, _ value: Bool?) {
    if let value { member(key, value) }
  }

  /// A member that is left out when there is no value.
  package mutating func memberIfPresent(_ key: String, _ value: JSONValue?) {
    if let value { member(key, value) }
  }

  /// A member that is `null` when there is no value.
  package mutating func memberOrNull(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  /// A member that is `null` when there is no value.
  package mutating func memberOrNull(_ key: String, _ value: (some FixedWidthInteger)?) {
    self.key(key)
    if let value { int(value) } else { null() }
  }
}
