import KennelRealm

enum Height: Int, RealmEnum {
  case low = 1
  case high = 9
}

/// Properties in the older syntax between those in the newer one.
class Mixture: Object {
  let first = List<Int>()
  @Persisted var second = 2
  let third = RealmProperty<Int?>()
  @Persisted var fourth = Height.low
  let fifth = MutableSet<String>()
  let sixth = RealmProperty<AnyRealmValue>()
}

class Ladder: Object {
  @Persisted var step = Height.high
  @Persisted var maybe: Height?
  @Persisted var next: Ladder?
}

class OptionalKey: Object {
  @Persisted var name = ""
  let id = RealmProperty<Int?>()
  override static func primaryKey() -> String? { "id" }
}

/// Embedded objects that an update changes.
class Branch: EmbeddedObject {
  @Persisted var length = 0
  @Persisted var twig: Twig?
}

class Twig: EmbeddedObject {
  @Persisted var leaves = 0
}

class Oak: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var trunk: Branch?
  @Persisted var branches: List<Branch>
  @Persisted var named: Map<String, Branch?>
  @Persisted var visitors: List<Mixture>
}

/// What an oak is, but without a primary key.
class Planted: Object {
  @Persisted var trunk: Branch?
  @Persisted var branches: List<Branch>
  @Persisted var named: Map<String, Branch?>
  @Persisted var visitors: List<Mixture>
}

/// A number that is not 13.
struct Lucky: FailableCustomPersistable {
  typealias PersistedType = Int
  let persistableValue: Int

  init?(persistedValue: Int) {
    if persistedValue == 13 || persistedValue == 0 { return nil }
    persistableValue = persistedValue
  }

  private init() { persistableValue = 1 }

  static let first = Lucky()
}

class Wheel: Object {
  @Persisted var number: Lucky
  @Persisted var given = Lucky(persistedValue: 7)
}

class Wheels: Object {
  @Persisted var one = Lucky(persistedValue: 7) ?? .first
  @Persisted var maybe: Lucky?
  @Persisted var list: List<Lucky>
  @Persisted var maybes: List<Lucky?>
  @Persisted var set: MutableSet<Lucky>
  @Persisted var map: Map<String, Lucky>
  @Persisted var maybeMap: Map<String, Lucky?>
}
