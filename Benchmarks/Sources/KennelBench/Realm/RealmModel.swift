import KennelRealm

/// The classes of the workload, as a program of Realm Swift declares them.
final class Dog: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var breed: String?
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

final class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var birthdate: Date
  @Persisted var favourite: Dog?
  @Persisted var dogs: List<Dog>
  @Persisted var address: Address?
}

final class Address: EmbeddedObject {
  @Persisted var street: String
  @Persisted var city: String
  @Persisted var country: String
  @Persisted var postalCode: String
}
