// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "kennel",
  products: [
    .library(name: "Kennel", targets: ["Kennel"]),
    .library(name: "KennelFoundationValues", targets: ["KennelFoundationValues"]),
    .library(name: "KennelCore", targets: ["KennelCore"]),
    .library(name: "KennelEncryption", targets: ["KennelEncryption"]),
    .library(name: "KennelPatterns", targets: ["KennelPatterns"]),
    .library(name: "KennelRealm", targets: ["KennelRealm"]),
    .library(name: "KennelBox", targets: ["KennelBox"]),
    .library(name: "KennelDocuments", targets: ["KennelDocuments"]),
    .library(name: "SwiftScanning", targets: ["SwiftScanning"]),
    .plugin(name: "KennelBoxModels", targets: ["KennelBoxModels"]),
    .executable(name: "kennel", targets: ["kennel"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "CBSON", providers: [.apt(["libbson-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CNCurses", providers: [.apt(["libncursesw5-dev"])]),
    .systemLibrary(name: "CPCRE2", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    .target(name: "CTerminalSignals"),
    .target(name: "CMemory"),
    .target(name: "CToml"),
    .target(name: "KennelPages"),
    .target(name: "KennelValues"),
    .target(name: "KennelStorage", dependencies: ["KennelPages", "KennelValues", "CMemory"]),
    .target(name: "KennelCore", dependencies: ["KennelStorage"]),
    .target(name: "KennelEncryption", dependencies: ["KennelCore", "COpenSSL"]),
    .target(name: "Kennel", dependencies: ["KennelCore"]),
    .target(name: "KennelFoundation", dependencies: ["KennelCore"]),
    .target(
      name: "KennelFoundationValues",
      dependencies: ["Kennel", "KennelCore", "KennelFoundation"]
    ),
    .target(name: "KennelBox", dependencies: ["KennelCore", "KennelFoundation"]),
    .target(name: "CRealmSupport"),
    .target(
      name: "KennelRealm",
      dependencies: ["KennelCore", "KennelEncryption", "KennelFoundation", "CRealmSupport"]
    ),
    .target(name: "KennelDocuments", dependencies: ["KennelCore", "CBSON", "CZlib"]),
    .target(name: "KennelRealmFile", dependencies: ["COpenSSL"]),
    .target(name: "KennelConversion", dependencies: ["KennelCore", "KennelRealmFile"]),
    .target(name: "KennelSQL", dependencies: ["KennelCore", "CSQLite3", "CPostgreSQL"]),
    .target(name: "KennelReports", dependencies: ["KennelCore"]),
    .target(name: "KennelPatterns", dependencies: ["KennelCore", "KennelStorage", "CPCRE2"]),
    .target(
      name: "KennelBrowser",
      dependencies: ["KennelCore", "KennelReports", "KennelPatterns"]
    ),
    .target(
      name: "KennelTerminal",
      dependencies: ["KennelBrowser", "CNCurses", "CTerminalSignals"]
    ),
    .target(name: "SwiftScanning"),
    .target(name: "BoxGeneration", dependencies: ["SwiftScanning"]),
    .executableTarget(name: "KennelBoxGenerator", dependencies: ["BoxGeneration"]),
    .plugin(
      name: "KennelBoxModels",
      capability: .buildTool(),
      dependencies: ["KennelBoxGenerator"]
    ),
    .target(name: "KennelModels", dependencies: ["KennelCore", "SwiftScanning"]),
    .executableTarget(
      name: "kennel",
      dependencies: [
        "KennelCore", "KennelReports", "KennelDocuments", "KennelModels", "KennelBrowser",
        "KennelConversion", "KennelEncryption", "KennelPatterns", "KennelRealmFile", "KennelSQL",
        "KennelTerminal", "CToml", "SwiftScanning",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("sample.jsonl")]
    ),
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    .target(name: "CFileRecorder", path: "Tests/CFileRecorder"),
    .executableTarget(
      name: "TerminalDemo",
      dependencies: ["KennelTerminal", "KennelBrowser"],
      path: "Tests/TerminalDemo"
    ),
    .executableTarget(
      name: "TortureProgram",
      dependencies: ["KennelCore", "CFileRecorder"],
      path: "Tests/TortureProgram"
    ),
    .target(name: "CFuzzer", path: "Tests/CFuzzer"),
    .target(name: "CraftedPages", dependencies: ["KennelPages"], path: "Tests/CraftedPages"),
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "KennelCore", "KennelDocuments", "KennelPages", "CraftedPages", "CFuzzer",
        "KennelRealmFile", "KennelConversion", "KennelBrowser", "KennelPatterns", "CToml",
      ],
      path: "Tests/Fuzzing"
    ),
    .target(
      name: "KennelTestSupport",
      dependencies: ["KennelCore", "KennelPages", "KennelBrowser", "CPseudoTerminal"],
      path: "Tests/KennelTestSupport"
    ),
    mainActorProgram("AsyncMain"),
    mainActorProgram("TopLevelAwait"),
    mainActorProgram("NestedRunLoop"),
    .executableTarget(name: "Pets", dependencies: ["KennelRealm"], path: "Examples/Pets"),
    .target(
      name: "RealmTestSupport",
      dependencies: ["KennelRealm", "KennelCore", "KennelTestSupport"],
      path: "Tests/RealmTestSupport"
    ),
    .testTarget(name: "KennelPagesTests", dependencies: ["KennelPages", "CraftedPages"]),
    tests(of: "KennelValues", []),
    tests(of: "KennelStorage", ["KennelPages"]),
    tests(of: "KennelEncryption", ["KennelCore", "KennelPages", "COpenSSL"]),
    tests(
      of: "KennelCore",
      [
        "KennelDocuments", "KennelEncryption", "KennelStorage", "KennelPages", "CraftedPages",
        "TortureProgram",
      ]
    ),
    tests(
      of: "Kennel",
      ["KennelCore", "KennelEncryption", "KennelFoundationValues", "KennelModels"]
    ),
    tests(of: "KennelBox", ["KennelRealm", "KennelCore"], "model.json", ["KennelBoxModels"]),
    tests(of: "KennelDocuments", ["KennelCore"], "Recorded"),
    tests(
      of: "KennelRealm",
      ["KennelCore", "RealmTestSupport"]
        + ["AsyncMain", "TopLevelAwait", "NestedRunLoop"]
    ),
    tests(
      of: "KennelModels",
      ["KennelDocuments", "KennelCore", "KennelRealm", "RealmTestSupport", "BoxGeneration"]
        + ["SwiftScanning"],
      "Goldens"
    ),
    tests(of: "KennelRealmFile", ["KennelConversion", "KennelCore", "CZlib"], "Recorded"),
    tests(of: "KennelSQL", ["KennelCore", "CSQLite3"]),
    .testTarget(name: "SwiftScanningTests", dependencies: ["SwiftScanning"]),
    tests(of: "BoxGeneration", ["SwiftScanning"], "Goldens"),
    tests(of: "KennelPatterns", ["KennelCore"]),
    tests(of: "KennelReports", ["KennelCore", "KennelStorage", "KennelPages"]),
    tests(of: "KennelBrowser", ["KennelCore", "KennelDocuments"], "Walks"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["KennelTestSupport", "CPseudoTerminal", "TerminalDemo", "Pets"],
      exclude: ["Formats"]
    ),
    .testTarget(name: "TidyTests"),
  ]
)

for target in package.targets where ![.system, .plugin].contains(target.type) {
  target.swiftSettings =
    ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"]
    .map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error), .strictMemorySafety()]
}

/// A program that uses a realm on the main actor, which the tests of KennelRealm run.
func mainActorProgram(_ name: String) -> Target {
  .executableTarget(name: name, dependencies: ["KennelRealm"], path: "Tests/\(name)")
}

/// The tests of a module, which use others as well, and a folder or file that is not compiled.
func tests(
  of module: String,
  _ others: [Target.Dependency],
  _ excluded: String? = nil,
  _ plugins: [Target.PluginUsage] = []
) -> Target {
  .testTarget(
    name: "\(module)Tests",
    dependencies: [.init(stringLiteral: module), "KennelTestSupport"] + others,
    exclude: excluded.map { [$0] } ?? [],
    plugins: plugins
  )
}
