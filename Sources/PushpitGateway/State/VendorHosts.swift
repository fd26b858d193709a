/// The host names of the vendors that senders and receivers connect to.
enum VendorHosts {
  /// All of them: in the server certificate and among the names that the CA permits.
  static let all = apple + google

  /// Apple's, for pushes, broadcasts and channel management (Apple: Sending notification
  /// requests to APNs; Sending channel management requests; Sending broadcast push notification
  /// requests).
  static let apple = [
    "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
    "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
    "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
  ]

  /// Google's: what senders use (messages, tokens, topics, identities), then receivers.
  static let google = [
    "fcm.googleapis.com", "fcm.mtls.googleapis.com", "oauth2.googleapis.com",
    "iid.googleapis.com", "www.googleapis.com", "accounts.google.com", "sts.googleapis.com",
    "iamcredentials.googleapis.com", "android.clients.google.com",
    "firebaseinstallations.googleapis.com", "fcmregistrations.googleapis.com",
    "mtalk.google.com",
  ]
}
