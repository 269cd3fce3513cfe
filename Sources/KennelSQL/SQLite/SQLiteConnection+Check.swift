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
        findings.append(dangling(keys.integer(2), from: keys.text(0), to: keys.text(1)))
      }
    } catch {
      guard error.kind == .damaged || error.kind == .failed else { throw error }
      findings.append(error.message)
    }
    return findings
  }
}
