import Glibc
import KennelCore
import KennelDocuments

/// JSON schemas in a file or a folder.
enum SchemaFiles {
  /// How deep folders are searched: `service/database/Collection/schema.json`.
  private static let deepest = 4

  /// Reads the schemas in files and folders, with the links of the option `--link`.
  static func read(_ paths: [String], links: [String]) throws -> JSONSchemaReader {
    var reader = JSONSchemaReader()
    for path in paths {
      guard isFolder(path) else {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let folder = String(path.dropLast(name.count))
        let shown =
          path == "-" ? "standard input" : fileName(name, in: folder.isEmpty ? "." : folder)
        try reader.add(try bytes(of: path), file: shown)
        continue
      }
      let names = try names(in: path, depth: 1)
      guard !names.isEmpty else {
        throw CommandError("There are no JSON schemas in \(path): none of its files ends in .json")
      }
      for name in names {
        try reader.add(try bytes(of: "\(path)/\(name)"), file: fileName(name, in: path))
      }
    }
    for link in links { try reader.add(link: link) }
    return reader
  }

  /// The name of a file, with its folder if that names the class.
  private static func fileName(_ name: String, in folder: String) -> String {
    guard name == "schema.json" || name == "relationships.json",
      let parent = realPath(folder).split(separator: "/").last
    else { return name }
    return "\(parent)/\(name)"
  }

  /// Creates a folder unless it exists.
  static func makeFolder(_ path: String) throws {
    if mkdir(path, 0o777) != 0, errno != EEXIST || !isFolder(path) {
      throw CommandError.system("Cannot create the folder \(path)")
    }
  }

  /// Writes a schema and replaces an existing one.
  static func write(_ text: String, to path: String) throws {
    try replaceFile(path) { try $0.write(Array(text.utf8)) }
  }

  /// The JSON files in a folder and the folders in it, sorted.
  private static func names(in folder: String, depth: Int) throws -> [String] {
    guard let entries = folderNames(folder) else {
      throw CommandError.system("Cannot read \(folder)")
    }
    var names: [String] = []
    for name in entries where !name.hasPrefix(".") {
      if isFolder("\(folder)/\(name)") {
        if depth < deepest {
          names += try self.names(in: "\(folder)/\(name)", depth: depth + 1).map { "\(name)/\($0)" }
        }
      } else if name.hasSuffix(".json") {
        names.append(name)
      }
    }
    return names.sorted()
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    let input = try FileInput(path)
    if input.isDatabase {
      throw CommandError("\(path) is a database, not a JSON schema; give it alone")
    }
    return try input.readAll()
  }
}
