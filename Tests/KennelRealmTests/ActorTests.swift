import Foundation
@_spi(Tests) import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Synchronization
import Testing

/// Keeps dogs on an actor.
private actor Keeper {
  private var realm: Realm?
  private var token: NotificationToken?
  private(set) var lines: [String] = []

  func open(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
    let same = try await Realm.open(configuration: configuration)
    #expect(same == realm)
  }

  func observe() {
    token = realm?.objects(Dog.self).observe { change in self.note(change) }
  }

  func note(_ change: RealmCollectionChange<Results<Dog>>) {
    switch change {
    case .initial(let dogs): lines.append("initial \(dogs.count)")
    case .update(let dogs, let deletions, let insertions, let modifications):
      lines.append("\(dogs.count): -\(deletions) +\(insertions) ~\(modifications)")
    case .error(let error): lines.append("\(error)")
    }
  }

  func note(_ line: String) { lines.append(line) }

  func add(_ name: String) async throws {
    try await realm?.asyncWrite { realm?.add(Dog(value: ["name": name])) }
  }

  var names: [String] { realm?.objects(Dog.self).map(\.name) ?? [] }

  var dogs: Int { realm?.objects(Dog.self).count ?? -1 }

  /// What using the realm on another thread says.
  func misuse() -> String? {
    nonisolated(unsafe) let realm = realm
    nonisolated(unsafe) var message: String?
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      unsafe message = catchRealmException { _ = unsafe realm?.isEmpty }
      done.signal()
    }
    done.wait()
    return unsafe message
  }

  func take(_ token: NotificationToken?) { self.token = token }

  func close() {
    token = nil
    realm = nil
  }
}

@Suite struct `Realms of actors` {
  private func wait(for line: String, of keeper: Keeper) async throws {
    for _ in 0..<5_000 {
      if await keeper.lines.last == line { return }
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    Issue.record("\(await keeper.lines) has no '\(line)'")
  }

  private func withKeeper(
    _ body: (Keeper, Realm.Configuration) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("test.kennel")),
      objectTypes: zoo
    )
    let keeper = Keeper()
    try await keeper.open(configuration)
    try await body(keeper, configuration)
    await keeper.close()
  }

  @Test func `are used on their actor, whatever thread it runs on`() async throws {
    try await withKeeper { keeper, _ in
      for name in ["a", "b", "c"] {
        try await keeper.add(name)
        await Task.yield()
      }
      #expect(await keeper.names == ["a", "b", "c"])
    }
  }

  @Test func `advance by themselves and tell of it`() async throws {
    try await withKeeper { keeper, configuration in
      await keeper.observe()
      try await wait(for: "initial 0", of: keeper)
      try Self.write(configuration)
      try await wait(for: "1: -[] +[0] ~[]", of: keeper)
      #expect(await keeper.dogs == 1)
    }
  }

  @Test func `are confined to their actor`() async throws {
    try await withKeeper { keeper, _ in
      #expect(await keeper.misuse()?.contains("Realm accessed from incorrect thread") == true)
    }
  }

  @Test func `tell another actor`() async throws {
    try await withKeeper { keeper, configuration in
      let other = Keeper()
      try await Self.observe(configuration, on: other)
      try await wait(for: "initial 0", of: other)
      try await keeper.add("a")
      try await wait(for: "1: -[] +[0] ~[]", of: other)
      await other.close()
    }
  }

  @MainActor private static func observe(
    _ configuration: Realm.Configuration,
    on other: Keeper
  ) async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let token = await realm.objects(Dog.self).observe(on: other) { keeper, change in
      keeper.note(change)
    }
    await other.take(token)
  }

  @Test func `tell another actor of maps and sections`() async throws {
    try await withKeeper { keeper, configuration in
      let (first, second) = (Keeper(), Keeper())
      try await Self.observeParts(configuration, first, second)
      try await wait(for: "initial map 1", of: first)
      try await wait(for: "initial sections 0", of: second)
      try Self.write(configuration)
      try await wait(for: "map [] [\"b\"] [\"a\"]", of: first)
      try await wait(for: "sections 1", of: second)
      await first.close()
      await second.close()
    }
  }

  @MainActor private static func observeParts(
    _ configuration: Realm.Configuration,
    _ first: Keeper,
    _ second: Keeper
  ) async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    try realm.write { realm.add(Person(value: ["name": "Ada", "grades": ["a": 1]])) }
    let grades = try #require(realm.objects(Person.self).first).grades
    let token = await grades.observe(on: first) { keeper, change in
      switch change {
      case .initial(let grades): keeper.note("initial map \(grades.count)")
      case .update(_, let deletions, let insertions, let modifications):
        keeper.note("map \(deletions) \(insertions) \(modifications)")
      case .error(let error): keeper.note("\(error)")
      }
    }
    await first.take(token)
    let sections = realm.objects(Dog.self).sectioned(by: \.name)
    let other = await sections.observe(on: second) { keeper, change in
      switch change {
      case .initial(let sections): keeper.note("initial sections \(sections.count)")
      case .update(let sections, _, _, _, _, _): keeper.note("sections \(sections.count)")
      }
    }
    await second.take(other)
  }

  @Test func `tell once whether their token was valid`() throws {
    try withRealm(zoo) { realm in
      let queue = DispatchQueue(label: "told")
      let token = realm.objects(Dog.self).observe(on: queue) { _ in }
      #expect(token.invalidate() && !token.invalidate())
    }
  }

  @Test func `tell another actor of the properties of an object that key paths name`() async throws
  {
    try await withKeeper { _, configuration in
      let other = Keeper()
      try await Self.observeAge(configuration, on: other)
      try Self.change(configuration) { $0.name = "b" }
      try Self.change(configuration) { $0.age = 5 }
      try await wait(for: "age", of: other)
      #expect(await other.lines == ["age"])
      await other.close()
    }
  }

  @MainActor private static func observeAge(
    _ configuration: Realm.Configuration,
    on other: Keeper
  ) async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    try realm.write { realm.add(Dog(value: ["name": "a"])) }
    let dog = try #require(realm.objects(Dog.self).first)
    let token = await dog.observe(keyPaths: [\Dog.age], on: other) { keeper, change in
      guard case .change(_, let properties) = change else { return }
      keeper.note(properties.map(\.name).joined(separator: " "))
    }
    await other.take(token)
  }

  private static func change(
    _ configuration: Realm.Configuration,
    _ body: (Dog) -> Void
  ) throws {
    let realm = try Realm(configuration: configuration)
    let dog = try #require(realm.objects(Dog.self).first)
    try realm.write { body(dog) }
  }

  @Test(arguments: [Realm.OpenBehavior.never, .once, .always])
  @MainActor func `open files that are prepared in the background`(
    behavior: Realm.OpenBehavior
  ) async throws {
    let folder = try TemporaryFolder()
    let started = Mutex<[Bool]>([])
    let main = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: main, value: true)
    defer { DispatchQueue.main.setSpecific(key: main, value: nil) }
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("test.kennel")),
      objectTypes: zoo
    )
    do { _ = try Realm(configuration: configuration) }
    configuration.schemaVersion = 7
    configuration.migrationBlock = { _, _ in
      started.withLock { $0.append(DispatchQueue.getSpecific(key: main) == true) }
    }
    let realm = try await Realm(
      configuration: configuration,
      actor: MainActor.shared,
      downloadBeforeOpen: behavior
    )
    #expect(realm.objects(Dog.self).isEmpty)
    #expect(started.withLock { $0 } == [behavior == .never])
    let same = try await Realm(configuration: configuration, downloadBeforeOpen: behavior)
    #expect(same == realm)
  }

  private static func write(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.add(Dog())
      let grades = realm.objects(Person.self).first?.grades
      grades?["a"] = 2
      grades?["b"] = 3
    }
  }
}
