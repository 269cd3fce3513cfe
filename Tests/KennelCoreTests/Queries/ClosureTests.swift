import KennelCore
import KennelDocuments
import KennelPages
import KennelStorage
import KennelTestSupport
import Testing

@Suite("What objects lead to")
struct ClosureTests {
  @Test func `ends, as an export does, where an embedded object is a part of itself`() throws {
    let world = try CheckWorld()
    let annex = ObjectIdentity(world.property("Address", "annex").target!, ObjectKey(rawValue: 11))
    try world.write { planter in
      try planter.edit("Address", "annex") { column in
        column.setNull(11, false)
        column.words[11] = 11
      }
      let backlinks = world.backlinkKey(to: "Address", from: "Address", "annex", cluster: 0)
      try planter.edit(.backlinks, backlinks, .backlinks) { $0.keys[11] = .inline([11]) }
    }
    let snapshot = try Database.open(world.path).snapshot()
    for start in [annex, world.people[9]] {
      let error = #expect(throws: DatabaseError.self) {
        try snapshot.closure(of: [start], along: [])
      }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("Address/11") ?? false)
    }
    var exporter = DocumentExporter(snapshot)
    var byteCount = 0
    let error = #expect(throws: DatabaseError.self) {
      try exporter.write { bytes in
        byteCount += bytes.count
        try #require(byteCount < 1 << 20)
      }
    }
    #expect(error?.message.contains("Address/11") ?? false)
  }

  /// A list of many embedded objects, of which each links to one dog.
  private func withLargeOwner(
    _ body: (_ snapshot: KennelCore.Snapshot, _ owner: ObjectIdentity, _ dog: ObjectIdentity) throws
      -> Void
  ) throws {
    try withTemporaryDatabase { database in
      let (owner, dog) = try database.write { transaction in
        try transaction.define([
          ClassDefinition("Dog", properties: []),
          ClassDefinition(
            "Walk",
            isEmbedded: true,
            properties: [PropertyDefinition("dog", .link("Dog"))]
          ),
          ClassDefinition("Diary", properties: [PropertyDefinition("walks", .list(.link("Walk")))]),
        ])
        let schema = transaction.schema
        let dog = try transaction.create(try #require(schema["Dog"]).key, [:])
        let diary = try #require(schema["Diary"])
        let owner = try transaction.create(diary.key, [:])
        let walks = try #require(diary["walks"]).key
        let dogOfWalk = try #require(schema["Walk"]?["dog"]).key
        for number in 0..<20_000 {
          let walk = try transaction.createEmbedded(at: Slot(owner, walks, .index(number)))
          try transaction.set(walk, property: dogOfWalk, to: .link(dog))
        }
        return (owner, dog)
      }
      try body(try database.snapshot(), owner, dog)
    }
  }

  @Test func `is found in time where one object owns very many that link there`() throws {
    try withLargeOwner { snapshot, owner, dog in
      let walk = try #require(snapshot.schema["Walk"])
      let edge = LinkEdge(walk.key, try #require(walk["dog"]).key, isBackward: true)
      let time = try ContinuousClock().measure {
        let found = try snapshot.closure(of: [dog], along: [edge])
        #expect(found.contains(owner) && found.count == 2)
      }
      // It takes a tenth of a second, and took a minute with a look through the list for each.
      #expect(time < .seconds(15))
    }
  }

  @Test func `is given up within the parts of one object`() throws {
    try withLargeOwner { snapshot, owner, _ in
      let error = #expect(throws: DatabaseError.self) {
        try snapshot.closure(of: [owner], along: []) { _ in false }
      }
      #expect(error?.code == .cancelled)
    }
  }

  @Test func `names the owner of an embedded object without its place`() throws {
    try withLargeOwner { snapshot, owner, dog in
      let walk = try #require(snapshot.schema["Walk"])
      let last = try #require(try snapshot.objects(of: walk.key).last)
      let slot = try #require(try snapshot.owner(of: last))
      let found = try #require(try snapshot.owningProperty(of: last))
      #expect(slot.position == .index(19_999))
      #expect(found == (slot.object, slot.property))
      #expect(found.owner == owner)
      #expect(try snapshot.owningProperty(of: dog) == nil)
    }
  }
}
