import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

class Convoy: Object {
  @Persisted(deleteRule: .deny) var flagship: Ship?
  @Persisted(deleteRule: .cascade) var ships: List<Ship>
}

class Buoy: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "buoy") var moorings: LinkingObjects<Mooring>
}

class Mooring: Object {
  @Persisted var buoy: Buoy?
}

class Lighthouse: Object, Codable {
  @Persisted var name: String
  @Persisted var height: Int?
}

enum Flag: Int, RealmEnum {
  case pilot = 1
  case quarantine = 2
}

@available(*, deprecated)
class Raft: Object {
  let tons = RealmOptional<Int>()
}

class Signal: Object {
  @Persisted var flag = Flag.pilot
}

/// The marked types above and the marked lines of each function are examples of doc comments; a
/// tidy test compares them.
@Suite struct `The examples of KennelRealm's types` {
  private let folder: TemporaryFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TemporaryFolder()
    configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("fleet.kennel")),
      objectTypes: [
        Fleet.self, Ship.self, Captain.self, Voyage.self, Convoy.self, Buoy.self, Mooring.self,
        Signal.self,
      ]
    )
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let fram = Ship(
        value: [
          "name": "Fram", "tons": 402,
          "voyages": [["port": "Oslo", "days": 12], ["port": "Hobart", "days": 30]],
        ]
      )
      realm.add(fram)
      realm.add(Fleet(value: ["name": "North", "ships": [fram], "crew": ["cook": 2]]))
    }
  }

  @Test func `of realms run`() throws {
    try realmConfiguration(URL(fileURLWithPath: folder.file("ships.kennel")))
    var missing = configuration
    missing.fileURL = URL(fileURLWithPath: folder.file("missing.kennel"))
    missing.readOnly = true
    try realmError(missing)
    try errorCode(missing)
    let realm = try Realm(configuration: configuration)
    try updatePolicy(realm)
    try objectBase(realm)
    fetchable(realm)
    expectSound(at: folder.file("fleet.kennel"))
  }

  @Test func `of collections run`() throws {
    let realm = try Realm(configuration: configuration)
    let fleet = try #require(realm.objects(Fleet.self).first)
    let ship = try #require(fleet.ships.first)
    try map(realm, fleet)
    mapEntry(fleet)
    iterator(realm)
    keyedCollection(fleet)
    sectionedResult(realm)
    collectionValue(fleet)
    minMaxType(ship)
    addableType(ship)
    sortableType(realm)
    optionalProtocol()
  }

  @Test func `of notifications run`() throws {
    let queue = DispatchQueue(label: "examples")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      notification(realm)
      observable(try #require(realm.objects(Ship.self).first))
    }
  }

  @Test func `of models run`() throws {
    let realm = try Realm(configuration: configuration)
    let convoy = try storedClass("Convoy", of: realm)
    #expect(convoy.rules == ["flagship": "deny", "ships": "cascade"])
    try realm.write {
      let buoy = realm.create(Buoy.self, value: ["name": "North"])
      realm.create(Mooring.self, value: ["buoy": buoy])
      realm.create(Signal.self, value: ["flag": 2])
    }
    #expect(realm.objects(Buoy.self).first?.moorings.count == 1)
    #expect(realm.objects(Signal.self).first?.flag == .quarantine)
    let json = Data(#"{"name": "Eddystone"}"#.utf8)
    let lighthouse = try JSONDecoder().decode(Lighthouse.self, from: json)
    #expect(lighthouse.name == "Eddystone" && lighthouse.height == nil)
  }

  @available(*, deprecated)
  @Test func `of older models run`() {
    let raft = Raft()
    raft.tons.value = 2
    #expect(raft.tons.value == 2)
  }

  // MARK: - Realms

  private func realmConfiguration(_ url: URL) throws {
    var configuration = Realm.Configuration(fileURL: url, schemaVersion: 2)
    configuration.objectTypes = [Ship.self, Captain.self, Voyage.self]
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Ship.self).isEmpty && realm.configuration.schemaVersion == 2)
  }

  private func realmError(_ configuration: Realm.Configuration) throws {
    do {
      _ = try Realm(configuration: configuration)
    } catch Realm.Error.fileNotFound {
      print("There is no file yet")
    }
    #expect(throws: Realm.Error(.fileNotFound)) { try Realm(configuration: configuration) }
  }

  private func errorCode(_ configuration: Realm.Configuration) throws {
    do {
      _ = try Realm(configuration: configuration)
    } catch let error as Realm.Error where error.code == .fileNotFound {
      print(error.message)
    }
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    #expect(error?.code == .fileNotFound)
  }

  private func updatePolicy(_ realm: Realm) throws {
    try realm.write {
      realm.add(Ship(value: ["name": "Fram", "tons": 440]), update: .modified)
    }
    #expect(realm.objects(Ship.self).map(\.tons) == [440])
  }

  private func objectBase(_ realm: Realm) throws {
    let ship = Ship(value: ["name": "Maud"])
    print(ship.realm == nil)
    try realm.write { realm.add(ship) }
    print(ship.realm == realm)
    #expect(ship.realm == realm)
  }

  private func fetchable(_ realm: Realm) {
    func count<T: RealmFetchable>(_ type: T.Type) -> Int { realm.objects(type).count }
    print(count(Ship.self), count(Captain.self))
    #expect(count(Ship.self) == 2 && count(Captain.self) == 0)
  }

  // MARK: - Notifications

  private func notification(_ realm: Realm) {
    let token = realm.observe { notification, realm in
      if notification == .refreshRequired { realm.refresh() }
    }
    token.invalidate()
  }

  private func observable(_ ship: Ship) {
    func watch(_ object: some ObservableObjectType) -> NotificationToken {
      object.observe { (change: ObjectChange<ObjectBase>) in print(change) }
    }
    watch(ship).invalidate()
  }

  // MARK: - Collections

  private func map(_ realm: Realm, _ fleet: Fleet) throws {
    try realm.write {
      fleet.crew["pilot"] = 1
      fleet.crew["cook", default: 0] += 1
    }
    print(fleet.crew.keys, fleet.crew["cook"] ?? 0)
    #expect(fleet.crew.keys == ["cook", "pilot"] && fleet.crew["cook"] == 3)
  }

  private func mapEntry(_ fleet: Fleet) {
    for entry in fleet.crew { print("\(entry.key): \(entry.value)") }
    #expect(fleet.crew.map(\.value) == [3, 1])
  }

  private func iterator(_ realm: Realm) {
    var names: [String] = []
    var ships = realm.objects(Ship.self).makeIterator()
    while let ship = ships.next() { names.append(ship.name) }
    #expect(names == ["Fram"])
  }

  private func keyedCollection(_ fleet: Fleet) {
    func sum<M: RealmKeyedCollection>(of map: M) -> Int where M.Value == Int {
      map.values.reduce(0, +)
    }
    print(sum(of: fleet.crew))
    #expect(sum(of: fleet.crew) == 4)
  }

  private func sectionedResult(_ realm: Realm) {
    func describe(_ result: some RealmSectionedResult) -> String { "\(result.count) elements" }
    let sections = realm.objects(Ship.self).sectioned(by: \.tons)
    print(describe(sections), describe(sections[0]))
    #expect(describe(sections) == "1 elements" && describe(sections[0]) == "1 elements")
  }

  // MARK: - Values

  private func collectionValue(_ fleet: Fleet) {
    func last<T: RealmCollectionValue>(of list: List<T>) -> T? { list.last }
    print(last(of: fleet.ships)?.name ?? "")
    #expect(last(of: fleet.ships)?.name == "Fram")
  }

  private func minMaxType(_ ship: Ship) {
    let longest = ship.voyages.max(of: \.days)
    print(longest ?? 0)
    #expect(longest == 30)
  }

  private func addableType(_ ship: Ship) {
    let days: Int = ship.voyages.sum(of: \.days)
    print(days)
    #expect(days == 42)
  }

  private func sortableType(_ realm: Realm) {
    let ships = realm.objects(Ship.self).sorted(by: \.tons, ascending: false)
    print(ships.first?.name ?? "")
    #expect(ships.first?.name == "Fram")
  }

  private func optionalProtocol() {
    func count(_ values: [some OptionalProtocol]) -> Int {
      values.filter { $0._rlmInferWrappedType() != nil }.count
    }
    print(count([1, nil, 3]))
    #expect(count([1, nil, 3]) == 2)
  }
}
