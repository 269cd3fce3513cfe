import Foundation
import KennelRealmFile
import Testing

@Suite struct `Reading Realm files` {
  private let files: RecordedFiles

  init() throws {
    files = try RecordedFiles()
  }

  @Test func `every object, bit and backlink is what Realm reads`() throws {
    try compare(RealmFile(path: files.write(RecordedFiles.sample)))
  }

  @Test func `a file that was written in one go holds the same`() throws {
    try compare(RealmFile(path: files.write(RecordedFiles.streamed)))
  }

  @Test func `an encrypted file holds the same`() throws {
    let path = try files.write(RecordedFiles.encrypted)
    let file = try RealmFile(path: path, key: RecordedFiles.key())
    #expect(file.isEncrypted)
    try compare(file)
  }

  @Test func `a file tells its format and its commit`() throws {
    let file = try RealmFile(path: files.write(RecordedFiles.sample))
    #expect(file.formatVersion == 24)
    #expect(file.commitVersion == 7)
    #expect(!file.isEncrypted)
    #expect(try !file.changedUnderneath())
  }

  @Test func `values of some objects are those among the values of all`() throws {
    let file = try RealmFile(path: files.write(RecordedFiles.sample))
    for realmClass in file.classes {
      try file.forEachCluster(of: realmClass) { cluster in
        for property in realmClass.properties {
          let all = try cluster.values(of: property)
          let middle = cluster.keys.count / 3..<cluster.keys.count * 2 / 3
          let some = try cluster.values(of: property, rows: middle)
          #expect(some == Array(all[middle]))
        }
      }
    }
  }

  @Test func `a file that is larger than what is kept of it is read again the same`() throws {
    var realm = EditedRealm()
    // 200 leaves of one list, each in another part of 50 MB.
    let count = realm.bytes.count
    realm.bytes += [UInt8](repeating: 0, count: 200 << 18)
    var leaves: [Int] = []
    for index in 0..<200 {
      let offset = count + index << 18
      realm.setHeader(of: .init(offset: offset, flags: 0, count: 0), flags: 7, count: 1)
      realm.setWord(offset + 8, index * index)
      leaves.append(offset)
    }
    let root = realm.append([3] + leaves + [200 << 1 | 1], hasRefs: true, isInner: true)
    realm.setReference(ofRow: 0, 0, of: "class_BigLists", to: root)
    let file = try RealmFile(path: files.write(realm.bytes))
    let lists = try #require(file.classes.first { $0.className == "BigLists" })
    for _ in 0..<3 {
      try file.forEachCluster(of: lists) { cluster in
        let values = try cluster.values(of: lists.properties[0])
        #expect(values[0] == .list((0..<200).map { .int($0 * $0) }))
        #expect(try cluster.values(of: lists.properties[5]).count == 2)
      }
    }
  }

  @Test func `threads read one file at a time`() async throws {
    let file = try RealmFile(path: files.write(RecordedFiles.sample))
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for realmClass in file.classes.prefix(6) + file.classes.prefix(6) {
        group.addTask { try objects(of: realmClass, in: file).count }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == 2 * file.classes.prefix(6).reduce(0) { $0 + $1.count })
  }

  @Test func `reading writes nothing beside the file`() throws {
    let path = try files.write(RecordedFiles.sample)
    let file = try RealmFile(path: path)
    for realmClass in file.classes { _ = try objects(of: realmClass, in: file) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder) == ["file.realm"])
    #expect(FileManager.default.contents(atPath: path) == Data(RecordedFiles.sample))
  }

  @Test func `a file is closed when its last use ends`() throws {
    let path = try files.write(RecordedFiles.sample)
    do {
      let file = try RealmFile(path: path)
      var count = 0
      for realmClass in file.classes {
        try file.forEachCluster(of: realmClass) { count += $0.keys.count }
      }
      #expect(count == file.classes.reduce(0) { $0 + $1.count })
      #expect(try file.check() == [])
    }
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
    }
    #expect(open == [])
  }

  @Test func `a file that nothing was committed to has no classes`() throws {
    var empty = [UInt8](repeating: 0, count: 24)
    empty.replaceSubrange(16..<20, with: "T-DB".utf8)
    let file = try RealmFile(path: files.write(empty))
    #expect(file.classes.isEmpty)
    #expect(try !file.changedUnderneath())
  }

  private func compare(_ file: RealmFile) throws {
    let tables = RecordedFiles.dump["tables"].array
    #expect(file.classes.map(\.name) == tables.map(\.["name"].text))
    for (realmClass, table) in zip(file.classes, tables) {
      let expected = ExpectedClass(json: table, classes: file.classes)
      #expect(expected.differences(from: realmClass) == [])
      let found = try objects(of: realmClass, in: file)
      #expect(found.count == expected.objects.count)
      for (found, expected) in zip(found, expected.objects) {
        #expect(found == expected, "\(realmClass.name) \(expected.key)")
      }
    }
    #expect(try file.check() == [])
    #expect(try !file.changedUnderneath())
  }

  private func objects(of realmClass: RealmClass, in file: RealmFile) throws -> [RecordedObject] {
    var objects: [RecordedObject] = []
    try file.forEachCluster(of: realmClass) { cluster in
      var part = cluster.keys.map { RecordedObject(key: $0) }
      for property in realmClass.properties {
        for (row, value) in try cluster.values(of: property).enumerated() {
          part[row].values[property.name] = value
        }
      }
      for backlink in realmClass.backlinks {
        let source = try #require(file.realmClass(withKey: backlink.source))
        let property = try #require(
          source.properties.first { $0.columnKey == backlink.sourceColumn }
        )
        for (row, keys) in try cluster.backlinks(of: backlink).enumerated() where !keys.isEmpty {
          part[row].backlinks["\(source.name).\(property.name)"] = keys
        }
      }
      objects += part
    }
    return objects
  }
}
