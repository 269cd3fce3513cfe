import ArgumentParser
import Glibc
import KennelBrowser
import KennelCore
import KennelDocuments
import KennelTerminal

/// `kennel [browse] [FILE]`: a database in the terminal.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Browse a database in the terminal.",
    discussion: """
      Without a file, a copy of the sample is opened that is yours: what you commit to it stays \
      until 'kennel sample --reset'. Nothing is written to a file before you commit.

      Examples:
        kennel
        kennel family.kennel
        kennel browse --read-only family.kennel
      """
  )

  @Argument(help: "The database; the sample without one.", completion: .file())
  var file: String?

  @Flag(help: "Open the file for reading only.")
  var readOnly = false

  mutating func run() throws {
    let terminal: Terminal
    do throws(TerminalError) {
      terminal = try Terminal()
    } catch {
      throw Self.error(error)
    }
    let path = try file ?? SampleFile.open()
    let configuration = Configuration(
      access: readOnly ? .readOnly : .readWrite,
      createsIfMissing: false
    )
    let database = try Database.open(path, configuration: configuration)
    let browser = try Browser(database, settings: Self.settings(for: file ?? "the sample"))
    let ending: EventLoop.Ending
    do throws(TerminalError) {
      ending = try EventLoop(terminal: terminal, program: browser).run()
    } catch {
      throw Self.error(error)
    }
    if case .signal = ending, browser.changeCount > 0 {
      let changes = count(browser.changeCount, "change")
      complain("\(changes) of \(path) had not been committed; the file is as it was")
    }
    ending.exitProcess()
  }

  private static func error(_ error: TerminalError) -> CommandError {
    let text = error.description
    let other = error == .notATerminal ? "; query, schema and export do without" : ""
    return CommandError("Cannot browse: \(text.prefix(1).lowercased())\(text.dropFirst())\(other)")
  }

  private static func settings(for name: String) -> BrowserSettings {
    let noColor = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
    return BrowserSettings(
      fileName: name,
      hasColor: noColor.isEmpty,
      repertoire: Terminal.repertoire,
      json: { snapshot, object in try? json(of: object, in: snapshot) }
    )
  }

  /// The line of an object in a document.
  private static func json(of object: ObjectIdentity, in snapshot: Snapshot) throws -> String {
    var bytes: [UInt8] = []
    var exporter = DocumentExporter(snapshot)
    try exporter.write([object]) { bytes += $0 }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }
}
