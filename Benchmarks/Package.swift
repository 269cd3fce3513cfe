// swift-tools-version: 6.2

import PackageDescription

/// What every target of the package is compiled with.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "kennel-benchmarks",
  products: [
    .executable(name: "kennel-bench", targets: ["KennelBench"])
  ],
  dependencies: [
    .package(name: "kennel", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CPseudoTerminal"),
    .executableTarget(
      name: "KennelBench",
      dependencies: [
        "CSQLite",
        "CPseudoTerminal",
        .product(name: "Kennel", package: "kennel"),
        .product(name: "KennelCore", package: "kennel"),
        .product(name: "KennelEncryption", package: "kennel"),
        .product(name: "KennelBox", package: "kennel"),
        .product(name: "KennelRealm", package: "kennel"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
  ]
)
