import Kennel
import Testing

@Suite struct `Queries for values without columns` {
  private struct Place: Document {
    var floor = 0
    var door: String?
  }

  private struct Address: Document {
    var street = ""
    var city = ""
    var place = Place()
  }

  private struct Company: Model {
    let name = Property<String>()
    let address = Property<Address?>()
    let branches = Property<[Address]>()
    let anything = Property<Value>()
    let price = Property<Decimal128>()
  }

  private func withCompanies(_ body: (Results<Company>) throws -> Void) throws {
    let database = try Database.openInMemory(models: Company.self)
    try database.write { db in
      try db.create(Company.self) {
        $0.name = "One"
        $0.address = Address(city: "Ghent", place: Place(floor: 3, door: "b"))
        $0.branches = [Address(city: "Bruges"), Address(city: "Ypres")]
        $0.anything = .map([MapEntry("city", .string("Ghent")), MapEntry("floor", .double(3))])
        $0.price = 19.9
      }
      try db.create(Company.self) {
        $0.name = "Two"
        $0.address = Address(city: "Ypres")
        $0.price = 20
      }
      try db.create(Company.self) {
        $0.name = "Three"
        $0.anything = .string("Ghent")
        $0.price = Decimal128("20.00") ?? 0
      }
    }
    try body(database.snapshot().objects(Company.self))
  }

  private func names(_ companies: Results<Company>) throws -> [String] {
    try companies.map { try $0.name }
  }

  @Test func `look into the members of documents`() throws {
    try withCompanies { all in
      let city = all.filter { $0.address["city", as: String.self] == "Ghent" }
      try #expect(names(city) == ["One"])
      try #expect(names(all.filter { $0.address["place"]["floor", as: Int.self] >= 1 }) == ["One"])
      let doorless = all.filter { $0.address["place"]["door", as: String.self] == nil }
      try #expect(names(doorless) == ["Two", "Three"])
      try #expect(names(all.filter { $0.anything["floor", as: Int.self] == 3 }) == ["One"])
      try #expect(names(all.filter { $0.address["city"] == .string("Ypres") }) == ["Two"])
      let sorted = all.sorted(by: \.address["city"], .descending)
      try #expect(names(sorted) == ["Two", "One", "Three"])
    }
  }

  @Test func `give the mean of decimals`() throws {
    try withCompanies { all in
      try #expect(all.filter { $0.price >= 20 }.average(\.price) == 20)
      try #expect(all.filter { $0.price > 20 }.average(\.price) == nil)
    }
  }

  @Test(arguments: [
    ("address.city == 'Ghent'", ["One"]), ("address.place.floor > 2", ["One"]),
    ("address['place'].door == 'b'", ["One"]), ("branches.city == 'Ypres'", ["One"]),
    ("ANY branches.city == 'Ghent'", []), ("address.nothing == null", ["One", "Two", "Three"]),
    ("anything.city == 'Ghent'", ["One"]),
    ("price >= 20", ["Two", "Three"]), ("price == 19.9", ["One"]),
  ])
  func `name members as text`(text: String, names: [String]) throws {
    try withCompanies { all in try #expect(self.names(all.filter(text)) == names, "\(text)") }
  }

  @Test func `compare decimals with literals by their numeric value`() throws {
    try withCompanies { all in
      try #expect(names(all.filter { $0.price < 20 }) == ["One"])
      try #expect(names(all.filter { $0.price == 19.9 }) == ["One"])
      try #expect(names(all.filter { $0.price == 20 }) == ["Two", "Three"])
      try #expect(names(all.filter { $0.price.isIn([19.9, 20.000]) }) == ["One", "Two", "Three"])
      try #expect(names(all.filter("price == $0", 20)) == ["Two", "Three"])
      let prices = try all.map { try $0.price }
      #expect(prices[0] < 20 && prices[1] >= prices[2] && prices[1] <= 20 && prices[0] > 19.8)
      try #expect(all.sum(\.price).description == "59.90")
    }
  }
}

@Suite struct `Results with an offset` {
  private struct Number: Model {
    let value = Property<Int>()
    let next = Property<[Object<Number>]>()
  }

  @Test(arguments: [0, 1, 5, 9, 10, 11, Int.max, -1], [nil, 0, 1, 3, 20])
  func `leave out the first, however they were found`(offset: Int, limit: Int?) throws {
    let database = try Database.openInMemory(models: Number.self)
    try database.write { db in
      let all = try (0..<10).map { value in try db.create(Number.self) { $0.value = value } }
      try db.edit(all[0]) { $0.next = all }
    }
    let numbers = try database.snapshot().objects(Number.self)
    let first = try #require(try numbers.first)
    let sources = [
      numbers, numbers.filter { $0.value >= 0 }, numbers.sorted(by: \.value), numbers.limit(10),
      try first.next,
    ]
    for source in sources {
      let kept = Array((0..<10).dropFirst(max(offset, 0)).prefix(limit ?? .max))
      let found = source.offset(offset)
      let cut = limit.map { found.limit($0) } ?? found
      try #expect(cut.map { try $0.value } == kept)
      try #expect(cut.count == kept.count && cut.first?.value == kept.first)
      try #expect(cut.contains(first) == kept.contains(0))
      try #expect(cut.filter { $0.value > 4 }.map { try $0.value } == kept.filter { $0 > 4 })
      try #expect(cut.sorted(by: \.value, .descending).map { try $0.value } == kept.reversed())
    }
  }

  @Test func `leave out of what earlier ones left`() throws {
    let database = try Database.openInMemory(models: Number.self)
    try database.write { db in
      for value in 0..<10 { try db.create(Number.self) { $0.value = value } }
    }
    let numbers = try database.snapshot().objects(Number.self)
    try #expect(numbers.limit(6).offset(4).map { try $0.value } == [4, 5])
    try #expect(numbers.limit(3).offset(4).isEmpty)
    try #expect(numbers.offset(2).offset(3).limit(2).map { try $0.value } == [5, 6])
    try #expect(numbers.offset(Int.max).offset(Int.max).isEmpty)
  }
}

@Suite struct `A value that is printed` {
  @Test(arguments: [
    (Value.string("Rex"), "Rex", #"Optional("Rex")"#), (.int(3), "3", "Optional(3)"),
    (.null, "null", "Optional(null)"), (.double(1.5), "1.5", "Optional(1.5)"),
    (.decimal128(19.9), "19.9", "Optional(decimal128(19.9))"),
    (.list([.string("a"), .int(1)]), #"["a", 1]"#, #"Optional(["a", 1])"#),
  ])
  func `is what it holds`(value: Value, text: String, optional: String) {
    #expect("\(value)" == text)
    #expect(String(describing: Optional(value)) == optional)
  }

  @Test func `in a conflict stands beside the object and the property`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.edit(family.rex) { $0.name = "Max" }
    try family.database.write { db in try db.edit(family.rex) { $0.name = "Bello" } }
    _ = try draft.commit()
    let conflict = try #require(draft.conflicts.first)
    #expect(conflict.object == "Dog/1" && conflict.property == "name")
    #expect(
      conflict.description
        == "Dog/1.name: Another commit changed the same value (base Rex, mine Max, theirs Bello)"
    )
  }

  @Test func `in a conflict about a deleted object names no property`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.edit(family.rex) { $0.name = "Max" }
    let ada = try draft.create(Person.self) { $0.name = "Eve" }
    try draft.edit(ada) { $0.favourite = family.rex }
    try family.database.write { db in try db.delete(family.rex) }
    _ = try draft.commit()
    #expect(draft.conflicts.map(\.object) == ["Dog/1", "Person/new1"])
    #expect(draft.conflicts.map(\.property) == ["name", "favourite"])
  }
}
