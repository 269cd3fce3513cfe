package import SwiftScanning

/// Makes the bindings of a target's entities.
///
/// A build tool plugin runs it on all sources of a target. What it has to remember from one build
/// to the next is in the target's `model.json`.
package enum BoxGeneration {
  /// A source file.
  package struct Source {
    package let path: String
    package let text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  /// The files to write, and the messages.
  package struct Result {
    /// All mistakes and warnings, in the order of the sources.
    package let diagnostics: [Diagnostic]
    /// The generated code, or `nil` after a mistake.
    package let code: String?
    /// The new text of `model.json`, or `nil` if it stays as it is.
    package let model: String?
  }

  /// Generates the code of a target from its sources and the text of its `model.json`.
  package static func generate(
    target: String,
    sources: [Source],
    model: String?,
    modelPath: String
  ) -> Result {
    let scanned = sources.map { SourceReader.read($0.text, path: $0.path) }
    let (entities, found) = ModelReader.read(scanned)
    let diagnostics = sorted(found, by: sources)
    guard !diagnostics.contains(where: { $0.severity == .error }) else {
      return Result(diagnostics: diagnostics, code: nil, model: nil)
    }
    if entities.isEmpty {
      let warning = Diagnostic(
        .warning,
        modelPath,
        line: 1,
        "\(target) has no entity; write 'class Note: Entity', or remove the plugin from it"
      )
      return Result(diagnostics: diagnostics + [warning], code: header(target), model: nil)
    }
    do throws(Diagnostic) {
      let file = try model.map { text throws(Diagnostic) in
        try ModelFileReader.read(text, path: modelPath)
      }
      var sync = ModelSync(entities, file ?? ModelFile())
      sync.run()
      let isGood = sync.diagnostics.isEmpty
      return Result(
        diagnostics: diagnostics + sorted(sync.diagnostics, by: sources),
        code: isGood ? code(target, sync.entities, scanned) : nil,
        model: isGood || model != nil ? changed(sync.file, from: model) : nil
      )
    } catch {
      return Result(diagnostics: diagnostics + [error], code: nil, model: nil)
    }
  }

  private static func sorted(_ diagnostics: [Diagnostic], by sources: [Source]) -> [Diagnostic] {
    let order = sources.enumerated().reduce(into: [:]) { $0[$1.1.path] = $1.0 }
    var seen: Set<Diagnostic> = []
    return diagnostics.filter { seen.insert($0).inserted }.enumerated().sorted { a, b in
      (order[a.element.path] ?? 0, a.element.line, a.offset)
        < (order[b.element.path] ?? 0, b.element.line, b.offset)
    }.map(\.element)
  }

  /// The text of the file, unless it says what it said before.
  private static func changed(_ file: ModelFile, from text: String?) -> String? {
    let json = file.json
    if let text, let before = try? JSON(text), before == json { return nil }
    return json.written()
  }

  // MARK: - Code

  private static func header(_ target: String) -> String {
    "// Generated from the entities of \(target). Do not edit.\n"
  }

  private static func code(
    _ target: String,
    _ entities: [EntityModel],
    _ sources: [ScannedSource]
  ) -> String {
    let bindings = entities.map(BindingWriter.write)
    // It exports Foundation, too.
    let imports = "\(importAccess(entities, sources))import KennelBox\n"
    let store = store(entities)
    return ([header(target), imports] + bindings + [store])
      .joined(separator: "\n")
  }

  /// The access level of the import, as the sources write it: the files of a module have to agree.
  private static func importAccess(_ entities: [EntityModel], _ sources: [ScannedSource]) -> String
  {
    let written = sources.compactMap { $0.imports["KennelBox"].flatMap(Access.init) }.max()
    let needed = entities.map(\.declaration.access).max() ?? .internal
    guard let written, written >= needed else { return "" }
    return needed.text + " "
  }

  private static func store(_ entities: [EntityModel]) -> String {
    let infos = entities.map { "        \(BindingWriter.info(of: $0)),\n" }.joined()
    let access = (entities.map(\.declaration.access).min() ?? .internal).text
    return """
      nonisolated extension KennelBox.Store {
        /// Opens or creates the database of the entities of this module.
        \(access) convenience init(
          directoryPath: Swift.String,
          maxDbSizeInKByte: Swift.UInt64 = 1024 * 1024,
          fileMode: Swift.UInt32 = 0o644,
          maxReaders: Swift.UInt32 = 0,
          readOnly: Swift.Bool = false
        ) throws {
          try self.init(
            entities: [
      \(infos)      ],
            directory: directoryPath,
            maxDbSizeInKByte: maxDbSizeInKByte,
            fileMode: fileMode,
            maxReaders: maxReaders,
            readOnly: readOnly
          )
        }
      }

      """
  }
}
