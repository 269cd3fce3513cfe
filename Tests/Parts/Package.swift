// swift-tools-version: 6.2

import Foundation
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Every module that a script of a neighbouring folder may copy; those whose folder is there are built.
let modules: [Target] = [
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
  module("KennelPatterns", "KennelCore", "KennelStorage", "CPCRE2"),
  module("KennelBrowser", "KennelCore", "KennelReports", "KennelPatterns"),
  .executableTarget(
    name: "Durations",
    dependencies: ["KennelBrowser", "KennelCore", "KennelDocuments", "KennelModels"],
    swiftSettings: settings
  ),
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
  tests("KennelCoreTests", "KennelCore", "KennelTestSupport", "TortureProgram"),
  .target(
    name: "CraftedPages",
    dependencies: ["KennelPages"],
    path: "Tests/CraftedPages",
    swiftSettings: settings
  ),
  tests("KennelPagesTests", "KennelPages", "CraftedPages"),
]

let package = Package(
  name: "kennel",
  targets: modules.filter { module in
    let folder = module.path ?? "Sources/\(module.name)"
    return FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(folder)")
  }
)

func module(_ name: String, _ others: Target.Dependency...) -> Target {
  .target(name: name, dependencies: others, swiftSettings: settings)
}

func tests(_ name: String, _ others: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: others, path: "Tests/\(name)", swiftSettings: settings)
}
