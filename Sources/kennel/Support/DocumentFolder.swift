@_spi(Faces) import KennelCore
import KennelDocuments

/// The files of a folder to import, such as a dump.
struct DocumentFolder {
  private(set) var files: [DocumentFile] = []
  private(set) var metadata: [CollectionMetadata] = []
  /// The files with documents, to sum up their sizes.
  private(set) var paths: [String] = []

  /// Finds the files; `read` opens one.
  init(_ path: String, read: @escaping (String) throws -> FileInput) throws {
    let folder = try Self.folderOfFiles(path)
    for name in folderNames(folder) ?? [] {
      let file = "\(folder)/\(name)"
      let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
      if plain.hasSuffix(".metadata.json") {
        let stem = String(plain.dropLast(".metadata.json".count))
        metadata.append(try Self.metadata(file, DumpName.unescaped(stem)))
        continue
      }
      // What a server keeps for itself is no collection of objects.
      guard Self.isDocument(plain), !isFolder(file), !plain.hasPrefix("system.") else { continue }
      let stem = String(plain[..<(plain.lastIndex(of: ".") ?? plain.endIndex)])
      paths.append(file)
      files.append(
        DocumentFile(
          name: file,
          className: DumpName.unescaped(stem),
          open: { try read(file).read }
        )
      )
    }
    guard !files.isEmpty || !metadata.isEmpty else {
      throw CommandError("There are no documents in \(path): a dump has files such as Dog.bson")
    }
  }

  /// Whether a file has documents of a class, by its name.
  private static func isDocument(_ name: String) -> Bool {
    InputFormat(fileName: name) != nil && name != "prelude.json" && name != "oplog.bson"
  }

  /// The folder itself, or the one database in it.
  private static func folderOfFiles(_ path: String) throws -> String {
    let path = withoutSlashes(path)
    guard let names = folderNames(path) else { throw CommandError.system("Cannot read \(path)") }
    let folders = names.filter { isFolder("\(path)/\($0)") && $0 != "admin" && $0 != "config" }
    let hasFiles = names.contains { isDocument($0.hasSuffix(".gz") ? String($0.dropLast(3)) : $0) }
    if hasFiles || folders.isEmpty { return path }
    guard folders.count == 1 else {
      throw CommandError(
        "\(path) has the databases \(folders.joined(separator: ", ")): name one, as \(path)/\(folders[0])"
      )
    }
    return "\(path)/\(folders[0])"
  }

  private static func metadata(_ path: String, _ name: String) throws -> CollectionMetadata {
    let input = try FileInput(path)
    let file = try InputFile(format: .json, input.read)
    var text: [UInt8] = []
    while true {
      let bytes = try file.read()
      if bytes.isEmpty { break }
      text += bytes
      guard text.count <= 64 << 20 else {
        throw CommandError("Cannot import \(path): metadata of more than 64 MB")
      }
    }
    return try rethrowing(
      try CollectionMetadata(text, collection: name),
      as: { (error: DocumentError) in CommandError("\(path): \(error)") }
    )
  }
}
