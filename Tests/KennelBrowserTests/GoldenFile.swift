import Foundation
import KennelBrowser
import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// A file of the checkout that is made from something else.
///
/// `UPDATE_WALKS=1` writes it, as it writes the screens of walks.
struct GoldenFile {
  let path: String

  private var url: URL { Self.root.appendingPathComponent(path) }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

  /// Expects the file to be what it would be if it were made now.
  func expect(_ text: String, _ command: String = "make walks") throws {
    if Walk.isUpdating, (try? self.text()) != text {
      try Data(text.utf8).write(to: url)
    }
    let isFresh = (try? self.text()) == text
    #expect(isFresh, "\(path) is stale: \(command) writes it")
  }

  /// The files of a folder of the checkout, by name.
  static func all(in folder: String, extension: String) throws -> [GoldenFile] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(".\(`extension`)") }
      .sorted()
      .map { GoldenFile(path: "\(folder)/\($0)") }
  }
}

/// The sample in a browser.
enum Sample {
  /// Calls a closure with a terminal in which the browser opens a sample of its own.
  static func browse<Result>(_ body: (inout ScriptTerminal) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    let path = folder.file("sample.kennel")
    try fill(path)
    var terminal = ScriptTerminal { _ in
      var settings = BrowserSettings(fileName: "the sample")
      settings.time = { _ in "2026-11-21 13:05" }
      return try Browser(Database.open(path), settings: settings)
    }
    return try body(&terminal)
  }

  /// Makes the sample.
  static func fill(_ path: String) throws {
    let database = try Database.open(path)
    var rest = Array(try GoldenFile(path: "sample-data/sample.jsonl").text().utf8)
    let file = DocumentFile(format: .jsonl) {
      {
        defer { rest = [] }
        return rest
      }
    }
    try database.write { _ = try DocumentImporter(DocumentReader([file])).read(into: $0) }
  }
}
