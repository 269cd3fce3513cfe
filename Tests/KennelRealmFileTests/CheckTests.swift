import KennelRealmFile
import Testing

@Suite struct `Checking Realm files` {
  private let files: RecordedFiles

  init() throws {
    files = try RecordedFiles()
  }

  @Test func `a link to an object that does not exist is found`() throws {
    var realm = EditedRealm()
    let column = realm.column(4, of: "class_Person")
    let row = try #require(
      (0..<column.count).first { realm.element($0, of: column) != 0 }
    )
    realm.setReference(ofRow: row, 4, of: "class_Person", to: realm.append([123_456]))
    let findings = try check(realm)
    #expect(
      findings.contains {
        $0.what == "a link to Dog 123456, which does not exist" && $0.className == "Person"
          && $0.property == "dogs" && $0.objectKey != nil
      }
    )
    #expect(findings.contains { $0.what.contains("which has no such link") })
  }

  @Test func `a link without its backlink is found`() throws {
    var realm = EditedRealm()
    let column = realm.column(0, of: "class_BigLists")
    realm.setReference(ofRow: 0, 3, of: "class_BigLists", to: realm.append([7, 7, 9]))
    #expect(column.count == 2)
    let findings = try check(realm)
    #expect(
      findings.map(\.what) == [
        "a link to Dog 7 without its backlink", "a link to Dog 9 without its backlink",
      ]
    )
    #expect(findings.allSatisfy { $0.className == "BigLists" && $0.property == "dogs" })
  }

  @Test func `links of several objects to one embedded object are found`() throws {
    var realm = EditedRealm()
    let addresses = realm.clusters("class_Address")
    let geo = realm.child(5, of: addresses)
    let links = (0..<geo.count).map { index in
      geo.width >= 8 ? realm.element(index, of: geo) : bits(index, of: geo, in: realm)
    }
    let first = try #require(links.first { $0 > 0 })
    let changed = links.map { $0 > 0 ? first : 0 }
    realm.setElement(5, of: addresses, to: realm.append(changed))
    let findings = try check(realm)
    #expect(findings.contains { $0.className == "Geo" && $0.what.contains("no such link") })
    #expect(findings.contains { $0.what.contains("without its backlink") })
  }

  @Test func `an embedded object with two owners is found`() throws {
    var realm = EditedRealm()
    let classes = try RealmFile(path: files.write(realm.bytes)).classes
    let geo = try #require(classes.first { $0.className == "Geo" })
    let column = try #require(geo.backlinks.first).index
    let owner = realm.element(0, of: realm.column(column, of: "class_Geo")) >> 1
    realm.setReference(ofRow: 0, column, of: "class_Geo", to: realm.append([owner, owner + 1]))
    let findings = try check(realm).filter { $0.className == "Geo" }
    #expect(findings.first?.what == "an embedded object with 2 owners")
    #expect(findings.last?.what.contains("from Address.geo, object \(owner + 1)") == true)
    #expect(findings.count == 2)
  }

  @Test func `a primary key that two objects have is found`() throws {
    var realm = EditedRealm()
    let persons = realm.clusters("class_Person")
    let count = realm.child(1, of: persons).count
    realm.setElement(1, of: persons, to: realm.append((0..<count).map { $0 == 3 ? 1 : $0 }))
    let findings = try check(realm)
    #expect(findings.map(\.what) == ["a primary key that another object has"])
    #expect(findings.first?.property == "id")
  }

  @Test func `null in a property that is not optional is found`() throws {
    var realm = EditedRealm()
    let times = realm.column(49, of: "class_AllTypes")
    let seconds = realm.child(0, of: times)
    let null = realm.append([Int](repeating: 5, count: seconds.count))
    let parts = realm.append([null, realm.element(1, of: times)], hasRefs: true)
    realm.setElement(50, of: realm.clusters("class_AllTypes"), to: parts)
    let findings = try check(realm)
    #expect(findings.count == seconds.count - 1)
    #expect(findings.allSatisfy { $0.what == "null in a property that is not optional" })
  }

  @Test func `nodes that overlap are found`() throws {
    var realm = EditedRealm()
    let outer = realm.append([1, 2, 3, 4])
    // The elements of the first list look like the header of another.
    realm.setWord(outer + 16, 1 << 56 | 7 << 32)
    realm.setReference(ofRow: 0, 0, of: "class_BigLists", to: outer)
    realm.setReference(ofRow: 1, 0, of: "class_BigLists", to: outer + 16)
    let findings = try check(realm)
    #expect(findings.map(\.what) == ["a node that begins in the node at offset \(outer)"])
  }

  @Test func `no more is returned than is asked for`() throws {
    var realm = EditedRealm()
    realm.setReference(ofRow: 0, 3, of: "class_BigLists", to: realm.append([7, 7, 9]))
    let file = try RealmFile(path: files.write(realm.bytes))
    #expect(try file.check(limit: 1).count == 1)
    #expect(try file.check(limit: 0).isEmpty)
    #expect(try file.check(limit: -1).isEmpty)
  }

  private func check(_ realm: EditedRealm) throws -> [RealmDamage] {
    try RealmFile(path: files.write(realm.bytes)).check()
  }

  /// An element of fewer than eight bits.
  private func bits(_ index: Int, of node: EditedRealm.Node, in realm: EditedRealm) -> Int {
    guard node.width > 0 else { return 0 }
    let byte = Int(realm.bytes[node.offset + 8 + index * node.width / 8])
    return byte >> (index * node.width % 8) & (1 << node.width - 1)
  }
}
