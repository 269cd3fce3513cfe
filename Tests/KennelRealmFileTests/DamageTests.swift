import Foundation
import KennelRealmFile
import Testing

@Suite struct `Damaged Realm files` {
  private let files: RecordedFiles

  init() throws {
    files = try RecordedFiles()
  }

  // MARK: Nodes

  @Test func `a reference to no node is damage`() throws {
    for ref in [16, 100_004, 1 << 30, 1 << 20, -8, 3] {
      var realm = EditedRealm()
      realm.setReference(ofRow: 0, 0, of: "class_BigLists", to: ref)
      let what = ref < 0 || ref == 3 ? "an integer where" : "where no node can be"
      try expectDamage(realm, in: "BigLists", property: "ints", what)
    }
  }

  @Test func `a node of a kind that does not exist is damage`() throws {
    var realm = EditedRealm()
    let leaf = realm.column(7, of: "class_Widths")
    realm.setHeader(of: leaf, flags: leaf.flags | 0x18)
    try expectDamage(realm, in: "Widths", property: "w64", "a kind that does not exist")
  }

  @Test func `millions of elements in no bytes are damage`() throws {
    var realm = EditedRealm()
    realm.setHeader(of: realm.column(0, of: "class_Widths"), flags: 0, count: 0xff_ffff)
    try expectDamage(realm, in: "Widths", property: "w0")
    realm = EditedRealm()
    let huge = realm.append(flags: 0, count: 0xff_ffff, [])
    realm.setReference(ofRow: 0, 0, of: "class_BigLists", to: huge)
    try expectDamage(realm, in: "BigLists", property: "ints", "far larger than the file")
  }

  @Test func `a node that is longer than the file is damage`() throws {
    var realm = EditedRealm()
    realm.setHeader(of: realm.column(7, of: "class_Widths"), count: 0xff_ffff)
    try expectDamage(realm, in: "Widths", property: "w64", "which the file does not have")
  }

  // MARK: Trees

  @Test func `a tree that contains itself is damage`() throws {
    var realm = EditedRealm()
    let root = realm.child(1, of: realm.column(0, of: "class_BigLists"))
    #expect(root.isInner)
    realm.setElement(1, of: root, to: root.offset)
    try expectDamage(realm, in: "BigLists", property: "ints", "two others refer to")
    realm = EditedRealm()
    let clusters = realm.clusters("class_Dog")
    #expect(clusters.isInner)
    realm.setElement(4, of: clusters, to: clusters.offset)
    try expectDamage(realm, in: "Dog", property: nil, "twice")
  }

  @Test func `a chain of nodes is not a tree of values`() throws {
    var realm = EditedRealm()
    var ref = realm.append([1, 2])
    for _ in 0..<10_000 { ref = realm.append([1, ref, 2 << 1 | 1], hasRefs: true, isInner: true) }
    realm.setReference(ofRow: 0, 0, of: "class_BigLists", to: ref)
    try expectDamage(realm, in: "BigLists", property: "ints", "too deep")
  }

  @Test func `a cluster that is in its tree twice is damage`() throws {
    var realm = EditedRealm()
    let clusters = realm.clusters("class_Dog")
    realm.setElement(4, of: clusters, to: realm.element(3, of: clusters))
    try expectDamage(realm, in: "Dog", property: nil, "twice")
  }

  @Test func `millions of small numbers in as many bits are values`() throws {
    var realm = EditedRealm()
    let bits = [UInt8](repeating: 0b0101_0101, count: 750_000)
    let list = realm.append(flags: 1, count: 6_000_000, bits)
    realm.setReference(ofRow: 0, 0, of: "class_BigLists", to: list)
    guard case .list(let numbers) = try read("BigLists", "ints", of: realm)[0] else { return }
    #expect(numbers.count == 6_000_000)
    #expect(numbers.prefix(3) == [.int(1), .int(0), .int(1)])
  }

  @Test func `a tree whose nodes share children ends in time`() throws {
    var realm = EditedRealm()
    var ref = realm.append(Array(0..<1000))
    var size = 1000
    for _ in 0..<7 {
      size *= 100
      let children = [Int](repeating: ref, count: 100)
      ref = realm.append([1] + children + [size << 1 | 1], hasRefs: true, isInner: true)
    }
    realm.setReference(ofRow: 0, 0, of: "class_BigLists", to: ref)
    try expectDamage(realm, in: "BigLists", property: "ints", "two others refer to")
  }

  @Test func `a tree of empty nodes that share children ends in time`() throws {
    var realm = EditedRealm()
    var ref = realm.append([])
    for _ in 0..<7 {
      ref = realm.append(
        [1] + [Int](repeating: ref, count: 1000) + [1],
        hasRefs: true,
        isInner: true
      )
    }
    realm.setReference(ofRow: 0, 0, of: "class_BigLists", to: ref)
    try expectDamage(realm, in: "BigLists", property: "ints", "two others refer to")
  }

  @Test func `texts that share bytes are damage`() throws {
    // Two lists share a leaf, two leaves share their bytes, and two values share a text.
    var realm = EditedRealm()
    let text = realm.append(flags: 8 | 4, count: 1, [65, 66, 67, 0, 0, 0, 0, 4])
    realm.setReference(ofRow: 0, 1, of: "class_BigLists", to: text)
    realm.setReference(ofRow: 1, 1, of: "class_BigLists", to: text)
    try expectDamage(realm, in: "BigLists", property: "strings", "two others refer to")
    realm = EditedRealm()
    let blob = realm.append(flags: 16, count: 2, [65, 0])
    for row in 0...1 {
      let parts = [realm.append([2]), blob, realm.append([0])]
      let leaf = realm.append(parts, hasRefs: true)
      realm.setReference(ofRow: row, 1, of: "class_BigLists", to: leaf)
    }
    try expectDamage(realm, in: "BigLists", property: "strings", "two others refer to")
    realm = EditedRealm()
    let ends = realm.append([2, 0, 2])
    let bytes = realm.append(flags: 16, count: 2, [65, 0])
    let small = realm.append([ends, bytes, realm.append([0, 0, 0])], hasRefs: true)
    let places = realm.append([0 << 8 | 3 << 5 | 3, 2 << 8 | 3 << 5 | 3])
    let mixed = realm.append([places, 0, 0, small], hasRefs: true)
    realm.setReference(ofRow: 0, 6, of: "class_BigLists", to: mixed)
    try expectDamage(realm, in: "BigLists", property: "mixed", "beyond the bytes of its leaf")
    for (positions, isDamage) in [([0, 1], false), ([0, 0], true)] {
      realm = EditedRealm()
      let texts = realm.append(flags: 8 | 3, count: 2, [65, 66, 67, 0, 68, 69, 0, 1])
      let composites = realm.append(positions.map { $0 << 8 | 3 << 5 | 3 })
      let values = realm.append([composites, 0, 0, texts], hasRefs: true)
      realm.setReference(ofRow: 0, 6, of: "class_BigLists", to: values)
      if isDamage {
        try expectDamage(realm, in: "BigLists", property: "mixed", "in one place")
      } else {
        let expected = RealmValue.list([.string("ABC"), .string("DE")])
        #expect(try read("BigLists", "mixed", of: realm)[0] == expected)
      }
    }
  }

  @Test func `a tree of another size than it says is damage`() throws {
    var realm = EditedRealm()
    let root = realm.child(1, of: realm.column(0, of: "class_BigLists"))
    let last = realm.element(root.count - 1, of: root)
    realm.setElement(root.count - 1, of: root, to: last + 2)
    try expectDamage(realm, in: "BigLists", property: "ints", "a tree of")
  }

  @Test func `collections that contain each other too deeply are damage`() throws {
    for (levels, isDamage) in [(100, false), (200, true)] {
      var realm = EditedRealm()
      var ref = 0
      for _ in 0..<levels {
        let refs = realm.append([ref], hasRefs: true)
        let composites = realm.append([4 << 5 | 20])
        ref = realm.append([composites, 0, 0, 0, refs], hasRefs: true)
      }
      realm.setReference(ofRow: 0, 6, of: "class_BigLists", to: ref)
      if isDamage {
        try expectDamage(realm, in: "BigLists", property: "mixed", "too deeply")
      } else {
        let values = try read("BigLists", "mixed", of: realm)
        #expect(values.first.map(depth) == levels + 1)
      }
    }
  }

  private func depth(_ value: RealmValue) -> Int {
    guard case .list(let values) = value else { return 0 }
    return 1 + (values.map(depth).max() ?? 0)
  }

  @Test func `keys that do not ascend are damage`() throws {
    var realm = EditedRealm()
    let clusters = realm.clusters("class_Dog")
    let keys = realm.append([256, 0])
    realm.setElement(0, of: clusters, to: keys)
    try expectDamage(realm, in: "Dog", property: nil, "do not ascend")
    realm = EditedRealm()
    realm.setElement(0, of: clusters, to: realm.append([0, -1]))
    try expectDamage(realm, in: "Dog", property: nil)
    realm = EditedRealm()
    realm.setElement(0, of: realm.clusters("class_BigLists"), to: realm.append([0, -5]))
    try expectDamage(realm, in: "BigLists", property: nil)
  }

  @Test func `a cluster of too many objects is damage`() throws {
    var realm = EditedRealm()
    realm.setElement(0, of: realm.clusters("class_BigLists"), to: 2000 << 1 | 1)
    #expect(throws: RealmFileError.self) { try RealmFile(path: files.write(realm.bytes)) }
  }

  // MARK: Values

  @Test func `text that is not UTF-8 names its object`() throws {
    var realm = EditedRealm()
    let column = realm.column(0, of: "class_StringPk")
    let path = try files.write(realm.bytes)
    let before = try RealmFile(path: path)
    let object = try #require(before.classes.first { $0.className == "StringPk" })
    var keys: [Int64] = []
    var texts: [RealmValue] = []
    try before.forEachCluster(of: object) { cluster in
      keys = cluster.keys
      texts = try cluster.values(of: object.properties[0])
    }
    let row = try #require(
      texts.firstIndex { if case .string(let text) = $0 { text.utf8.count > 2 } else { false } }
    )
    guard case .string(let text) = texts[row] else { return }
    let found = realm.nodes(from: column).flatMap { node in
      (node.offset + 8..<node.offset + 8 + node.byteCount).filter {
        realm.bytes[$0...].prefix(text.utf8.count).elementsEqual(text.utf8)
      }
    }
    realm.bytes[try #require(found.first)] = 0xff
    let damage = try expectDamage(realm, in: "StringPk", property: "_id", "not UTF-8")
    #expect(damage?.objectKey == keys[row])
  }

  @Test func `values of any type that are not there are damage`() throws {
    // Position 77 of each array, an unknown type, a set in a value, and an identifier in no array.
    for composite in [
      77 << 8 | 1 << 5 | 1, 77 << 8 | 2 << 5 | 9, 77 << 8 | 3 << 5 | 3, 77 << 8 | 4 << 5 | 20,
      31, 4 << 5 | 21, 3 << 5 | 16, -1,
    ] {
      for hasArrays in [false, true] {
        var realm = EditedRealm()
        var parts = [realm.append([composite])]
        if hasArrays {
          let texts = realm.append(flags: 8 | 4, count: 1, [UInt8](repeating: 7, count: 8))
          parts += [
            realm.append([1]), realm.append([1, 2]), texts, realm.append([0], hasRefs: true),
          ]
        }
        let list = realm.append(parts, hasRefs: true)
        realm.setReference(ofRow: 0, 6, of: "class_BigLists", to: list)
        try expectDamage(realm, in: "BigLists", property: "mixed")
      }
    }
  }

  @Test func `a truth value of two and a time of too many nanoseconds are damage`() throws {
    var realm = EditedRealm()
    let list = realm.append([0, 2, 1])
    realm.setReference(ofRow: 1, 11, of: "class_AllTypes", to: list)
    try expectDamage(realm, in: "AllTypes", property: "bool_list", "a truth value of 2")
    realm = EditedRealm()
    let seconds = realm.append([5, 1, 2])
    let nanoseconds = realm.append([0, 1_000_000_000])
    let times = realm.append([seconds, nanoseconds], hasRefs: true)
    realm.setReference(ofRow: 1, 51, of: "class_AllTypes", to: times)
    try expectDamage(realm, in: "AllTypes", property: "timestamp_list", "as a time")
  }

  @Test func `texts beyond the bytes of their leaf are damage`() throws {
    for ends in [[3, 2], [2, 100], [-1, 4], [0, 0]] {
      var realm = EditedRealm()
      let parts = [
        realm.append(ends), realm.append(flags: 16, count: 4, [65, 0, 66, 0]),
        realm.append([0, 0]),
      ]
      let list = realm.append(parts, hasRefs: true)
      realm.setReference(ofRow: 0, 1, of: "class_BigLists", to: list)
      try expectDamage(realm, in: "BigLists", property: "strings")
    }
  }

  @Test func `fewer values than objects are damage`() throws {
    var realm = EditedRealm()
    let column = realm.column(7, of: "class_Widths")
    realm.setHeader(of: column, count: column.count - 1)
    try expectDamage(realm, in: "Widths", property: "w64", "19 values of 20 objects")
  }

  // MARK: Classes

  @Test func `a table whose description contradicts itself is damage`() throws {
    let sample = EditedRealm()
    let spec = sample.spec("class_Widths")
    let keys = sample.child(5, of: spec)
    var changed: [EditedRealm] = []
    var realm = sample
    // Two columns with one number, and a column of a type that does not exist.
    realm.setElement(1, of: keys, to: realm.element(0, of: keys))
    changed.append(realm)
    realm = sample
    realm.setElement(1, of: keys, to: realm.element(1, of: keys) | 63 << 16)
    changed.append(realm)
    realm = sample
    realm.setHeader(of: keys, count: keys.count - 1)
    changed.append(realm)
    realm = sample
    realm.setElement(0, of: spec, to: 0)
    changed.append(realm)
    for realm in changed {
      let error = #expect(throws: RealmFileError.self) {
        try RealmFile(path: files.write(realm.bytes))
      }
      guard case .damaged(let damage) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(damage.className == "Widths")
    }
  }

  // MARK: Files

  @Test func `a file that was cut is truncated`() throws {
    for end in stride(from: 24, to: RecordedFiles.sample.count, by: 24_576) {
      let error = #expect(throws: RealmFileError.self) {
        try RealmFile(path: files.write(Array(RecordedFiles.sample.prefix(end))))
      }
      guard case .truncated = error else {
        Issue.record("\(end): \(String(describing: error))")
        continue
      }
    }
    for missing in [1, 16, 4096, 100_000] {
      let error = #expect(throws: RealmFileError.self) {
        try RealmFile(path: files.write(Array(RecordedFiles.streamed.dropLast(missing))))
      }
      #expect(
        error == .truncated(expected: nil, found: RecordedFiles.streamed.count - missing)
      )
    }
  }

  @Test func `a file that is smaller than its top says is truncated`() throws {
    var realm = EditedRealm()
    let count = realm.bytes.count
    realm.setElement(2, of: realm.top, to: (count + 8) << 1 | 1)
    #expect(throws: RealmFileError.truncated(expected: count + 8, found: count)) {
      try RealmFile(path: files.write(realm.bytes))
    }
  }

  @Test func `a top with negative numbers is damage`() throws {
    for index in [2, 6] {
      var realm = EditedRealm()
      realm.setElement(index, of: realm.top, to: -1)
      let error = #expect(throws: RealmFileError.self) {
        try RealmFile(path: files.write(realm.bytes))
      }
      guard case .damaged(let damage) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(damage.what == "a negative size or number of a commit")
    }
  }

  @Test func `a file of holes has no memory to be read into`() throws {
    let path = try files.write(RecordedFiles.sample)
    #expect(unsafe truncate(path, off_t(1) << 43) == 0)
    #expect(throws: RealmFileError.notReadable(path: path, code: EFBIG)) {
      try RealmFile(path: path)
    }
  }

  @Test func `other files are not Realm files`() throws {
    let text = [UInt8](String(repeating: "Realm files are not text.\n", count: 1000).utf8)
    for bytes in [[], [0], text, Array(text.prefix(8192)), [UInt8](repeating: 0, count: 65536)] {
      let path = try files.write(bytes)
      #expect(throws: RealmFileError.notRealm(path: path)) { try RealmFile(path: path) }
      let key = try RecordedFiles.key()
      #expect(throws: RealmFileError.notRealm(path: path)) { try RealmFile(path: path, key: key) }
      #expect(!RealmFile.looksLikeRealm(path: path))
    }
    #expect(try RealmFile.looksLikeRealm(path: files.write(RecordedFiles.sample)))
    #expect(throws: RealmFileError.notReadable(path: files.folder, code: EISDIR)) {
      try RealmFile(path: files.folder)
    }
    #expect(!RealmFile.looksLikeRealm(path: files.folder))
    // Opening a pipe that nobody writes to must not wait.
    let pipe = files.folder + "/pipe"
    let made = unsafe mkfifo(pipe, 0o600)
    #expect(made == 0)
    #expect(throws: RealmFileError.notRealm(path: pipe)) { try RealmFile(path: pipe) }
    #expect(!RealmFile.looksLikeRealm(path: pipe))
  }

  // MARK: Helpers

  private func read(
    _ className: String,
    _ property: String,
    of realm: EditedRealm
  ) throws -> [RealmValue] {
    let file = try RealmFile(path: files.write(realm.bytes))
    let realmClass = try #require(file.classes.first { $0.className == className })
    let property = try #require(realmClass.properties.first { $0.name == property })
    var values: [RealmValue] = []
    try file.forEachCluster(of: realmClass) { values += try $0.values(of: property) }
    return values
  }

  @discardableResult
  private func expectDamage(
    _ realm: EditedRealm,
    in className: String,
    property: String?,
    _ what: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RealmDamage? {
    let error = #expect(throws: RealmFileError.self, sourceLocation: sourceLocation) {
      let name = property ?? "name"
      _ = try read(className, className == "BigLists" && property == nil ? "ints" : name, of: realm)
    }
    guard case .damaged(let damage) = error else {
      Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
      return nil
    }
    #expect(damage.className == className, sourceLocation: sourceLocation)
    #expect(damage.property == property, sourceLocation: sourceLocation)
    #expect(
      what.isEmpty || damage.what.contains(what),
      "\(damage)",
      sourceLocation: sourceLocation
    )
    let file = try? RealmFile(path: files.write(realm.bytes))
    let findings = try file?.check() ?? []
    #expect(!findings.isEmpty, "the check finds it, too", sourceLocation: sourceLocation)
    return damage
  }
}
