// swift-tools-version: 6.2

import PackageDescription

/// The browser and what it stands on alone, for `run` to build with another view.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "kennel",
  targets: [
    .target(name: "CMemory"),
    .target(name: "KennelPages", swiftSettings: settings),
    .target(name: "KennelValues", swiftSettings: settings),
    .target(
      name: "KennelStorage",
      dependencies: ["KennelPages", "KennelValues", "CMemory"],
      swiftSettings: settings
    ),
    .target(name: "KennelCore", dependencies: ["KennelStorage"], swiftSettings: settings),
    .target(name: "KennelReports", dependencies: ["KennelCore"], swiftSettings: settings),
    .systemLibrary(name: "CPCRE2"),
    .target(name: "KennelPatterns", dependencies: ["CPCRE2"], swiftSettings: settings),
    .target(
      name: "KennelBrowser",
      dependencies: ["KennelCore", "KennelReports", "KennelPatterns"],
      swiftSettings: settings
    ),
  ]
)
