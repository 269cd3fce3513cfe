import Glibc
import KennelCore
import KennelDocuments

/// The copy of the sample that `kennel` opens without a file argument.
///
/// It is created in the user's data folder from the text in the executable, so a copied executable
/// has its sample too. Commits to it persist until it is reset.
enum SampleFile {
  /// Its path, in `XDG_DATA_HOME` or `~/.local/share`.
  static func path() throws -> String {
    guard let folder = userFolder("XDG_DATA_HOME", orInHome: ".local/share") else {
      throw CommandError("Cannot find the data folder: neither XDG_DATA_HOME nor HOME is set")
    }
    return folder + "/sample.kennel"
  }

  /// Creates the file if it is missing.
  static func open() throws -> String {
    let path = try path()
    if !exists(path) { try make(at: path) }
    return path
  }

  /// Replaces the file by a new copy.
  static func reset() throws -> String {
    let path = try path()
    Interruption.watch(Interruption.leavingAlone(path))
    try make(at: path)
    return path
  }

  /// Imports the text beside the path and renames the file, so nobody sees an unfinished one.
  private static func make(at path: String) throws {
    try makeFolders(of: path)
    try withDraft(of: path, as: path, importSample) { draft in
      guard rename(draft, path) == 0 else { throw CommandError.system("Cannot create \(path)") }
      unlink(path + "-lock")
    }
    synchronizeFolder(of: path)
  }

  /// Imports the text into an empty database.
  private static func importSample(into database: Database) throws {
    var text = PackageResources.sample_jsonl
    let file = DocumentFile(format: .jsonl) {
      {
        defer { text = [] }
        return text
      }
    }
    let importer = DocumentImporter(DocumentReader([file]))
    try database.write { transaction in _ = try importer.read(into: transaction) }
  }
}
