// swift-format-ignore-file
import KennelRealm

class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var birthdate: Date
  @Persisted var dog: Dog?
  @Persisted var dogs: List<Dog>
  @Persisted var spouse: Person?
  @Persisted var address: Address?
  @Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>
}

class Dog: Object {
  @Persisted var name: String = "Rex"
  @Persisted var age: Int
  @Persisted(indexed: true) var breed: String?
  @Persisted(originProperty: "dogs") var person: LinkingObjects<Person>
}

class DogClub: Object {
  @Persisted var name: String
  @Persisted var members: List<Person>
  @Persisted var mascot: Dog?
  @Persisted(deleteRule: .deny) var trophy: Trophy?
  @Persisted var regionalOfficeAddresses: List<Address>
}

class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city: String?
  @Persisted var country: String?
  @Persisted var postalCode: String?
}

class Trophy: Object {
  @Persisted var name: String
  @Persisted var year: Int16
}

class User: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var _partition: String
  @Persisted var name: String
  @Persisted(deleteRule: .cascadeIfLast) var tasks: List<Task>
}

class Task: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var _partition: String
  @Persisted var text: String
  @Persisted(originProperty: "tasks") var assignee: LinkingObjects<User>
}

class Contact: Object {
  @Persisted var name: String
  @Persisted var address: Address?
}

class Business: Object {
  @Persisted var name: String
  @Persisted var addresses: List<Address>
}

class Customer: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted(originProperty: "customer") var orders: LinkingObjects<Order>
}

class Order: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var customer: Customer?
  @Persisted(deleteRule: .cascade) var parcels: List<Parcel>
}

class Parcel: Object {
  @Persisted var label: String
  @Persisted var grams: Int32
}

class Specimen: Object {
  @Persisted var title: String
  @Persisted var boolValue: Bool
  @Persisted var intValue: Int
  @Persisted var int8Value: Int8
  @Persisted var int16Value: Int16
  @Persisted var int32Value: Int32
  @Persisted var floatValue: Float
  @Persisted var doubleValue: Double
  @Persisted var stringValue: String
  @Persisted var dataValue: Data
  @Persisted var dateValue: Date
  @Persisted var objectIdValue: ObjectId
  @Persisted var uuidValue: UUID
  @Persisted var decimal128Value: Decimal128
  @Persisted var mixedValue: AnyRealmValue
  @Persisted var boolOrNull: Bool?
  @Persisted var intOrNull: Int?
  @Persisted var int8OrNull: Int8?
  @Persisted var int16OrNull: Int16?
  @Persisted var int32OrNull: Int32?
  @Persisted var floatOrNull: Float?
  @Persisted var doubleOrNull: Double?
  @Persisted var stringOrNull: String?
  @Persisted var dataOrNull: Data?
  @Persisted var dateOrNull: Date?
  @Persisted var objectIdOrNull: ObjectId?
  @Persisted var uuidOrNull: UUID?
  @Persisted var decimal128OrNull: Decimal128?
  @Persisted var dog: Dog?
  @Persisted var part: Part?
  @Persisted var boolList: List<Bool>
  @Persisted var intList: List<Int>
  @Persisted var floatList: List<Float>
  @Persisted var doubleList: List<Double>
  @Persisted var stringList: List<String>
  @Persisted var dataList: List<Data>
  @Persisted var dateList: List<Date>
  @Persisted var objectIdList: List<ObjectId>
  @Persisted var uuidList: List<UUID>
  @Persisted var decimal128List: List<Decimal128>
  @Persisted var mixedList: List<AnyRealmValue>
  @Persisted var boolSet: MutableSet<Bool>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var floatSet: MutableSet<Float>
  @Persisted var doubleSet: MutableSet<Double>
  @Persisted var stringSet: MutableSet<String>
  @Persisted var dataSet: MutableSet<Data>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var objectIdSet: MutableSet<ObjectId>
  @Persisted var uuidSet: MutableSet<UUID>
  @Persisted var decimal128Set: MutableSet<Decimal128>
  @Persisted var mixedSet: MutableSet<AnyRealmValue>
  @Persisted var boolMap: Map<String, Bool>
  @Persisted var intMap: Map<String, Int>
  @Persisted var floatMap: Map<String, Float>
  @Persisted var doubleMap: Map<String, Double>
  @Persisted var stringMap: Map<String, String>
  @Persisted var dataMap: Map<String, Data>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var objectIdMap: Map<String, ObjectId>
  @Persisted var uuidMap: Map<String, UUID>
  @Persisted var decimal128Map: Map<String, Decimal128>
  @Persisted var mixedMap: Map<String, AnyRealmValue>
  @Persisted var nullableList: List<String?>
  @Persisted var dogList: List<Dog>
  @Persisted var nullableSet: MutableSet<String?>
  @Persisted var dogSet: MutableSet<Dog>
  @Persisted var nullableMap: Map<String, String?>
  @Persisted var dogMap: Map<String, Dog?>
  @Persisted var partList: List<Part>
  @Persisted var partMap: Map<String, Part?>
}

class Part: EmbeddedObject {
  @Persisted var label: String
  @Persisted var dog: Dog?
  @Persisted var parts: List<Part>
}

let sampleModels: [[ObjectBase.Type]] = [
  [Person.self, Dog.self, DogClub.self, Address.self, Trophy.self, User.self, Task.self, Contact.self, Business.self, Customer.self, Order.self, Parcel.self, Specimen.self, Part.self],
]
