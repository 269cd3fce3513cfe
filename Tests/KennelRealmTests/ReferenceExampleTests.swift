import Foundation
import KennelCore
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

class Ship: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var tons = 0
  @Persisted var captain: Captain?
  @Persisted var voyages: List<Voyage>
}

class Captain: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "captain") var ships: LinkingObjects<Ship>
}

class Voyage: EmbeddedObject {
  @Persisted var port = ""
  @Persisted var days = 1
}

/// The examples of the reference, word for word; a test of tidiness compares the two.
@Suite struct `The examples of the reference` {
  private static let types: [ObjectBase.Type] = [Ship.self, Captain.self, Voyage.self]

  private func addShips(_ realm: Realm) throws {
    let ship = Ship()
    ship.name = "Beagle"
    ship.tons = 242
    ship.captain = Captain(value: ["name": "FitzRoy"])
    try realm.write {
      realm.add(ship)
    }
    try realm.write {
      realm.create(
        Ship.self,
        value: ["name": "Fram", "voyages": [["port": "Oslo", "days": 12], ["port": "Hobart"]]]
      )
    }
  }

  @Test func `add, change and delete objects`() throws {
    try withRealm(Self.types) { realm in
      try addShips(realm)
      #expect(realm.objects(Ship.self).count == 2 && realm.objects(Captain.self).count == 1)
      try realm.write {
        realm.create(Ship.self, value: ["name": "Fram", "tons": 402], update: .modified)
      }
      let fram = realm.object(ofType: Ship.self, forPrimaryKey: "Fram")
      try realm.write {
        fram?.tons += 38
        fram?.voyages.append(Voyage(value: ["port": "Tromsø", "days": 3]))
      }
      #expect(fram?.tons == 440)
      #expect(fram.map { Array($0.voyages.map(\.port)) } == ["Oslo", "Hobart", "Tromsø"])
      let beagle = realm.objects(Ship.self).where { $0.name == "Beagle" }
      try realm.write {
        realm.delete(beagle)
      }
      #expect(realm.objects(Ship.self).map(\.name) == ["Fram"])
    }
  }

  @Test func `ask for objects`() throws {
    try withRealm(Self.types) { realm in
      try addShips(realm)
      let large = realm.objects(Ship.self).where { $0.tons > 300 && $0.captain != nil }
      let toHobart = realm.objects(Ship.self).where { $0.voyages.port == "Hobart" }
      let commanded = realm.objects(Captain.self).where { $0.ships.count > 1 }
      #expect(large.isEmpty && commanded.isEmpty && toHobart.map(\.name) == ["Fram"])
      let small = realm.objects(Ship.self).filter("tons < %@ AND captain != nil", 300)
      let busy = realm.objects(Ship.self).filter("voyages.@sum.days > 10")
      #expect(small.map(\.name) == ["Beagle"] && busy.map(\.name) == ["Fram"])
      let ordered = realm.objects(Ship.self).sorted(by: [
        SortDescriptor(keyPath: "captain.name"), SortDescriptor(keyPath: "tons", ascending: false),
      ])
      let tons: Int = ordered.sum(of: \.tons)
      let longest = ordered.last?.voyages.max(of: \.days)
      #expect(ordered.map(\.name) == ["Beagle", "Fram"] && tons == 242 && longest == 12)
      let fitzroy = realm.objects(Captain.self).first { $0.name == "FitzRoy" }
      let ships = fitzroy?.ships.map(\.name)
      #expect(ships.map { Array($0) } == ["Beagle"])
    }
  }

  @Test func `hear of changes`() throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("ships.kennel")),
      objectTypes: Self.types
    )
    let writer = try Realm(configuration: configuration)
    try addShips(writer)
    let queue = DispatchQueue(label: "ships")
    let (told, tokens) = (Told(), Tokens())
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let ship = try #require(realm.object(ofType: Ship.self, forPrimaryKey: "Fram"))
      let token = realm.objects(Ship.self).sorted(by: \.name).observe { change in
        switch change {
        case .initial(let ships): told.append("\(ships.count) ships")
        case .update(let ships, let deletions, let insertions, let modifications):
          told.append("\(ships.count) ships: -\(deletions) +\(insertions) ~\(modifications)")
        case .error(let error): told.append("\(error)")
        }
      }
      let watch = ship.observe { change in
        guard case .change(_, let properties) = change else { return }
        for property in properties { told.append(property.name) }
      }
      tokens.keep([token, watch])
    }
    told.wait(for: ["2 ships"])
    try writer.write {
      writer.object(ofType: Ship.self, forPrimaryKey: "Fram")?.tons = 402
      writer.create(Ship.self, value: ["name": "Endurance"])
    }
    told.wait(for: ["2 ships", "3 ships: -[] +[1] ~[2]", "tons"])
    queue.sync { tokens.end() }
  }

  @Test func `move values of older classes`() throws {
    class OlderShip: Object {
      @Persisted(primaryKey: true) var name: String
      @Persisted var pounds = 0

      override class func className() -> String { "Ship" }
    }
    let folder = try TemporaryFolder()
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("ships.kennel")),
      objectTypes: [OlderShip.self]
    )
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(OlderShip(value: ["name": "Fram", "pounds": 2240 * 402])) }
    }
    configuration.objectTypes = Self.types
    configuration.schemaVersion = 2
    configuration.migrationBlock = { migration, oldVersion in
      guard oldVersion < 2 else { return }
      migration.enumerateObjects(ofType: "Ship") { old, new in
        let pounds = old?["pounds"] as? Int ?? 0
        new?["tons"] = pounds / 2240
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Ship.self).map(\.tons) == [402])
  }
}

/// What was told so far, on whatever thread.
private final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func append(_ line: String) { lock.withLock { lines.append(line) } }

  /// Waits until so much was told, in whatever order.
  func wait(for expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let limit = Date(timeIntervalSinceNow: 5)
    while Date() < limit, lock.withLock({ lines.count < expected.count }) { usleep(500) }
    let found = lock.withLock { lines }
    #expect(found.sorted() == expected.sorted(), sourceLocation: sourceLocation)
  }
}

private final class Tokens: @unchecked Sendable {
  private var kept: [NotificationToken] = []

  func keep(_ tokens: [NotificationToken]) { kept = tokens }

  func end() {
    for token in kept { token.invalidate() }
    kept = []
  }
}
