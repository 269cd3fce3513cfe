internal import KennelCore

/// What the views read: the newest snapshot, with the draft's changes where there is a draft.
///
/// A view cannot do anything about a damaged page but say so. Reading through here therefore never
/// throws: it answers with nothing and keeps the sentence, which the status line shows.
final class BrowserModel {
  let database: Database
  /// The changes that are not committed; `nil` where the file cannot be written, and while a job has
  /// them.
  var draft: Draft? { lent == nil ? ownDraft : nil }
  private let ownDraft: Draft?
  /// What is shown and kept while a job changes the draft.
  private var lent: LentDraft?
  /// What is shown where there is no draft.
  private var ownSnapshot: Snapshot?
  /// Grows whenever anything that is shown may have changed.
  private(set) var generation = 0
  /// Whether the file was at its path when it was looked at last.
  var filePlace = FilePlace.unchanged
  /// Why the last reading failed; taken by the status line.
  var problem: String?
  /// The objects that the draft creates or changes; rebuilt after each change of the draft.
  private(set) var touched: [ObjectIdentity: DraftChange.Kind] = [:]
  private(set) var changeCount = 0
  /// How many operations of the draft each change of the person took: undo takes one change back.
  private var undoGroups: [Int] = []
  private var redoGroups: [Int] = []
  /// The numbers of the operations that begin a change of the person, in order.
  private var stepStarts: [Int] = []

  init(_ database: Database) throws(DatabaseError) {
    self.database = database
    ownDraft = database.canWrite ? try database.makeDraft() : nil
    ownSnapshot = ownDraft == nil ? try database.snapshot() : nil
  }

  var snapshot: DatabaseReader? { lent?.snapshot ?? draft?.reader ?? ownSnapshot }

  /// Whether the file can be changed, now or when a job is done with the draft.
  var hasDraft: Bool { ownDraft != nil }

  var schema: Schema { snapshot?.schema ?? Schema() }

  /// Whether a commit that the screen does not show has happened.
  var isStale: Bool {
    // What a job changes is brought up to date when it is back, and nothing comes from a file that is
    // no longer at its path.
    guard lent == nil, filePlace == .unchanged else { return false }
    let shown = draft?.base.commitNumber ?? ownSnapshot?.commitNumber
    return database.commitNumber != shown
  }

  /// A snapshot of its own for a job on another thread.
  func detached() -> Snapshot? {
    lent?.snapshot.copy() ?? draft?.reader.copy() ?? ownSnapshot?.copy()
  }

  /// Reads, and turns a failure into nothing and a sentence.
  func attempt<Result>(_ body: () throws(DatabaseError) -> Result) -> Result? {
    do {
      return try body()
    } catch {
      problem = error.message
      return nil
    }
  }

  private func read<Result>(
    _ otherwise: Result,
    _ body: (DatabaseReader) throws(DatabaseError) -> Result
  ) -> Result {
    guard let snapshot else { return otherwise }
    do {
      return try body(snapshot)
    } catch {
      // An object that is gone is no trouble with the file; the views say it where they show it.
      if error.code != .noSuchObject, error.code != .noSuchClass { problem = error.message }
      return otherwise
    }
  }

  /// Takes in what others committed.
  func refresh() {
    guard isStale else { return }
    _ = attempt { () throws(DatabaseError) in
      if let draft {
        try draft.refresh()
      } else {
        ownSnapshot = try database.snapshot()
      }
    }
    changed()
  }

  /// To be called after each change of the draft.
  func changed() {
    generation += 1
    if lent != nil { return }
    touched = draft?.kinds ?? [:]
    changeCount = draft?.changeCount ?? 0
  }
}

extension Draft {
  /// Takes so many steps back, or none where one fails; what the first of them was.
  func undo(_ count: Int) throws(DatabaseError) -> String? {
    var sentence: String?
    var done = 0
    do throws(DatabaseError) {
      while done < count {
        sentence = try undo() ?? sentence
        done += 1
      }
    } catch {
      // A file that cannot be read has the draft made anew; what is left of it stays in step.
      for _ in 0..<done { _ = try? redo() }
      throw error
    }
    return sentence
  }

  /// Takes so many steps again, or none where one fails; what the first of them was.
  func redo(_ count: Int) throws(DatabaseError) -> String? {
    var sentence: String?
    var done = 0
    do throws(DatabaseError) {
      while done < count {
        let next = try redo()
        sentence = sentence ?? next
        done += 1
      }
    } catch {
      for _ in 0..<done { _ = try? undo() }
      throw error
    }
    return sentence
  }
}

/// What a draft was when a job got it.
private struct LentDraft {
  let snapshot: Snapshot
  let records: [DraftRecord]
  let operationCount: Int
  let nextNumber: Int
  /// Whether it is to be thrown away when it is back.
  var isDiscarded = false
}

// MARK: - Changing

extension BrowserModel {
  /// Gives the draft to a job, which alone may touch it until ``takeBack()``; what it was is shown
  /// meanwhile.
  func lend() -> Draft? {
    guard let draft else { return nil }
    lent = LentDraft(
      snapshot: draft.reader.copy(),
      records: records,
      operationCount: draft.operationCount,
      nextNumber: draft.nextNumber
    )
    return draft
  }

  /// The job is done with the draft; whether it changed it, which is one step of undo then.
  func takeBack() -> Bool {
    guard let before = lent, let draft = ownDraft else { return false }
    returnDraft()
    if before.isDiscarded { return false }
    return noteChange(of: draft, since: before.operationCount, before.nextNumber)
  }

  /// Takes what was done with the draft for one change of the person; whether anything was.
  private func noteChange(of draft: Draft, since operations: Int, _ number: Int) -> Bool {
    // What was done and taken back at once is nothing to do again.
    if draft.nextNumber > number { redoGroups = [] }
    let count = draft.operationCount - operations
    guard count != 0 else { return false }
    undoGroups.append(max(1, count))
    redoGroups = []
    if count > 0 { stepStarts.append(number) }
    return true
  }

  /// Throws every change away; those of a draft that a job has, when it is back.
  func discard() {
    if lent == nil {
      draft?.discard()
    } else {
      lent?.isDiscarded = true
    }
    forgetSteps()
  }

  /// Changes the draft as a whole or not at all, as one step of undo; whether anything was changed.
  @discardableResult
  func change(
    _ draft: Draft,
    _ body: (Draft) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> Bool {
    let before = draft.operationCount
    let first = draft.nextNumber
    do throws(DatabaseError) {
      try body(draft)
    } catch {
      if draft.operationCount > before { redoGroups = [] }
      while draft.operationCount > before { _ = try draft.undo() }
      throw error
    }
    return noteChange(of: draft, since: before, first)
  }

  /// The job is done with the draft; its steps are told by who knows them.
  func returnDraft() {
    if lent?.isDiscarded == true {
      ownDraft?.discard()
      forgetSteps()
    }
    lent = nil
  }

  /// How many operations the next undo and the next redo take.
  var undoCount: Int { undoGroups.last ?? 0 }
  var redoCount: Int { redoGroups.last ?? 0 }

  /// A job has taken one change of the person back, or has done it again.
  func noteUndo() {
    if let count = undoGroups.popLast() { redoGroups.append(count) }
  }

  func noteRedo() {
    if let count = redoGroups.popLast() { undoGroups.append(count) }
  }

  /// Takes one change of the person back; what it was.
  func undo(_ draft: Draft) throws(DatabaseError) -> String? {
    guard undoCount > 0 else { return nil }
    let sentence = try draft.undo(undoCount)
    noteUndo()
    return sentence
  }

  func redo(_ draft: Draft) throws(DatabaseError) -> String? {
    guard redoCount > 0 else { return nil }
    let sentence = try draft.redo(redoCount)
    noteRedo()
    return sentence
  }

  func forgetSteps() {
    undoGroups = []
    redoGroups = []
    stepStarts = []
  }

  /// The operations of the draft, to be kept; those of one change have one step.
  var records: [DraftRecord] {
    if let lent { return lent.isDiscarded ? [] : lent.records }
    var records = draft?.records ?? []
    var next = 0
    for index in records.indices {
      while next < stepStarts.count, stepStarts[next] <= records[index].number { next += 1 }
      if next > 0 { records[index].step = stepStarts[next - 1] }
    }
    return records
  }

  /// How many objects some operations of the draft were asked to delete.
  func objectCount(deletedBy items: [DraftItem.ID]) -> Int {
    let wanted = Set(items)
    return (draft?.records ?? []).reduce(0) { count, record in
      guard wanted.contains(record.number), case .delete(let objects) = record.operation else {
        return count
      }
      return count + objects.count
    }
  }

  /// Makes operations that were kept those of the draft, which is empty; one change of the person is
  /// one step of undo, as it was.
  func restore(_ records: [DraftRecord], into draft: Draft) throws(DatabaseError) {
    try draft.restore(records)
    noteRestored(records)
  }

  /// Takes the steps of operations that were restored for those of the draft.
  func noteRestored(_ records: [DraftRecord]) {
    forgetSteps()
    for record in records {
      if record.step == stepStarts.last, !undoGroups.isEmpty {
        undoGroups[undoGroups.count - 1] += 1
      } else {
        stepStarts.append(record.step)
        undoGroups.append(1)
      }
    }
  }
}

// MARK: - Objects

extension BrowserModel {
  func count(of classKey: ClassKey) -> Int {
    snapshot?.count(of: classKey) ?? 0
  }

  func contains(_ object: ObjectIdentity) -> Bool {
    read(false) { snapshot throws(DatabaseError) in try snapshot.contains(object) }
  }

  /// Whether an object that is gone is gone by what the person did, not by another's commit.
  func isDeletedHere(_ object: ObjectIdentity) -> Bool {
    guard let draft, !object.key.isProvisional else { return draft != nil }
    return attempt { () throws(DatabaseError) in try draft.base.contains(object) } ?? false
  }

  func keys(of classKey: ClassKey, from: ObjectKey?, limit: Int) -> [ObjectKey] {
    read([]) { snapshot throws(DatabaseError) in
      try snapshot.keys(of: classKey, from: from, limit: limit)
    }
  }

  /// The keys before one, the nearest first; from the end where there is none.
  func keys(of classKey: ClassKey, before: ObjectKey?, limit: Int) -> [ObjectKey] {
    read([]) { snapshot throws(DatabaseError) in
      try snapshot.keys(of: classKey, before: before, limit: limit)
    }
  }

  func position(of object: ObjectIdentity) -> Int? {
    read(nil) { snapshot throws(DatabaseError) in try snapshot.position(of: object) }
  }

  func find(_ classKey: ClassKey, primaryKey: Value) -> ObjectIdentity? {
    read(nil) { snapshot throws(DatabaseError) in
      try snapshot.find(classKey, primaryKey: primaryKey)
    }
  }

  func displayName(of object: ObjectIdentity) -> String {
    read("") { snapshot throws(DatabaseError) in try snapshot.displayName(of: object, limit: 60) }
  }

  /// A class and a key as a person reads them, as in `Dog/42`; `Dog/new1` before the commit.
  func text(_ object: ObjectIdentity) -> String {
    let name = schema[object.classKey]?.name ?? "?"
    return "\(name)/\(text(object.key))"
  }

  func text(_ key: ObjectKey) -> String {
    key.isProvisional
      ? "new\(key.rawValue - ObjectKey.firstProvisional + 1)" : "\(key.rawValue)"
  }

  /// The label of an object that the draft deletes, as it was before.
  func formerLabel(_ object: ObjectIdentity) -> String {
    let name = attempt { () throws(DatabaseError) in
      guard let base = draft?.base, try base.contains(object) else { return "" }
      return try base.displayName(of: object, limit: 60)
    }
    guard let name, !name.isEmpty else { return text(object) }
    return "\(text(object)) \(name)"
  }

  /// An object with what a person calls it, as in `Dog/42 Rex`.
  func label(_ object: ObjectIdentity) -> String {
    guard contains(object) else { return formerLabel(object) }
    let name = displayName(of: object)
    let text = text(object)
    return name.isEmpty || name == text ? text : "\(text) \(name)"
  }
}

// MARK: - Values and edges

extension BrowserModel {
  /// Reads a whole value, however long: for editing, never for drawing.
  func value(of object: ObjectIdentity, _ property: PropertyKey) -> Value {
    read(.null) { snapshot throws(DatabaseError) in try snapshot.value(of: object, property) }
  }

  func preview(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    limit: Int
  ) -> DatabaseReader.Preview? {
    read(nil) { snapshot throws(DatabaseError) in
      try snapshot.preview(of: object, property, limit: limit)
    }
  }

  func elementCount(of object: ObjectIdentity, _ property: PropertyKey) -> Int {
    read(0) { snapshot throws(DatabaseError) in try snapshot.elementCount(of: object, property) }
  }

  /// The elements of a collection as the places where they stand.
  func elements(
    of object: ObjectIdentity,
    _ property: PropertySchema,
    in range: Range<Int>
  ) -> [Element] {
    guard !range.isEmpty else { return [] }
    switch property.type.collection {
    case .none:
      return []
    case .map:
      let entries = read([]) { snapshot throws(DatabaseError) in
        try snapshot.entries(of: object, property.key, in: range)
      }
      return entries.enumerated().map { offset, entry in
        Element(index: range.lowerBound + offset, key: entry.key, value: entry.value)
      }
    case .list, .set:
      let values = read([]) { snapshot throws(DatabaseError) in
        try snapshot.elements(of: object, property.key, in: range)
      }
      return values.enumerated().map { offset, value in
        Element(index: range.lowerBound + offset, key: nil, value: value)
      }
    }
  }

  func backlinks(to object: ObjectIdentity) -> [BacklinkGroup] {
    read([]) { snapshot throws(DatabaseError) in try snapshot.backlinks(to: object) }
  }

  func origins(
    of group: BacklinkGroup,
    to object: ObjectIdentity,
    limit: Int
  ) -> [ObjectIdentity] {
    let range = 0..<min(limit, group.count)
    let keys = read([]) { snapshot throws(DatabaseError) in
      try snapshot.origins(of: group, to: object, in: range)
    }
    return keys.map { ObjectIdentity(group.origin, $0) }
  }

  func owner(of object: ObjectIdentity) -> Slot? {
    guard schema[object.classKey]?.isEmbedded == true else { return nil }
    return read(nil) { snapshot throws(DatabaseError) in try snapshot.owner(of: object) }
  }

  /// What deleting objects takes with it, as far as a look at so many shows.
  func blastRadius(deleting objects: [ObjectIdentity], limit: Int) -> BlastRadius? {
    read(nil) { snapshot throws(DatabaseError) in
      try snapshot.blastRadius(deleting: objects, limit: limit)
    }
  }

  /// What deleting objects takes with it, where that is soon found out.
  func smallBlastRadius(deleting objects: [ObjectIdentity], limit: Int) -> BlastRadius? {
    read(nil) { snapshot throws(DatabaseError) in
      try snapshot.smallBlastRadius(deleting: objects, limit: limit)
    }
  }

  func blastRadius(unlinking edge: Edge) -> BlastRadius? {
    read(nil) { snapshot throws(DatabaseError) in try snapshot.blastRadius(unlinking: edge) }
  }

  func blastRadius(overwriting slot: Slot) -> BlastRadius? {
    read(nil) { snapshot throws(DatabaseError) in try snapshot.blastRadius(overwriting: slot) }
  }
}
