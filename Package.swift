// swift-tools-version: 6.2

import PackageDescription

/// What every target of the package is compiled with.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
]

/// What the targets are compiled with whose unsafe expressions have no marks.
let unmarked = Array(settings.dropLast())

let package = Package(
  name: "kennel",
  products: [
    .library(name: "KennelCore", targets: ["KennelCore"]),
    .library(name: "KennelRealm", targets: ["KennelRealm"]),
    .library(name: "KennelDocuments", targets: ["KennelDocuments"]),
    .executable(name: "kennel", targets: ["kennel"]),
    .plugin(name: "LegacyModels", targets: ["LegacyModels"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "CLMDB", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CBSON", providers: [.apt(["libbson-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CNCurses", providers: [.apt(["libncursesw5-dev"])]),
    .target(name: "CTerminalSignals"),
    .target(name: "CChecksum"),
    .target(name: "KennelLMDB", dependencies: ["CLMDB"], swiftSettings: settings),
    .target(
      name: "KennelStorage",
      dependencies: ["KennelLMDB", "CChecksum"],
      swiftSettings: unmarked
    ),
    .target(name: "KennelCore", dependencies: ["KennelStorage"], swiftSettings: unmarked),
    .target(name: "CRealmSupport"),
    .target(
      name: "KennelRealm",
      dependencies: ["KennelCore", "CRealmSupport"],
      swiftSettings: unmarked
    ),
    .target(
      name: "KennelDocuments",
      dependencies: ["KennelCore", "CBSON", "CZlib"],
      swiftSettings: settings
    ),
    .target(name: "KennelBrowser", dependencies: ["KennelCore"], swiftSettings: settings),
    .target(
      name: "KennelTerminal",
      dependencies: ["KennelBrowser", "CNCurses", "CTerminalSignals"],
      swiftSettings: settings
    ),
    .target(name: "KennelGeneration", swiftSettings: settings),
    .target(
      name: "KennelModels",
      dependencies: ["KennelCore", "KennelGeneration"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "LegacyModelsTool",
      dependencies: ["KennelGeneration"],
      swiftSettings: unmarked
    ),
    .plugin(
      name: "LegacyModels",
      capability: .buildTool(),
      dependencies: ["LegacyModelsTool"]
    ),
    .executableTarget(
      name: "kennel",
      dependencies: [
        "KennelCore", "KennelDocuments", "KennelBrowser", "KennelTerminal", "KennelGeneration",
        "KennelModels",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    .target(name: "CFileRecorder", path: "Tests/CFileRecorder"),
    .executableTarget(
      name: "TerminalDemo",
      dependencies: ["KennelTerminal", "KennelBrowser"],
      path: "Tests/TerminalDemo",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "TortureProgram",
      dependencies: ["KennelCore", "CFileRecorder"],
      path: "Tests/TortureProgram",
      swiftSettings: settings
    ),
    .target(
      name: "KennelTestSupport",
      dependencies: ["KennelCore", "KennelLMDB", "KennelBrowser", "CPseudoTerminal"],
      path: "Tests/KennelTestSupport",
      swiftSettings: settings
    ),
    .testTarget(
      name: "KennelLMDBTests",
      dependencies: ["KennelLMDB", "KennelTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "KennelStorageTests",
      dependencies: ["KennelStorage", "KennelLMDB", "KennelTestSupport"],
      swiftSettings: unmarked
    ),
    .testTarget(
      name: "KennelCoreTests",
      dependencies: [
        "KennelCore", "KennelStorage", "KennelLMDB", "KennelTestSupport", "TortureProgram",
      ],
      swiftSettings: unmarked
    ),
    .testTarget(
      name: "KennelDocumentsTests",
      dependencies: ["KennelDocuments", "KennelCore", "KennelTestSupport"],
      exclude: ["Recorded"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "KennelGenerationTests",
      dependencies: ["KennelGeneration"],
      exclude: ["Goldens"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "KennelRealmTests",
      dependencies: ["KennelRealm", "KennelCore", "KennelTestSupport", "RealmTestSupport"],
      swiftSettings: unmarked
    ),
    .executableTarget(
      name: "Pets",
      dependencies: ["KennelRealm"],
      path: "Examples/Pets",
      swiftSettings: settings
    ),
    .target(
      name: "RealmTestSupport",
      dependencies: ["KennelRealm", "KennelCore", "KennelTestSupport"],
      path: "Tests/RealmTestSupport",
      swiftSettings: settings
    ),
    .testTarget(
      name: "LegacyModelsTests",
      dependencies: ["KennelRealm", "RealmTestSupport"],
      exclude: ["Legacy"],
      swiftSettings: settings,
      plugins: ["LegacyModels"]
    ),
    .testTarget(
      name: "TranslatedModelsTests",
      dependencies: ["KennelRealm", "RealmTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "GeneratedModelsTests",
      dependencies: [
        "KennelModels", "KennelDocuments", "KennelCore", "KennelRealm", "KennelTestSupport",
        "RealmTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "KennelBrowserTests",
      dependencies: ["KennelBrowser", "KennelCore", "KennelDocuments", "KennelTestSupport"],
      exclude: ["Walks"],
      swiftSettings: unmarked
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["KennelTestSupport", "CPseudoTerminal", "TerminalDemo", "Pets"],
      swiftSettings: settings
    ),
    .testTarget(name: "TidyTests", swiftSettings: settings),
  ]
)
