import KennelRealm

/// The forms that properties of models have beside the plain ones: enumerations of every kind of raw
/// value, custom types, custom types of embedded objects, and collections of them all.
enum Stage: Int, Codable, PersistableEnum {
  case low = 1
  case middle = 2
  case high = 3
}

enum Ratio: Double, PersistableEnum {
  case half = 0.5
  case whole = 1
}

enum Rank: String, PersistableEnum {
  case good
  case better
}

/// An enumeration of an older model, which does not list its cases.
enum OldLevel: Int, RealmEnum, Codable {
  case off = 1
  case on = 3
}

/// A custom type whose stored type is known to its conforming types only.
protocol Wrapper: CustomPersistable {
  var content: PersistedType { get }
  init(content: PersistedType)
}

extension Wrapper {
  init(persistedValue: PersistedType) { self.init(content: persistedValue) }
  var persistableValue: PersistedType { content }
}

struct Meters: Wrapper {
  typealias PersistedType = Int
  var content: Int
}

struct Title: Wrapper {
  typealias PersistedType = String
  var content: String
}

class StoredPlace: EmbeddedObject {
  @Persisted var city: String
  @Persisted var zip: Int?
}

/// A custom type that is stored as an embedded object.
struct Place: CustomPersistable {
  typealias PersistedType = StoredPlace
  var city = ""
  var zip: Int?

  init(_ city: String, _ zip: Int?) {
    self.city = city
    self.zip = zip
  }
  init(persistedValue: StoredPlace) { self.init(persistedValue.city, persistedValue.zip) }
  var persistableValue: StoredPlace { StoredPlace(value: [city, zip as Any]) }
}

class LinkingPlace: EmbeddedObject {
  @Persisted var other: StoredPlace?
}

/// A custom type whose embedded object has a link, so that its members cannot be compared.
struct Linking: CustomPersistable {
  typealias PersistedType = LinkingPlace
  init() {}
  init(persistedValue: LinkingPlace) {}
  var persistableValue: LinkingPlace { LinkingPlace() }
}

class Assorted: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var level = Stage.low
  @Persisted var optionalGrade: Rank?
  @Persisted var old = OldLevel.on
  @Persisted var length: Meters
  @Persisted var optionalTitle: Title?
  @Persisted var place: Place
  @Persisted var optionalPlace: Place?
  @Persisted var linking: Linking?
  @Persisted var levels: List<Stage>
  @Persisted var optionalRatios: List<Ratio?>
  @Persisted var lengths: MutableSet<Meters>
  @Persisted var titles: Map<String, Title?>
  @Persisted var grades: Map<String, Rank>
  @Persisted var places: List<Place>
  @Persisted var placesByName: Map<String, Place?>
  @Persisted var numbers: List<Int>
  @Persisted var children: List<Assorted>
  @Persisted var child: Assorted?
}
