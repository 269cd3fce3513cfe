import Kennel
import Testing

@Suite struct `Queries of models` {
  private struct Dog: Model {
    let name = Property<String>()
    let age = Property<Int>()
    let weight = Property<Double?>()
    let tags = Property<[String]>()
    let marks = Property<Set<Int>>()
    let owner = Property<Object<Person>?>()
    let visits = Backlinks<Person>(of: \.visited)
  }

  private struct Person: Model {
    let name = Property<String>()
    let dogs = Backlinks<Dog>(of: \.owner)
    let visited = Property<[Object<Dog>]>()
  }

  /// What a dog of the file has, as Swift's own values.
  private struct Facts {
    var name = ""
    var age = 0
    var weight: Double?
    var tags: [String] = []
    var marks: Set<Int> = []
    var owner: String?
    /// The names of those who visited it, each as often as it did.
    var visitors: [String] = []
  }

  private func makeFile(_ folder: CheckedFolder) throws -> (Database, [Object<Dog>: Facts]) {
    var dice = SystemRandomNumberGenerator()
    let database = try Database.open(folder.file("dogs.kennel"), models: Dog.self)
    let names = ["Ada", "Bob", "", "Édith", "ada"]
    return try database.write { db in
      let people = try names.map { name in try db.create(Person.self) { $0.name = name } }
      var facts: [Object<Dog>: Facts] = [:]
      for _ in 0..<300 {
        var dog = Facts()
        dog.name = names.randomElement(using: &dice) ?? ""
        dog.age = .random(in: -3...9, using: &dice)
        dog.weight = Bool.random(using: &dice) ? .random(in: 0...5, using: &dice) : nil
        dog.tags = (0..<Int.random(in: 0...2, using: &dice)).map { _ in names[.random(in: 0..<5)] }
        dog.marks = Set((0..<2).map { _ in .random(in: 0...3, using: &dice) })
        let owner = Bool.random(using: &dice) ? people.randomElement(using: &dice) : nil
        dog.owner = try owner?.name
        let made = try db.create(Dog.self) {
          ($0.name, $0.age, $0.weight) = (dog.name, dog.age, dog.weight)
          ($0.tags, $0.marks, $0.owner) = (dog.tags, dog.marks, owner)
        }
        for person in people where Int.random(in: 0..<4, using: &dice) == 0 {
          try db.edit(person) { try $0.append(made, to: \.visited) }
          dog.visitors.append(try person.name)
        }
        facts[made] = dog
      }
      return (database, facts)
    }
  }

  @Test func `find what Swift's own filter finds`() throws {
    let folder = try CheckedFolder()
    let (database, facts) = try makeFile(folder)
    let dogs = try database.snapshot().objects(Dog.self)
    func expect(
      _ found: Results<Dog>,
      line: Int = #line,
      _ holds: (Facts) -> Bool
    ) throws {
      let wanted = facts.filter { holds($0.value) }.keys.sorted {
        $0.objectKey < $1.objectKey
      }
      let location = SourceLocation(
        fileID: #fileID,
        filePath: #filePath,
        line: line,
        column: 1
      )
      try #expect(found.found() == wanted, sourceLocation: location)
      try #expect(found.count == wanted.count, sourceLocation: location)
      try #expect(found.first == wanted.first, sourceLocation: location)
    }
    try expect(dogs.filter { $0.age < 5 }) { $0.age < 5 }
    try expect(dogs.filter { $0.age >= 5 && $0.name == "Ada" }) { $0.age >= 5 && $0.name == "Ada" }
    try expect(dogs.filter { $0.name.hasPrefix("A") || $0.age == 0 }) {
      $0.name.hasPrefix("A") || $0.age == 0
    }
    try expect(dogs.filter { $0.name.equals("ADA", .caseInsensitive) }) {
      $0.name.lowercased() == "ada"
    }
    try expect(dogs.filter { $0.name.contains("d") && !($0.name == "Édith") }) {
      $0.name.contains("d") && $0.name != "Édith"
    }
    try expect(dogs.filter { $0.weight == nil }) { $0.weight == nil }
    try expect(dogs.filter { $0.weight > 2.5 }) { ($0.weight ?? 0) > 2.5 }
    try expect(dogs.filter { $0.age.isBetween(2, 4) }) { (2...4).contains($0.age) }
    try expect(dogs.filter { $0.name.isIn(["Bob", ""]) }) { ["Bob", ""].contains($0.name) }
    try expect(dogs.filter { $0.tags.contains("Ada") }) { $0.tags.contains("Ada") }
    try expect(dogs.filter { $0.tags.count == 2 }) { $0.tags.count == 2 }
    try expect(dogs.filter { $0.marks.contains(3) }) { $0.marks.contains(3) }
    try expect(dogs.filter { $0.owner == nil }) { $0.owner == nil }
    try expect(dogs.filter { $0.owner.name == "Bob" }) { $0.owner == "Bob" }
    try expect(dogs.filter { $0.visits.count > 1 }) { $0.visitors.count > 1 }
    try expect(dogs.filter { $0.visits.contains { $0.name == "Ada" } && $0.age < 5 }) {
      $0.visitors.contains("Ada") && $0.age < 5
    }
    try expect(dogs.filter { $0.visits.allSatisfy { $0.name > "B" } }) {
      $0.visitors.allSatisfy { $0 > "B" }
    }
    try expect(dogs.filter { $0.visits.count { $0.name != "Bob" } == 1 }) {
      $0.visitors.count { $0 != "Bob" } == 1
    }
  }

  @Test func `sort, cut and add up what Swift sorts, cuts and adds up`() throws {
    let folder = try CheckedFolder()
    let (database, facts) = try makeFile(folder)
    let dogs = try database.snapshot().objects(Dog.self)
    func fact(_ dog: Object<Dog>) -> Facts { facts[dog] ?? Facts() }
    let all = facts.keys.sorted { $0.objectKey < $1.objectKey }
    let byAge = all.sorted { (fact($0).age, $0.objectKey) < (fact($1).age, $1.objectKey) }
    try #expect(dogs.sorted(by: \.age).found() == byAge)
    try #expect(dogs.sorted(by: \.age).limit(7).found() == Array(byAge.prefix(7)))
    let twice = all.sorted {
      (-fact($0).age, fact($0).name, $0.objectKey) < (
        -fact($1).age, fact($1).name, $1.objectKey
      )
    }
    try #expect(dogs.sorted(by: \.age, .descending).then(by: \.name).found() == twice)
    let limited = dogs.sorted(by: \.age).limit(20)
    let young = byAge.prefix(20).filter { fact($0).name == "Ada" }
    try #expect(limited.filter { $0.name == "Ada" }.found() == young)
    try #expect(limited.filter { $0.name == "Ada" }.count == young.count)
    let reversed = byAge.prefix(20).sorted {
      (-fact($0).age, $0.objectKey) < (-fact($1).age, $1.objectKey)
    }
    try #expect(limited.sorted(by: \.age, .descending).found() == reversed)
    let ages = all.map { fact($0).age }
    try #expect(dogs.sum(\.age) == ages.reduce(0, +) && dogs.min(\.age) == ages.min())
    try #expect(dogs.average(\.age) == Double(ages.reduce(0, +)) / 300)
    try #expect(dogs.max(\.weight) == all.compactMap { fact($0).weight }.max())
    try #expect(dogs.filter { $0.age > 100 }.average(\.age) == nil)
  }

  @Test func `group what Swift groups`() throws {
    let folder = try CheckedFolder()
    let (database, facts) = try makeFile(folder)
    let dogs = try database.snapshot().objects(Dog.self)
    func expect<Key: OptionalElement & Hashable>(
      _ groups: Groups<Dog, Key>,
      _ key: (Facts) -> Key?,
      line: Int = #line
    ) throws {
      let wanted = Dictionary(grouping: facts) { key($0.value) }
      let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
      #expect(Set(groups.map(\.key)) == Set(wanted.keys), sourceLocation: location)
      let sums = try groups.sum(\.age)
      let (means, least) = try (groups.average(\.weight), groups.min(\.age))
      let (greatest, names) = try (groups.max(\.weight), groups.max(\.name))
      for (position, group) in groups.enumerated() {
        let members = wanted[group.key] ?? []
        let ages = members.map(\.value.age)
        let weights = members.compactMap(\.value.weight)
        let mean = weights.isEmpty ? nil : weights.reduce(0, +) / Double(weights.count)
        #expect(group.count == members.count, sourceLocation: location)
        #expect(
          sums[position] == ages.reduce(0, +) && least[position] == ages.min()
            && greatest[position] == weights.max()
            && names[position] == members.map(\.value.name).max()
            && abs((means[position] ?? -1) - (mean ?? -1)) < 1e-9,
          sourceLocation: location
        )
        #expect(Set(groups.objects(at: position)) == Set(members.map(\.key)))
      }
    }
    try expect(dogs.grouped(by: \.name)) { $0.name }
    try expect(dogs.grouped(by: \.age)) { $0.age }
    try expect(dogs.grouped(by: \.weight)) { $0.weight }
    try expect(dogs.grouped(by: \.owner.name)) { $0.owner }
    try expect(dogs.grouped(by: \.tags.count)) { $0.tags.count }
    try #expect(dogs.grouped(by: \.owner).count == Set(facts.values.map(\.owner)).count)
    try #expect(
      dogs.filter { $0.age > 3 }.grouped(by: \.age).compactMap(\.key)
        == Set(facts.values.map(\.age)).filter { $0 > 3 }.sorted()
    )
    try #expect(dogs.filter { $0.age > 100 }.grouped(by: \.name).isEmpty)

    let visited = try database.snapshot().objects(Person.self).grouped(by: \.name)
      .targets(of: \.visited)
    for (group, sum) in zip(visited, try visited.sum(\.age)) {
      let dogs = facts.values.filter { $0.visitors.contains(group.key ?? "?") }
      #expect(group.count == dogs.count && sum == dogs.map(\.age).reduce(0, +))
    }
  }

  @Test func `keep the order of a list, and what is in it twice`() throws {
    let family = try FamilyFile()
    let ada = try family.database.write { db in
      let bello = try db.create(FamilyDog.self) { $0.name = "Bello" }
      try db.edit(family.ada) { $0.dogs = [bello, family.rex, bello] }
      return family.ada
    }
    try #expect(ada.dogs.map { try $0.name } == ["Bello", "Rex", "Bello"])
    try #expect(
      ada.dogs.filter { $0.name != "Max" }.map { try $0.name } == ["Bello", "Rex", "Bello"]
    )
    try #expect(ada.dogs.sorted(by: \.age).map { try $0.name } == ["Bello", "Bello", "Rex"])
    try #expect(ada.dogs.limit(2).filter { $0.name == "Bello" }.count == 1)
  }

  @Test(arguments: [(Int?.some(3), 1, 1), (nil, 0, 2)])
  func `compare a property with a value that may be missing`(
    age: Int?,
    equal: Int,
    unequal: Int
  ) throws {
    let family = try FamilyFile()
    let dogs = try family.database.snapshot().objects(FamilyDog.self)
    try #expect(dogs.filter { $0.age == age }.count == equal)
    try #expect(dogs.filter { $0.age != age }.count == unequal)
    try #expect(dogs.filter { !($0.age == age) && $0.age != nil }.count == unequal)
  }

  @Test func `are written as text, too`() throws {
    let family = try FamilyFile()
    let dogs = try family.database.snapshot().objects(FamilyDog.self)
    try #expect(dogs.filter("age < $0 AND owners.name == 'Ada'", 5).found() == [family.rex])
    let error = #expect(throws: DatabaseError.self) { try dogs.filter("aeg < 5") }
    #expect(error?.code == .invalidPredicate && error?.message.contains("aeg") == true)
  }

  @Test func `say that an object is of another database instead of finding another`() throws {
    let (one, two) = (try FamilyFile(), try FamilyFile())
    let people = try one.database.snapshot().objects(FamilyPerson.self)
    let wrong = [
      people.filter { $0.favourite == two.rex },
      people.filter { $0.name == "Ada" && !($0.favourite != two.rex) },
      people.filter { $0.dogs.contains(two.rex) },
      people.filter { $0.dogs.contains { $0.itself == two.rex } },
      people.filter { $0.favourite.isIn([one.rex, two.rex]) }.sorted(by: \.name).limit(1),
    ]
    for found in wrong {
      #expect(throws: Self.foreign) { try found.count }
      #expect(throws: Self.foreign) { try found.first }
      #expect(throws: Self.foreign) { for person in found { print(try person.name) } }
    }
    #expect(throws: Self.foreign) { try people.filter("favourite == $0", two.rex as Object?) }
    try #expect(people.filter { $0.favourite == one.rex }.count == 1)
    try #expect(people.filter { $0.dogs.contains(one.rex) }.count == 1)
  }

  private static let foreign = DatabaseError(
    .wrongType,
    "The object is of another database or of an uncommitted draft; find it in this database"
  )
}

private typealias FamilyPerson = KennelTests.Person
private typealias FamilyDog = KennelTests.Dog
