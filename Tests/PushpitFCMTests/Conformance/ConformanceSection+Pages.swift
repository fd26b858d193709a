import PushpitHTTPTypes
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let measured = ConformanceEvidence.measured("API front end, October 2026")
  private static let note = "style sheet and logo are left out: they would load from the web"

  static let pages = ConformanceSection(
    title: "Paths of no endpoint, and retired ones",
    rules: [
      ConformanceRule(
        "`POST /batch`",
        .page(
          404,
          #"""
          <!DOCTYPE html>
          <html lang=en>
            <meta charset=utf-8>
            <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
            <title>Error 404 (Not Found)!!1</title>
            <p><b>404.</b> <ins>That’s an error.</ins>
            <p>The requested URL <code>/batch</code> was not found on this server.  <ins>That’s all we know.</ins>

          """#),
        .seen("firebase-admin-python issue 854, firebase-admin-dotnet issues 464 and 486"),
        note: note
      ) { $0.request("POST", "/batch", body: "--x") },
      ConformanceRule(
        "`GET` where `POST` goes: never 405",
        .page(
          404,
          #"""
          <!DOCTYPE html>
          <html lang=en>
            <meta charset=utf-8>
            <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
            <title>Error 404 (Not Found)!!1</title>
            <p><b>404.</b> <ins>That’s an error.</ins>
            <p>The requested URL <code>/v1/projects/demo/messages:send</code> was not found on this server.  <ins>That’s all we know.</ins>

          """#),
        measured, note: note
      ) { $0.request("GET", "/v1/projects/demo/messages:send") },
      ConformanceRule(
        "another method of the messages",
        .page(
          404,
          #"""
          <!DOCTYPE html>
          <html lang=en>
            <meta charset=utf-8>
            <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
            <title>Error 404 (Not Found)!!1</title>
            <p><b>404.</b> <ins>That’s an error.</ins>
            <p>The requested URL <code>/v1/projects/demo/messages:sendAll</code> was not found on this server.  <ins>That’s all we know.</ins>

          """#),
        measured, note: note
      ) { $0.request("POST", "/v1/projects/demo/messages:sendAll") },
      ConformanceRule(
        "a path of nothing, without its query",
        .page(
          404,
          #"""
          <!DOCTYPE html>
          <html lang=en>
            <meta charset=utf-8>
            <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
            <title>Error 404 (Not Found)!!1</title>
            <p><b>404.</b> <ins>That’s an error.</ins>
            <p>The requested URL <code>/nowhere</code> was not found on this server.  <ins>That’s all we know.</ins>

          """#),
        measured, note: note
      ) { $0.request("POST", "/nowhere?x=1") },
      ConformanceRule(
        "a path of another of Google's hosts",
        .page(
          404,
          #"""
          <!DOCTYPE html>
          <html lang=en>
            <meta charset=utf-8>
            <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
            <title>Error 404 (Not Found)!!1</title>
            <p><b>404.</b> <ins>That’s an error.</ins>
            <p>The requested URL <code>/token</code> was not found on this server.  <ins>That’s all we know.</ins>

          """#),
        .assumed("each host has its own APIs"), note: note
      ) { $0.request("POST", "/token", authority: "fcm.googleapis.com") },
      ConformanceRule(
        "a path with markup",
        .page(
          404,
          #"""
          <!DOCTYPE html>
          <html lang=en>
            <meta charset=utf-8>
            <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
            <title>Error 404 (Not Found)!!1</title>
            <p><b>404.</b> <ins>That’s an error.</ins>
            <p>The requested URL <code>/&lt;script&gt;&amp;&quot;&#39;</code> was not found on this server.  <ins>That’s all we know.</ins>

          """#),
        .assumed("Google would not put a sender's markup into a page"), note: note
      ) { $0.request("GET", "/<script>&\"'") },
      ConformanceRule(
        "a body over the limit of the listener",
        .page(
          413,
          #"""
          <!DOCTYPE html>
          <html lang=en>
            <meta charset=utf-8>
            <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
            <title>Error 413 (Request Entity Too Large)!!1</title>
            <p><b>413.</b> <ins>That’s an error.</ins>
            <p>Your client issued a request that was too large.  <ins>That’s all we know.</ins>

          """#),
        .assumed("common to Google's front ends, not captured at FCM"), note: note
      ) { $0.request("POST", "/v1/projects/demo/messages:send", isBodyCut: true) },
      ConformanceRule(
        "`POST /fcm/send`, the legacy API",
        .json(
          404,
          #"{"error":"Deprecated endpoint, see https://firebase.google.com/docs/cloud-messaging/migrate-v1"}"#
        ),
        .seen("senders in 2024"), note: "the status is in no report; 404 is commonly named"
      ) { $0.request("POST", "/fcm/send", fields: ["authorization": "key=x"], body: "{}") },
    ])
}
