import KennelRealm

enum Mood: String, PersistableEnum {
  case calm
  case angry
}

enum Size: Int, PersistableEnum {
  case small = 1
  case large = 9
}

/// One property of each single type.
class Everything: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var bool = true
  @Persisted var int8: Int8
  @Persisted var int16: Int16 = 16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float = 1.5
  @Persisted var double: Double
  @Persisted var string = "text"
  @Persisted var data: Data
  @Persisted var date = Date(timeIntervalSince1970: 1)
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128 = 1.5
  @Persisted var any: AnyRealmValue
  @Persisted var mood: Mood
  @Persisted var size: Size = .large
  @Persisted var optionalBool: Bool?
  @Persisted var optionalInt: Int?
  @Persisted var optionalInt8: Int8?
  @Persisted var optionalFloat: Float?
  @Persisted var optionalDouble: Double?
  @Persisted var optionalString: String?
  @Persisted var optionalData: Data?
  @Persisted var optionalDate: Date?
  @Persisted var optionalObjectId: ObjectId?
  @Persisted var optionalUuid: UUID?
  @Persisted var optionalDecimal: Decimal128?
  @Persisted var optionalMood: Mood?
  @Persisted var link: Everything?
  var notStored = 5
}

class Person: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(indexed: true) var age = 0
  @Persisted var dogs: List<Dog>
  @Persisted var bestFriend: Person?
  @Persisted var home: Address?
  @Persisted var otherHomes: List<Address>
  @Persisted var nicknames: MutableSet<String>
  @Persisted var friends: MutableSet<Person>
  @Persisted var grades: Map<String, Int>
  @Persisted var dogsByRole: Map<String, Dog?>
  @Persisted(originProperty: "bestFriend") var admirers: LinkingObjects<Person>
}

class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city = ""
  @Persisted var keeper: Dog?
}

/// In the older syntax where it compiles without Objective-C.
class Club: Object {
  @Persisted var name = ""
  let members = List<Member>()
}

class Member: Object {
  @Persisted var number: Int
  let clubs = LinkingObjects(fromType: Club.self, property: "members")
  override static func primaryKey() -> String? { "number" }
}

let zoo: [ObjectBase.Type] = [Person.self, Dog.self, Address.self]
