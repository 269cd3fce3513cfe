import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

/// A realm on a queue, what was told there, and a realm of the test's own thread that writes.
final class Watch {
  let queue = DispatchQueue(label: "watch")
  let writer: Realm
  private var reader: Realm?
  private var lines: [String] = []
  private var token: NotificationToken?

  init(_ path: String, _ types: [ObjectBase.Type]) throws {
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path),
      objectTypes: types
    )
    writer = try Realm(configuration: configuration)
    reader = try queue.sync { try Realm(configuration: configuration, queue: queue) }
  }

  /// Runs a body with the realm of the queue.
  func on<Result>(_ body: (Realm) throws -> Result) throws -> Result {
    try queue.sync { try body(try #require(reader)) }
  }

  /// Begins to observe on the queue and waits for what is told first.
  func observe(
    waitingFor first: String? = "initial",
    _ body: (Realm, @escaping (String) -> Void) -> NotificationToken?
  ) throws {
    try on { realm in
      realm.refresh()
      token = body(realm) { self.lines.append($0) }
    }
    if let first { expect(first) }
  }

  func end() {
    queue.sync {
      token?.invalidate()
      token = nil
      reader = nil
    }
  }

  /// Waits until a line comes, and expects it to be the next.
  func expect(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let limit = Date(timeIntervalSinceNow: 5)
    while Date() < limit {
      let next = queue.sync { lines.isEmpty ? nil : lines.removeFirst() }
      if let next {
        #expect(next == line, sourceLocation: sourceLocation)
        return
      }
      usleep(500)
    }
    Issue.record("nothing was told instead of '\(line)'", sourceLocation: sourceLocation)
  }

  func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
    usleep(20_000)
    let rest = queue.sync { lines }
    #expect(rest.isEmpty, sourceLocation: sourceLocation)
  }
}

private func text<C: RealmCollection>(_ change: RealmCollectionChange<C>) -> String {
  switch change {
  case .initial: "initial"
  case .update(let collection, let deletions, let insertions, let modifications):
    "\(collection.isInvalidated ? 0 : collection.count): -\(deletions) +\(insertions) ~\(modifications)"
  case .error(let error): "\(error)"
  }
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

func withWatch(
  _ types: [ObjectBase.Type] = zoo + [Ward.self, Mapped.self],
  _ body: (Watch) throws -> Void
) throws {
  let folder = try TemporaryFolder()
  let path = folder.file("test.kennel")
  let watch = try Watch(path, types)
  defer { watch.end() }
  try body(watch)
}

@Suite struct `Notifications` {
  @Test func `results tell what went, came and changed`() throws {
    try withWatch { watch in
      try watch.writer.write {
        for (number, name) in ["a", "b", "c", "d"].enumerated() {
          watch.writer.add(Dog(value: ["name": name, "age": number] as [String: Any]))
        }
      }
      try watch.observe { realm, note in
        realm.objects(Dog.self).filter("age < 3").observe { note(text($0)) }
      }
      let dogs = watch.writer.objects(Dog.self)
      try watch.writer.write {
        dogs[1].name = "bb"
        watch.writer.delete(dogs[0])
        watch.writer.add(Dog(value: ["name": "e"]))
      }
      watch.expect("3: -[0] +[2] ~[0]")
      try watch.writer.write { dogs.filter("name == 'd'").first?.age = 0 }
      watch.expect("4: -[] +[2] ~[]")
      try watch.writer.write { dogs.filter("name == 'c'").first?.age = 9 }
      watch.expect("3: -[1] +[] ~[]")
      try watch.writer.write { watch.writer.add(Person(value: ["name": "Ada"])) }
      watch.expectNothing()
    }
  }

  @Test func `sorted results tell of moves as of deletions and insertions`() throws {
    try withWatch { watch in
      let writer = watch.writer
      try writer.write {
        for age in 1...4 { writer.add(Dog(value: ["age": age])) }
      }
      try watch.observe { realm, note in
        realm.objects(Dog.self).sorted(byKeyPath: "age").observe { note(text($0)) }
      }
      try writer.write { writer.objects(Dog.self).filter("age == 1").first?.age = 9 }
      watch.expect("4: -[0] +[3] ~[]")
    }
  }

  @Test func `lists tell of their places`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let ada = Person(value: ["name": "Ada", "dogs": [["a", 1], ["b", 2]]] as [String: Any])
      try writer.write { writer.add(ada) }
      try watch.observe { realm, note in
        realm.objects(Person.self).first?.dogs.observe { note(text($0)) }
      }
      try writer.write { ada.dogs.insert(Dog(value: ["c", 3]), at: 1) }
      watch.expect("3: -[] +[1] ~[]")
      try writer.write { ada.dogs.move(from: 0, to: 2) }
      watch.expect("3: -[0] +[2] ~[]")
      try writer.write { ada.dogs[1].age = 7 }
      watch.expect("3: -[] +[] ~[1]")
      try writer.write { writer.delete(ada.dogs[0]) }
      watch.expect("2: -[0] +[] ~[]")
      try writer.write { ada.age = 5 }
      watch.expectNothing()
      try writer.write { writer.delete(ada) }
      watch.expect("0: -[0, 1] +[] ~[]")
    }
  }

  @Test func `lists tell what was done, not what it looks like`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let ada = Person(value: ["name": "Ada", "dogs": [["a", 1], ["b", 2], ["c", 3]]])
      try writer.write { writer.add(ada) }
      try watch.observe { realm, note in
        realm.objects(Person.self).first?.dogs.observe { note(text($0)) }
      }
      let dogs = Array(ada.dogs)
      try writer.write {
        ada.dogs.removeAll()
        ada.dogs.append(objectsIn: dogs)
      }
      watch.expect("3: -[0, 1, 2] +[0, 1, 2] ~[]")
      try writer.write { ada.dogs[1] = dogs[0] }
      watch.expect("3: -[] +[] ~[1]")
      try writer.write {
        ada.dogs.remove(at: 0)
        ada.dogs.append(dogs[1])
        dogs[2].age = 7
        ada.dogs.swapAt(0, 1)
      }
      watch.expect("3: -[0, 2] +[0, 2] ~[]")
      try writer.write {
        ada.dogs.removeLast()
        writer.delete(dogs[2])
      }
      watch.expect("1: -[0, 2] +[] ~[]")
      try writer.write { ada.dogs.removeAll() }
      watch.expect("0: -[0] +[] ~[]")
    }
  }

  @Test func `lists and sets of values tell which of them were set`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let ada = Person(value: ["name": "Ada", "nicknames": ["a", "c"]])
      let ward = Ward(value: ["names": ["1", "2", "3"]])
      try writer.write {
        writer.add(ada)
        writer.add(ward)
      }
      try watch.observe { realm, note in
        realm.objects(Ward.self).first?.names.observe { note(text($0)) }
      }
      try writer.write {
        ward.names.removeAll()
        ward.names.append(objectsIn: ["4", "5", "6"])
      }
      watch.expect("3: -[0, 1, 2] +[0, 1, 2] ~[]")
      try writer.write { ward.names[1] = "9" }
      watch.expect("3: -[] +[] ~[1]")
      try writer.write {
        ward.names[0] = "8"
        ward.names.insert(contentsOf: ["7", "7"], at: 0)
      }
      watch.expect("5: -[] +[0, 1] ~[2]")
      try watch.observe { realm, note in
        realm.objects(Person.self).first?.nicknames.observe { note(text($0)) }
      }
      try writer.write {
        ada.nicknames.remove("c")
        ada.nicknames.insert("d")
      }
      watch.expect("2: -[1] +[1] ~[]")
    }
  }

  @Test func `what an object links to modifies it`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let ada = Person(value: ["name": "Ada", "dogs": [["a", 1]]] as [String: Any])
      try writer.write {
        writer.add(ada)
        writer.add(Person(value: ["name": "Bea", "bestFriend": ada] as [String: Any]))
      }
      try watch.observe { realm, note in realm.objects(Person.self).observe { note(text($0)) } }
      try writer.write { ada.dogs[0].age = 2 }
      watch.expect("2: -[] +[] ~[0, 1]")
    }
  }

  @Test func `key paths have the names of the class, whatever the file calls them`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let second = Mapped(value: ["id": 2])
      let first = Mapped(value: ["id": 1, "next": second] as [String: Any])
      try writer.write { writer.add(first) }
      var tokens: [NotificationToken] = []
      try watch.observe { realm, note in
        let found = realm.object(ofType: Mapped.self, forPrimaryKey: 1)
        if let found {
          tokens.append(found.observe(keyPaths: [\Mapped.text]) { note("object \(text($0))") })
          tokens.append(found.observe(keyPaths: ["next.text"]) { note("path \(text($0))") })
        }
        return realm.objects(Mapped.self).observe(keyPaths: ["text"]) { note(text($0)) }
      }
      try writer.write { second.text = "far" }
      watch.expect("path next: - -> -")
      watch.expect("2: -[] +[] ~[1]")
      try writer.write { first.text = "near" }
      watch.expect("object text: none -> near")
      watch.expect("2: -[] +[] ~[0]")
      watch.queue.sync { tokens.removeAll() }
    }
  }

  @Test func `a key path to an inverse relationship is told of links, not of what links`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let rex = Dog(value: ["name": "Rex"])
      let ada = Person(value: ["name": "Ada", "dogs": [rex]] as [String: Any])
      try writer.write { writer.add(ada) }
      try watch.observe { realm, note in
        realm.objects(Dog.self).observe(keyPaths: ["owners"]) { note(text($0)) }
      }
      try writer.write { ada.age = 5 }
      try writer.write { rex.age = 5 }
      watch.expectNothing()
      try writer.write { ada.dogs.removeAll() }
      watch.expect("1: -[] +[] ~[0]")
      try writer.write { ada.age = 6 }
      watch.expectNothing()
    }
  }

  @Test func `key paths say which changes count`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let ada = Person(value: ["name": "Ada", "dogs": [["a", 1]]] as [String: Any])
      try writer.write { writer.add(ada) }
      try watch.observe { realm, note in
        realm.objects(Person.self).observe(keyPaths: ["dogs.age", "bestFriend"]) { note(text($0)) }
      }
      try writer.write { ada.age = 3 }
      try writer.write { ada.dogs[0].name = "b" }
      try writer.write { ada.dogs[0].age = 4 }
      watch.expect("1: -[] +[] ~[0]")
      try writer.write { ada.bestFriend = ada }
      watch.expect("1: -[] +[] ~[0]")
      watch.expectNothing()
      try watch.on { realm in
        expectMisuse("property 'nme' not found in object of type 'Dog'") {
          _ = realm.objects(Person.self).observe(keyPaths: ["dogs.nme"]) { _ in }
        }
      }
    }
  }

  @Test func `sets, maps and inverse relationships are observed`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let ada = Person(value: ["name": "Ada", "grades": ["math": 1]] as [String: Any])
      let rex = Dog(value: ["name": "Rex"])
      try writer.write {
        writer.add([ada])
        writer.add(rex)
      }
      try watch.observe { realm, note in
        realm.objects(Person.self).first?.grades.observe { change in
          if case .update(_, let gone, let come, let other) = change {
            note("-\(gone) +\(come) ~\(other)")
          } else {
            note("initial")
          }
        }
      }
      try writer.write {
        ada.grades["math"] = 2
        ada.grades["art"] = 1
      }
      watch.expect("-[] +[\"art\"] ~[\"math\"]")
      try watch.observe { realm, note in
        realm.objects(Dog.self).first?.owners.observe { note(text($0)) }
      }
      try writer.write { ada.dogs.append(rex) }
      watch.expect("1: -[] +[0] ~[]")
      try watch.observe { realm, note in
        realm.objects(Person.self).first?.nicknames.observe { note(text($0)) }
      }
      try writer.write { ada.nicknames.insert("a") }
      watch.expect("1: -[] +[0] ~[]")
    }
  }

  @Test func `objects tell their properties with the values before and after`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let ada = Person(value: ["name": "Ada", "age": 1] as [String: Any])
      try writer.write { writer.add(ada) }
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(Person.self).first?.observe { (change: ObjectChange<Person>) in
          note(text(change))
        }
      }
      try writer.write { ada.age = 2 }
      watch.expect("age: 1 -> 2")
      try writer.write {
        ada.dogs.append(Dog())
        ada.age = 3
      }
      watch.expect("age: 2 -> 3, dogs: - -> -")
      try watch.on { realm in
        try realm.write { realm.objects(Person.self).first?.age = 4 }
      }
      watch.expect("age: - -> 4")
      try writer.write { writer.delete(ada) }
      watch.expect("deleted")
    }
  }

  @Test func `the first notification comes before what is written meanwhile`() throws {
    try withWatch { watch in
      try watch.observe { realm, note in
        defer { try? realm.write { realm.add(Dog()) } }
        return realm.objects(Dog.self).observe { change in
          if case .initial(let dogs) = change {
            note("initial")
            note("\(dogs.count)")
          } else {
            note(text(change))
          }
        }
      }
      watch.expect("0")
      watch.expect("1: -[] +[0] ~[]")
      watch.expectNothing()
    }
  }

  @Test func `a token that is passed over, or let go, is not told`() throws {
    try withWatch { watch in
      try watch.observe { realm, note in realm.objects(Dog.self).observe { note(text($0)) } }
      try watch.on { realm in
        var token: NotificationToken?
        token = realm.objects(Dog.self).observe { _ in Issue.record("told though let go") }
        token?.invalidate()
        try realm.write { realm.add(Dog()) }
      }
      watch.expect("1: -[] +[0] ~[]")
      try watch.on { realm in
        let token = realm.observe { _, _ in Issue.record("told though passed over") }
        try realm.write(withoutNotifying: [token]) { realm.add(Dog()) }
      }
      watch.expect("2: -[] +[1] ~[]")
    }
  }

  @Test func `what a token is passed over with is not told later either`() throws {
    try withWatch { watch in
      var token: NotificationToken?
      try watch.observe { realm, note in
        token = realm.objects(Dog.self).observe { note(text($0)) }
        return token
      }
      let tokens = [try #require(token)]
      try watch.on { realm in try realm.write(withoutNotifying: tokens) { realm.add(Dog()) } }
      watch.expectNothing()
      try watch.on { realm in try realm.write { realm.add(Dog()) } }
      watch.expect("2: -[] +[1] ~[]")
    }
  }

  @Test func `realms tell that they advanced, or have to be refreshed`() throws {
    try withWatch { watch in
      try watch.observe(waitingFor: nil) { realm, note in
        realm.observe { notification, realm in
          note("\(notification) \(realm.objects(Dog.self).count)")
        }
      }
      try watch.writer.write { watch.writer.add(Dog()) }
      watch.expect("didChange 1")
      try watch.on { realm in try realm.write { realm.add(Dog()) } }
      watch.expect("didChange 2")
      try watch.on { $0.autorefresh = false }
      watch.writer.refresh()
      try watch.writer.write { watch.writer.add(Dog()) }
      watch.expect("refreshRequired 2")
      try watch.on { #expect($0.refresh()) }
      watch.expect("didChange 3")
    }
  }

  @Test func `refreshing and writing tell at once`() throws {
    try withWatch { watch in
      try watch.observe { realm, note in realm.objects(Dog.self).observe { note(text($0)) } }
      try watch.on { realm in
        realm.autorefresh = false
      }
      try watch.writer.write { watch.writer.add(Dog()) }
      try watch.on { realm in
        #expect(realm.objects(Dog.self).isEmpty)
        #expect(realm.refresh())
        #expect(realm.objects(Dog.self).count == 1)
      }
      watch.expect("1: -[] +[0] ~[]")
      try watch.writer.write { watch.writer.add(Dog()) }
      try watch.on { realm in
        realm.beginWrite()
        #expect(realm.objects(Dog.self).count == 2)
        realm.cancelWrite()
      }
      watch.expect("2: -[] +[1] ~[]")
    }
  }

  @Test func `a block is called on another queue with objects of its realm`() throws {
    try withWatch { watch in
      let writer = watch.writer
      let ada = Person(value: ["name": "Ada", "dogs": [["a", 1]]] as [String: Any])
      try writer.write { writer.add(ada) }
      let queue = watch.queue
      try watch.observe { _, note in
        ada.dogs.filter("age < 5").observe(on: queue) { change in
          dispatchPrecondition(condition: .onQueue(queue))
          note(text(change))
        }
      }
      try writer.write { ada.dogs[0].age = 2 }
      watch.expect("1: -[] +[] ~[0]")
      try watch.observe(waitingFor: nil) { _, note in
        ada.observe(on: queue) { (change: ObjectChange<Person>) in note(text(change)) }
      }
      try writer.write { ada.age = 6 }
      watch.expect("age: 0 -> 6")
    }
  }

  @Test func `commits of other processes are told`() throws {
    try withWatch { watch in
      try watch.writer.write { watch.writer.add(Dog(value: ["name": "Rex"])) }
      try watch.observe { realm, note in realm.objects(Dog.self).observe { note(text($0)) } }
      let kennel = try Executable.path("kennel")
      let environment = Executable.environment()
      let path = try #require(watch.writer.configuration.fileURL?.path)
      let exported = try Executable.run(kennel, ["export", path], environment: environment)
      let document = path + ".jsonl"
      try exported.output.write(toFile: document, atomically: true, encoding: .utf8)
      let imported = try Executable.run(
        kennel,
        ["import", path, document],
        environment: environment
      )
      #expect(imported.status == 0)
      watch.expect("2: -[] +[1] ~[]")
    }
  }

  @Test func `observing where nothing can be called says so`() throws {
    try withWatch { watch in
      let dogs = watch.writer.objects(Dog.self)
      expectMisuse("from within runloops") { _ = dogs.observe { _ in } }
      expectMisuse("from within runloops") { _ = watch.writer.observe { _, _ in } }
      expectMisuse("managed by a Realm") { _ = List<Int>().observe { _ in } }
      expectMisuse("managed by a Realm") { _ = Dog().observe { (_: ObjectChange<Dog>) in } }
      try watch.on { realm in
        realm.beginWrite()
        expectMisuse("from within write transactions") {
          _ = realm.objects(Dog.self).observe { _ in }
        }
        realm.cancelWrite()
      }
    }
  }
}
