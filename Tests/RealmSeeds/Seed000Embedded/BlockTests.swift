import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Document 000: embedded objects` {
  @Test func `an address goes with its person`() throws {
    try withRealm(types) { realm in
      let ada = Person(name: "Ada", address: Address(value: ["city": "London"]))
      try realm.write { realm.add(ada) }
      let london = try #require(ada.address)
      #expect(london.realm == realm && london.city == "London" && london.street == nil)
      try realm.write { ada.address = Address(value: ["city": "Paris"]) }
      #expect(london.isInvalidated && ada.address?.city == "Paris")
      let paris = try #require(ada.address)
      try realm.write { ada.address = nil }
      #expect(paris.isInvalidated && ada.address == nil)
    }
  }

  @Test func `a club has offices of its own, and members that live on`() throws {
    try withRealm(types) { realm in
      let club = DogClub(name: "Kennel", addresses: [Address(), Address(value: ["city": "Rome"])])
      let ada = Person(value: ["id": 4, "name": "Ada"])
      club.members.append(ada)
      try realm.write { realm.add(club) }
      let rome = club.regionalOfficeAddresses[1]
      #expect(rome.city == "Rome" && ada.clubs.first?.name == "Kennel")
      try realm.write { realm.delete(club) }
      #expect(rome.isInvalidated && ada.clubs.isEmpty && !ada.isInvalidated)
    }
  }

  @Test func `an address has one owner`() throws {
    try withRealm(types) { realm in
      let ada = Person(name: "Ada", address: Address(value: ["city": "London"]))
      let bob = Person(value: ["id": 2])
      try realm.write { realm.add([ada, bob]) }
      realm.beginWrite()
      expectMisuse("one owner") { bob.address = ada.address }
      realm.cancelWrite()
      try realm.write { bob.address = ada.address.map { Address(value: $0) } }
      #expect(bob.address?.city == "London" && bob.address != ada.address)
      #expect(try storedClass("Address", of: realm).isEmbedded)
    }
  }

  private let types: [ObjectBase.Type] = [
    Person.self, DogClub.self, Address.self, Dog.self,
  ]
}
