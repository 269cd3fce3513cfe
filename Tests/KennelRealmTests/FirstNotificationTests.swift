import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

/// What an observer on an actor was told.
private actor Log {
  private(set) var lines: [String] = []
  private var tokens: [NotificationToken] = []

  func note(_ line: String) { lines.append(line) }
  func keep(_ token: NotificationToken) { tokens.append(token) }
  /// Whether a token was valid.
  func end() -> Bool {
    defer { tokens = [] }
    return tokens.map { $0.invalidate() }.contains(true)
  }
}

@Suite struct `Writes right after observe` {
  private func text<C: RealmCollection>(_ change: RealmCollectionChange<C>) -> String {
    switch change {
    case .initial(let collection): "initial \(collection.count)"
    case .update(_, let deletions, let insertions, let modifications):
      "-\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    }
  }

  private func text<T>(_ change: ObjectChange<T>) -> String {
    switch change {
    case .change(_, let properties):
      properties.map { "\($0.name): \($0.newValue ?? "-")" }.joined(separator: ", ")
    case .deleted: "deleted"
    case .error(let error): "\(error)"
    }
  }

  /// Opens a realm on a queue and runs the bodies there, one turn of the queue for each.
  private func withQueue(_ bodies: ((Realm) throws -> Void)...) throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("test.kennel")),
      objectTypes: zoo
    )
    let queue = DispatchQueue(label: "observing")
    var realm: Realm?
    try queue.sync {
      realm = try Realm(configuration: configuration, queue: queue)
      try realm?.write { realm?.add(Person(value: ["name": "Ada", "dogs": [["name": "a"]]])) }
    }
    for body in bodies {
      usleep(20_000)
      try queue.sync { try body(try #require(realm)) }
    }
    queue.sync { realm = nil }
  }

  @Test func `are told after what a collection begins with`() throws {
    var lines: [String] = []
    var tokens: [NotificationToken] = []
    try withQueue(
      { realm in
        let person = try #require(realm.objects(Person.self).first)
        tokens = [
          realm.objects(Dog.self).observe { lines.append("results " + text($0)) },
          person.dogs.observe { lines.append("list " + text($0)) },
          person.nicknames.observe { lines.append("set " + text($0)) },
          person.grades.observe { change in
            switch change {
            case .initial(let map): lines.append("map initial \(map.count)")
            case .update(_, _, let insertions, _): lines.append("map +\(insertions)")
            case .error: break
            }
          },
          realm.objects(Dog.self).sectioned(by: \.name).observe { change in
            if case .initial(let sections) = change { lines.append("sections \(sections.count)") }
          },
        ]
        for name in ["b", "c"] {
          try realm.write {
            person.dogs.append(Dog(value: ["name": name]))
            person.nicknames.insert(name)
            person.grades[name] = 1
          }
        }
        #expect(
          lines == [
            "results initial 1", "list initial 1", "set initial 0", "map initial 0", "sections 1",
            "results -[] +[1] ~[]", "list -[] +[1] ~[]", "set -[] +[0] ~[]", "map +[\"b\"]",
          ]
        )
        lines = []
      },
      { realm in
        #expect(
          lines == [
            "results -[] +[2] ~[]", "list -[] +[2] ~[]", "set -[] +[1] ~[]", "map +[\"c\"]",
          ]
        )
        lines = []
        try realm.write { realm.delete(realm.objects(Dog.self)) }
      },
      { _ in
        #expect(
          lines.contains("results -[0, 1, 2] +[] ~[]") && lines.contains("list -[0, 1, 2] +[] ~[]")
        )
        for token in tokens { token.invalidate() }
      }
    )
  }

  @Test func `are told of an object, which has no beginning`() throws {
    var lines: [String] = []
    var token: NotificationToken?
    try withQueue(
      { realm in
        let dog = try #require(realm.objects(Dog.self).first)
        token = dog.observe { (change: ObjectChange<Dog>) in lines.append(text(change)) }
        try realm.write { dog.age = 1 }
      },
      { _ in
        #expect(lines == ["age: 1"])
        token = nil
      }
    )
    _ = token
  }

  @Test
  func `are told of an object on another queue, and are part of a collection's beginning there`()
    throws
  {
    let other = DispatchQueue(label: "other")
    var lines: [String] = []
    var tokens: [NotificationToken] = []
    try withQueue(
      { realm in
        let dog = try #require(realm.objects(Dog.self).first)
        // The queue is busy.
        let gate = DispatchSemaphore(value: 0)
        other.async { gate.wait() }
        tokens = [
          dog.observe(on: other) { (change: ObjectChange<Dog>) in lines.append(text(change)) },
          realm.objects(Dog.self).observe(on: other) { lines.append(text($0)) },
        ]
        for age in 1...2 { try realm.write { dog.age = age } }
        try realm.write { realm.add(Dog()) }
        gate.signal()
      },
      { _ in
        other.sync { #expect(lines.sorted() == ["age: 2", "initial 2"]) }
        for token in tokens { token.invalidate() }
      }
    )
    other.sync {}
  }

  @MainActor
  @Test func `register nothing on an actor in a task that is cancelled`() async throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("test.kennel")),
      objectTypes: zoo
    )
    let log = Log()
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let person = Person(value: ["name": "Ada"])
    try realm.write { realm.add(person) }
    let task = Task { @MainActor in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      await log.keep(
        await realm.objects(Dog.self).observe(on: log) { log, _ in log.note("results") }
      )
      await log.keep(await person.dogs.observe(on: log) { log, _ in log.note("list") })
      await log.keep(
        await person.dogs.observe(keyPaths: [\.name], on: log) { log, _ in log.note("paths") }
      )
      await log.keep(await person.grades.observe(on: log) { log, _ in log.note("map") })
      await log.keep(
        await realm.objects(Dog.self).sectioned(by: \.name).observe(on: log) { log, _ in
          log.note("sections")
        }
      )
      await log.keep(
        await person.observe(on: log) { (log, _: ObjectChange<Person>) in log.note("object") }
      )
    }
    await task.value
    try realm.write {
      person.age = 5
      person.dogs.append(Dog())
    }
    try await Task.sleep(nanoseconds: 50_000_000)
    #expect(await log.lines == [])
    #expect(await !log.end())
  }
}
