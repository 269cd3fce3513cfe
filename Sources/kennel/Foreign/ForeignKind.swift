import Glibc
import KennelDocuments
import KennelSQL

/// The kinds of files and databases that are opened as copies.
enum ForeignKind {
  case realm
  case sqlite
  /// A database of a server, at a URL.
  case postgres
  /// Documents in a file, a folder or a pipe.
  case documents

  /// Looks at a file; `nil` for a Kennel file and for what no importer knows.
  init?(of path: String) {
    if PostgresURL.isURL(path) {
      self = .postgres
      return
    }
    if path == "-" {
      self = .documents
      return
    }
    if isFolder(path) {
      guard (try? DocumentFolder(path) { try FileInput($0) }) != nil else { return nil }
      self = .documents
      return
    }
    // A pipe would lose what is looked at.
    guard let status = status(of: path), status.isFile, let input = try? FileInput(path),
      !input.isDatabase
    else { return nil }
    if FileKeys.isFileGiven || RealmSource.isRealm(path) {
      self = .realm
      return
    }
    if SQLiteSource.isSQLite(input) {
      self = .sqlite
      return
    }
    let hasEnding = InputFormat(fileName: path) != nil
    // An archive of mongodump may have any name.
    if status.st_size > 0, hasEnding || (try? InputFile(input.read).format) == .archive {
      self = .documents
    } else if status.st_size > 0, SQLiteSource.isNameOfSQLite(path) {
      // An encrypted one, or what was one.
      self = .sqlite
    } else {
      return nil
    }
  }
}
