/// The pages that Google's front end answers with where no API is.
///
/// Beginning and sentence as in firebase-admin-python#854 and firebase-admin-dotnet#464; the style
/// sheet and the logo between them are left out, they would load from the web.
enum GoogleHTMLPage {
  /// A path or verb that no API has: 404, never 405.
  static func notFound(path: some Sequence<UInt8>) -> String {
    page(
      code: 404, title: "Not Found",
      sentence: "The requested URL <code>\(escaped(path))</code> was not found on this server.")
  }

  /// A body over the front end's limit (common knowledge, not captured).
  static let bodyTooLarge = page(
    code: 413, title: "Request Entity Too Large",
    sentence: "Your client issued a request that was too large.")

  /// What the Instance ID API and other old hosts answer to a credential that is no good
  /// (firebase-tools#4222).
  static let unauthorized = """
    <HTML>
    <HEAD>
    <TITLE>Unauthorized</TITLE>
    </HEAD>
    <BODY BGCOLOR="#FFFFFF" TEXT="#000000">
    <H1>Unauthorized</H1>
    <H2>Error 401</H2>
    </BODY>
    </HTML>

    """

  private static func page(code: Int, title: String, sentence: String) -> String {
    """
    <!DOCTYPE html>
    <html lang=en>
      <meta charset=utf-8>
      <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
      <title>Error \(code) (\(title))!!1</title>
      <p><b>\(code).</b> <ins>That’s an error.</ins>
      <p>\(sentence)  <ins>That’s all we know.</ins>

    """
  }

  private static func escaped(_ text: some Sequence<UInt8>) -> String {
    var escaped: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "<"): escaped += Array("&lt;".utf8)
      case UInt8(ascii: ">"): escaped += Array("&gt;".utf8)
      case UInt8(ascii: "&"): escaped += Array("&amp;".utf8)
      case UInt8(ascii: "\""): escaped += Array("&quot;".utf8)
      case UInt8(ascii: "'"): escaped += Array("&#39;".utf8)
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
