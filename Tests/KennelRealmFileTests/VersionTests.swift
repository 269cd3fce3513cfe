import Foundation
import KennelRealmFile
import Testing

@Suite struct `Versions of Realm files` {
  private let files: RecordedFiles

  init() throws {
    files = try RecordedFiles()
  }

  @Test(arguments: [2, 9, 10, 11, 19])
  func `an older format names what upgrades it`(format: Int) throws {
    let path = try files.write(sample(format: format).bytes)
    #expect(RealmFile.looksLikeRealm(path: path))
    let error = #expect(throws: RealmFileError.olderFormat(format)) { try RealmFile(path: path) }
    let message = "\(error, default: "")"
    #expect(message.contains(format < 10 ? "Realm Studio 14" : "Realm Studio 15"))
    #expect(message.contains("Realm Swift 4,") == (format < 5))
  }

  @Test func `a newer format is not read`() throws {
    let path = try files.write(sample(format: 25).bytes)
    #expect(throws: RealmFileError.newerFormat(25)) { try RealmFile(path: path) }
  }

  @Test(arguments: [20, 21, 22, 23])
  func `the formats before are read`(format: Int) throws {
    let file = try RealmFile(path: files.write(sample(format: format).bytes))
    #expect(file.formatVersion == format)
    let dogs = try #require(file.classes.first { $0.className == "Dog" })
    var names = 0
    try file.forEachCluster(of: dogs) { names += try $0.values(of: dogs.properties[0]).count }
    #expect(names == 299)
  }

  @Test(arguments: [21, 22, 23])
  func `a dictionary before format 23 is a tree of clusters`(format: Int) throws {
    var realm = sample(format: format)
    let keys = realm.append(flags: 8 | 3, count: 2, [97, 0, 0, 2, 98, 99, 0, 1])
    let composites = realm.append([7 << 8 | 1, 0])
    let values = realm.append([composites], hasRefs: true)
    let cluster = realm.append([2 << 1 | 1, keys, values], hasRefs: true)
    let old = realm.column(5, of: "class_BigLists")
    for row in 0..<old.count {
      realm.setReference(ofRow: row, 5, of: "class_BigLists", to: row == 1 ? cluster : 0)
    }
    let file = try RealmFile(path: files.write(realm.bytes))
    let lists = try #require(file.classes.first { $0.className == "BigLists" })
    let dictionary = try #require(lists.properties.first { $0.name == "dict" })
    try file.forEachCluster(of: lists) { cluster in
      let expected = [
        RealmValue.dictionary([]),
        .dictionary([RealmEntry(key: "a", value: .int(7)), RealmEntry(key: "bc", value: .null)]),
      ]
      if format < 23 {
        let found = try cluster.values(of: dictionary)
        #expect(found == expected)
      } else {
        #expect(throws: RealmFileError.self) { try cluster.values(of: dictionary) }
      }
    }
  }

  @Test func `a newer commit is noticed`() throws {
    var realm = EditedRealm()
    let path = try files.write(realm.bytes)
    let file = try RealmFile(path: path)
    #expect(try !file.changedUnderneath())
    // The next commit writes its top and then changes to the other half of the header.
    let top = realm.append([realm.top.offset], hasRefs: true)
    realm.setWord((1 - realm.slot) * 8, top)
    realm.bytes[20 + 1 - realm.slot] = 24
    realm.bytes[23] ^= 1
    try overwrite(path, with: realm.bytes)
    #expect(try file.changedUnderneath())
  }

  @Test func `a newer commit with its top in the same place is noticed`() throws {
    var realm = EditedRealm()
    let path = try files.write(realm.bytes)
    let file = try RealmFile(path: path)
    realm.setElement(6, of: realm.top, to: 99 << 1 | 1)
    try overwrite(path, with: realm.bytes)
    #expect(try file.changedUnderneath())
    #expect(try RealmFile(path: path).commitVersion == 99)
  }

  @Test func `damage in a file that changed is no damage`() throws {
    let path = try files.write(RecordedFiles.sample)
    let file = try RealmFile(path: path)
    let dogs = try #require(file.classes.first { $0.className == "Dog" })
    try overwrite(path, with: [UInt8](repeating: 0, count: RecordedFiles.sample.count))
    #expect(try file.changedUnderneath())
    try overwrite(path, with: [])
    #expect(try file.changedUnderneath())
    // All of the sample was read at once, so a reading after the change needs another file.
    var large = EditedRealm()
    large.bytes += [UInt8](repeating: 0, count: 1 << 20)
    let node = large.append([1, 2, 3])
    large.bytes += [UInt8](repeating: 0, count: 1 << 20)
    large.setReference(ofRow: 0, 0, of: "class_BigLists", to: node)
    try overwrite(path, with: large.bytes)
    let second = try RealmFile(path: path)
    let lists = try #require(second.classes.first { $0.className == "BigLists" })
    try second.forEachCluster(of: lists) { cluster in
      try overwrite(path, with: Array(large.bytes.prefix(1000)))
      #expect(throws: RealmFileError.changedWhileReading) {
        try cluster.values(of: lists.properties[0])
      }
    }
    #expect(dogs.count == 299)
  }

  @Test func `a file that was replaced is noticed`() throws {
    let path = try files.write(RecordedFiles.sample)
    let file = try RealmFile(path: path)
    let other = try files.write(RecordedFiles.sample, as: "other.realm")
    let renamed = unsafe rename(other, path)
    #expect(renamed == 0)
    #expect(try file.changedUnderneath())
    try FileManager.default.removeItem(atPath: path)
    #expect(try file.changedUnderneath())
  }

  private func sample(format: Int) -> EditedRealm {
    var realm = EditedRealm()
    realm.bytes[20 + realm.slot] = UInt8(format)
    return realm
  }

  /// Changes the bytes of a file and not the file.
  private func overwrite(_ path: String, with bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }
}
