// swift-tools-version: 6.3
import PackageDescription

// A package of somebody else that tests with PushpitTesting; scripts/test builds and runs it.
let package = Package(
  name: "outside",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "pushpit", path: "../..")],
  targets: [
    .testTarget(
      name: "OutsideTests", dependencies: [.product(name: "PushpitTesting", package: "pushpit")])
  ]
)
