@_spi(Faces) internal import KennelCore

/// The data of the views: the newest snapshot, with the draft's changes where there is a draft.
///
/// A view cannot do anything about a damaged page but say so. Reading through here therefore never
/// throws: it answers with nothing and keeps the sentence, which the status line shows.
final class BrowserModel {
  let database: Database
  /// How what is read looks.
  var theme: Theme
  /// The changes that are not committed, and the snapshot that is shown.
  let draftOwner: DraftOwner
  /// Whether the file was at its path when it was looked at last.
  var filePlace = FilePlace.unchanged
  /// Why the copy was not what is in its original when it was looked at last.
  var originalProblem: String?
  /// How the tables of each class look.
  var looks: [ClassKey: TableLook] = [:]
  var computedValues = ComputedValues()
  /// The commit before that of another program, as long as its changes stand out.
  private(set) var former: Snapshot?
  private var formerTicks = 0
  /// Why the last reading failed; taken by the status line.
  var problem: String?

  init(_ database: Database, theme: Theme, isReadOnly: Bool) throws(DatabaseError) {
    self.database = database
    self.theme = theme
    draftOwner = try DraftOwner(database, isReadOnly: isReadOnly)
  }

  var reader: DatabaseReader? { draftOwner.reader }
  var schema: Schema { reader?.schema ?? Schema() }
  /// Grows whenever anything that is shown may have changed.
  var generation: Int { draftOwner.generation }
  var changeCount: Int { draftOwner.changeCount }

  /// The name of a class; the former one, if the draft deletes it.
  func name(of classKey: ClassKey) -> String {
    schema[classKey]?.name ?? draftOwner.committed?.schema[classKey]?.name ?? "?"
  }

  /// The name of a property.
  func name(of property: PropertyKey, in classKey: ClassKey) -> String {
    schema.property(property, of: classKey)?.name ?? "?"
  }

  func property(of spot: Spot) -> PropertySchema? {
    schema.property(spot.property, of: spot.object.classKey)
  }

  /// Whether a commit that the screen does not show has happened.
  var isStale: Bool {
    // What a job changes is brought up to date when it is back, and nothing comes from a file that is
    // no longer at its path.
    guard !draftOwner.isLent, filePlace == .unchanged else { return false }
    return database.commitNumber != draftOwner.commitNumber
  }

  /// Takes in what others have committed.
  func refresh() {
    guard isStale else { return }
    let before = draftOwner.committed
    _ = attempt { () throws(DatabaseError) in try draftOwner.refresh() }
    showNews(since: before)
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
    guard let reader else { return otherwise }
    do {
      return try body(reader)
    } catch {
      // An object that is gone is no trouble with the file; the views say it where they show it.
      if error.code != .noSuchObject, error.code != .noSuchClass { problem = error.message }
      return otherwise
    }
  }
}

// MARK: - News

extension BrowserModel {
  /// For so many ticks the changes of another program stand out, if no key is pressed.
  private static let newsTicks = 12

  /// Has the differences from an earlier commit stand out.
  func showNews(since snapshot: Snapshot?) {
    former = snapshot
    formerTicks = Self.newsTicks
  }

  /// Has nothing stand out any more.
  func endNews() {
    former = nil
  }

  func countTick() {
    formerTicks -= 1
    if formerTicks <= 0 { endNews() }
  }

  /// Whether another program has just changed what a cell shows of a value.
  ///
  /// Reads the value twice, and only while there is news.
  func isFresh(_ object: ObjectIdentity, _ property: PropertyKey) -> Bool {
    guard let former, let now = draftOwner.committed, !object.key.isProvisional else {
      return false
    }
    let isFresh = attempt { () throws(DatabaseError) in
      guard try now.contains(object) else { return false }
      guard try former.contains(object) else { return true }
      let limit = 256
      let old = try former.preview(of: object, property: property, limit: limit)
      let new = try now.preview(of: object, property: property, limit: limit)
      return old.value != new.value || old.count != new.count
    }
    return isFresh ?? false
  }
}

// MARK: - Objects

extension BrowserModel {
  func count(of classKey: ClassKey) -> Int {
    reader?.count(of: classKey) ?? 0
  }

  func contains(_ object: ObjectIdentity) -> Bool {
    read(false) { reader throws(DatabaseError) in try reader.contains(object) }
  }

  /// Whether an object that is gone is gone by what the person did, not by another's commit.
  func isDeletedHere(_ object: ObjectIdentity) -> Bool {
    guard let base = draftOwner.base, !object.key.isProvisional else {
      return draftOwner.isAvailable
    }
    return attempt { () throws(DatabaseError) in try base.contains(object) } ?? false
  }

  func keys(of classKey: ClassKey, from: ObjectKey?, limit: Int) -> [ObjectKey] {
    read([]) { reader throws(DatabaseError) in
      try reader.objects(of: classKey, from: from, limit: limit).keys
    }
  }

  /// The keys before one, the nearest first; from the end where there is none.
  func keys(of classKey: ClassKey, before: ObjectKey?, limit: Int) -> [ObjectKey] {
    read([]) { reader throws(DatabaseError) in
      try reader.objects(of: classKey, before: before, limit: limit).keys
    }
  }

  func position(of object: ObjectIdentity) -> Int? {
    read(nil) { reader throws(DatabaseError) in try reader.position(of: object) }
  }

  func find(_ classKey: ClassKey, primaryKey: Value) -> ObjectIdentity? {
    read(nil) { reader throws(DatabaseError) in
      try reader.find(classKey, primaryKey: primaryKey)
    }
  }

  func displayName(of object: ObjectIdentity) -> String {
    read("") { reader throws(DatabaseError) in try reader.displayName(of: object, limit: 60) }
  }
}

// MARK: - Values and edges

extension BrowserModel {
  /// Reads a whole value, however long: for editing, never for drawing.
  func value(of object: ObjectIdentity, _ property: PropertyKey) -> Value {
    read(.null) { reader throws(DatabaseError) in try reader.value(of: object, property: property) }
  }

  /// Reads the value at a path, unless a step of it leads to more than so many values.
  func value(of object: ObjectIdentity, at path: ValuePath, limit: Int) -> ComputedValue {
    read(.missing) { reader throws(DatabaseError) in
      try reader.value(of: object, at: path, limit: limit).map { .value($0) } ?? .tooMany
    }
  }

  func preview(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    limit: Int
  ) -> DatabaseReader.Preview? {
    read(nil) { reader throws(DatabaseError) in
      try reader.preview(of: object, property: property, limit: limit)
    }
  }

  func bytes(of object: ObjectIdentity, _ property: PropertyKey, in range: Range<Int>) -> [UInt8] {
    read([]) { reader throws(DatabaseError) in
      try reader.bytes(of: object, property: property, in: range)
    }
  }

  func elementCount(of object: ObjectIdentity, _ property: PropertyKey) -> Int {
    read(0) { reader throws(DatabaseError) in
      try reader.elementCount(of: object, property: property)
    }
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
      let entries = read([]) { reader throws(DatabaseError) in
        try reader.entries(of: object, property: property.key, in: range)
      }
      return entries.enumerated().map { offset, entry in
        Element(index: range.lowerBound + offset, key: entry.key, value: entry.value)
      }
    case .list, .set:
      let values = read([]) { reader throws(DatabaseError) in
        try reader.elements(of: object, property: property.key, in: range)
      }
      return values.enumerated().map { offset, value in
        Element(index: range.lowerBound + offset, key: nil, value: value)
      }
    }
  }

  func backlinks(to object: ObjectIdentity) -> [BacklinkGroup] {
    read([]) { reader throws(DatabaseError) in try reader.backlinks(to: object) }
  }

  func origins(
    of group: BacklinkGroup,
    to object: ObjectIdentity,
    limit: Int
  ) -> [ObjectIdentity] {
    let range = 0..<min(limit, group.count)
    return read([]) { reader throws(DatabaseError) in
      Array(try reader.origins(of: group, to: object, in: range))
    }
  }

  func owner(of object: ObjectIdentity) -> Slot? {
    guard schema[object.classKey]?.isEmbedded == true else { return nil }
    return read(nil) { reader throws(DatabaseError) in try reader.owner(of: object) }
  }

  /// The effects of deleting objects, as far as a look at so many shows.
  func blastRadius(deleting objects: [ObjectIdentity], limit: Int) -> BlastRadius? {
    read(nil) { reader throws(DatabaseError) in
      try reader.blastRadius(deleting: objects, limit: limit)
    }
  }

  /// The effects of deleting objects, where they are soon found out.
  func smallBlastRadius(deleting objects: [ObjectIdentity], limit: Int) -> BlastRadius? {
    read(nil) { reader throws(DatabaseError) in
      try reader.smallBlastRadius(deleting: objects, limit: limit)
    }
  }

  func blastRadius(unlinking edge: Edge) -> BlastRadius? {
    read(nil) { reader throws(DatabaseError) in try reader.blastRadius(unlinking: edge) }
  }

  func blastRadius(overwriting slots: [Slot]) -> BlastRadius? {
    read(nil) { reader throws(DatabaseError) in try reader.blastRadius(overwriting: slots) }
  }
}
