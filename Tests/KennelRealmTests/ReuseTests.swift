import Foundation
import KennelRealm
import RealmTestSupport
import Synchronization
import Testing

/// How many steps there are in memory, and how many were ever made.
private let stepCount = Atomic(0)
private let madeStepCount = Atomic(0)

/// One of a long chain, which counts its objects.
final class Step: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var next: Step?
  @Persisted var branches: List<Step>
  @Persisted(originProperty: "next") var before: LinkingObjects<Step>

  required init() {
    super.init()
    stepCount.add(1, ordering: .relaxed)
    madeStepCount.add(1, ordering: .relaxed)
  }

  deinit { stepCount.subtract(1, ordering: .relaxed) }
}

private struct Keeper {
  weak var weakly: Dog?
}

/// A person, who is a friend of its own, with dogs of ages from 0 on.
private func withDogs(_ count: Int, _ body: (Realm, Person) throws -> Void) throws {
  try withRealm(zoo) { realm in
    let person = Person(value: ["name": "Ada"])
    try realm.write {
      realm.add(person)
      for age in 0..<count { person.dogs.append(Dog(value: ["name": "\(age)", "age": age])) }
      person.friends.insert(person)
      person.bestFriend = person
    }
    try body(realm, person)
  }
}

private func chain(_ length: Int, in realm: Realm) throws {
  try realm.write {
    var before: Step?
    for number in 0..<length {
      let step = Step()
      step.number = number
      realm.add(step)
      before?.next = step
      before?.branches.append(step)
      before = step
    }
  }
}

@Suite struct `An object that is handed out` {
  @Test(arguments: [3, 8, 9, 20, 600])
  func `stays what it is when it is kept`(_ count: Int) throws {
    try withDogs(count) { realm, person in
      let ages = Array(0..<count)
      #expect(Array(person.dogs).map(\.age) == ages)
      #expect(Array(realm.objects(Dog.self)).map(\.age) == ages)
      var kept: [Dog] = []
      for dog in person.dogs where dog.age % 3 == 0 { kept.append(dog) }
      #expect(kept.map(\.age) == ages.filter { $0 % 3 == 0 })
      var actions: [() -> Int] = []
      for dog in realm.objects(Dog.self) { actions.append { dog.age } }
      #expect(actions.map { $0() } == ages)
      var last: Dog?
      var pairs: [Int] = []
      for dog in person.dogs {
        if let last { pairs.append(dog.age - last.age) }
        last = dog
      }
      #expect(pairs.allSatisfy { $0 == 1 } && pairs.count == count - 1 && last?.age == count - 1)
      let oldest = person.dogs.max { $0.age < $1.age }
      let byName = Dictionary(grouping: realm.objects(Dog.self), by: \.name)
      #expect(oldest?.age == count - 1)
      #expect(byName.allSatisfy { $0.key == "\($0.value[0].age)" } && byName.count == count)
    }
  }

  @Test func `stays what it is when a part of an expression keeps it`() throws {
    try withDogs(5) { realm, person in
      let dogs = realm.objects(Dog.self)
      #expect(dogs[1].age + 10 * dogs[2].age == 21 && dogs[3].isSameObject(as: dogs[3]))
      #expect([person.dogs[0], person.dogs[4], person.dogs[2]].map(\.age) == [0, 4, 2])
      let (first, second) = (dogs[0], dogs[1])
      #expect((first.age, second.age) == (0, 1) && first !== second)
      let third = person.dogs[2]
      for other in person.dogs { #expect(other.isSameObject(as: third) == (other.age == 2)) }
      #expect(third.age == 2 && Set(dogs).count == 5 && Set(dogs.map(\.age)).count == 5)
      let friend = person.bestFriend
      #expect(friend == person && person.bestFriend !== friend && friend?.bestFriend == person)
    }
  }

  @Test func `stays what it is in loops inside of loops`() throws {
    try withDogs(12) { realm, person in
      var products = 0
      let dogs = person.dogs
      for first in dogs {
        for second in dogs { products += first.age * second.age }
        for owner in first.owners {
          for dog in owner.dogs where dog == first { #expect(dog.age == first.age) }
        }
      }
      #expect(products == 66 * 66)
      var visited: [Int] = []
      func visit(_ person: Person, _ depth: Int) {
        for dog in person.dogs {
          for owner in dog.owners where depth < 2 { visit(owner, depth + 1) }
          if dog.age < 2 { visited.append(dog.age) }
        }
      }
      visit(person, 1)
      #expect(visited.filter { $0 == 0 }.count == 13 && visited.filter { $0 == 1 }.count == 13)
    }
  }

  @Test func `stays what it is when it is kept weakly`() throws {
    try withDogs(4) { _, person in
      var weakly = Keeper()
      var ages: [Int] = []
      for dog in person.dogs {
        if dog.age == 1 { weakly.weakly = dog }
        if let seen = weakly.weakly { ages.append(seen.age) }
      }
      #expect(ages.allSatisfy { $0 == 1 })
      var checks: [() -> Int] = []
      var owned: [Dog] = []
      for dog in person.dogs {
        checks.append { [unowned dog] in dog.age }
        if dog.age == 2 { owned.append(dog) }
      }
      #expect(checks[2]() == 2)
    }
  }

  @Test func `stays what it is where it ends the body late`() throws {
    try withDogs(6) { _, person in
      var ages: [Int] = []
      for dog in person.dogs {
        defer { ages.append(dog.age) }
        if dog.age % 2 == 0 { continue }
        if dog.age == 5 { break }
      }
      #expect(ages == [0, 1, 2, 3, 4, 5])
      var iterator = person.dogs.makeIterator()
      let first = iterator.next()
      var copy = iterator
      let second = iterator.next()
      #expect(copy.next()?.age == 1 && copy.next()?.age == 2)
      #expect(first?.age == 0 && second?.age == 1 && iterator.next()?.age == 2)
      for _ in 0..<3 { _ = iterator.next() }
      #expect(iterator.next() == nil && iterator.next() == nil)
    }
  }

  @Test func `stays what it is while a task waits`() async throws {
    try await { @MainActor in
      let folder = FileManager.default.temporaryDirectory
      let file = folder.appendingPathComponent("reuse-\(UUID().uuidString).kennel")
      let configuration = Realm.Configuration(fileURL: file, objectTypes: zoo)
      defer { _ = try? Realm.deleteFiles(for: configuration) }
      let realm = try await Realm.open(configuration: configuration)
      try realm.write {
        for age in 0..<10 { realm.add(Dog(value: ["name": "\(age)", "age": age])) }
      }
      var sum = 0
      for dog in realm.objects(Dog.self) {
        async let other: Void = Task.yield()
        let task = Task { @MainActor in dog.age }
        await other
        for another in realm.objects(Dog.self) { sum += another.age - dog.age }
        #expect(await task.value == dog.age && dog.name == "\(dog.age)")
      }
      #expect(sum == 0)
    }()
  }

  @Test func `has the collections of no other object`() throws {
    try withRealm(zoo) { realm in
      try realm.write {
        for number in 0..<10 {
          let person = Person(value: ["name": "\(number)"])
          realm.add(person)
          for age in 0..<number { person.dogs.append(Dog(value: ["name": "x", "age": age])) }
          person.nicknames.insert("nick \(number)")
          person.grades["grade"] = number
          person.bestFriend = realm.object(ofType: Person.self, forPrimaryKey: "0")
        }
      }
      var lists: [List<Dog>] = []
      var maps: [Map<String, Int>] = []
      var inverses: [LinkingObjects<Person>] = []
      for person in realm.objects(Person.self) {
        let number = person.dogs.count
        #expect(person.name == "\(number)" && person.grades["grade"] == number)
        #expect(Array(person.nicknames) == ["nick \(number)"])
        #expect(person.admirers.count == (number == 0 ? 10 : 0))
        #expect(person.dogs.reduce(0) { $0 + $1.age } == number * (number - 1) / 2)
        if number % 2 == 0 {
          lists.append(person.dogs)
          maps.append(person.grades)
        }
        if number % 3 == 0 { inverses.append(person.admirers) }
      }
      #expect(
        lists.map(\.count) == [0, 2, 4, 6, 8] && maps.map { $0["grade"] } == [0, 2, 4, 6, 8]
      )
      #expect(lists.map { $0.map(\.age).count } == [0, 2, 4, 6, 8])
      #expect(inverses.map(\.count) == [10, 0, 0, 0])
      #expect(inverses[0].map(\.name).count == 10)
      try realm.write { for list in lists { list.append(Dog()) } }
      #expect(realm.objects(Person.self).map(\.dogs.count) == [1, 1, 3, 3, 5, 5, 7, 7, 9, 9])
    }
  }

  @Test func `of a class with more than what is stored is new each time`() throws {
    try withRealm([Everything.self]) { realm in
      try realm.write { for id in 0..<5 { realm.add(Everything(value: ["id": id])) } }
      for object in realm.objects(Everything.self) {
        #expect(object.notStored == 5)
        object.notStored = object.id
      }
    }
  }

  @Test func `is gone when it was deleted in the loop`() throws {
    try withDogs(10) { realm, person in
      var kept: [Dog] = []
      try realm.write {
        for dog in person.dogs {
          if dog.age < 3 { kept.append(dog) }
          if dog.age % 2 == 0 { realm.delete(dog) }
        }
      }
      #expect(kept.map(\.isInvalidated) == [true, false, true])
      #expect(person.dogs.map(\.age) == [1, 3, 5, 7, 9])
      realm.beginWrite()
      let added = realm.create(Dog.self, value: ["name": "new", "age": 99])
      person.dogs.append(added)
      let last = person.dogs.last
      #expect(last?.age == 99)
      realm.cancelWrite()
      #expect(last?.isInvalidated == true && added.isInvalidated)
      #expect(person.dogs.map(\.age) == [1, 3, 5, 7, 9])
      #expect(kept[1].age == 1 && person.dogs.last?.age == 9)
    }
  }

  @Test func `is one of those that were there when the loop began`() throws {
    try withDogs(12) { realm, person in
      var ages: [Int] = []
      for dog in person.dogs {
        if dog.age == 1 { try realm.write { person.dogs.removeAll() } }
        ages.append(dog.age)
      }
      #expect(ages == Array(0..<12) && person.dogs.isEmpty)
      var count = 0
      for dog in realm.objects(Dog.self) {
        if dog.age == 0 { try realm.write { for _ in 0..<300 { realm.add(Dog()) } } }
        count += 1
      }
      #expect(count == 12 && realm.objects(Dog.self).count == 312)
      try realm.write { for _ in realm.objects(Dog.self) { realm.add(Dog()) } }
      #expect(realm.objects(Dog.self).count == 624)
    }
  }

  @Test func `keeps no chain of those that it led to`() throws {
    try withRealm([Step.self]) { realm in
      try chain(20_000, in: realm)
      let head = try #require(realm.object(ofType: Step.self, forPrimaryKey: 0))
      let before = stepCount.load(ordering: .relaxed)
      var numbers = 0
      var step = head
      while let next = step.next {
        step = next
        numbers += step.number
      }
      #expect(numbers == 20_000 * 19_999 / 2)
      step = head
      while let next = step.branches.first { step = next }
      #expect(step.number == 19_999)
      while let previous = step.before.first { step = previous }
      #expect(step.number == 0 && head.number == 0)
      // Other tests have some, too.
      #expect(stepCount.load(ordering: .relaxed) < before + 100)
    }
  }

  @Test(arguments: [false, true])
  func `is used again unless the environment says otherwise`(_ isNew: Bool) async {
    await #expect(processExitsWith: .success) { [isNew = isNew as Bool] in
      if isNew { unsafe setenv("KENNEL_NEW_ACCESSORS", "1", 1) }
      try withRealm([Step.self]) { realm in
        try chain(100, in: realm)
        let before = madeStepCount.load(ordering: .relaxed)
        var sum = 0
        for step in realm.objects(Step.self) {
          sum += step.number + (step.next?.number ?? 0)
          for branch in step.branches { sum += branch.number }
        }
        let made = madeStepCount.load(ordering: .relaxed) - before
        #expect(sum == 3 * 4_950)
        #expect(isNew ? made == 298 : made == 3, "\(made) were made")
      }
    }
  }

  @Test func `is what it is where each is a new one`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("KENNEL_NEW_ACCESSORS", "1", 1)
      let tests = `An object that is handed out`()
      try tests.`stays what it is when it is kept`(20)
      try tests.`stays what it is when a part of an expression keeps it`()
      try tests.`stays what it is in loops inside of loops`()
      try tests.`stays what it is when it is kept weakly`()
      try tests.`has the collections of no other object`()
      try tests.`is gone when it was deleted in the loop`()
      try tests.`keeps no chain of those that it led to`()
      try `A collection that loops are over`().`stays that of its object when it is kept`()
    }
  }

  @Test func `does not keep its realm open`() throws {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("reuse-\(UUID().uuidString).kennel")
    let configuration = Realm.Configuration(fileURL: file, objectTypes: [Step.self])
    func useRealm() throws {
      let realm = try Realm(configuration: configuration)
      try chain(10, in: realm)
      let steps = realm.objects(Step.self)
      for step in steps {
        _ = step.next?.before.first?.branches.first?.number
        _ = steps[3].next?.next?.number
      }
    }
    try useRealm()
    #expect(try Realm.deleteFiles(for: configuration))
  }
}
