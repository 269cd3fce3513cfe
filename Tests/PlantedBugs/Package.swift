// swift-tools-version: 6.2

import PackageDescription

/// The engine and the tests that catch planted bugs alone, for `run` to build again and again.
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
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    .target(name: "CFileRecorder", path: "Tests/CFileRecorder"),
    .executableTarget(
      name: "TortureProgram",
      dependencies: ["KennelCore", "CFileRecorder"],
      path: "Tests/TortureProgram",
      swiftSettings: settings
    ),
    .target(
      name: "KennelTestSupport",
      dependencies: ["KennelCore", "KennelPages", "CPseudoTerminal"],
      path: "Tests/KennelTestSupport",
      swiftSettings: settings
    ),
    .testTarget(
      name: "KennelCoreTests",
      dependencies: ["KennelCore", "KennelTestSupport", "TortureProgram"],
      path: "Tests/KennelCoreTests",
      swiftSettings: settings
    ),
  ]
)
