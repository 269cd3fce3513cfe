import KennelConversion
import KennelCore
import KennelRealmFile
import KennelTestSupport
import Testing

/// What can be saved of damaged files.
@Suite struct `A damaged Realm file` {
  private typealias Objects = [String: [Int64: [String: RealmValue]]]

  private let files: RecordedFiles

  init() throws {
    files = try RecordedFiles()
  }

  /// The values of all objects, by class and key.
  private func objects(of file: RealmFile) throws -> Objects {
    var objects: Objects = [:]
    for realmClass in file.classes {
      var found: [Int64: [String: RealmValue]] = [:]
      try file.forEachCluster(of: realmClass) { cluster in
        for key in cluster.keys { found[key] = [:] }
        for property in realmClass.properties {
          for (key, value) in zip(cluster.keys, try cluster.values(of: property)) {
            found[key]?[property.name] = value
          }
        }
      }
      objects[realmClass.title] = found
    }
    return objects
  }

  private func salvage(_ realm: EditedRealm) throws -> RealmFile {
    try RealmFile.salvaging(path: files.write(realm.bytes))
  }

  /// Expects that each object and value is that of the original, or is listed.
  private func expectHonest(_ file: RealmFile, _ original: Objects) throws {
    let saved = try objects(of: file)
    let losses = Dictionary(grouping: file.losses, by: \.className)
    func isListed(_ name: String, _ property: String?, _ key: Int64) -> Bool {
      (losses[name] ?? []).contains { loss in
        let isThere = loss.keys?.contains(key) != false
        switch loss.kind {
        case .objects, .possibleObjects, .olderObjects: return isThere
        case .values, .links: return isThere && loss.property == property
        case .uncertainCommit, .olderClasses, .property: return false
        }
      }
    }
    for (name, found) in original {
      for (key, values) in found {
        guard let kept = saved[name]?[key] else {
          #expect(isListed(name, nil, key), "\(name) \(key) is missing")
          continue
        }
        for (property, value) in values where value != kept[property] {
          #expect(isListed(name, property, key), "\(name) \(key) \(property)")
        }
      }
      for key in saved[name]?.keys.map(\.self) ?? [] where found[key] == nil {
        #expect(isListed(name, nil, key), "\(name) \(key) was not there")
      }
    }
  }

  /// Makes a database of what was saved, which is checked when the test ends.
  private func convert(_ file: RealmFile) throws {
    try withTemporaryDatabase { database in
      try database.write { _ = try RealmImporter(file).run(in: $0) }
    }
  }

  private func original() throws -> Objects {
    try objects(of: RealmFile(path: files.write(RecordedFiles.sample, as: "original.realm")))
  }

  @Test(arguments: [RecordedFiles.sample, RecordedFiles.streamed])
  func `that is whole after all is read as it is`(bytes: [UInt8]) throws {
    let path = try files.write(bytes)
    let file = try RealmFile.salvaging(path: path)
    #expect(file.losses == [])
    #expect(try objects(of: file) == objects(of: RealmFile(path: path)))
  }

  @Test func `loses the values of a column alone, where that is damaged`() throws {
    var realm = EditedRealm()
    let column = realm.column(7, of: "class_Widths")
    realm.setHeader(of: column, flags: 0x1f)
    let file = try salvage(realm)
    let original = try original()
    try expectHonest(file, original)
    #expect(try objects(of: file)["Widths"]?.count == original["Widths"]?.count)
    #expect(Set(file.losses.map(\.property)) == ["w64"])
    #expect(file.losses.contains { $0.kind == .property })
    try convert(file)
  }

  /// Damages a cluster of dogs in the newest commit, or in the one before it.
  private func damageDogs(_ realm: inout EditedRealm, isPrevious: Bool) {
    let flag: UInt8 = isPrevious ? 1 : 0
    realm.bytes[23] ^= flag
    realm.setHeader(of: realm.child(3, of: realm.clusters("class_Dog")), flags: 0x1f)
    realm.bytes[23] ^= flag
  }

  @Test func `has the objects of a lost cluster as they were in the commit before`() throws {
    var realm = EditedRealm()
    damageDogs(&realm, isPrevious: false)
    let file = try salvage(realm)
    let original = try original()
    try expectHonest(file, original)
    let saved = try #require(try objects(of: file)["Dog"]?.keys)
    #expect(try Set(saved).isSuperset(of: #require(original["Dog"]?.keys)))
    #expect(file.losses.contains { $0.kind == .olderObjects && $0.className == "Dog" })
    try convert(file)
  }

  @Test func `loses the objects of a cluster that no commit has, and the links to them`() throws {
    var realm = EditedRealm()
    damageDogs(&realm, isPrevious: false)
    damageDogs(&realm, isPrevious: true)
    let file = try salvage(realm)
    let original = try original()
    try expectHonest(file, original)
    let (saved, all) = (try objects(of: file)["Dog"]?.count ?? 0, original["Dog"]?.count ?? 0)
    #expect((1..<all).contains(saved))
    #expect(file.losses.contains { $0.kind == .links && $0.targetClass == "Dog" })
    try convert(file)
  }

  @Test(arguments: [RecordedFiles.sample, RecordedFiles.streamed])
  func `without its first bytes is found by its newest top`(bytes: [UInt8]) throws {
    var realm = EditedRealm(bytes)
    for index in 0..<24 { realm.bytes[index] = 0 }
    let file = try salvage(realm)
    #expect(file.losses.map(\.kind) == [.uncertainCommit])
    #expect(try objects(of: file) == original())
  }

  @Test func `without its newest top is that of the commit before`() throws {
    var realm = EditedRealm()
    realm.setHeader(of: realm.top, flags: 0x1f)
    let file = try salvage(realm)
    #expect(file.commitVersion == 6)
    #expect(file.losses.contains { $0.kind == .uncertainCommit })
    #expect(try !file.changedUnderneath())
    try convert(file)
  }

  @Test func `that was cut off keeps what lies before the cut, where a top does`() throws {
    var realm = EditedRealm()
    realm.bytes.removeLast(realm.bytes.count / 8)
    if let file = try saved(of: realm) { try convert(file) }
  }

  @Test func `of a format that is not known is an error`() throws {
    for (format, error) in [(9, RealmFileError.olderFormat(9)), (99, .newerFormat(99))] {
      var realm = EditedRealm()
      realm.bytes[20] = UInt8(format)
      realm.bytes[21] = UInt8(format)
      #expect(throws: error) { try salvage(realm) }
    }
  }

  @Test func `that is no Realm file at all is an error`() throws {
    let path = try files.write([UInt8](repeating: 7, count: 5000))
    #expect(throws: RealmFileError.notRealm(path: path)) {
      try RealmFile.salvaging(path: path)
    }
  }

  @Test(arguments: 0..<15)
  func `with zeros in place of nodes has nothing else, and lists what is lost`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var realm = EditedRealm()
    let nodes = realm.nodes(from: realm.top)
    for _ in 0..<[1, 10, 100][seed % 3] {
      let node = nodes[random.below(nodes.count)]
      for index in node.offset..<node.offset + 8 + node.byteCount { realm.bytes[index] = 0 }
    }
    guard let file = try saved(of: realm) else { return }
    try convert(file)
    // What is older than the newest commit is not compared with that.
    if file.losses.contains(where: { $0.kind == .uncertainCommit }) { return }
    try expectHonest(file, original())
  }

  /// Realm has no checksums: zeros within a node may be values.
  @Test(arguments: 0..<15)
  func `with zeros in place of pages becomes a sound database`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var realm = EditedRealm()
    for _ in 0..<[1, 3, 10][seed % 3] {
      let start = random.below(realm.bytes.count / 512) * 512
      for index in start..<min(start + 512, realm.bytes.count) { realm.bytes[index] = 0 }
    }
    if let file = try saved(of: realm) { try convert(file) }
  }

  /// `nil` where no commit has a list of classes.
  private func saved(of realm: EditedRealm) throws -> RealmFile? {
    do {
      return try salvage(realm)
    } catch let error as RealmFileError {
      #expect(error.isDamage || error == .notRealm(path: files.folder + "/file.realm"))
      return nil
    }
  }
}
