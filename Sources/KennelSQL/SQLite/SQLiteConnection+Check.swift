extension SQLiteConnection {
  /// Has SQLite check the pages, the indexes, the constraints and the foreign keys.
  ///
  /// - Returns: What is wrong, each as a sentence without a period.
  /// - Throws: `SQLError` if the file cannot be read.
  package func check() throws(SQLError) -> [String] {
    var findings: [String] = []
    do throws(SQLError) {
      let messages = try prepare("PRAGMA integrity_check")
      while try messages.step() {
        let message = messages.text(0)
        if message != "ok" { findings.append(message) }
      }
      let keys = try prepare(
        """
        SELECT "table", parent, count(*) FROM pragma_foreign_key_check
        GROUP BY "table", parent, fkid ORDER BY "table", fkid
        """
      )
      while try keys.step() {
        let count = keys.integer(2)
        findings.append(
          "\(count) \(count == 1 ? "row of \(keys.text(0)) refers to a row" : "rows of \(keys.text(0)) refer to rows")"
            + " of \(keys.text(1)) that \(count == 1 ? "does" : "do") not exist"
        )
      }
    } catch {
      guard error.kind == .damaged || error.kind == .failed else { throw error }
      findings.append(error.message)
    }
    return findings
  }
}
