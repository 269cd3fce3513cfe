extension ObjectsFromDocuments {
  /// Where a document comes from, for errors.
  struct Place {
    var file: String?
    var document = 0
    var line: Int?

    /// A problem with the document.
    func error(_ problem: ValueProblem, _ form: ValueReader.Form) -> DocumentError {
      // A line has one document mostly, and of CSV the line is what a person finds.
      let isLineEnough = line != nil && (form != .typed || line == document)
      return DocumentError(
        file: file,
        document: isLineEnough ? nil : document,
        line: line,
        path: problem.path,
        problem.message,
        cause: problem.cause
      )
    }
  }
}
