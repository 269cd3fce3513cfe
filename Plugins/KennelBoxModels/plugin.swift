import Foundation
import PackagePlugin

/// Generates the bindings of a target's entities.
///
///     .target(
///       name: "App",
///       dependencies: [.product(name: "KennelBox", package: "kennel")],
///       exclude: ["model.json"],
///       plugins: [.plugin(name: "KennelBoxModels", package: "kennel")]
///     )
///
/// The numbers of entities and properties are kept in `model.json` in the folder of the target.
@main struct KennelBoxModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let sources = target.sourceFiles(withSuffix: "swift").map(\.url)
      .sorted { $0.path < $1.path }
    guard !sources.isEmpty else { return [] }
    let model = target.directoryURL.appending(path: "model.json")
    let output = context.pluginWorkDirectoryURL.appending(path: "EntityInfo.generated.swift")
    let exists = FileManager.default.fileExists(atPath: model.path)
    return [
      .buildCommand(
        displayName: "Generating the entities of \(target.name)",
        executable: try context.tool(named: "KennelBoxGenerator").url,
        arguments: [target.name, model.path, output.path] + sources.map(\.path),
        inputFiles: sources + (exists ? [model] : []),
        outputFiles: [output]
      )
    ]
  }
}
