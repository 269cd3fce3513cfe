import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

class ShipCard: Projection<Ship> {
  @Projected(\Ship.name) var title
  @Projected(\Ship.captain?.name) var captainName
  @Projected(\Ship.voyages.projectTo.port) var ports: ProjectedCollection<String>
}

/// The class above and the lines of each function are examples of doc comments; a tidy test compares
/// them.
@Suite struct `The examples of KennelRealm's projections` {
  @Test func `run as they stand there`() throws {
    try withRealm([Ship.self, Captain.self, Voyage.self]) { realm in
      try realm.write {
        let ship: [String: Any] = [
          "name": "Fram", "tons": 402, "captain": ["name": "Nansen"], "voyages": [["port": "Oslo"]],
        ]
        realm.create(Ship.self, value: ship)
      }
      let ship = try #require(realm.objects(Ship.self).first)
      sortable(realm)
      observable(ship)
      results(realm)
      mapper(ship)
      try collection(realm, ship)
    }
  }

  private func sortable(_ realm: Realm) {
    func newest<T: RealmFetchable & KeypathSortable>(_ type: T.Type, by name: String) -> T? {
      realm.objects(type).sorted(byKeyPath: name, ascending: false).first
    }
    print(newest(Ship.self, by: "tons")?.name ?? "")
    #expect(newest(ShipCard.self, by: "tons")?.title == "Fram")
  }

  private func observable(_ ship: Ship) {
    func isStored(_ card: some ProjectionObservable) -> Bool { card.rootObject.realm != nil }
    print(isStored(ShipCard(projecting: ship)))
    #expect(isStored(ShipCard(projecting: ship)))
  }

  private func results(_ realm: Realm) {
    for card in realm.objects(ShipCard.self).where({ $0.tons > 300 }).sorted(by: \.title) {
      print(card.title, card.captainName ?? "-", card.ports.joined(separator: ", "))
    }
    #expect(realm.objects(ShipCard.self).first?.captainName == "Nansen")
  }

  private func mapper(_ ship: Ship) {
    let ports: ProjectedCollection<String> = ship.voyages.projectTo.port
    print(ports.joined(separator: ", "))
    #expect(Array(ports) == ["Oslo"])
  }

  private func collection(_ realm: Realm, _ ship: Ship) throws {
    let card = ShipCard(projecting: ship)
    print(card.ports.count, card.ports.first ?? "")
    try realm.write { card.ports[0] = "Bergen" }
    print(ship.voyages[0].port)
    #expect(ship.voyages[0].port == "Bergen")
  }
}
