internal import PushpitJSON
internal import PushpitModel

/// The file that an Android app is built with, `google-services.json`.
enum GoogleServicesFile {
  /// What it holds for the one app of a project.
  static func object(of account: ServiceAccount, appID: String, apiKey: String) -> JSONObject {
    JSONObject([
      "project_info": [
        "project_number": .string(account.projectNumber),
        "project_id": .string(account.projectID),
        "storage_bucket": .string("\(account.projectID).firebasestorage.app"),
      ],
      "client": [
        [
          "client_info": [
            "mobilesdk_app_id": .string(appID),
            "android_client_info": ["package_name": .string(DefaultCredentials.app)],
          ],
          "oauth_client": [],
          "api_key": [["current_key": .string(apiKey)]],
          "services": ["appinvite_service": ["other_platform_oauth_client": []]],
        ]
      ],
      "configuration_version": "1",
    ])
  }
}
