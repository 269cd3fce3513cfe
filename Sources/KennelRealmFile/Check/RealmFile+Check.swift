extension RealmFile {
  /// Reads everything and returns what contradicts itself, at most `limit` findings; none if the
  /// file is sound.
  ///
  /// Checked are all nodes (each is in the file, apart from the others, and referred to once), all
  /// values (they can be read, and null is where it may be), keys, links (the object is there),
  /// backlinks (there is one for each link and no other), that every embedded object has one owner,
  /// and that primary keys are unique. Not checked are the content of indexes, of the history and of
  /// the lists of free space.
  ///
  /// Costs as much as reading all values, and memory for the keys of all objects.
  ///
  /// Throws `changedWhileReading`, `truncated` or `notReadable`; damage is returned.
  public func check(limit: Int = 100) throws(RealmFileError) -> [RealmDamage] {
    let limit = max(0, limit)
    var walk = NodeWalk(from: topReference, bytes: bytes, limit: limit)
    // Between two readings the memory is given back.
    while try reading({ () throws(RealmFileError) in try walk.visit(1000) }) {}
    walk.findOverlaps()
    var checker = ObjectChecker(file: self, findings: walk.findings, limit: limit)
    try checker.check()
    if !checker.findings.isEmpty {
      guard try !changedUnderneath() else { throw .changedWhileReading }
    }
    return Array(checker.findings.prefix(limit))
  }
}
