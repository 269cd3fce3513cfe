import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

class Fleet: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name = ""
  @Persisted(indexed: true) var founded: Int?
  @Persisted(deleteRule: .cascade) var ships: List<Ship>
  @Persisted var ports: MutableSet<String>
  @Persisted var crew: Map<String, Int>
}

class Barge: Object {
  let tons = RealmProperty<Int?>()
}

enum Rig: String, PersistableEnum {
  case sloop
  case brig
}

struct Speed: CustomPersistable {
  typealias PersistedType = Double
  var knots: Double
  init(persistedValue: Double) { knots = persistedValue }
  var persistableValue: Double { knots }
}

struct Berth: FailableCustomPersistable {
  typealias PersistedType = Int
  let persistableValue: Int
  init?(persistedValue: Int) {
    if persistedValue < 1 { return nil }
    persistableValue = persistedValue
  }
}

actor Harbor {
  var realm: Realm?
  func open() async throws { realm = try await Realm(actor: self) }
}

/// The types above and the lines of each function are examples of doc comments; a tidy test compares
/// them.
@Suite struct `The examples of KennelRealm` {
  private let folder: TemporaryFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TemporaryFolder()
    configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("fleet.kennel")),
      objectTypes: [Fleet.self, Ship.self, Captain.self, Voyage.self]
    )
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.create(Ship.self, value: ["name": "Fram", "tons": 402, "voyages": [["port": "Oslo"]]])
      realm.create(Fleet.self, value: ["name": "North", "crew": ["cook": 2]])
      realm.create(Captain.self, value: ["name": "Nansen"])
    }
  }

  @Test func `run as they stand there`() throws {
    try transactions(configuration)
    let queue = DispatchQueue(label: "examples")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let ship = try #require(realm.objects(Ship.self).first)
      let fleet = try #require(realm.objects(Fleet.self).first)
      linkingObjects(try #require(realm.objects(Captain.self).first))
      results(realm)
      queries(realm)
      realmCollection(realm)
      resultsSection(realm)
      sortDescriptor(realm)
      threadConfined(ship)
      collectionChange(realm)
      mapChange(fleet)
      sectionsChange(realm)
      objectChange(ship)
      dynamicObject(realm)
      schema(realm, ship)
      threadSafeReference(ship, configuration, DispatchQueue(label: "other"))
      threadSafe(realm, DispatchQueue(label: "third"))
    }
    values()
    try list()
    collections()
    migration()
    expectSound(at: folder.file("fleet.kennel"))
  }

  // MARK: - Realms

  private func transactions(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.add(Ship(value: ["name": "Beagle", "tons": 242]))
    }
    let small = realm.objects(Ship.self).where { $0.tons < 300 }
    print(small.count)
  }

  private func asyncOpen(_ configuration: Realm.Configuration) {
    let task = Realm.asyncOpen(configuration: configuration) { result in
      if case .failure(let error) = result { print(error) }
    }
    task.cancel()
  }

  private func migration() {
    let configuration = Realm.Configuration(schemaVersion: 2) { migration, oldVersion in
      if oldVersion < 2 {
        migration.enumerateObjects(ofType: "Ship") { old, new in
          new?["name"] = "\(old?["prefix"] ?? "") \(old?["name"] ?? "")"
        }
      }
    }
    print(configuration.schemaVersion)
  }

  private func threadSafeReference(
    _ ship: Ship,
    _ configuration: Realm.Configuration,
    _ queue: DispatchQueue
  ) {
    let reference = ThreadSafeReference(to: ship)
    queue.async {
      guard let realm = try? Realm(configuration: configuration, queue: queue) else { return }
      if let ship = realm.resolve(reference) { print(ship.name) }
    }
    queue.sync {}
  }

  private func threadSafe(_ realm: Realm, _ queue: DispatchQueue) {
    @ThreadSafe var ship = realm.objects(Ship.self).first
    queue.async { [_ship] in
      print(_ship.wrappedValue?.name ?? "it was deleted")
    }
    queue.sync {}
  }

  private func threadConfined(_ ship: Ship) {
    func describe(_ value: some ThreadConfined) -> String { value.isFrozen ? "frozen" : "live" }
    print(describe(ship), describe(ship.freeze()))
  }

  // MARK: - Collections

  private func list() throws {
    let fram = Ship(value: ["name": "Fram"])
    fram.voyages.append(Voyage(value: ["port": "Oslo", "days": 12]))
    for voyage in fram.voyages { print(voyage.port) }
  }

  private func collections() {
    let fleet = Fleet()
    fleet.ports.insert(objectsIn: ["Oslo", "Hobart", "Oslo"])
    fleet.crew["cook"] = 2
    print(fleet.ports.count, fleet.crew["cook"] ?? 0)
  }

  private func linkingObjects(_ captain: Captain) {
    for ship in captain.ships { print(ship.name) }
  }

  private func results(_ realm: Realm) {
    let large = realm.objects(Ship.self).where { $0.tons > 300 }
    print(large.count, large.first?.name ?? "")
  }

  private func realmCollection(_ realm: Realm) {
    func tons<C: RealmCollection>(of ships: C) -> Int where C.Element == Ship {
      ships.sum(of: \.tons)
    }
    print(tons(of: realm.objects(Ship.self)), tons(of: List<Ship>()))
    let ships = AnyRealmCollection(realm.objects(Ship.self))
    print(ships.count)
  }

  private func resultsSection(_ realm: Realm) {
    for section in realm.objects(Ship.self).sectioned(by: \.tons) {
      print(section.key, section.map(\.name))
    }
  }

  private func sortDescriptor(_ realm: Realm) {
    let largest = SortDescriptor(keyPath: \Ship.tons, ascending: false)
    print(realm.objects(Ship.self).sorted(by: [largest]).map(\.name))
  }

  private func queries(_ realm: Realm) {
    let large = realm.objects(Ship.self).where { $0.tons > 300 && $0.voyages.port.contains("x") }
    let small = realm.objects(Ship.self).filter("tons < %@ AND name BEGINSWITH[c] %@", 300, "be")
    let beagle = realm.objects(Ship.self).where {
      $0.name.contains("BEAGLE", options: .caseInsensitive)
    }
    print(large.count, small.count, beagle.count)
  }

  // MARK: - Notifications

  private func collectionChange(_ realm: Realm) {
    let token = realm.objects(Ship.self).observe { change in
      if case .update(let ships, _, let insertions, _) = change { print(ships.count, insertions) }
    }
    token.invalidate()
  }

  private func mapChange(_ fleet: Fleet) {
    let token = fleet.crew.observe { change in
      if case .update(_, _, let insertions, _) = change { print(insertions) }
    }
    token.invalidate()
  }

  private func sectionsChange(_ realm: Realm) {
    let token = realm.objects(Ship.self).sectioned(by: \.tons).observe { change in
      if case .update(let sections, _, _, _, _, _) = change { print(sections.count) }
    }
    token.invalidate()
  }

  private func objectChange(_ ship: Ship) {
    let token = ship.observe { change in
      guard case .change(_, let properties) = change else { return }
      for property in properties { print(property.name, property.newValue ?? "") }
    }
    token.invalidate()
  }

  // MARK: - Objects and values

  private func dynamicObject(_ realm: Realm) {
    for ship in realm.dynamicObjects("Ship") { print(ship["name"] as? String ?? "") }
  }

  private func schema(_ realm: Realm, _ ship: Ship) {
    print(realm.schema["Ship"]?.primaryKeyProperty?.name ?? "")
    for property in ship.objectSchema.properties { print(property.name, property.type) }
  }

  private func values() {
    let values: [AnyRealmValue] = [.int(1), .string("one"), .none]
    print(values.compactMap(\.stringValue))
    let price: Decimal128 = "19.90"
    print(price + 1)
    let id = ObjectId.generate()
    print(id.stringValue, id.timestamp)
  }
}
