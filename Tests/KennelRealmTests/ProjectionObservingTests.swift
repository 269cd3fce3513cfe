import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

class TwinView: Projection<Dog> {
  @Projected(\Dog.name) var first
  @Projected(\Dog.name) var second
  @Projected(\Dog.age) var name
}

private func text<T>(_ change: ObjectChange<T>) -> String {
  switch change {
  case .change(_, let properties):
    properties.map { "\($0.name): \($0.oldValue ?? "-") -> \($0.newValue ?? "-")" }
      .joined(separator: ", ")
  case .deleted: "deleted"
  case .error(let error): "\(error)"
  }
}

private func text<C: Collection>(_ change: RealmCollectionChange<C>) -> String {
  switch change {
  case .initial(let collection): "initial \(Array(collection))"
  case .update(let collection, let deletions, let insertions, let modifications):
    "\(collection.count): -\(deletions) +\(insertions) ~\(modifications)"
  case .error(let error): "\(error)"
  }
}

extension Watch {
  /// Ada, written without the queue.
  fileprivate func addAda() throws -> Person {
    let ada = Person(value: ["name": "Ada", "age": 36, "home": ["city": "London"]])
    let bob = Person(value: ["name": "Bob", "home": ["city": "Bonn"]])
    ada.dogs.append(objectsIn: [Dog(value: ["name": "Rex"]), Dog(value: ["name": "Fido"])])
    ada.bestFriend = bob
    try writer.write { writer.add(ada) }
    return ada
  }
}

@Suite struct `Observed projections` {
  @Test func `tell the names of the projection, with the values before and after`() throws {
    try withWatch { watch in
      let ada = try watch.addAda()
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(PersonView.self).first?.observe { note(text($0)) }
      }
      try watch.writer.write { ada.age = 37 }
      watch.expect("years: 36 -> 37")
      try watch.writer.write { ada.home?.city = "Paris" }
      watch.expect("city: London -> Paris")
      try watch.writer.write { ada.bestFriend?.home?.city = "Köln" }
      watch.expect("friendsCity: Bonn -> Köln")
      try watch.writer.write { ada.bestFriend = nil }
      watch.expect("friendsCity: Köln -> -")
      try watch.writer.write { ada.home?.street = "Main Street" }
      watch.expectNothing()
      try watch.writer.write { watch.writer.delete(ada) }
      watch.expect("deleted")
    }
  }

  @Test func `compute the old value of what is computed, too`() throws {
    try withWatch { watch in
      try watch.writer.write { watch.writer.add(Dog(value: ["name": "Rex", "age": 2])) }
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(TwinView.self).first?.observe { note(text($0)) }
      }
      let dog = try #require(watch.writer.objects(Dog.self).first)
      try watch.writer.write { dog.name = "Max" }
      watch.expect("first: Rex -> Max, second: Rex -> Max")
      try watch.writer.write { dog.age = 3 }
      watch.expect("name: 2 -> 3")
    }
  }

  @Test func `tell of collections that are counted and mapped`() throws {
    try withWatch { watch in
      let ada = try watch.addAda()
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(PersonView.self).first?.observe { change in
          guard case .change(let view, let properties) = change else { return }
          let pack = properties.first { $0.name == "pack" }
          #expect(pack == nil || pack?.newValue as? List<Dog> === view.pack)
          note(properties.map(\.name).joined(separator: " "))
        }
      }
      try watch.writer.write { ada.dogs[0].name = "Waldi" }
      watch.expect("dogNames")
      try watch.writer.write { ada.dogs[0].age = 9 }
      watch.expectNothing()
      try watch.writer.write { ada.dogs.removeLast() }
      watch.expect("pack dogCount dogNames")
      try watch.writer.write { watch.writer.create(Person.self, value: ["Cleo", 4, [], ada]) }
      watch.expect("admirerNames")
    }
  }

  @Test func `are told of the key paths and names that were asked for`() throws {
    try withWatch { watch in
      let ada = try watch.addAda()
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(PersonView.self).first?.observe(keyPaths: [\.years, \.city]) {
          note(text($0))
        }
      }
      try watch.writer.write {
        ada.age = 40
        ada.dogs.removeAll()
        ada.home?.city = "Rome"
      }
      watch.expect("years: 36 -> 40, city: London -> Rome")
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(PersonView.self).first?.observe(keyPaths: ["home.city", "years"]) {
          note(text($0))
        }
      }
      try watch.writer.write { ada.home?.city = "Oslo" }
      watch.expect("city: Rome -> Oslo")
      try watch.writer.write { ada.grades["art"] = 1 }
      watch.expectNothing()
      try watch.writer.write { ada.age = 41 }
      watch.expect("years: 40 -> 41")
      // A path of the class comes before a name of the projection.
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(TwinView.self).first?.observe(keyPaths: ["name"]) { note(text($0)) }
      }
      try watch.writer.write { watch.writer.objects(Dog.self)[0].age = 7 }
      watch.expectNothing()
      try watch.writer.write { watch.writer.objects(Dog.self)[0].name = "Max" }
      watch.expect("first: Rex -> Max, second: Rex -> Max")
    }
  }

  @Test func `know no old values of what their own realm changed`() throws {
    try withWatch { watch in
      _ = try watch.addAda()
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(PersonView.self).first?.observe { note(text($0)) }
      }
      try watch.on { realm in
        let view = try #require(realm.objects(PersonView.self).first)
        try realm.write { view.years = 50 }
      }
      watch.expect("years: - -> 50")
    }
  }

  @Test func `in results tell what went, came and changed`() throws {
    try withWatch { watch in
      let ada = try watch.addAda()
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(PersonView.self).sorted(by: \.title).observe(keyPaths: [\.city]) { change in
          guard case .initial(let people) = change else { return note(text(change)) }
          note("initial \(Array(people.map(\.title)))")
        }
      }
      watch.expect("initial [\"Ada\", \"Bob\"]")
      try watch.writer.write { ada.age = 1 }
      watch.expectNothing()
      try watch.writer.write { ada.bestFriend?.home?.city = "Ulm" }
      watch.expect("2: -[] +[] ~[1]")
      try watch.writer.write { watch.writer.create(Person.self, value: ["name": "Abe"]) }
      watch.expect("3: -[] +[0] ~[]")
    }
  }

  @Test func `as collections of values tell what went, came and changed`() throws {
    try withWatch { watch in
      let ada = try watch.addAda()
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(PersonView.self).first?.dogNames.observe(keyPaths: ["name"]) {
          note(text($0))
        }
      }
      watch.expect("initial [\"Rex\", \"Fido\"]")
      try watch.writer.write { ada.dogs[1].name = "Max" }
      watch.expect("2: -[] +[] ~[1]")
      try watch.writer.write { ada.dogs[1].age = 8 }
      watch.expectNothing()
      try watch.writer.write { ada.dogs.remove(at: 0) }
      watch.expect("1: -[0] +[] ~[]")
    }
  }

  @Test func `are told on another queue`() throws {
    try withWatch { watch in
      let ada = try watch.addAda()
      let queue = DispatchQueue(label: "another")
      try watch.observe(waitingFor: nil) { realm, note in
        // It is called on the queue of the watch only.
        nonisolated(unsafe) let note = note
        return realm.objects(PersonView.self).first?.observe(on: queue) { change in
          dispatchPrecondition(condition: .onQueue(queue))
          let line = text(change)
          watch.queue.async { unsafe note(line) }
        }
      }
      queue.sync {}
      try watch.writer.write { ada.home?.city = "Wien" }
      watch.expect("city: London -> Wien")
    }
  }

  @Test func `are told on another actor`() async throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("test.kennel")),
      objectTypes: zoo
    )
    let (writer, listener) = (Listener(), Listener())
    try await writer.open(configuration)
    try await writer.observe(on: listener)
    try await writer.rename()
    for _ in 0..<5_000 where await listener.lines.count < 3 {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    #expect(
      await listener.lines.sorted() == ["1: -[] +[] ~[0]", "initial [\"Rex\"]", "name: Rex -> Max"]
    )
    await writer.close()
  }
}

/// Has a dog, or listens to what becomes of it.
private actor Listener {
  private var realm: Realm?
  private var tokens: [NotificationToken] = []
  private(set) var lines: [String] = []

  func open(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    self.realm = realm
    try await realm.asyncWrite {
      realm.create(Person.self, value: ["name": "Ada", "dogs": [["name": "Rex"]]] as [String: Any])
    }
  }

  func observe(on other: Listener) async throws {
    let dog = try #require(realm?.objects(DogView.self).first)
    tokens.append(
      await dog.observe(keyPaths: [\.name], on: other) { other, change in
        other.lines.append(text(change))
      }
    )
    let names = try #require(realm?.objects(PersonView.self).first).dogNames
    tokens.append(
      await names.observe(on: other) { other, change in other.lines.append(text(change)) }
    )
    for _ in 0..<5_000 where await other.lines.isEmpty {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
  }

  func rename() async throws {
    let dog = try #require(realm?.objects(DogView.self).first)
    try await realm?.asyncWrite { dog.name = "Max" }
  }

  func close() {
    tokens = []
    realm = nil
  }
}
