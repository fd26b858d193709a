extension Double {
  /// The number without its decimals, when that fits.
  ///
  /// `Int64(exactly:)` and `rounded()` would need libm, which nothing else here links.
  var truncated: Int64? {
    // 2^63 and -2^63 are exact doubles; the first is one too many.
    guard self >= -0x1p63, self < 0x1p63 else { return nil }
    return Int64(self)
  }
}
