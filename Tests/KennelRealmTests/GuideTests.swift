import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

enum ChoreStage: String, PersistableEnum, CaseIterable { case open, running, finished }

class Chore: Object {
  @Persisted(primaryKey: true) var key: ObjectId
  @Persisted var title = ""
  @Persisted var stage = ChoreStage.open
  @Persisted var minutes = 0
  @Persisted var weight: Double?
  @Persisted var due: Date?
  @Persisted(indexed: true) var owner: String?
  @Persisted var labels: MutableSet<String>
  @Persisted var notes: Map<String, String>
  @Persisted var steps: List<Step2>
  @Persisted var extra: AnyRealmValue
  @Persisted(originProperty: "chores") var plans: LinkingObjects<Plan>

  convenience init(_ title: String, minutes: Int = 0) {
    self.init()
    self.title = title
    self.minutes = minutes
  }
}

class Step2: EmbeddedObject {
  @Persisted var text: String?
  @Persisted var isDone = false
}

class Plan: Object {
  @Persisted var name = ""
  @Persisted var chores: List<Chore>
  @Persisted var chief: Chore?
}

/// A value of the program's own as two numbers.
struct Spot: CustomPersistable, Equatable {
  typealias PersistedType = SpotRecord
  var x = 0.0
  var y = 0.0
  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  init(persistedValue: SpotRecord) { (x, y) = (persistedValue.x, persistedValue.y) }
  var persistableValue: SpotRecord {
    let record = SpotRecord()
    (record.x, record.y) = (x, y)
    return record
  }
}

class SpotRecord: EmbeddedObject {
  @Persisted var x = 0.0
  @Persisted var y = 0.0
}

class Trip: Object {
  @Persisted var start: Spot
  @Persisted var stops: List<Spot>
}

/// An actor that keeps a realm, as programs with Swift's concurrency have it.
actor ChoreKeeper {
  var realm: Realm?

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var count: Int { realm?.objects(Chore.self).count ?? -1 }

  func add(_ title: String) async throws -> ObjectId? {
    try await realm?.asyncWrite { realm?.create(Chore.self, value: ["title": title]).key }
  }

  func finish(_ id: ObjectId) async throws {
    try await realm?
      .asyncWrite {
        realm?.create(
          Chore.self,
          value: ["key": id, "stage": ChoreStage.finished] as [String: Any],
          update: .modified
        )
      }
  }

  func finish(_ reference: ThreadSafeReference<Chore>) async throws {
    await realm?.asyncRefresh()
    guard let chore = realm?.resolve(reference) else { return }
    try await realm?.asyncWrite { chore.stage = .finished }
  }

  func delete(_ id: ObjectId) async throws {
    guard let realm, let chore = realm.object(ofType: Chore.self, forPrimaryKey: id) else { return }
    try await realm.asyncWrite { realm.delete(chore) }
  }

  func close() { realm = nil }
}

private let guide: [ObjectBase.Type] = [
  Chore.self, Step2.self, Plan.self, Trip.self, SpotRecord.self,
]

@Suite struct `Programs of the guide` {
  @Test func `create, read, update and delete`() throws {
    try withRealm(guide) { realm in
      let sweep = Chore("Sweep", minutes: 20)
      try realm.write { realm.add(sweep) }
      try realm.write {
        realm.create(
          Chore.self,
          value: ["title": "Mop", "minutes": 5, "labels": ["wet", "floor"]]
        )
      }
      let id = try realm.write { realm.create(Chore.self, value: ["title": "Cook"]).key }
      let all = realm.objects(Chore.self)
      #expect(all.map(\.title) == ["Sweep", "Mop", "Cook"])
      #expect(realm.object(ofType: Chore.self, forPrimaryKey: id)?.title == "Cook")
      // In place, by key-value coding, all at once, and by a partial value.
      let plan = Plan()
      try realm.write {
        sweep.minutes += 1
        sweep.setValue("Sweep well", forKey: "title")
        all.where { $0.minutes < 10 }.setValue(10, forKey: "minutes")
        realm.create(
          Chore.self,
          value: ["key": id, "owner": "Ada"] as [String: Any],
          update: .modified
        )
        plan.chores.append(objectsIn: all)
        plan.chief = sweep
        realm.add(plan)
        plan.setValue("Home", forKeyPath: "name")
        plan.setValue("Ada", forKeyPath: "chief.owner")
      }
      #expect(all.map(\.minutes) == [21, 10, 10] && all.map(\.title)[0] == "Sweep well")
      #expect(all[2].title == "Cook" && all[2].owner == "Ada" && sweep.owner == "Ada")
      #expect(sweep.plans.first?.name == "Home" && sweep.plans.count == 1)
      #expect(throws: CocoaError.self) {
        try realm.write {
          realm.deleteAll()
          throw CocoaError(.userCancelled)
        }
      }
      #expect(all.count == 3 && !sweep.isInvalidated)
      try realm.write { realm.delete(all.where { $0.owner == nil }) }
      #expect(all.count == 2 && plan.chores.count == 2)
      try realm.write { realm.delete(sweep) }
      #expect(sweep.isInvalidated && plan.chief == nil && plan.chores.map(\.title) == ["Cook"])
      try realm.write { realm.deleteAll() }
      #expect(realm.isEmpty)
    }
  }

  @Test func `collections, embedded objects and values of any type`() throws {
    try withRealm(guide) { realm in
      let chore = Chore("Paint")
      chore.steps.append(Step2(value: ["text": "Sand"]))
      chore.notes["color"] = "white"
      chore.extra = .int(3)
      try realm.write { realm.add(chore) }
      try realm.write {
        chore.steps.append(Step2(value: ["text": "Prime"]))
        chore.steps.insert(Step2(value: ["text": "Cover"]), at: 0)
        chore.steps.move(from: 0, to: 1)
        chore.steps[0].isDone = true
        chore.notes["color"] = nil
        chore.notes.merge(["brush": "wide"]) { $1 }
        chore.labels.insert(objectsIn: ["big", "outside", "big"])
        chore.labels.formIntersection(
          ["big", "small"].reduce(into: MutableSet()) { $0.insert($1) }
        )
        chore.extra = .object(Chore("Clean"))
      }
      #expect(chore.steps.map { $0.text ?? "" } == ["Sand", "Cover", "Prime"])
      #expect(chore.steps[0].isDone && chore.notes.keys == ["brush"])
      #expect(Array(chore.labels) == ["big"])
      #expect(chore.extra.object(Chore.self)?.title == "Clean" && chore.extra.intValue == nil)
      let gone = chore.steps[1]
      try realm.write { chore.steps.remove(at: 1) }
      #expect(gone.isInvalidated && chore.steps.count == 2)
      let trip = Trip()
      trip.start = Spot(x: 1, y: 2)
      trip.stops.append(Spot(x: 3, y: 4))
      try realm.write { realm.add(trip) }
      try realm.write { trip.stops.append(Spot(x: 5, y: 6)) }
      #expect(trip.start == Spot(x: 1, y: 2) && trip.stops.last == Spot(x: 5, y: 6))
      #expect(realm.objects(Trip.self).where { $0.start.persistableValue.x == 1 }.count == 1)
    }
  }

  @Test func `filters, orders, sums and sections`() throws {
    try withRealm(guide) { realm in
      let now = Date()
      try realm.write {
        for (index, title) in ["Sweep", "Mop", "Cook", "Swim"].enumerated() {
          let chore = Chore(title, minutes: index * 10)
          chore.stage = ChoreStage.allCases[index % 3]
          chore.weight = index == 0 ? nil : Double(index)
          chore.due = now.addingTimeInterval(Double(index))
          chore.labels.insert(index.isMultiple(of: 2) ? "even" : "odd")
          chore.notes["n"] = "\(index)"
          chore.steps.append(
            Step2(value: ["text": "\(index)", "isDone": index > 1] as [String: Any])
          )
          realm.add(chore)
        }
        let plan = Plan(value: ["name": "Home"])
        plan.chores.append(objectsIn: realm.objects(Chore.self).where { $0.minutes <= 10 })
        realm.add(plan)
      }
      let all = realm.objects(Chore.self)
      func titles(_ query: (Query<Chore>) -> Query<Bool>) -> [String] {
        all.where(query).map(\.title)
      }
      #expect(titles { $0.minutes > 5 && $0.minutes < 30 } == ["Mop", "Cook"])
      #expect(titles { $0.minutes.contains(10...20) } == ["Mop", "Cook"])
      #expect(titles { $0.title.starts(with: "Sw") } == ["Sweep", "Swim"])
      #expect(titles { $0.title.contains("OO", options: .caseInsensitive) } == ["Cook"])
      #expect(titles { $0.title.like("S?i*") } == ["Swim"])
      #expect(titles { !($0.stage == .open) } == ["Mop", "Cook"])
      #expect(titles { $0.stage.in([.running, .finished]) } == ["Mop", "Cook"])
      #expect(titles { $0.weight == nil } == ["Sweep"])
      #expect(titles { $0.labels.contains("odd") } == ["Mop", "Swim"])
      #expect(titles { $0.notes["n"] == "2" } == ["Cook"])
      #expect(titles { $0.steps.isDone == true } == ["Cook", "Swim"])
      #expect(titles { $0.steps.count == 1 && $0.plans.count == 0 } == ["Cook", "Swim"])
      #expect(titles { $0.due > now.addingTimeInterval(1.5) } == ["Cook", "Swim"])
      let plans = realm.objects(Plan.self)
      #expect(plans.where { $0.chores.minutes.sum == 10 && $0.chores.minutes.max == 10 }.count == 1)
      #expect(
        plans.where { ($0.chores.title == "Mop" && $0.chores.minutes == 0).count > 0 }
          .isEmpty
      )
      #expect(all.filter("title IN %@", ["Mop", "Cook"]).count == 2)
      #expect(all.filter("ANY steps.isDone == true AND minutes BETWEEN {10, 20}").count == 1)
      #expect(
        all.filter(NSPredicate(format: "stage == %@", ChoreStage.running.rawValue)).count == 1
      )
      #expect(all.sorted(byKeyPath: "title").map(\.title) == ["Cook", "Mop", "Sweep", "Swim"])
      #expect(all.sorted(by: \.minutes, ascending: false).first?.title == "Swim")
      #expect(all.distinct(by: [\.stage]).count == 3)
      #expect(all.sum(of: \.minutes) == 60 && all.average(of: \.weight) == 2)
      #expect(all.max(of: \.due) == all[3].due && all.min(of: \.minutes) == 0)
      let sections = all.sectioned(
        by: { String($0.title.prefix(1)) },
        sortDescriptors: [SortDescriptor(keyPath: "title")]
      )
      #expect(
        sections.allKeys == ["C", "M", "S"] && sections[2].map(\.title) == ["Sweep", "Swim"]
      )
    }
  }

  @MainActor
  @Test func `actors, and objects that go from one to another`() async throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("test.kennel")),
      objectTypes: guide
    )
    let keeper = try await ChoreKeeper(configuration)
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let first = try #require(try await keeper.add("Sweep"))
    let second = try #require(try await keeper.add("Mop"))
    #expect(await keeper.count == 2)
    await realm.asyncRefresh()
    let (sweep, mop) = try (
      #require(realm.object(ofType: Chore.self, forPrimaryKey: first)),
      #require(realm.object(ofType: Chore.self, forPrimaryKey: second))
    )
    let frozen = sweep.freeze()
    try await keeper.finish(first)
    try await keeper.finish(ThreadSafeReference(to: mop))
    await realm.asyncRefresh()
    #expect(sweep.stage == .finished && mop.stage == .finished && frozen.stage == .open)
    #expect(frozen.thaw()?.stage == .finished && sweep.title == "Sweep")
    try await keeper.delete(first)
    await realm.asyncRefresh()
    #expect(sweep.isInvalidated && frozen.title == "Sweep" && frozen.thaw() == nil)
    await keeper.close()
  }
}
