import KennelRealm
import RealmTestSupport
import Testing

/// Values of many kinds, alone and in collections, to be asked for.
class Sample: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var note: String?
  @Persisted var count: Int?
  @Persisted var limit: Int
  @Persisted var isGood: Bool
  @Persisted var weight: Double
  @Persisted var price: Decimal128
  @Persisted var day: Date
  @Persisted var bytes: Data
  @Persisted var uuid: UUID?
  @Persisted var objectId: ObjectId
  @Persisted var mood: Mood
  @Persisted var size: Size?
  @Persisted var any: AnyRealmValue
  @Persisted var partner: Sample?
  @Persisted var friends: List<Sample>
  @Persisted var numbers: List<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var marks: Map<String, Int>
  @Persisted var byName: Map<String, Sample?>
  @Persisted(originProperty: "friends") var admirers: LinkingObjects<Sample>
}

/// Properties with other names in the file.
class Renamed: Object {
  @Persisted var title: String
  @Persisted var other: Renamed?
  @Persisted(originProperty: "other") var origins: LinkingObjects<Renamed>

  override class func propertiesMapping() -> [String: String] {
    ["title": "stored_title", "other": "stored_other"]
  }
}

/// Makes three samples that know each other and hands them over, in a realm of their own.
func withSamples(_ body: (Results<Sample>, [Sample], Realm) throws -> Void) throws {
  try withRealm([Sample.self]) { realm in
    let names = ["Ada", "Bébé", "cäsar"]
    let samples = (1...3).map { (number: Int) -> Sample in
      let sample = Sample()
      sample.id = number
      sample.name = names[number - 1]
      sample.note = number == 1 ? nil : "note \(number)"
      sample.count = number == 3 ? nil : number * 10
      sample.limit = 10
      sample.isGood = number > 1
      sample.weight = Double(number) / 2
      sample.price = Decimal128(value: "0.\(number)")
      sample.day = Date(timeIntervalSince1970: Double(number) * 1_000)
      sample.bytes = Data([UInt8(number), 9])
      sample.mood = number == 2 ? .angry : .calm
      sample.size = number == 1 ? nil : .large
      sample.numbers.append(objectsIn: 1...number)
      sample.words.insert(objectsIn: ["w\(number)", "all"])
      sample.marks["math"] = number
      sample.marks["m\(number)"] = 0
      return sample
    }
    samples[0].any = .int(1)
    samples[1].any = .string("two")
    samples[2].uuid = UUID(uuidString: "123E4567-E89B-12D3-A456-426614174000")
    samples[0].partner = samples[1]
    samples[0].friends.append(objectsIn: [samples[1], samples[2]])
    samples[1].friends.append(samples[2])
    samples[1].byName["third"] = samples[2]
    try realm.write { realm.add(samples) }
    try body(realm.objects(Sample.self), samples, realm)
  }
}
