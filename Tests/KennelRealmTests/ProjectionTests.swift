import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

class PersonView: Projection<Person> {
  @Projected(\Person.name) var title
  @Projected(\Person.name.localizedUppercase) var shouted
  @Projected(\Person.age) var years
  @Projected(\Person.home) var home
  @Projected(\Person.home?.city) var city
  @Projected(\Person.bestFriend?.home?.city) var friendsCity
  @Projected(\Person.dogs) var pack
  @Projected(\Person.dogs.count) var dogCount
  @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
  @Projected(\Person.friends.projectTo.age) var friendAges: ProjectedCollection<Int>
  @Projected(\Person.otherHomes.projectTo.city) var cities: ProjectedCollection<String>
  @Projected(\Person.admirers.projectTo.name) var admirerNames: ProjectedCollection<String>
  @Projected(\Person.grades) var grades
  @Projected(\Person.nicknames.first) var nickname
}

class DogView: Projection<Dog> {
  @Projected(\Dog.name) var name
  @Projected(\Dog.age) var years
}

/// Inherits the properties of another projection.
final class LongDogView: DogView {
  @Projected(\Dog.owners.count) var ownerCount
}

/// Counts how many were made.
final class CountedView: Projection<Dog> {
  nonisolated(unsafe) static var made = 0
  @Projected(\Dog.name) var name

  required init(projecting object: Dog) {
    super.init(projecting: object)
    unsafe Self.made += 1
  }
}

class AddressView: Projection<Address> {
  @Projected(\Address.city) var city
}

class MisplacedView: Projection<Everything> {
  @Projected(\Everything.notStored) var notStored
}

/// In the older syntax.
class ClubView: Projection<Club> {
  @Projected(\Club.name) var name
  @Projected(\Club.members) var members
  @Projected(\Club.members.projectTo.number) var numbers: ProjectedCollection<Int>
}

/// Ada with two dogs, a home and a friend who has one, too.
func withAda(_ body: (Realm, Person) throws -> Void) throws {
  try withRealm(zoo) { realm in
    let ada = Person(value: ["name": "Ada", "age": 36, "home": ["city": "London"]])
    let bob = Person(value: ["name": "Bob", "age": 21, "home": ["city": "Bonn"]])
    ada.dogs.append(objectsIn: [
      Dog(value: ["name": "Rex", "age": 3]), Dog(value: ["name": "Fido", "age": 1]),
    ])
    ada.otherHomes.append(Address(value: ["city": "Rome"]))
    ada.grades["math"] = 1
    ada.nicknames.insert("Countess")
    ada.bestFriend = bob
    ada.friends.insert(bob)
    bob.bestFriend = ada
    try realm.write { realm.add(ada) }
    try body(realm, ada)
  }
}

@Suite struct `Projections` {
  @Test func `show properties of an object under other names, and along its links`() throws {
    try withAda { realm, ada in
      let view = PersonView(projecting: ada)
      #expect(view.title == "Ada" && view.shouted == "ADA" && view.years == 36)
      #expect(view.city == "London" && view.friendsCity == "Bonn" && view.nickname == "Countess")
      #expect(view.home?.isSameObject(as: ada.home) == true)
      #expect(view.pack === ada.dogs && view.dogCount == 2 && view.grades["math"] == 1)
      #expect(Array(view.dogNames) == ["Rex", "Fido"] && Array(view.friendAges) == [21])
      #expect(Array(view.cities) == ["Rome"] && Array(view.admirerNames) == ["Bob"])
      #expect(view.rootObject === ada && view.realm == realm)
      try realm.write {
        ada.home?.city = "Paris"
        ada.bestFriend = nil
        ada.dogs.removeFirst()
      }
      #expect(view.city == "Paris" && view.friendsCity == nil && Array(view.dogNames) == ["Fido"])
    }
  }

  @Test func `write what they show, where the key path can be written`() throws {
    try withAda { realm, ada in
      let view = PersonView(projecting: ada)
      try realm.write {
        view.years = 37
        view.home = Address(value: ["city": "Turin"])
        view.dogNames[1] = "Waldi"
        view.friendAges[0] = 22
        view.pack.removeFirst()
        view.grades["art"] = 2
      }
      #expect(ada.age == 37 && ada.home?.city == "Turin" && ada.bestFriend?.age == 22)
      #expect(ada.dogs.map(\.name) == ["Waldi"] && ada.grades["art"] == 2)
      expectMisuse("outside of a write transaction") { view.years = 38 }
      try realm.write {
        expectMisuse("is not writable") { view.city = "Oslo" }
        expectMisuse("is not writable") { view.dogCount = 3 }
      }
      #expect(ada.age == 37 && view.city == "Turin")
    }
  }

  @Test func `of unmanaged objects read and write them`() {
    let person = Person(value: ["name": "Eve", "home": ["city": "Graz"]])
    person.dogs.append(Dog(value: ["name": "Bello"]))
    let view = PersonView(projecting: person)
    view.years = 5
    view.dogNames[0] = "Rolf"
    #expect(person.age == 5 && person.dogs[0].name == "Rolf" && view.city == "Graz")
    #expect(view.realm == nil && !view.isInvalidated && !view.isFrozen)
    #expect(view == PersonView(projecting: person) && view != PersonView(projecting: Person()))
    #expect(view.dogNames.realm == nil && view.dogNames.index(of: "Rolf") == 0)
  }

  @Test func `inherit properties, and project classes in the older syntax`() throws {
    try withRealm([Club.self, Member.self]) { realm in
      let club = Club(value: ["name": "Chess", "members": [["number": 7], ["number": 8]]])
      try realm.write { realm.add(club) }
      let view = try #require(realm.objects(ClubView.self).first)
      #expect(view.members === club.members || Array(view.members) == Array(club.members))
      #expect(Array(view.numbers) == [7, 8])
      #expect(view.description.contains("numbers(\\.members) = ProjectedCollection<Int>"))
    }
    try withAda { realm, _ in
      let dog = try #require(realm.objects(LongDogView.self).last)
      #expect(dog.name == "Fido" && dog.years == 1 && dog.ownerCount == 1)
      #expect(dog.description.contains("ownerCount(\\.owners) = 1;"))
      #expect(dog.description.contains("name(\\.name) = Fido;"))
    }
  }

  @Test func `hold values of every type`() throws {
    try withRealm([Everything.self]) { realm in
      try realm.write { realm.create(Everything.self, value: ["id": 1, "optionalInt8": 8]) }
      let view = try #require(realm.objects(EverythingView.self).first)
      try realm.write {
        view.bool = false
        view.int16 = 5
        view.data = Data([1, 2])
        view.date = Date(timeIntervalSince1970: 9)
        view.decimal = 2.5
        view.any = .string("x")
        view.mood = .angry
        view.optionalMood = .calm
        view.optionalString = "y"
        view.link = view.rootObject
      }
      let object = view.rootObject
      #expect(!object.bool && object.int16 == 5 && object.data == Data([1, 2]))
      #expect(object.date.timeIntervalSince1970 == 9 && object.decimal == 2.5)
      #expect(object.any == .string("x") && object.mood == .angry && object.optionalMood == .calm)
      #expect(object.optionalString == "y" && object.link == object && view.optionalInt8 == 8)
      #expect(view.uuid == object.uuid && view.objectId == object.objectId && view.float == 1.5)
    }
  }

  @Test func `are equal where they project the same object`() throws {
    try withAda { realm, ada in
      let first = try #require(realm.objects(DogView.self).first)
      let again = DogView(projecting: ada.dogs[0])
      let other = try #require(realm.objects(DogView.self).last)
      #expect(first !== again && first == again && first != other)
      #expect(Set([first, again, other]).count == 2)
      #expect(realm.objects(DogView.self).index(of: other) == 1)
      #expect(realm.objects(DogView.self).contains(again))
    }
  }

  @Test func `describe themselves with the paths that they show`() throws {
    try withAda { realm, ada in
      let view = CityView(projecting: ada)
      let lines = view.description.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[0].hasPrefix("CityView<Person> <0x") && lines[0].hasSuffix("> {"))
      #expect(
        lines.dropFirst() == [
          "\t\tname(\\.name) = Ada;",
          "\tcity(\\.home.city) = Optional(\"London\");",
          "\tdogs(\\.dogs) = ProjectedCollection<String> {",
          "\t[0] Rex",
          "\t[1] Fido",
          "};",
          "}",
        ]
      )
      try realm.write { realm.delete(ada) }
      #expect(view.description == "[invalid object]")
    }
  }

  @Test func `declared wrongly, or asked for what they have not, say so`() throws {
    try withRealm([Everything.self]) { realm in
      try realm.write { realm.create(Everything.self) }
      #expect(realm.objects(MisplacedView.self).count == 1)
      expectMisuse("@Projected property 'notStored' must be a part of Realm object") {
        _ = realm.objects(MisplacedView.self).first
      }
    }
    try withAda { realm, ada in
      expectMisuse("Embedded objects are found through their owners") {
        _ = realm.objects(AddressView.self)
      }
      #expect(try AddressView(projecting: #require(ada.home)).city == "London")
      let view = PersonView(projecting: ada)
      expectMisuse("'height' is no projected property of 'PersonView'") {
        _ = view.observe(keyPaths: ["height"]) { _ in }
      }
      expectMisuse("add the object first") {
        _ = PersonView(projecting: Person()).observe { _ in }
      }
      try realm.write { realm.delete(ada) }
      #expect(view.isInvalidated)
      expectMisuse("deleted or invalidated") { _ = view.years }
      expectMisuse("deleted or invalidated") { _ = view.freeze() }
    }
  }
}

class CityView: Projection<Person> {
  @Projected(\Person.name) var name
  @Projected(\Person.home?.city) var city
  @Projected(\Person.dogs.projectTo.name) var dogs: ProjectedCollection<String>
}

class EverythingView: Projection<Everything> {
  @Projected(\Everything.bool) var bool
  @Projected(\Everything.int16) var int16
  @Projected(\Everything.float) var float
  @Projected(\Everything.data) var data
  @Projected(\Everything.date) var date
  @Projected(\Everything.objectId) var objectId
  @Projected(\Everything.uuid) var uuid
  @Projected(\Everything.decimal) var decimal
  @Projected(\Everything.any) var any
  @Projected(\Everything.mood) var mood
  @Projected(\Everything.optionalInt8) var optionalInt8
  @Projected(\Everything.optionalString) var optionalString
  @Projected(\Everything.optionalMood) var optionalMood
  @Projected(\Everything.link) var link
}

@Suite struct `Results of projections` {
  @Test func `make each projection when it is asked for`() throws {
    try withRealm(zoo) { realm in
      try realm.write {
        for age in 0..<1_000 { realm.create(Dog.self, value: ["name": "\(age)", "age": age]) }
      }
      unsafe CountedView.made = 0
      let views = realm.objects(CountedView.self).filter("age >= 500").sorted(byKeyPath: "age")
      #expect(views.count == 500 && views[7].name == "507" && views.last?.name == "999")
      #expect(unsafe CountedView.made == 2)
      for view in views.prefix(3) { #expect(view.name.hasPrefix("50")) }
      #expect(unsafe CountedView.made == 5)
    }
  }

  @Test func `are queried by the properties of the class`() throws {
    try withAda { realm, ada in
      let people = realm.objects(PersonView.self)
      #expect(people.count == 2)
      #expect(people.filter("home.city == 'Bonn'").map(\.title) == ["Bob"])
      #expect(people.where { $0.age > 30 && $0.dogs.name == "Rex" }.map(\.title) == ["Ada"])
      #expect(people.where { $0.home.city.starts(with: "B") }.first?.city == "Bonn")
      #expect(people.index(matching: "age == 21") == 1)
      #expect(people.index(matching: { $0.name == "Bob" }) == 1)
      #expect(people.value(forKey: "age") as? [Int] == [36, 21])
      #expect(people.objects(at: [1]).map(\.title) == ["Bob"])
      let dogs = ada.dogs
      #expect(AnyRealmCollection(people).first?.title == "Ada" && dogs.count == 2)
    }
  }

  @Test func `are sorted, made distinct and summed by names of the class and key paths`() throws {
    try withAda { realm, _ in
      let people = realm.objects(PersonView.self)
      #expect(people.sorted(byKeyPath: "home.city").map(\.title) == ["Bob", "Ada"])
      #expect(people.sorted(by: \.years).map(\.title) == ["Bob", "Ada"])
      #expect(people.sorted(by: \.city, ascending: false).map(\.title) == ["Ada", "Bob"])
      #expect(people.distinct(by: [\.years, \.city]).count == 2)
      #expect(people.sum(of: \.years) == 57 && people.max(of: \.years) == 36)
      #expect(people.min(ofProperty: "age") == 21 && people.average(of: \.years) == 28.5)
      #expect(_name(for: \PersonView.friendsCity) == "bestFriend.home.city")
      #expect(_name(for: \PersonView.dogNames) == "dogs")
    }
  }

  @Test func `stand in sections by what they show`() throws {
    try withAda { realm, _ in
      let byCity = realm.objects(PersonView.self).sectioned(by: \.city)
      #expect(byCity.allKeys == ["Bonn", "London"] && byCity[0].map(\.title) == ["Bob"])
      let byLetter = realm.objects(PersonView.self).sectioned(
        by: { String($0.title.prefix(1)) },
        sortDescriptors: [SortDescriptor(keyPath: \PersonView.title, ascending: false)]
      )
      #expect(byLetter.allKeys == ["B", "A"] && byLetter[1][0].city == "London")
    }
  }
}

@Suite struct `Projections elsewhere` {
  @Test func `frozen ones stay what they were, on any thread`() throws {
    try withAda { realm, ada in
      let view = PersonView(projecting: ada)
      let frozen = view.freeze()
      #expect(frozen.isFrozen && !view.isFrozen && frozen != view)
      #expect(frozen == frozen.freeze() && frozen == view.freeze())
      #expect(frozen.hashValue == view.freeze().hashValue)
      let names = view.dogNames.freeze()
      try realm.write {
        view.years = 99
        ada.dogs.removeAll()
      }
      nonisolated(unsafe) let seen = (frozen, names)
      Thread.wait {
        unsafe #expect(seen.0.years == 36 && seen.0.city == "London")
        unsafe #expect(Array(seen.0.dogNames) == ["Rex", "Fido"] && seen.0.dogNames.isFrozen)
        unsafe #expect(Array(seen.1) == ["Rex", "Fido"] && seen.1.isFrozen)
      }
      #expect(frozen.thaw()?.years == 99 && frozen.thaw()?.isFrozen == false)
      #expect(names.thaw()?.count == 0 && realm.objects(PersonView.self).freeze()[0].isFrozen)
      expectMisuse("Frozen Realms do not change") { _ = frozen.observe { _ in } }
      expectMisuse("Frozen Realms do not change") { _ = names.observe { _ in } }
      try realm.write {
        let new = DogView(projecting: realm.create(Dog.self))
        expectMisuse("in the same write transaction") { _ = new.freeze() }
        #expect(view.freeze().years == 99)
        realm.delete(ada)
      }
      #expect(frozen.thaw() == nil && names.thaw() == nil && frozen.years == 36)
    }
  }

  @Test func `references bring them to another thread`() throws {
    try withAda { realm, ada in
      let view = PersonView(projecting: ada)
      let one = ThreadSafeReference(to: view)
      let all = ThreadSafeReference(to: realm.objects(DogView.self).filter("age > 2"))
      let names = ThreadSafeReference(to: view.dogNames)
      @ThreadSafe var wrapped = view
      let configuration = realm.configuration
      let wrapper = $wrapped
      Thread.wait {
        do {
          let other = try Realm(configuration: configuration)
          let view = try #require(other.resolve(one))
          try other.write { view.years += 1 }
          #expect(other.resolve(all)?.map(\.name) == ["Rex"])
          #expect(other.resolve(names).map { Array($0) } == ["Rex", "Fido"])
          #expect(wrapper.wrappedValue?.years == 37)
        } catch {
          Issue.record("\(error)")
        }
      }
      realm.refresh()
      #expect(view.years == 37)
      nonisolated(unsafe) let shared = view
      Thread.wait {
        expectMisuse("incorrect thread") { unsafe _ = shared.freeze() }
        expectMisuse("incorrect thread") { unsafe _ = shared.years }
      }
    }
  }

  @Test func `projected collections go with the object that has them`() throws {
    try withAda { realm, ada in
      let names = PersonView(projecting: ada).dogNames
      #expect(names.first == "Rex" && names.last == "Fido" && names.realm == realm)
      #expect(names.index(matching: NSPredicate(format: "age == 1")) == 1)
      #expect(names.index(of: "Bello") == nil && names.contains("Fido"))
      #expect(names.sorted() == ["Fido", "Rex"] && names.filter { $0 == "Rex" }.count == 1)
      #expect(names.description == "ProjectedCollection<String> {\n\t[0] Rex\n\t[1] Fido\n}")
      expectMisuse("out of bounds") { _ = names[2] }
      try realm.write { realm.delete(ada) }
      #expect(names.isInvalidated)
    }
  }
}

extension Thread {
  /// Runs a body on a thread of its own and waits for it.
  fileprivate static func wait(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    detachNewThread {
      body()
      done.signal()
    }
    done.wait()
  }
}
