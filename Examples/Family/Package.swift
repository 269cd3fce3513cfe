// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "family",
  dependencies: [
    .package(name: "kennel", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Family",
      dependencies: [.product(name: "Kennel", package: "kennel")]
    )
  ]
)
