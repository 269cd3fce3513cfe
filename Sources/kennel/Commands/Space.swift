import ArgumentParser
import KennelBrowser
import KennelCore
@_spi(Faces) import KennelDocuments

/// `kennel space`: tells what takes the space of a file.
struct Space: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure what takes the space of a database, by class and property.",
    discussion: """
      A line for each class, each of its properties, and what belongs to none, the largest first: \
      bytes, share of the file, bytes of values, of indexes and of backlinks, and the name. The \
      numbers are exact: all but those of properties, whose names are indented, add up to the size \
      of the file. 'kennel compact' gives free pages back.

      Examples:
        kennel space family.kennel
        kennel space family.kennel | head
      """
  )

  @Argument(help: "The database.", completion: .file())
  var file: String

  @OptionGroup var key: KeyOptions

  mutating func run() throws {
    let database = try Database.openExisting(file, .readOnly)
    var bar = ProgressBar("Measuring")
    let report = try database.space { part in
      bar.show(part)
      return true
    }
    bar.finish()
    let space = SpaceRows(report, in: try database.snapshot().schema)
    let rows = space.rows.map { row in
      let share = Int((space.share(of: row) * 1000).rounded())
      let parts = [row.valueByteCount, row.indexByteCount, row.backlinkByteCount]
      return ["\(row.byteCount)", "\(share / 10).\(share % 10)%"]
        + parts.map { row.classKey == nil ? "" : "\($0)" }
        + [(row.isPart ? "  " : "") + TerminalText.line(row.name)]
    }
    let heading = ["bytes", "share", "values", "indexes", "backlinks", "name"]
    try StandardOutput.write(TerminalText.aligned([heading] + rows, toRight: true))
  }
}
