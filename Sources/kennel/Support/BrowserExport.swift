import Glibc
import KennelBrowser
import KennelCore
import KennelDocuments

/// Writes what the browser shows to a file, in the format that the file's extension names.
enum BrowserExport {
  private struct Cancelled: Error {}

  /// Writes objects; the file, or the folder of `folder/*.csv`, appears when it is complete.
  static func write(_ request: ExportRequest, _ context: JobContext) -> ExportOutcome {
    let path = request.path
    guard let format = format(of: path) else {
      let names = OutputFormat.all.map { ".\($0.fileExtension)" }
      let list = names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }
      return .failed(
        "The name says the format: let it end in \(list.map(\.element).joined(separator: ", "))"
      )
    }
    let folder = folder(of: path)
    if exists(folder ?? path) {
      return .failed("\(folder ?? path) exists; choose another name, or remove it first")
    }
    let selections = selections(of: request)
    guard let first = selections.first else {
      return .failed("Embedded objects are written inside their owners; export those")
    }
    if folder == nil, !format.holdsSeveralClasses, selections.count > 1 {
      return .failed(
        "One .\(format.fileExtension) file holds one class, and these are \(selections.count): name a "
          + ".jsonl file, or write folder/*.\(format.fileExtension) for a file per class"
      )
    }
    var job = Job(request, context, selections)
    do {
      if let folder {
        try replaceFolder(folder) { files in
          for selection in selections {
            let name = DumpName.escaped(selection.classSchema.name)
            try files.write("\(name).\(format.fileExtension)") { file in
              try job.write([selection], format, to: file)
            }
          }
        }
      } else {
        let all = format.holdsSeveralClasses ? selections : [first]
        try replaceFile(path) { try job.write(all, format, to: $0) }
      }
      return .written
    } catch is Cancelled {
      return .failed("Nothing was written")
    } catch {
      return .failed("\(error)")
    }
  }

  /// One export, with how far it is.
  private struct Job {
    let request: ExportRequest
    let context: JobContext
    let total: Int
    var done = 0

    init(_ request: ExportRequest, _ context: JobContext, _ selections: [ObjectSelection]) {
      self.request = request
      self.context = context
      total = max(1, selections.reduce(0) { $0 + $1.count(in: request.snapshot) })
    }

    mutating func write(
      _ selections: [ObjectSelection],
      _ format: OutputFormat,
      to file: FileOutput
    ) throws {
      let output: ByteOutput = { [context] bytes in
        if context.isCancelled { throw Cancelled() }
        try file.write(bytes)
      }
      if format.holdsSeveralClasses {
        var exporter = DocumentExporter(request.snapshot)
        try exporter.writeSchema(to: output)
      }
      var options = OutputOptions()
      options.csv.columns = request.columns
      if case .closure(let objects) = request.objects { options.documents.linkTargets = objects }
      for selection in selections {
        try selection.write(
          from: request.snapshot,
          as: format,
          options,
          progress: { count in
            done += count
            context.report(progress: Double(done) / Double(total))
          },
          to: output
        )
      }
      if context.isCancelled { throw Cancelled() }
    }
  }

  /// The objects by class; none if they are embedded.
  private static func selections(of request: ExportRequest) -> [ObjectSelection] {
    let schema = request.snapshot.schema
    switch request.objects {
    case .keys(let classKey, let keys):
      guard let classSchema = schema[classKey], !classSchema.isEmbedded else { return [] }
      return [ObjectSelection(classSchema, keys: keys)]
    case .closure(let objects): return ObjectSelection.all(objects, in: schema)
    }
  }

  /// The folder of `folder/*.csv`.
  private static func folder(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), path[slash...].hasPrefix("/*.") else { return nil }
    return String(path[..<slash])
  }

  private static func format(of path: String) -> OutputFormat? {
    let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
    guard parts.count > 1, let name = parts.last.map(String.init) else { return nil }
    return OutputFormat(name) ?? OutputFormat.all.first { $0.fileExtension == name }
  }
}

extension ObjectSelection {
  /// A set of objects by class, in the order of the database.
  static func all(_ objects: ObjectSet, in schema: Schema) -> [ObjectSelection] {
    schema.classes.compactMap { classSchema in
      let keys = objects.objects(of: classSchema.key).keys
      return keys.isEmpty ? nil : ObjectSelection(classSchema, keys: keys)
    }
  }
}
