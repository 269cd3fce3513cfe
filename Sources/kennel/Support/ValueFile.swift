import Glibc
import KennelBrowser

/// Text and data of a property in a file of their own.
enum ValueFile {
  /// Writes bytes to a file that is not there yet; the file appears when it is complete.
  static func save(_ bytes: [UInt8], _ path: String) -> ExportOutcome {
    if exists(path) {
      return .failed("\(path) exists; choose another name, or remove it first")
    }
    do {
      try replaceFile(path) { file in try file.write(bytes) }
      return .written
    } catch {
      return .failed("\(error)")
    }
  }

  /// Reads a regular file; anything else might never end.
  static func load(_ path: String) -> LoadOutcome {
    guard let status = status(of: path) else {
      return .failed("\(CommandError.system("Cannot read \(path)"))")
    }
    guard status.isFile else {
      return .failed("Cannot read \(path): it is not a file with contents")
    }
    do {
      return .loaded(try FileInput(path).readAll())
    } catch {
      return .failed("\(error)")
    }
  }
}
