import Foundation
import PackagePlugin

/// Compiles model files of Realm's older syntax, `@objc dynamic var`, from rewritten copies.
///
/// The files are in the folder `Legacy` of their target, which the manifest excludes:
///
///     .target(
///       name: "App",
///       dependencies: [.product(name: "KennelRealm", package: "kennel")],
///       exclude: ["Legacy"],
///       plugins: [.plugin(name: "LegacyModels", package: "LegacyModels")]
///     )
@main struct LegacyModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let folder = target.directoryURL.appending(path: "Legacy")
    let files = swiftFiles(in: folder)
    guard !files.isEmpty else {
      Diagnostics.warning("\(target.name) has no Swift file in its folder Legacy to rewrite")
      return []
    }
    if target.sourceFiles.contains(where: { $0.url.path.hasPrefix(folder.path + "/") }) {
      Diagnostics.error(
        "\(target.name) compiles its folder Legacy as it is; write exclude: [\"Legacy\"] in its target"
      )
      return []
    }
    let tool = try context.tool(named: "LegacyModelsTool").url
    // One command per file, so that a change rewrites that file alone.
    return files.map { file in
      let name = file.deletingPathExtension().lastPathComponent + "+Rewritten.swift"
      let copy = context.pluginWorkDirectoryURL.appending(path: name)
      return .buildCommand(
        displayName: "Rewriting \(file.lastPathComponent) of \(target.name)",
        executable: tool,
        arguments: [file.path, copy.path],
        inputFiles: [file],
        outputFiles: [copy]
      )
    }
  }

  private func swiftFiles(in folder: URL) -> [URL] {
    guard
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    return files.compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }
  }
}
