// swift-format-ignore-file
import KennelRealm

class R10_in: Object {
  @Persisted var `in`: Date? = Date(timeIntervalSince1970: 2594043788)
  @Persisted var `class`: UUID?
  @Persisted var name: Double? = 32.8680640625
  @Persisted var initValue: String?
  @Persisted var Int: MutableSet<Bool?>
  @Persisted(indexed: true) var context: UUID = UUID(uuid: (45, 219, 191, 99, 160, 49, 55, 246, 210, 36, 64, 156, 95, 206, 200, 9))
  @Persisted var aB: Map<String, Decimal128?>
  @Persisted var get: Bool = true
  @Persisted(deleteRule: .deny) var observe: List<R10_in>
  @Persisted(primaryKey: true) var _id: UUID
  @Persisted var context2: UUID
  @Persisted var _idwrappedValue: Float?
  @Persisted(indexed: true) var backSlash: Date = Date(timeIntervalSince1970: 3251095174)

  override class func propertiesMapping() -> [String: String] {
    [
      "initValue": "init",
      "aB": "a-b",
      "backSlash": "back\\slash",
    ]
  }
}

class R10_any: EmbeddedObject {
  @Persisted(indexed: true) var AnyValue: Int32
  @Persisted var set: MutableSet<Bool>
  @Persisted var _٣: ObjectId? = ObjectId("c9a0c57068e1120700000007")
  @Persisted var wrappedValue: Float?
  @Persisted var freeze: Date?
  @Persisted var `in`: Double = 0.595603125
  @Persisted var 日本: MutableSet<ObjectId>
  @Persisted var e: MutableSet<String>
  @Persisted var unnamed: Map<String, Date?>
  @Persisted var List: Date?
  @Persisted var Int: ObjectId
  @Persisted var List2: List<AnyRealmValue>

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "_\u{663}": "\u{663}",
      "e": "e\u{301}",
      "unnamed": "\u{1f415}",
    ]
  }
}

class R11_日本: Object {
  @Persisted var identity: Map<String, Float?>
  @Persisted var _id: Map<String, Float>
  @Persisted var tail: Map<String, R11_String?>
  @Persisted var lazy: String?
  @Persisted var initValue: List<Decimal128>
  @Persisted var lazyfirstName: MutableSet<R11_String>
  @Persisted var firstName: ObjectId
  @Persisted var AnyValue: Map<String, Data?>
  @Persisted var unnamed: R11_e?
  @Persisted var _idxY: Int?

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
      "initValue": "init",
      "lazyfirstName": "lazyfirst name",
      "firstName": "first name",
      "AnyValue": "Any",
      "unnamed": "\u{1f415}",
      "_idxY": "_idx\"y",
    ]
  }
}

class R11_String: Object {
  @Persisted var `default`: UUID
  @Persisted(primaryKey: true) var AnyValue: String
  @Persisted var backSlash: ObjectId
  @Persisted var tick: Date?
  @Persisted var e: MutableSet<AnyRealmValue>
  @Persisted(deleteRule: .cascadeIfLast) var `class`: List<R11_String>
  @Persisted var tail: List<Decimal128>
  @Persisted(originProperty: "class") var tail2: LinkingObjects<R11_String>

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "backSlash": "back\\slash",
      "tick": "`tick`",
      "e": "e\u{301}",
      "tail": "tail ",
      "tail2": "tail 2",
    ]
  }
}

class R11_e: EmbeddedObject {
  @Persisted var firstName: Map<String, Date?>
  @Persisted var firstNameValue: Double
  @Persisted var money: List<R11_e>
  @Persisted(indexed: true) var List: ObjectId = ObjectId("e8d3cad41929e59400000007")
  @Persisted var observe: Int16?
  @Persisted var identity: List<Bool?>

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name\u{1f415}",
      "firstNameValue": "first name",
      "money": "$money",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R11_e\u{301}"
  }
}

class R12_٣: Object {
  @Persisted(deleteRule: .deny) var tick: MutableSet<R12_٣>
  @Persisted var elements: MutableSet<ObjectId>

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
    ]
  }
}

class R12_lazy: EmbeddedObject {
  @Persisted var identity: List<Bool?>
  @Persisted var get: List<String>
  @Persisted var context: MutableSet<Int8?>
  @Persisted var get2: Decimal128
  @Persisted var wrappedValue: MutableSet<Int?>
  @Persisted var Int: Decimal128?
  @Persisted var 日本: ObjectId? = ObjectId("4b11c43e2a74d67f00000007")
}

class R12__: Object {
  @Persisted var __Value: Map<String, AnyRealmValue>
  @Persisted var context: Map<String, Data?>
  @Persisted var __: R12_Self?
  @Persisted(indexed: true) var e: String
  @Persisted var realmValue: List<Data>
  @Persisted var tail: Decimal128?
  @Persisted var isFrozenValue: Float?
  @Persisted var age: Data? = Data([0, 1, 24])
  @Persisted var `default`: Float
  @Persisted(indexed: true) var wrappedValue: Bool? = true
  @Persisted var backSlash: Int?
  @Persisted(primaryKey: true) var descriptionValue: String?
  @Persisted var money: Map<String, Double>

  override class func propertiesMapping() -> [String: String] {
    [
      "__Value": "_",
      "e": "e\u{301}",
      "realmValue": "realm",
      "tail": "tail ",
      "isFrozenValue": "isFrozen",
      "backSlash": "back\\slash",
      "descriptionValue": "description",
      "money": "$money",
    ]
  }
}

class R12_Self: EmbeddedObject {
  @Persisted var id: List<R12_Self>
  @Persisted(indexed: true) var age: Bool = true
  @Persisted var observationInfo: Double?
  @Persisted var context: Double = 18.8983375
  @Persisted var `class`: Map<String, Data>
  @Persisted var `default`: Data = Data([0, 1, 122])
  @Persisted var firstName: List<String>
  @Persisted var `where`: Decimal128 = "160829060789268"
  @Persisted var aB: Double?
  @Persisted var money: UUID?

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name",
      "aB": "a-b",
      "money": "$money",
    ]
  }
}

class R13___: Object {
  @Persisted var hashrealm: List<Int>
  @Persisted var identity: Decimal128
  @Persisted var context2: AnyRealmValue
  @Persisted var `some`: ObjectId?
  @Persisted(primaryKey: true) var wrappedValue: ObjectId
  @Persisted var initValue: ObjectId
  @Persisted var context: ObjectId?
  @Persisted var get: List<UUID>
  @Persisted var hashValue2: List<Double?>
  @Persisted var money: Double = 60.6249
  @Persisted var init2: AnyRealmValue
  @Persisted(originProperty: "get") var __: LinkingObjects<R13_Money>

  override class func propertiesMapping() -> [String: String] {
    [
      "initValue": "init",
      "hashValue2": "hash",
      "money": "$money",
      "__": "_",
    ]
  }
}

class R13_aB: Object {
  @Persisted var wrappedValue2: Map<String, String>
  @Persisted var wrappedValue: List<String>
  @Persisted var get: Date?
  @Persisted(primaryKey: true) var _1st: ObjectId

  override class func propertiesMapping() -> [String: String] {
    [
      "_1st": "1st",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R13_a-b"
  }
}

class R13_Money: Object {
  @Persisted var aB: String?
  @Persisted(deleteRule: .cascadeIfLast) var get: Map<String, R13___?>
  @Persisted var AnyValue: Map<String, Data?>
  @Persisted var descriptionValue: AnyRealmValue
  @Persisted(indexed: true) var realmValue: Bool
  @Persisted var backSlash: AnyRealmValue
  @Persisted(primaryKey: true) var ǅ: ObjectId
  @Persisted var `in`: Float = 1.625

  override class func propertiesMapping() -> [String: String] {
    [
      "aB": "a-b",
      "AnyValue": "Any",
      "descriptionValue": "description",
      "realmValue": "realm",
      "backSlash": "back\\slash",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R13_$money"
  }
}

class R13_: Object {
  @Persisted var tick: Decimal128
  @Persisted(indexed: true) var SelfValue: ObjectId?
  @Persisted var context: List<ObjectId?>
  @Persisted var `default`: AnyRealmValue
  @Persisted var age: Data?
  @Persisted var ǅ: Map<String, AnyRealmValue>
  @Persisted var `where`: List<Float>
  @Persisted var firstName: UUID?

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
      "SelfValue": "Self",
      "firstName": "first name",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R13_\u{1f415}"
  }
}

class R13_set: EmbeddedObject {
  @Persisted(indexed: true) var tick: String
  @Persisted var lazy: Map<String, AnyRealmValue>
  @Persisted var _id: Decimal128?
  @Persisted(indexed: true) var e: Bool?
  @Persisted var isFrozenValue: List<UUID?>
  @Persisted var observationInfo: Double
  @Persisted var ǅ: List<Int8?>

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
      "e": "e\u{301}",
      "isFrozenValue": "isFrozen",
    ]
  }
}

class R14_default: Object {
  @Persisted var id: Map<String, Data>
  @Persisted(primaryKey: true) var SelfValue: ObjectId?
  @Persisted var List: List<R14_identity>

  override class func propertiesMapping() -> [String: String] {
    [
      "SelfValue": "Self",
    ]
  }
}

class R14_identity: EmbeddedObject {
  @Persisted var realmValue: Map<String, Float?>
  @Persisted var tail: Data? = Data([0, 1, 101])
  @Persisted(indexed: true) var 日本: Bool?
  @Persisted var unnamed: Map<String, Float>
  @Persisted var context: Double? = 58.1844703125
  @Persisted var money: Double?
  @Persisted var observationInfo: String?

  override class func propertiesMapping() -> [String: String] {
    [
      "realmValue": "realm",
      "tail": "tail ",
      "unnamed": "\u{1f415}",
      "money": "$money",
    ]
  }
}

class R14___: Object {
  @Persisted var age: Decimal128
  @Persisted(primaryKey: true) var elements: String?
}

class R14__id: EmbeddedObject {
  @Persisted var lazy: Decimal128 = "171892677764913"
  @Persisted var List: Date?
  @Persisted var hashValue2: Float?
  @Persisted var descriptionValue: MutableSet<Float?>
  @Persisted var aB: Map<String, UUID?>

  override class func propertiesMapping() -> [String: String] {
    [
      "hashValue2": "hash",
      "descriptionValue": "description",
      "aB": "a-b",
    ]
  }
}

let randomModels3: [[ObjectBase.Type]] = [
  [R10_in.self, R10_any.self],
  [R11_日本.self, R11_String.self, R11_e.self],
  [R12_٣.self, R12_lazy.self, R12__.self, R12_Self.self],
  [R13___.self, R13_aB.self, R13_Money.self, R13_.self, R13_set.self],
  [R14_default.self, R14_identity.self, R14___.self, R14__id.self],
]
