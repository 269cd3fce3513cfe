// swift-format-ignore-file
import KennelRealm

class R15_id: Object {
  @Persisted var set: List<String>
  @Persisted(primaryKey: true) var hashValue2: Int
  @Persisted var hashe: Float

  override class func propertiesMapping() -> [String: String] {
    [
      "hashValue2": "hash",
      "hashe": "hashe\u{301}",
    ]
  }
}

class R15_1st: Object {
  @Persisted var firstName: UUID
  @Persisted var List: UUID? = UUID(uuid: (155, 163, 246, 150, 85, 52, 74, 28, 100, 92, 9, 105, 170, 203, 181, 227))
  @Persisted var `any`: Map<String, Bool>

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name",
    ]
  }
}

class R15_lazy: EmbeddedObject {
  @Persisted var `default`: AnyRealmValue
  @Persisted var wrappedValue: UUID
  @Persisted var `class`: Map<String, UUID?>
  @Persisted(indexed: true) var tail: ObjectId
  @Persisted var age: MutableSet<Float?>
  @Persisted var value: Data = Data([0, 1, 244])
  @Persisted var isEqual: Double?

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
    ]
  }
}

class R15_id2: Object {
  @Persisted(primaryKey: true) var e: Int
  @Persisted var id: Float?
  @Persisted var aB: Double
  @Persisted var aBTick: Bool
  @Persisted var descriptionValue: Double?
  @Persisted(indexed: true) var `some`: Bool
  @Persisted var descriptionvalue: Bool?
  @Persisted var money: R15_lazy?
  @Persisted var Int: Date = Date(timeIntervalSince1970: 4067598716)
  @Persisted var unnamed: List<Date>

  override class func propertiesMapping() -> [String: String] {
    [
      "e": "e\u{301}",
      "aB": "a-b",
      "aBTick": "a-b`tick`",
      "descriptionValue": "description",
      "money": "$money",
      "unnamed": "\u{1f415}",
    ]
  }
}

class R16_self: Object {
  @Persisted var realmValue: Float?
  @Persisted(indexed: true) var value2: Date? = Date(timeIntervalSince1970: 1065072984)
  @Persisted var value: List<Data?>
  @Persisted var größe: ObjectId
  @Persisted(primaryKey: true) var freeze: Int
  @Persisted var lazy: Int32? = 11
  @Persisted var isFrozenValue: Float
  @Persisted var tick: Bool?
  @Persisted var context: Double
  @Persisted var tail: Decimal128 = "94785027159052"

  override class func propertiesMapping() -> [String: String] {
    [
      "realmValue": "realm",
      "isFrozenValue": "isFrozen",
      "tick": "`tick`",
      "tail": "tail ",
    ]
  }
}

class R16_Tick: Object {
  @Persisted var name: AnyRealmValue
  @Persisted(deleteRule: .cascade) var `class`: R16_1st?
  @Persisted var money: Date?
  @Persisted var id: Map<String, Int32>
  @Persisted(primaryKey: true) var unnamed: Int
  @Persisted var _٣: Decimal128 = "159992617512737"
  @Persisted var identity: Date?
  @Persisted var SelfValue: Map<String, Data>
  @Persisted var `default`: Data?

  override class func propertiesMapping() -> [String: String] {
    [
      "money": "$money",
      "unnamed": "\u{1f415}",
      "_\u{663}": "\u{663}",
      "SelfValue": "Self",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R16_`tick`"
  }
}

class R16_1st: Object {
  @Persisted var backSlash: MutableSet<AnyRealmValue>
  @Persisted var get: MutableSet<Data>
  @Persisted(indexed: true) var `some`: String
  @Persisted(primaryKey: true) var freeze: String
  @Persisted var `default`: Map<String, Decimal128>
  @Persisted(originProperty: "class") var set: LinkingObjects<R16_Tick>

  override class func propertiesMapping() -> [String: String] {
    [
      "backSlash": "back\\slash",
    ]
  }
}

class R17_backSlash: Object {
  @Persisted var get: Data?
  @Persisted var identity: Data = Data([0, 1, 163])
  @Persisted var StringValue: Double? = 6.5145484375
  @Persisted var observationInfo: List<Int8?>
  @Persisted var Int: AnyRealmValue
  @Persisted(indexed: true) var `some`: UUID
  @Persisted var name: Map<String, Int16?>
  @Persisted var 日本: Decimal128 = "147213771196261"
  @Persisted var ǅ: MutableSet<AnyRealmValue>

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R17_back\\slash"
  }
}

class R17_1st: EmbeddedObject {
  @Persisted var value: Map<String, UUID>
  @Persisted var tick: R17_identity?
  @Persisted var id: Int = 1
  @Persisted var `where`: AnyRealmValue
  @Persisted var age: Float?
  @Persisted var größe: MutableSet<Double?>

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
    ]
  }
}

class R17_self: EmbeddedObject {
  @Persisted(indexed: true) var lazy: ObjectId = ObjectId("cfc8c934ed41112500000007")
  @Persisted var firstName: MutableSet<UUID>
  @Persisted var get: Double?
  @Persisted var Sendable٣: MutableSet<UUID>
  @Persisted var __: Bool? = true
  @Persisted var ageString: R17_1st?
  @Persisted var __2: String
  @Persisted var Sendable: Float = 96.25
  @Persisted var money: Int8?
  @Persisted var age: Float?
  @Persisted var SendableString: String?

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name",
      "money": "$money",
    ]
  }
}

class R17_identity: EmbeddedObject {
  @Persisted var StringValue: Map<String, Float?>

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
    ]
  }
}

class R18_get: Object {
  @Persisted var isFrozenValue: Map<String, Data?>
  @Persisted var tail: Map<String, Data>
  @Persisted var List: R18_set?
  @Persisted var hashValue2: Data = Data([0, 1, 244])
  @Persisted var isFrozen2: Data
  @Persisted(indexed: true) var selfValue: UUID = UUID(uuid: (151, 2, 37, 83, 235, 208, 144, 41, 104, 253, 218, 172, 20, 47, 111, 214))
  @Persisted(indexed: true) var Sendable: Date = Date(timeIntervalSince1970: 1721480412)
  @Persisted var größe: Map<String, Bool>
  @Persisted var isEqual: AnyRealmValue
  @Persisted(indexed: true) var money: ObjectId
  @Persisted var `where`: Bool? = true
  @Persisted var elements: Double?

  override class func propertiesMapping() -> [String: String] {
    [
      "isFrozenValue": "isFrozen",
      "tail": "tail ",
      "hashValue2": "hash",
      "selfValue": "self",
      "money": "$money",
    ]
  }
}

class R18_set: Object {
  @Persisted var initValue: String? = "set\n\u{1b}\\(x)"
  @Persisted(primaryKey: true) var __: Int
  @Persisted(originProperty: "List") var `where`: LinkingObjects<R18_get>

  override class func propertiesMapping() -> [String: String] {
    [
      "initValue": "init",
      "__": "_",
    ]
  }
}

class R19_init: Object {
  @Persisted var age: Date
  @Persisted(deleteRule: .cascadeIfLast) var backSlash: R19_where?
  @Persisted var tail: Int8
  @Persisted(primaryKey: true) var freeze: UUID
  @Persisted(indexed: true) var __: UUID = UUID(uuid: (214, 172, 119, 36, 226, 123, 70, 232, 41, 83, 136, 219, 29, 132, 185, 23))
  @Persisted var `where`: MutableSet<UUID?>
  @Persisted var hashValue2: UUID? = UUID(uuid: (177, 248, 201, 248, 237, 180, 166, 96, 78, 7, 54, 7, 18, 75, 89, 159))
  @Persisted var `any`: UUID?
  @Persisted var observationInfo: Date
  @Persisted var realmValue: Date? = Date(timeIntervalSince1970: 3199184872)
  @Persisted var e: String? = "where\n\u{1b}\\(x)"

  override class func propertiesMapping() -> [String: String] {
    [
      "backSlash": "back\\slash",
      "tail": "tail ",
      "__": "_",
      "hashValue2": "hash",
      "realmValue": "realm",
      "e": "e\u{301}",
    ]
  }
}

class R19_self: Object {
  @Persisted var value: List<String?>
  @Persisted var isEqual: Data?
  @Persisted(indexed: true) var Sendable: Int32
  @Persisted var `default`: Double
  @Persisted var identity: MutableSet<Data?>
  @Persisted var observe: Bool?
  @Persisted var context: Decimal128
  @Persisted var hashValue2: UUID? = UUID(uuid: (9, 157, 211, 107, 34, 98, 92, 214, 246, 98, 44, 148, 221, 157, 163, 41))
  @Persisted var id: Int8
  @Persisted var tick: Double
  @Persisted(indexed: true) var __: Int32? = -57
  @Persisted var xY: Int8?

  override class func propertiesMapping() -> [String: String] {
    [
      "hashValue2": "hash",
      "tick": "`tick`",
      "xY": "x\"y",
    ]
  }
}

class R19_ǅ: Object {
  @Persisted var aB: Double?
  @Persisted var firstName: AnyRealmValue
  @Persisted var StringValue: Map<String, ObjectId>
  @Persisted(primaryKey: true) var lazy: String

  override class func propertiesMapping() -> [String: String] {
    [
      "aB": "a-b",
      "firstName": "first name",
      "StringValue": "String",
    ]
  }
}

class R19_where: Object {
  @Persisted(primaryKey: true) var tick: Int
  @Persisted var ǅ: List<Int?>
  @Persisted var isEqual: UUID?
  @Persisted var name: Map<String, String?>
  @Persisted var TypeValue: UUID? = UUID(uuid: (97, 231, 177, 245, 152, 27, 254, 170, 158, 24, 78, 10, 103, 228, 1, 85))
  @Persisted var `any`: Date = Date(timeIntervalSince1970: 3193295207)
  @Persisted var AnyValue: List<AnyRealmValue>
  @Persisted(originProperty: "backSlash") var Sendable: LinkingObjects<R19_init>

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
      "TypeValue": "Type",
      "AnyValue": "Any",
    ]
  }
}

class R19_List: EmbeddedObject {
  @Persisted var `default`: MutableSet<String?>
  @Persisted var age: Double
  @Persisted(deleteRule: .cascadeIfLast) var `any`: R19_self?
  @Persisted var unnamed: Map<String, Int16>
  @Persisted var `where`: Decimal128
  @Persisted var firstName: Date?
  @Persisted var isEqual: Data

  override class func propertiesMapping() -> [String: String] {
    [
      "unnamed": "\u{1f415}",
      "firstName": "first name",
    ]
  }
}

let randomModels4: [[ObjectBase.Type]] = [
  [R15_id.self, R15_1st.self, R15_lazy.self, R15_id2.self],
  [R16_self.self, R16_Tick.self, R16_1st.self],
  [R17_backSlash.self, R17_1st.self, R17_self.self, R17_identity.self],
  [R18_get.self, R18_set.self],
  [R19_init.self, R19_self.self, R19_ǅ.self, R19_where.self, R19_List.self],
]
