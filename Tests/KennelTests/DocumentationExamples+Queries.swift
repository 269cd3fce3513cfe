import Kennel
import Testing

extension `The examples of the documentation` {
  @Test func `of queries`() throws {
    let family = try FamilyFile()
    let database = family.database
    let snapshot = try database.snapshot()
    do {
      let hers = try snapshot.objects(Dog.self).filter {
        $0.age < 5 && $0.owners.contains { $0.name == "Ada" }
      }
      print(try hers.count)
      try #expect(hers.found() == [family.rex])
    }
    do {
      let snapshot = try database.snapshot()
      let hers = try snapshot.objects(Dog.self).filter {
        $0.age < 5 && $0.owners.contains { $0.name == "Ada" }
      }
      print(try hers.count)
    }
    do {
      let snapshot = try database.snapshot()
      let people = try snapshot.objects(Person.self)
      print(try people.filter { $0.name.hasPrefix("A") || $0.dogs.count > 2 }.count)
      print(try people.filter { $0.favourite.name == "Rex" }.count)
      try #expect(people.filter { $0.favourite.name == "Rex" }.count == 1)
    }
    do {
      let dogs = try database.snapshot().objects(Dog.self).sorted(by: \.name)
      for dog in dogs.offset(20).limit(10) { print(try dog.name) }
    }
    do {
      func isYoung(_ dog: Query<Dog>) -> Condition { dog.age < 5 }
      print(try database.snapshot().objects(Dog.self).filter { !isYoung($0) }.count)
    }
    do {
      let dogs = try database.snapshot().objects(Dog.self)
      print(try dogs.sorted(by: \.age, .descending).first?.name ?? "none")
    }
    do {
      var dogs = try database.snapshot().objects(Dog.self).makeIterator()
      while let dog = dogs.next() { print(try dog.name) }
    }
    do {
      let snapshot = try database.snapshot()
      let young = try snapshot.objects(Dog.self).filter { $0.age < 5 }.sorted(by: \.name)
      for dog in young.limit(10) { print(try dog.name) }
      print(try young.count, try young.first?.name ?? "none", try young.average(\.age) ?? 0)
    }
    do {
      let dogs = try database.snapshot().objects(Dog.self)
      print(try dogs.filter { $0.name.hasPrefix("r", .caseInsensitive) }.count)
    }
  }

  @Test func `of groups`() throws {
    let family = try FamilyFile()
    let database = family.database
    do {
      let ages = try database.snapshot().objects(Dog.self).grouped(by: \.age)
      for group in ages { print(group.key ?? 0, group.count) }
      for (group, name) in zip(ages, try ages.min(\.name)) { print(group.count, name ?? "") }
    }
    do {
      let ages = try database.snapshot().objects(Dog.self).grouped(by: \.age)
      if let youngest = ages.first { print(youngest.key ?? 0, youngest.count) }
      #expect(ages.first?.key == 3)
    }
    let people = try database.snapshot().objects(Person.self)
    let dogs = try people.grouped(by: \.name).targets(of: \.dogs)
    for (group, age) in zip(dogs, try dogs.average(\.age)) {
      print(group.key ?? "", group.count, age ?? 0)
    }
    try #expect(dogs.average(\.age) == [3])
  }

  @Test func `of functions that take operands`() throws {
    let family = try FamilyFile()
    let database = family.database
    func same<V: SingleStorable>(_ operand: Operand<V>, as value: V) -> Condition {
      operand == value
    }
    print(try database.snapshot().objects(Dog.self).filter { same($0.name, as: "Rex") }.count)
    func none<W: SingleValued & OptionalElement>(_ operand: Operand<W?>) -> Condition {
      operand == nil
    }
    print(try database.snapshot().objects(Dog.self).filter { none($0.nickname) }.count)
    func oldest<V: Scalar & Ordered>(_ path: KeyPath<Query<Dog>, Operand<V>>) throws -> V?
    where V.Compared == V {
      try database.snapshot().objects(Dog.self).max(path)
    }
    print(try oldest(\.age) ?? 0)
    func size<V: QueriedCollection>(_ operand: Operand<V>) -> Operand<Int> { operand.count }
    print(try database.snapshot().objects(Person.self).filter { size($0.dogs) > 1 }.count)
    func has<V: QueriedCollection>(_ links: Operand<V>) -> Condition
    where V.QueriedElement: Linking {
      !links.isEmpty
    }
    print(try database.snapshot().objects(Person.self).filter { has($0.dogs) }.count)
    func total<V: Summable>(_ path: KeyPath<Query<Dog>, Operand<V>>) throws -> V {
      try database.snapshot().objects(Dog.self).sum(path)
    }
    print(try total(\.age))
    func after<V: Ordered>(_ value: V, _ operand: Operand<V>) -> Condition { operand > value }
    print(try database.snapshot().objects(Dog.self).filter { after(3, $0.age) }.count)
    func mentions<V: TextStorable>(_ word: String, in text: Operand<V>) -> Condition {
      text.contains(word, .caseInsensitive)
    }
    print(try database.snapshot().objects(Dog.self).filter { mentions("REX", in: $0.name) }.count)
    try #expect(oldest(\.age) == 9 && total(\.age) == 12)
  }
}
