// swift-tools-version: 6.2

import PackageDescription

/// The page store and its tests alone, for `run` to build again and again.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "kennel",
  targets: [
    .target(name: "KennelPages", swiftSettings: settings),
    .target(
      name: "CraftedPages",
      dependencies: ["KennelPages"],
      path: "Tests/CraftedPages",
      swiftSettings: settings
    ),
    .testTarget(
      name: "KennelPagesTests",
      dependencies: ["KennelPages", "CraftedPages"],
      swiftSettings: settings
    ),
  ]
)
