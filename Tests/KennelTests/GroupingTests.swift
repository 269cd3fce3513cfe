import Kennel
import Testing

/// Files of more than a cluster of 256 objects, whose columns are stored in more than one way.
@Suite struct `Groups of many objects` {
  private struct Dog: Model {
    let breed = Property<String?>()
    let age = Property<Int>()
    let number = Property<Int>()
    let born = Property<Timestamp>()
    let weight = Property<Float>()
    let friend = Property<Object<Dog>?>()
  }

  @Test(arguments: [1, 7, 3000])
  func `are those of their values, however they are stored`(breeds: Int) throws {
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("dogs.kennel"), models: Dog.self)
    try database.write { db in
      var last: Object<Dog>?
      for number in 0..<3000 {
        let dog = try db.create(Dog.self) {
          $0.breed = number % 11 == 0 ? nil : "breed \(number % breeds)"
          $0.age = number % 13
          $0.number = Int.max - number
          $0.born = Timestamp(seconds: Int64(number % 5))
          $0.weight = number % 3 == 0 ? .nan : Float(number % 3)
          $0.friend = last
        }
        if number % 100 == 0 { last = dog }
      }
      try db.delete(db.objects(Dog.self).filter { $0.age == 12 })
    }
    let left = (0..<3000).filter { $0 % 13 != 12 }
    do {
      let reading = try database.snapshot().objects(Dog.self)
      let groups = try reading.grouped(by: \.breed)
      let wanted = Dictionary(grouping: left) { $0 % 11 == 0 ? nil : "breed \($0 % breeds)" }
      #expect(
        groups.count == wanted.count && groups.allSatisfy { $0.count == wanted[$0.key]?.count }
      )
      let sums = try groups.sum(\.age)
      for (group, sum) in zip(groups, sums) {
        #expect(sum == wanted[group.key]?.map { $0 % 13 }.reduce(0, +))
      }
      #expect(groups.first?.key == nil)
      try #expect(reading.grouped(by: \.born).map(\.count).reduce(0, +) == left.count)
      try #expect(reading.grouped(by: \.born).count == 5)
      try #expect(reading.grouped(by: \.weight).count == 3)
      let friends = try reading.grouped(by: \.friend)
      #expect(friends.first?.key == nil && friends.filter { $0.key == nil }.count == 1)
      #expect(friends.map(\.count).reduce(0, +) == left.count && friends.count > 20)
      // Sorted by age, neighbors have friends far from each other.
      let friendBreeds = try reading.sorted(by: \.age).grouped(by: \.friend.breed)
      let wantedBreeds = Dictionary(grouping: left) { number -> String? in
        let friend = (number - 1) / 100 * 100
        let isThere = number > 0 && friend % 13 != 12 && friend % 11 != 0
        return isThere ? "breed \(friend % breeds)" : nil
      }
      #expect(friendBreeds.count == wantedBreeds.count)
      for group in friendBreeds { #expect(group.count == wantedBreeds[group.key]?.count) }
    }
    try #expect(database.snapshot().objects(Dog.self).limit(1).sum(\.number) == Int.max)
    #expect(throws: DatabaseError.self) {
      try database.snapshot().objects(Dog.self).grouped(by: \.breed).sum(\.number)
    }
  }

  @Test(arguments: [2, 1000])
  func `are those of a property that older objects lack, and so is an order by it`(
    cities: Int
  ) throws {
    struct Before {
      struct House: Model { let number = Property<Int>() }
    }
    struct House: Model {
      let number = Property<Int>()
      let city = Property<String>(default: "Ghent")
    }
    let folder = try CheckedFolder()
    let old = try Database.open(folder.file("houses.kennel"), models: Before.House.self)
    try old.write { db in
      for number in 0..<600 { try db.create(Before.House.self) { $0.number = number } }
    }
    let database = try Database.open(old.path, models: House.self)
    try database.write { db in
      for number in 600..<1400 {
        try db.create(House.self) {
          $0.number = number
          $0.city = "city \(number % cities)"
        }
      }
      for house in try db.objects(House.self).filter({ $0.number == 7 || $0.number == 300 }) {
        try db.edit(house) { $0.city = "" }
      }
    }
    func city(_ number: Int) -> String {
      [7, 300].contains(number) ? "" : number < 600 ? "Ghent" : "city \(number % cities)"
    }
    let wanted = Dictionary(grouping: 0..<1400, by: city)
    let houses = try database.snapshot().objects(House.self)
    let groups = try houses.grouped(by: \.city)
    #expect(groups.map(\.key) == wanted.keys.sorted())
    #expect(groups.map(\.count) == wanted.keys.sorted().map { wanted[$0]?.count })
    let order = (0..<1400).sorted { (city($0), $0) < (city($1), $1) }
    try #expect(houses.sorted(by: \.city).map { try $0.number } == order)
  }

  @Test func `see what their transaction wrote`() throws {
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("dogs.kennel"), models: Dog.self)
    try database.write { db in
      for number in 0..<600 { try db.create(Dog.self) { $0.breed = "breed \(number % 2)" } }
    }
    try database.write { db in
      for dog in try db.objects(Dog.self).limit(3) { try db.edit(dog) { $0.breed = "mixed" } }
      let groups = try db.objects(Dog.self).grouped(by: \.breed)
      #expect(groups.map(\.key) == ["breed 0", "breed 1", "mixed"])
      #expect(groups.map(\.count) == [298, 299, 3])
    }
  }
}
