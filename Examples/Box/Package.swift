// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "dog-walks",
  dependencies: [
    .package(name: "kennel", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "DogWalks",
      dependencies: [.product(name: "KennelBox", package: "kennel")],
      exclude: ["model.json"],
      plugins: [.plugin(name: "KennelBoxModels", package: "kennel")]
    )
  ]
)
