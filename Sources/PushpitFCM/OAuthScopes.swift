/// The scopes that Google knows, as far as senders of pushes ask for them.
enum OAuthScopes {
  /// Either of these allows sending (Google's discovery document `fcm.v1.json`).
  static func allowSending(_ scopes: [String]) -> Bool {
    scopes.contains(prefix + "firebase.messaging") || scopes.contains(prefix + "cloud-platform")
  }

  /// Either of these allows acting as a service account (IAM: `generateAccessToken`).
  static func allowImpersonation(_ scopes: [String]) -> Bool {
    scopes.contains(prefix + "cloud-platform") || scopes.contains(prefix + "iam")
  }

  /// Whether every scope is one of Google's.
  static func areKnown(_ scopes: [String]) -> Bool {
    scopes.allSatisfy { scope in
      if plain.contains(scope) { return true }
      return scope.hasPrefix(prefix) && names.contains(String(scope.dropFirst(prefix.count)))
    }
  }

  private static let prefix = "https://www.googleapis.com/auth/"
  private static let plain: Set<String> = [
    "openid", "email", "profile", "https://mail.google.com/",
  ]

  /// Those of the Firebase SDKs, and others that one service account's token often serves too.
  private static let names: Set<String> = [
    "analytics", "analytics.readonly", "androidpublisher", "bigquery", "bigquery.readonly",
    "calendar", "calendar.readonly", "cloud-platform", "cloud-platform.read-only", "cloudkms",
    "compute", "compute.readonly", "datastore", "devstorage.full_control", "devstorage.read_only",
    "devstorage.read_write", "drive", "drive.file", "drive.readonly", "firebase",
    "firebase.database", "firebase.messaging", "firebase.readonly", "firebase.remoteconfig", "iam",
    "identitytoolkit", "logging.admin", "logging.read", "logging.write", "monitoring",
    "monitoring.read", "monitoring.write", "pubsub", "securetoken", "servicecontrol",
    "service.management", "spreadsheets", "spreadsheets.readonly", "sqlservice.admin", "taskqueue",
    "trace.append", "userinfo.email", "userinfo.profile",
  ]
}
