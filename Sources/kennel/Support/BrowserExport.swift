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
      return .failed(
        "The name says the format: let it end in \(OutputFormat.endings.joined(separator: ", "))"
      )
    }
    let folder = folder(of: path)
    if exists(folder ?? path) {
      return .failed("\(folder ?? path) exists; choose another name, or remove it first")
    }
    let selections = selections(of: request)
    guard !selections.isEmpty else {
      return .failed("Embedded objects are written inside their owners; export those")
    }
    if folder == nil, !format.holdsSeveralClasses, selections.count > 1 {
      return .failed(
        "One .\(format.fileExtension) file holds one class, and these are \(selections.count): name a "
          + ".jsonl file, or write folder/*.\(format.fileExtension) for a file per class"
      )
    }
    var options = OutputOptions()
    options.csv.columns = request.columns
    if case .closure(let objects) = request.objects { options.documents.linkTargets = objects }
    let job = ExportJob(request.snapshot, selections, options) { context.report(progress: $0) }
    let checked: ExportJob.Wrapper = { file, body in
      try body { bytes in
        if context.isCancelled { throw Cancelled() }
        try file.write(bytes)
      }
      if context.isCancelled { throw Cancelled() }
    }
    do {
      if let folder {
        try job.write(as: format, toFolder: folder, checked)
      } else {
        try replaceFile(path) { file in
          try checked(file) { try job.write(selections, as: format, to: $0) }
        }
      }
      return .written
    } catch is Cancelled {
      return .failed("Nothing was written")
    } catch {
      return .failed("\(error)")
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
