import KennelConversion
import KennelCore
import KennelRealmFile
import KennelTestSupport
import Testing

/// Rows that were deleted or replaced, in space that no commit uses any more.
@Suite struct `Freed rows of a Realm file` {
  private typealias Row = [Int: RealmValue]

  private let files: RecordedFiles

  init() throws {
    files = try RecordedFiles()
  }

  /// The rows of a class by their columns, without those that link to objects.
  private func rows(_ name: String, of file: RealmFile) throws -> Set<Row> {
    guard let realmClass = file.classes.first(where: { $0.className == name }) else { return [] }
    var rows: [Row] = []
    try file.forEachCluster(of: realmClass) { cluster in
      var found = [Row](repeating: [:], count: cluster.keys.count)
      for property in realmClass.properties where property.target == nil && property.kind != .mixed
      {
        for (row, value) in try cluster.values(of: property).enumerated() {
          found[row][property.index] = value
        }
      }
      rows += found
    }
    return Set(rows)
  }

  private func salvage(_ realm: EditedRealm) throws -> RealmFile {
    try RealmFile.salvaging(path: files.write(realm.bytes), includesFreed: true)
  }

  /// Deletes all objects of a class of one cluster, as Realm does: a new cluster takes the place of theirs.
  private func deleteAll(_ name: String, of realm: inout EditedRealm) {
    realm.widen(name)
    let old = realm.clusters(name)
    let empty = (1..<old.count).map { index in
      let column = realm.child(index, of: old)
      return realm.append(flags: column.flags & ~7, count: 0, [])
    }
    let cluster = realm.append([1] + empty, hasRefs: true)
    realm.setElement(2, of: realm.table(name), to: cluster)
  }

  /// Makes a database of what was found, which is checked when the test ends.
  private func convert(_ file: RealmFile) throws {
    try withTemporaryDatabase { database in
      try database.write { _ = try RealmImporter(file).run(in: $0) }
    }
  }

  @Test func `are those that the last commit replaced`() throws {
    var previous = EditedRealm()
    previous.bytes[23] ^= 1
    let old = try RealmFile(path: files.write(previous.bytes, as: "old.realm"))
    let file = try salvage(EditedRealm())
    var count = 0
    for realmClass in old.classes {
      guard let name = realmClass.className else { continue }
      let found = try rows("Freed" + name, of: file)
      let before = try rows(name, of: old)
      #expect(found.isSubset(of: before), "\(name)")
      #expect(try found.isSuperset(of: before.subtracting(rows(name, of: file))), "\(name)")
      count += found.count
    }
    #expect(count == file.freedCount && count > 1000)
    #expect(file.losses.isEmpty)
    try convert(file)
  }

  @Test func `are all objects of a class that was emptied, without its primary key`() throws {
    var realm = EditedRealm()
    let original = try RealmFile(path: files.write(realm.bytes, as: "original.realm"))
    deleteAll("class_Widths", of: &realm)
    deleteAll("class_StringPk", of: &realm)
    let file = try salvage(realm)
    for name in ["Widths", "StringPk"] {
      #expect(try rows(name, of: file).isEmpty)
      #expect(try rows("Freed" + name, of: file) == rows(name, of: original))
      #expect(file.classes.first { $0.className == "Freed" + name }?.primaryKey == nil)
    }
    try convert(file)
  }

  @Test func `are not made of a cluster of which a column was overwritten`() throws {
    var realm = EditedRealm()
    let column = realm.column(3, of: "class_Widths")
    deleteAll("class_Widths", of: &realm)
    realm.setHeader(of: column, count: column.count - 1)
    #expect(try rows("FreedWidths", of: salvage(realm)).isEmpty)
  }

  @Test func `are not made of a column that another class uses now`() throws {
    var realm = EditedRealm()
    let column = realm.column(3, of: "class_Widths")
    deleteAll("class_Widths", of: &realm)
    realm.widen("class_StringPk")
    realm.setElement(1, of: realm.clusters("class_StringPk"), to: column.offset)
    #expect(try rows("FreedWidths", of: salvage(realm)).isEmpty)
  }

  @Test func `are not made of two clusters that have one column with different keys`() throws {
    var realm = EditedRealm()
    let old = realm.clusters("class_Widths")
    deleteAll("class_Widths", of: &realm)
    let count = realm.child(1, of: old).count
    let keys = realm.append(Array(5..<5 + count))
    let columns = (1..<old.count).map { realm.element($0, of: old) }
    _ = realm.append([keys] + columns, hasRefs: true)
    #expect(try rows("FreedWidths", of: salvage(realm)).isEmpty)
  }

  @Test(arguments: 0..<9)
  func `of a damaged file become a sound database`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var realm = EditedRealm()
    for _ in 0..<[10, 100, 1000][seed % 3] {
      realm.bytes[24 + random.below(realm.bytes.count - 24)] = UInt8(random.below(256))
    }
    guard let file = try? salvage(realm) else { return }
    try convert(file)
  }
}
