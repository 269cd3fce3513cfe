import Kennel
import Testing

private enum Mood: String, ScalarEnum, CaseIterable { case calm, cross }
private enum Grade: Int, ScalarEnum {
  case low = 1
  case high = 5
}

private struct Place: Document, Hashable {
  var city = ""
  var floors: [Int] = []
}

private struct Tag: EmbeddedModel {
  let text = Property<String>()
}

private struct Everything: Model {
  let id = Property<UUIDValue>(.primaryKey)
  let flag = Property<Bool>()
  let byte = Property<Int8>()
  let short = Property<Int16>()
  let word = Property<Int32>()
  let long = Property<Int64>()
  let int = Property<Int>(.indexed)
  let float = Property<Float>()
  let double = Property<Double>()
  let text = Property<String>(.indexed)
  let data = Property<[UInt8]>()
  let time = Property<Timestamp>()
  let object = Property<ObjectId>()
  let decimal = Property<Decimal128>()
  let any = Property<Value>()
  let mood = Property<Mood>(name: "feeling", default: .cross)
  let firstMood = Property<Mood>()
  let grade = Property<Grade>(default: .high)
  let place = Property<Place>(default: Place(city: "Ghent"))
  let perhapsFlag = Property<Bool?>()
  let perhapsByte = Property<Int8?>()
  let perhapsInt = Property<Int?>(default: 7)
  let perhapsText = Property<String?>()
  let perhapsData = Property<[UInt8]?>()
  let perhapsMood = Property<Mood?>()
  let perhapsPlace = Property<Place?>()
  let perhapsDecimal = Property<Decimal128?>()
  let numbers = Property<[Int]>()
  let perhapsTexts = Property<[String?]>()
  let moods = Property<[Mood]>()
  let places = Property<[Place]>()
  let marks = Property<Set<Int>>()
  let meals = Property<[String: Double]>()
  let tag = Property<Object<Tag>?>()
  let tags = Property<[Object<Tag>]>()
  let named = Property<[String: Object<Tag>]>()
  let other = Property<Object<Everything>?>()
  let others = Property<[Object<Everything>]>()
  let group = Property<Set<Object<Everything>>>()
  let byName = Property<[String: Object<Everything>]>()
  let pointers = Backlinks<Everything>(of: \.other)
}

private func id(_ number: UInt8) -> UUIDValue {
  UUIDValue(high: 0, low: UInt64(number))
}

@Suite struct `Properties of a model` {
  private func open(_ folder: CheckedFolder) throws -> Database {
    try Database.open(folder.file("all.kennel"), models: Everything.self)
  }

  @Test func `begin with what their type or their declaration says`() throws {
    let folder = try CheckedFolder()
    let new = try open(folder).write { db in try db.create(Everything.self) { $0.id = id(1) } }
    try #expect(!new.flag && new.byte == 0 && new.int == 0 && new.double == 0 && new.text == "")
    try #expect(new.data == [] && new.decimal == Decimal128("0") && new.any == .null)
    try #expect(new.mood == .cross && new.firstMood == .calm && new.grade == .high)
    try #expect(new.place == Place(city: "Ghent") && new.perhapsPlace == nil)
    try #expect(new.perhapsFlag == nil && new.perhapsInt == 7 && new.perhapsMood == nil)
    try #expect(new.numbers.isEmpty && new.marks.isEmpty && new.meals.isEmpty)
    try #expect(new.tag == nil && new.tags.isEmpty && new.other == nil && new.byName.isEmpty)
  }

  @Test func `hold scalars of every type and width`() throws {
    let folder = try CheckedFolder()
    let object = try open(folder).write { db in
      try db.create(Everything.self) {
        $0.id = id(1)
        $0.flag = true
        $0.byte = .min
        $0.short = .max
        $0.word = .min
        $0.long = .max
        $0.int = -1
        $0.float = 1.5
        $0.double = -0.25
        $0.text = "naïve \u{0} 🐕"
        $0.data = [0, 255]
        $0.time = Timestamp(seconds: -1)
        $0.object = ObjectId(high: 1, low: 2)
        $0.decimal = Decimal128("12345678901234567890.5") ?? Decimal128(0)
        $0.any = .list([.int(1), .string("two")])
        $0.mood = .calm
        $0.grade = .low
        $0.perhapsFlag = false
        $0.perhapsByte = 7
        $0.perhapsInt = nil
        $0.perhapsText = ""
        $0.perhapsData = []
        $0.perhapsMood = .cross
        $0.perhapsDecimal = Decimal128("NaN")
      }
    }
    try #expect(object.id == id(1) && object.flag && object.byte == .min && object.short == .max)
    try #expect(object.word == .min && object.long == .max && object.int == -1)
    try #expect(object.float == 1.5 && object.double == -0.25 && object.text == "naïve \u{0} 🐕")
    try #expect(object.data == [0, 255] && object.time == Timestamp(seconds: -1))
    try #expect(object.object == ObjectId(high: 1, low: 2))
    try #expect(object.decimal == Decimal128("12345678901234567890.5"))
    try #expect(object.any == .list([.int(1), .string("two")]))
    try #expect(object.mood == .calm && object.grade == .low && object.perhapsMood == .cross)
    try #expect(object.perhapsFlag == false && object.perhapsByte == 7 && object.perhapsInt == nil)
    try #expect(object.perhapsText == "" && object.perhapsData == [])
  }

  @Test func `hold collections, documents and embedded objects`() throws {
    let folder = try CheckedFolder()
    let object = try open(folder).write { db in
      try db.create(Everything.self) { new in
        new.id = id(1)
        new.numbers = [3, 1, 3]
        new.perhapsTexts = ["a", nil, ""]
        new.moods = [.cross, .calm]
        new.places = [Place(city: "Ghent", floors: [0, 1]), Place()]
        new.marks = [1, 2]
        new.meals = ["noon": 1.5, "": 2]
        new.perhapsPlace = Place(city: "Bruges")
        try new.create(\.tag) { $0.text = "replaced" }
        try new.create(\.tag) { $0.text = "one" }
        try new.create(\.tags) { $0.text = "first" }
        try new.create(\.tags) { $0.text = "second" }
        try new.create(\.named, at: "key") { $0.text = "named" }
      }
    }
    try #expect(object.numbers == [3, 1, 3] && object.perhapsTexts == ["a", nil, ""])
    try #expect(object.moods == [.cross, .calm])
    try #expect(object.places == [Place(city: "Ghent", floors: [0, 1]), Place()])
    try #expect(object.marks == [1, 2] && object.meals == ["noon": 1.5, "": 2])
    try #expect(object.perhapsPlace?.city == "Bruges")
    try #expect(
      object.tag?.text == "one" && object.tags.map { try $0.text } == ["first", "second"]
    )
    try #expect(object.named["key"]?.text == "named")
  }

  @Test func `lead to objects, and back`() throws {
    let folder = try CheckedFolder()
    let (one, two) = try open(folder).write { db in
      let one = try db.create(Everything.self) { $0.id = id(1) }
      let two = try db.create(Everything.self) {
        $0.id = id(2)
        $0.other = one
        $0.others = [one, one]
        $0.group = [one]
        $0.byName = ["one": one]
      }
      return (one, two)
    }
    try #expect(two.other == one && Array(two.others) == [one, one] && two.group == [one])
    try #expect(two.byName == ["one": one] && Array(one.pointers) == [two])
    #expect(Set([one, two, one]).count == 2)
  }

  @Test func `of an enum throw for a value that no case has, and can be mended`() throws {
    let folder = try CheckedFolder()
    struct Loose: Model {
      static var className: String { "Everything" }
      let id = Property<UUIDValue>(.primaryKey)
      let feeling = Property<String>()
    }
    let database = try open(folder)
    try database.write { db in try db.create(Everything.self) { $0.id = id(1) } }
    let loose = try Database.open(database.path, models: Loose.self)
    try loose.write { db in
      for object in try db.objects(Loose.self) { try db.edit(object) { $0.feeling = "grumpy" } }
    }
    let found = try #require(try database.snapshot().objects(Everything.self).first)
    let error = #expect(throws: DatabaseError.self) { try found.mood }
    #expect(error?.message.contains("feeling holds a value that is no Mood") == true)
    try database.write { db in
      try db.edit(found) {
        #expect($0.mood == nil)
        $0.mood = .calm
      }
    }
    try #expect(database.snapshot().current(found)?.mood == .calm)
  }

  @Test func `that a model declares later have their default in the objects that are there`() throws
  {
    struct Before {
      struct Dog: Model { let name = Property<String>() }
    }
    struct Dog: Model {
      let name = Property<String>(.indexed)
      let age = Property<Int>(default: 4)
      let nickname = Property<String?>()
      let mood = Property<Mood>()
    }
    let folder = try CheckedFolder()
    let old = try Database.open(folder.file("dogs.kennel"), models: Before.Dog.self)
    try old.write { db in try db.create(Before.Dog.self) { $0.name = "Rex" } }
    let rex = try #require(
      try Database.open(old.path, models: Dog.self).snapshot().objects(Dog.self).first
    )
    try #expect(rex.name == "Rex" && rex.age == 4 && rex.nickname == nil && rex.mood == .calm)
    try #expect(old.snapshot().objects(Before.Dog.self).first?.name == "Rex")
  }

  @Test func `are found by their primary key`() throws {
    let folder = try CheckedFolder()
    let database = try open(folder)
    let object = try database.write { db in try db.create(Everything.self) { $0.id = id(3) } }
    try #expect(database.snapshot().find(\Everything.id, id(3)) == object)
    try #expect(database.snapshot().find(\Everything.id, id(4)) == nil)
    #expect(throws: DatabaseError.self) { try database.snapshot().find(\Everything.int, 0) }
  }

  @Test(arguments: ["exists", "hash"])
  func `are refused where an object has a member of their name`(name: String) throws {
    struct One: Model { let exists = Property<Bool>() }
    struct Two: Model { let hash = Property<String>() }
    let folder = try CheckedFolder()
    let model: any Model.Type = name == "hash" ? Two.self : One.self
    let error = #expect(throws: DatabaseError.self) {
      try Database.open(folder.file("hidden.kennel"), models: model)
    }
    #expect(error?.message.contains("\(name) cannot be read") == true)
    struct Three: Model { let has = Property<Bool>(name: "exists") }
    let database = try Database.open(folder.file("named.kennel"), models: Three.self)
    try #expect(database.write { db in try db.create(Three.self) { $0.has = true } }.has)
  }

  @Test func `are refused where they are neither a property nor backlinks`() throws {
    struct Wrong: Model {
      let name = Property<String>()
      let age = 3
    }
    let folder = try CheckedFolder()
    let error = #expect(throws: DatabaseError.self) {
      try Database.open(folder.file("wrong.kennel"), models: Wrong.self)
    }
    #expect(error?.message.hasPrefix("Wrong.age is neither a Property nor Backlinks") == true)
  }
}
