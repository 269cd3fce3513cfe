import KennelCore

extension OutputFormat {
  /// Lossless lines, one per object, as `kennel export` writes them.
  public static let jsonl = OutputFormat(
    name: "jsonl",
    title: "JSON",
    fileExtension: "jsonl",
    letter: "j",
    holdsSeveralClasses: true
  ) { reader, options in
    LinesWriter(exporter: DocumentExporter(reader, linkTargets: options.documents.linkTargets))
  }
}

private struct LinesWriter: ObjectWriter {
  var exporter: DocumentExporter

  mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) {}

  mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws {
    try exporter.append(object, output)
  }

  mutating func end(to output: ByteOutput) throws {
    try exporter.flush(output)
  }
}
