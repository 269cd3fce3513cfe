import Glibc
import KennelBrowser
import KennelCore
import KennelDocuments

/// Writes what the browser shows to a file, in the format that the file's extension names.
enum BrowserExport {
  private struct Cancelled: Error {}

  /// Writes objects of a class in their order; the file appears when it is complete.
  static func write(_ request: ExportRequest, _ context: JobContext) -> ExportOutcome {
    let path = request.path
    guard let format = format(of: path) else {
      let names = OutputFormat.all.map { ".\($0.fileExtension)" }
      let list = names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }
      return .failed(
        "The name says the format: let it end in \(list.map(\.element).joined(separator: ", "))"
      )
    }
    var status = stat()
    guard unsafe stat(path, &status) != 0 else {
      return .failed("\(path) exists; choose another name, or remove it first")
    }
    guard let schema = request.snapshot.schema[request.classKey], !schema.isEmbedded else {
      return .failed("Embedded objects are written inside their owners; export those")
    }
    do {
      try replaceFile(path, mode: 0o600) { file in
        let selection = ObjectSelection(schema, keys: request.keys)
        let total = max(1, selection.count(in: request.snapshot))
        var done = 0
        let output: ByteOutput = { bytes in
          if context.isCancelled { throw Cancelled() }
          try file.write(bytes)
        }
        if format.name == "jsonl" {
          var exporter = DocumentExporter(request.snapshot)
          try exporter.writeSchema(to: output)
        }
        try selection.write(
          from: request.snapshot,
          as: format,
          progress: { count in
            done += count
            context.report(progress: Double(done) / Double(total))
          },
          to: output
        )
        if context.isCancelled { throw Cancelled() }
      }
      return .written
    } catch is Cancelled {
      return .failed("Nothing was written")
    } catch {
      return .failed("\(error)")
    }
  }

  private static func format(of path: String) -> OutputFormat? {
    let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
    guard parts.count > 1, let name = parts.last.map(String.init) else { return nil }
    return OutputFormat(name) ?? OutputFormat.all.first { $0.fileExtension == name }
  }
}
