import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `A relationship` {
  private let types: [ObjectBase.Type] = [
    Play.self, Player.self, Season.self, Evening.self, Stagehand.self, Theatre.self, Locker.self,
  ]

  // MARK: - Primary keys

  @Test func `leads to objects with primary keys that nobody chose`() throws {
    try withRealm(types) { realm in
      let plays = [Play(), Play()]
      #expect(plays[0]._id != plays[1]._id)
      try realm.write { realm.add(plays) }
      #expect(realm.object(ofType: Play.self, forPrimaryKey: plays[1]._id) == plays[1])
      realm.beginWrite()
      expectMisuse("Primary key can't be changed") { plays[0]._id = plays[1]._id }
      realm.cancelWrite()
      #expect(try storedClass("Play", of: realm).primaryKey == "_id")
    }
  }

  // MARK: - To-one

  @Test func `to one object is lost without it`() throws {
    try withRealm(types) { realm in
      let emma = Play(value: ["title": "Emma", "acts": 474])
      let ada = Player()
      ada.name = "Ada"
      #expect(ada.favourite == nil)
      ada.favourite = emma
      try realm.write { realm.add(ada) }
      let found = realm.object(ofType: Player.self, forPrimaryKey: ada._id)
      #expect(found?.favourite?._id == emma._id && found?.favourite?.acts == 474)
      try realm.write { ada.favourite = nil }
      #expect(ada.favourite == nil && !emma.isInvalidated && realm.objects(Play.self).count == 1)
      try realm.write {
        ada.favourite = emma
        realm.delete(emma)
      }
      #expect(ada.favourite == nil && realm.objects(Play.self).isEmpty)
    }
  }

  @Test func `to one object is stored as a link that may lead nowhere`() throws {
    try withRealm(types) { realm in
      let player = try storedClass("Player", of: realm)
      #expect(player.types["favourite"] == "link<Play>")
    }
  }

  @Test func `to one object leaves it when its own object goes`() throws {
    try withRealm(types) { realm in
      let emma = Play(value: ["title": "Emma"])
      let ada = Player(value: ["name": "Ada", "favourite": emma])
      try realm.write { realm.add(ada) }
      try realm.write { realm.delete(ada) }
      #expect(realm.objects(Play.self).first == emma)
    }
  }

  // MARK: - To-many

  @Test func `to many objects keeps their order, and an object may come twice`() throws {
    try withRealm(types) { realm in
      let ada = Player(value: ["name": "Ada"])
      #expect(ada.rehearsed.isEmpty)
      let emma = Play(value: ["title": "Emma"])
      ada.rehearsed.append(objectsIn: [emma, Play(value: ["title": "Ulysses"])])
      try realm.write { realm.add(ada) }
      try realm.write {
        ada.rehearsed.insert(Play(value: ["title": "Walden"]), at: 1)
        ada.rehearsed.append(emma)
      }
      #expect(ada.rehearsed.map(\.title) == ["Emma", "Walden", "Ulysses", "Emma"])
      try realm.write { realm.delete(emma) }
      #expect(Array(ada.rehearsed.map(\.title)) == ["Walden", "Ulysses"])
      try realm.write { ada.rehearsed.removeAll() }
      #expect(ada.rehearsed.isEmpty && realm.objects(Play.self).count == 2)
    }
  }

  // MARK: - Inverse

  @Test func `is known to its target as soon as it is made, and until it goes`() throws {
    try withRealm(types) { realm in
      let season = Season()
      let evening = Evening(value: ["_house": "north"])
      #expect(evening.season.isEmpty)
      try realm.write {
        realm.add([season])
        season.evenings.append(evening)
        #expect(evening.season.count == 1)
      }
      #expect(evening.season.first == season && season._id != Season()._id)
      try realm.write { season.evenings.remove(at: 0) }
      #expect(evening.season.isEmpty && !evening.isInvalidated)
      try realm.write { season.evenings.append(evening) }
      #expect(evening.season.count == 1 && evening.season[0] == season)
      try realm.write { realm.delete(season) }
      #expect(evening.season.isEmpty)
    }
  }

  @Test func `cannot be set from its target`() throws {
    try withRealm(types) { realm in
      let evening = try realm.write { realm.create(Evening.self) }
      let other = try realm.write { realm.create(Evening.self) }
      realm.beginWrite()
      expectMisuse("read-only") { evening.season = other.season }
      expectMisuse("read-only") { evening["season"] = [Season]() }
      realm.cancelWrite()
    }
  }

  @Test func `is declared in the file where its target declares it`() throws {
    try withRealm(types) { realm in
      let evening = try storedClass("Evening", of: realm)
      #expect(evening.backlinks == ["season"] && evening.types["season"] == nil)
      #expect(evening.primaryKey == "_id")
      #expect(try storedClass("Play", of: realm).backlinks == ["player"])
    }
  }

  // MARK: - Embedded objects

  @Test func `to an embedded object ends its life with it`() throws {
    try withRealm(types) { realm in
      let ada = Stagehand(name: "Ada", locker: Locker(value: ["room": "North"]))
      try realm.write { realm.add(ada) }
      let north = try #require(ada.locker)
      #expect(north.realm == realm && north.room == "North" && north.telephone == nil)
      try realm.write { ada.locker = Locker(value: ["room": "South"]) }
      #expect(north.isInvalidated && ada.locker?.room == "South")
      let south = try #require(ada.locker)
      try realm.write { ada.locker = nil }
      #expect(south.isInvalidated && ada.locker == nil)
    }
  }

  @Test func `to many embedded objects takes them along, and leaves the others`() throws {
    try withRealm(types) { realm in
      let theatre = Theatre(name: "City", lockers: [Locker(), Locker(value: ["room": "Hall"])])
      let ada = Stagehand(value: ["number": 4, "name": "Ada"])
      theatre.crew.append(ada)
      try realm.write { realm.add(theatre) }
      let hall = theatre.publicLockers[1]
      #expect(hall.room == "Hall" && ada.theatres.first?.name == "City")
      try realm.write { realm.delete(theatre) }
      #expect(hall.isInvalidated && ada.theatres.isEmpty && !ada.isInvalidated)
    }
  }

  @Test func `to an embedded object is the only one to it`() throws {
    try withRealm(types) { realm in
      let ada = Stagehand(name: "Ada", locker: Locker(value: ["room": "North"]))
      let bob = Stagehand(value: ["number": 2])
      try realm.write { realm.add([ada, bob]) }
      realm.beginWrite()
      expectMisuse("one owner") { bob.locker = ada.locker }
      realm.cancelWrite()
      try realm.write { bob.locker = ada.locker.map { Locker(value: $0) } }
      #expect(bob.locker?.room == "North" && bob.locker != ada.locker)
      #expect(try storedClass("Locker", of: realm).isEmbedded)
    }
  }
}
