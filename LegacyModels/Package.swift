// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "LegacyModels",
  products: [
    .plugin(name: "LegacyModels", targets: ["LegacyModels"])
  ],
  dependencies: [
    // It has the scanner of Swift, and the tests store objects of rewritten models.
    .package(name: "kennel", path: "..")
  ],
  targets: [
    .target(
      name: "ModelRewriting",
      dependencies: [.product(name: "SwiftScanning", package: "kennel")]
    ),
    .executableTarget(
      name: "LegacyModelsTool",
      dependencies: ["ModelRewriting", .product(name: "SwiftScanning", package: "kennel")]
    ),
    .plugin(
      name: "LegacyModels",
      capability: .buildTool(),
      dependencies: ["LegacyModelsTool"]
    ),
    .testTarget(
      name: "ModelRewritingTests",
      dependencies: ["ModelRewriting", .product(name: "SwiftScanning", package: "kennel")]
    ),
    .testTarget(
      name: "LegacyModelsTests",
      dependencies: [
        .product(name: "KennelCore", package: "kennel"),
        .product(name: "KennelRealm", package: "kennel"),
      ],
      exclude: ["Legacy"],
      plugins: ["LegacyModels"]
    ),
  ]
)

for target in package.targets where target.type != .plugin {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
