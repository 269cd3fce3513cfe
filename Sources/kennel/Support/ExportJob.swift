import KennelCore
import KennelDocuments

/// Objects that are exported, and how far that is.
final class ExportJob {
  /// Writes to a file, for example compressed.
  typealias Wrapper = (FileOutput, (@escaping ByteOutput) throws -> Void) throws -> Void

  let snapshot: Snapshot
  let selections: [ObjectSelection]
  private let options: OutputOptions
  private let total: Int
  private var done = 0
  /// Told which part is written; `nil` where nobody is.
  var report: ((Double) -> Void)?

  init(
    _ snapshot: Snapshot,
    _ selections: [ObjectSelection],
    _ options: OutputOptions,
    report: @escaping (Double) -> Void
  ) {
    self.snapshot = snapshot
    self.selections = selections
    self.options = options
    self.report = report
    total = max(1, selections.reduce(0) { $0 + $1.count(in: snapshot) })
  }

  /// Notes that more objects are written.
  func note(_ count: Int) {
    done += count
    report?(Double(done) / Double(total))
  }

  /// Writes objects; in a format that holds several classes, the schema first.
  func write(
    _ selections: [ObjectSelection],
    as format: OutputFormat,
    to output: ByteOutput
  ) throws {
    if format.holdsSeveralClasses {
      var exporter = DocumentExporter(snapshot)
      try exporter.writeSchema(to: output)
    }
    for selection in selections {
      try selection.write(from: snapshot, as: format, options, progress: note, to: output)
    }
  }

  /// Writes a file for each class into a folder, which appears when it is complete.
  func write(
    as format: OutputFormat,
    toFolder path: String,
    ending: String = "",
    _ wrap: Wrapper
  ) throws {
    try replaceFolder(path) { folder in
      for selection in selections {
        let name = DumpName.escaped(selection.classSchema.name)
        try folder.write("\(name).\(format.fileExtension)\(ending)") { file in
          try wrap(file) { try write([selection], as: format, to: $0) }
        }
      }
    }
  }
}
