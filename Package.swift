// swift-tools-version: 6.3
import PackageDescription

/// The settings of every Swift target: one language mode, no hidden imports, no warnings.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A library target of the package; its arrows point down only (see ARCHITECTURE.md).
func floor(_ name: String, _ dependencies: [String]) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .target(name: $0) }, swiftSettings: swiftSettings)
}

/// The test target of one library target.
func tests(_ name: String, _ dependencies: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: ([name] + dependencies).map { .target(name: $0) },
    swiftSettings: swiftSettings)
}

let package = Package(
  name: "pushpit",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "pushpit", targets: ["pushpit"]),
    .library(name: "PushpitTesting", targets: ["PushpitTesting"]),
  ],
  targets: [
    // C: system libraries, and shims that say why.
    .systemLibrary(
      name: "CNghttp2", pkgConfig: "libnghttp2",
      providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CUV", pkgConfig: "libuv",
      providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // Files that the console serves, embedded when they are compiled.
    .target(name: "CConsoleDocuments", exclude: ["openapi.json"]),
    // Ground floor: values only.
    floor("PushpitHTTPTypes", []),
    floor("PushpitJSON", []),
    // Engine: bytes, sockets, TLS and HTTP; no push.
    floor("PushpitNetwork", ["CUV"]),
    floor("PushpitCrypto", ["COpenSSL"]),
    floor("PushpitHTTP", ["PushpitHTTPTypes", "PushpitNetwork", "PushpitCrypto", "CNghttp2"]),
    // Domain: the vendors' rules, devices and records; no sockets.
    floor("PushpitModel", ["PushpitJSON", "PushpitHTTPTypes"]),
    floor("PushpitAPNs", ["PushpitModel", "PushpitCrypto", "PushpitHTTPTypes", "PushpitJSON"]),
    floor("PushpitFCM", ["PushpitModel", "PushpitCrypto", "PushpitHTTPTypes", "PushpitJSON"]),
    floor("PushpitDevices", ["PushpitModel", "PushpitHTTPTypes", "PushpitJSON"]),
    floor("PushpitRecording", ["PushpitModel", "PushpitJSON", "PushpitHTTPTypes"]),
    floor("PushpitPersistence", ["PushpitRecording", "PushpitModel", "PushpitJSON", "CSQLite"]),
    // Product.
    floor(
      "PushpitConsole",
      [
        "PushpitRecording", "PushpitDevices", "PushpitModel", "PushpitHTTPTypes", "PushpitJSON",
        "CConsoleDocuments",
      ]),
    floor(
      "PushpitGateway",
      [
        "PushpitAPNs", "PushpitFCM", "PushpitDevices", "PushpitRecording", "PushpitPersistence",
        "PushpitConsole",
        "PushpitModel", "PushpitHTTP", "PushpitNetwork", "PushpitCrypto", "PushpitHTTPTypes",
        "PushpitJSON",
      ]),
    floor("PushpitClient", ["PushpitHTTP", "PushpitNetwork", "PushpitHTTPTypes", "PushpitJSON"]),
    floor(
      "PushpitTesting",
      [
        "PushpitGateway", "PushpitClient", "PushpitRecording", "PushpitDevices", "PushpitModel",
        "PushpitHTTP",
        "PushpitNetwork", "PushpitCrypto", "PushpitHTTPTypes", "PushpitJSON",
      ]),
    .executableTarget(
      name: "pushpit",
      dependencies: [
        "PushpitClient", "PushpitGateway", "PushpitHTTP", "PushpitHTTPTypes", "PushpitNetwork",
        "PushpitJSON",
        "PushpitModel", "PushpitCrypto",
      ],
      swiftSettings: swiftSettings),
    // Tests: one target per library target, and what several of them share.
    .target(name: "PushpitTestSupport", path: "Tests/Support", swiftSettings: swiftSettings),
    tests("PushpitHTTPTypes"),
    tests("PushpitJSON"),
    tests("PushpitNetwork"),
    tests("PushpitCrypto", ["PushpitTestSupport"]),
    tests("PushpitHTTP", ["PushpitHTTPTypes", "PushpitNetwork", "PushpitCrypto"]),
    tests("PushpitModel"),
    tests(
      "PushpitAPNs",
      ["PushpitModel", "PushpitCrypto", "PushpitHTTPTypes", "PushpitJSON", "PushpitTestSupport"]),
    tests(
      "PushpitFCM",
      ["PushpitModel", "PushpitCrypto", "PushpitHTTPTypes", "PushpitJSON", "PushpitTestSupport"]),
    tests("PushpitDevices", ["PushpitModel", "PushpitJSON"]),
    tests("PushpitRecording", ["PushpitModel", "PushpitJSON", "PushpitHTTPTypes"]),
    tests(
      "PushpitPersistence",
      ["PushpitRecording", "PushpitModel", "PushpitJSON", "PushpitHTTPTypes"]),
    tests(
      "PushpitConsole",
      ["PushpitRecording", "PushpitDevices", "PushpitModel", "PushpitHTTPTypes", "PushpitJSON"]),
    tests(
      "PushpitGateway",
      [
        "PushpitAPNs", "PushpitConsole", "PushpitDevices", "PushpitHTTP", "PushpitHTTPTypes",
        "PushpitNetwork",
        "PushpitCrypto", "PushpitModel", "PushpitJSON", "PushpitRecording", "PushpitTestSupport",
      ]),
    tests("PushpitClient", ["PushpitJSON"]),
    tests("PushpitTesting", ["PushpitGateway", "PushpitNetwork", "PushpitTestSupport"]),
    tests(
      "pushpit",
      [
        "PushpitClient", "PushpitGateway", "PushpitHTTP", "PushpitHTTPTypes", "PushpitModel",
        "PushpitCrypto", "PushpitNetwork", "PushpitJSON", "PushpitTestSupport",
      ]),
  ],
  cLanguageStandard: .c2x
)
