// swift-tools-version: 6.2

import PackageDescription

/// The engine, documents, models and the browser alone, for `run` to build with another kind of value.
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
    .systemLibrary(name: "CBSON"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CPCRE2"),
    module("KennelPages"),
    module("KennelValues"),
    module("KennelStorage", "KennelPages", "KennelValues", "CMemory"),
    module("KennelCore", "KennelStorage"),
    module("KennelDocuments", "KennelCore", "CBSON", "CZlib"),
    module("SwiftScanning"),
    module("KennelModels", "KennelCore", "SwiftScanning"),
    module("KennelReports", "KennelCore"),
    module("KennelPatterns", "CPCRE2"),
    module("KennelBrowser", "KennelCore", "KennelReports", "KennelPatterns"),
    .executableTarget(
      name: "Durations",
      dependencies: ["KennelBrowser", "KennelCore", "KennelDocuments", "KennelModels"],
      swiftSettings: settings
    ),
  ]
)

func module(_ name: String, _ others: Target.Dependency...) -> Target {
  .target(name: name, dependencies: others, swiftSettings: settings)
}
