/// How a rule of a vendor's is known, as the pages of conformance name it.
package struct ConformanceEvidence: Sendable, Equatable {
  /// The kind of evidence, as the pages print it.
  package let kind: String
  /// Where it comes from.
  package let source: String

  /// Seen on the real service: when, and by whom where that is public.
  package static func observed(_ source: String) -> Self { Self(kind: "observed", source: source) }

  /// A whole answer taken from the real service.
  package static func captured(_ source: String) -> Self { Self(kind: "captured", source: source) }

  /// Found by asking the real service, or another with the same front end, one request after the
  /// other.
  package static func measured(_ source: String) -> Self { Self(kind: "measured", source: source) }

  /// Reported by senders.
  package static func seen(_ source: String) -> Self {
    Self(kind: "seen in the wild", source: source)
  }

  /// Written on a page of the vendor's, by its title.
  package static func documented(_ source: String) -> Self {
    Self(kind: "documented", source: source)
  }

  /// Done by libraries in production, so the service must take it.
  package static func library(_ source: String) -> Self { Self(kind: "library", source: source) }

  /// Known to nobody outside; the reason for what the gateway does.
  package static func assumed(_ reason: String) -> Self { Self(kind: "assumed", source: reason) }
}
