// swift-format-ignore-file
import KennelRealm

class R15_observationInfo: Object {
  @Persisted var e: List<String>
  @Persisted(primaryKey: true) var TypeValue: Int
  @Persisted var Typeobserve: Float

  override class func propertiesMapping() -> [String: String] {
    [
      "e": "e\u{301}",
      "TypeValue": "Type",
    ]
  }
}

class R15_hash: Object {
  @Persisted var hashValue2: UUID
  @Persisted var tail: UUID? = UUID(uuid: (155, 163, 246, 150, 85, 52, 74, 28, 100, 92, 9, 105, 170, 203, 181, 227))
  @Persisted var value: Map<String, Bool>

  override class func propertiesMapping() -> [String: String] {
    [
      "hashValue2": "hash",
      "tail": "tail ",
    ]
  }
}

class R15_in: EmbeddedObject {
  @Persisted var id: UUID
  @Persisted var classSelf: AnyRealmValue
  @Persisted var observationInfo: List<Int?>
  @Persisted var value: Double?
  @Persisted var age: MutableSet<Float?>
  @Persisted var AnyValue: Data = Data([0, 1, 244])
  @Persisted var `class`: Map<String, UUID?>

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
    ]
  }
}

class R15_observationInfo2: Object {
  @Persisted var e: Date? = Date(timeIntervalSince1970: 2738614886)
  @Persisted var unnamed: Date = Date(timeIntervalSince1970: 4067598716)
  @Persisted var _1st: Double
  @Persisted var _1stInt: Bool
  @Persisted var observationInfo: Float?
  @Persisted var __: List<Date>
  @Persisted var initValue: Double?
  @Persisted var inite: Bool?
  @Persisted var 日本: R15_in?

  override class func propertiesMapping() -> [String: String] {
    [
      "e": "e\u{301}",
      "unnamed": "\u{1f415}",
      "_1st": "1st",
      "_1stInt": "1stInt",
      "initValue": "init",
      "inite": "inite\u{301}",
    ]
  }
}

class R16_default: Object {
  @Persisted var List: Double
  @Persisted var xY: Float
  @Persisted var AnyValue: List<Data?>
  @Persisted var e: Date? = Date(timeIntervalSince1970: 343185252)
  @Persisted var money: List<UUID>
  @Persisted(primaryKey: true) var set: Int
  @Persisted var `in`: Int32? = 11
  @Persisted var realmValue: ObjectId
  @Persisted var Int: Bool?
  @Persisted var descriptionValue: Float?

  override class func propertiesMapping() -> [String: String] {
    [
      "xY": "x\"y",
      "AnyValue": "Any",
      "e": "e\u{301}",
      "money": "$money",
      "realmValue": "realm",
      "descriptionValue": "description",
    ]
  }
}

class R16_Int: Object {
  @Persisted var List: AnyRealmValue
  @Persisted(primaryKey: true) var set: Int?
}

class R16_realm: Object {
  @Persisted var value: R16_Int?
  @Persisted var get: Bool = true
  @Persisted var initValue: Map<String, ObjectId>
  @Persisted var unnamed: Map<String, Double?>
  @Persisted var set: ObjectId?
  @Persisted var init2: Map<String, R16_Int?>
  @Persisted var selfValue: List<UUID?>
  @Persisted(deleteRule: .cascade) var tail: R16_Int?
  @Persisted(deleteRule: .deny) var tail日本: R16_Int?
  @Persisted var größe: UUID?

  override class func propertiesMapping() -> [String: String] {
    [
      "initValue": "init",
      "unnamed": "\u{1f415}",
      "selfValue": "self",
      "tail": "tail ",
      "tail日本": "tail 日本",
    ]
  }
}

class R17___: Object {
  @Persisted var `where`: Data?
  @Persisted var AnyValue: Data = Data([0, 1, 163])
  @Persisted var unnamed: Double? = 6.5145484375
  @Persisted var StringValue: List<Int8?>
  @Persisted var backSlash: AnyRealmValue
  @Persisted(indexed: true) var identity: UUID
  @Persisted var name: Map<String, Int16?>
  @Persisted var firstName: Decimal128 = "147213771196261"
  @Persisted var id: MutableSet<AnyRealmValue>

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "unnamed": "\u{1f415}",
      "StringValue": "String",
      "backSlash": "back\\slash",
      "firstName": "first name",
    ]
  }
}

class R17_realm: EmbeddedObject {
  @Persisted var AnyValue: Map<String, UUID>
  @Persisted var Int: R17_List?
  @Persisted var observationInfo: Int = 1
  @Persisted var observe: AnyRealmValue
  @Persisted var age: Float?
  @Persisted var firstName: MutableSet<Double?>

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "firstName": "first name",
    ]
  }
}

class R17_default: EmbeddedObject {
  @Persisted var _id: Map<String, Date>
  @Persisted var aB: Int8?
  @Persisted var größe: Bool? = true
  @Persisted var hashValue2: MutableSet<UUID>
  @Persisted var getValue: String?
  @Persisted(indexed: true) var `in`: ObjectId = ObjectId("cfc8c934ed41112500000007")
  @Persisted var `where`: Double?
  @Persisted var get: Float = 96.25
  @Persisted var name: R17_realm?
  @Persisted var age: Float?
  @Persisted var e: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "aB": "a-b",
      "hashValue2": "hash",
      "getValue": "get\u{1f415}",
      "e": "e\u{301}",
    ]
  }
}

class R17_List: EmbeddedObject {
  @Persisted var observe: AnyRealmValue
  @Persisted var isFrozenValue: Decimal128? = "138148605008834"
  @Persisted var `default`: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "isFrozenValue": "isFrozen",
    ]
  }
}

class R18_where: Object {
  @Persisted var xY: Map<String, Data?>
  @Persisted var money: Map<String, Data>
  @Persisted var tail: R18_e?
  @Persisted var TypeValue: Data = Data([0, 1, 244])
  @Persisted var xY2: Data
  @Persisted(indexed: true) var `default`: UUID = UUID(uuid: (151, 2, 37, 83, 235, 208, 144, 41, 104, 253, 218, 172, 20, 47, 111, 214))
  @Persisted(indexed: true) var get: Date = Date(timeIntervalSince1970: 1721480412)
  @Persisted var realmValue: Map<String, Bool>
  @Persisted var set: AnyRealmValue
  @Persisted(indexed: true) var aB: ObjectId
  @Persisted var observe: Bool? = true
  @Persisted var _id: Double?

  override class func propertiesMapping() -> [String: String] {
    [
      "xY": "x\"y",
      "money": "$money",
      "tail": "tail ",
      "TypeValue": "Type",
      "xY2": "x\"y2",
      "realmValue": "realm",
      "aB": "a-b",
    ]
  }
}

class R18_e: Object {
  @Persisted var selfValue: String? = "e\u{301}\n\u{1b}\\(x)"
  @Persisted(primaryKey: true) var größe: Int
  @Persisted(originProperty: "tail") var Int: LinkingObjects<R18_where>

  override class func propertiesMapping() -> [String: String] {
    [
      "selfValue": "self",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R18_e\u{301}"
  }
}

class R19_self: Object {
  @Persisted var age: Date
  @Persisted(deleteRule: .cascadeIfLast) var __: R19_observe?
  @Persisted var money: Int8
  @Persisted(primaryKey: true) var set: UUID
  @Persisted(indexed: true) var größe: UUID = UUID(uuid: (214, 172, 119, 36, 226, 123, 70, 232, 41, 83, 136, 219, 29, 132, 185, 23))
  @Persisted var observe: MutableSet<UUID?>
  @Persisted var descriptionValue: UUID? = UUID(uuid: (177, 248, 201, 248, 237, 180, 166, 96, 78, 7, 54, 7, 18, 75, 89, 159))
  @Persisted var value: UUID?
  @Persisted var StringValue: Date
  @Persisted var hashValue2: Date? = Date(timeIntervalSince1970: 3199184872)
  @Persisted var isFrozenValue: String? = "observe\n\u{1b}\\(x)"

  override class func propertiesMapping() -> [String: String] {
    [
      "__": "_",
      "money": "$money",
      "descriptionValue": "description",
      "StringValue": "String",
      "hashValue2": "hash",
      "isFrozenValue": "isFrozen",
    ]
  }
}

class R19_default: Object {
  @Persisted var AnyValue: List<String?>
  @Persisted var value: Data?
  @Persisted(indexed: true) var get: Int32
  @Persisted var `class`: Double
  @Persisted var List: MutableSet<Data?>
  @Persisted var backSlash: Bool?
  @Persisted var StringValue: Decimal128
  @Persisted var TypeValue: UUID? = UUID(uuid: (9, 157, 211, 107, 34, 98, 92, 214, 246, 98, 44, 148, 221, 157, 163, 41))
  @Persisted var context: Int8
  @Persisted var Int: Double
  @Persisted(indexed: true) var größe: Int32? = -57
  @Persisted var aB: Int8?

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "backSlash": "back\\slash",
      "StringValue": "String",
      "TypeValue": "Type",
      "aB": "a-b",
    ]
  }
}

class R19_id: Object {
  @Persisted var _1st: Double?
  @Persisted var hashValue2: AnyRealmValue
  @Persisted var unnamed: Map<String, ObjectId>
  @Persisted(primaryKey: true) var `in`: String

  override class func propertiesMapping() -> [String: String] {
    [
      "_1st": "1st",
      "hashValue2": "hash",
      "unnamed": "\u{1f415}",
    ]
  }
}

class R19_observe: Object {
  @Persisted(primaryKey: true) var Int: Int
  @Persisted var id: List<Int?>
  @Persisted var set: UUID?
  @Persisted var name: Map<String, String?>
  @Persisted var initValue: UUID? = UUID(uuid: (97, 231, 177, 245, 152, 27, 254, 170, 158, 24, 78, 10, 103, 228, 1, 85))
  @Persisted var value: Date = Date(timeIntervalSince1970: 3193295207)
  @Persisted var tail: List<AnyRealmValue>
  @Persisted(originProperty: "__") var get: LinkingObjects<R19_self>

  override class func propertiesMapping() -> [String: String] {
    [
      "initValue": "init",
      "tail": "tail ",
    ]
  }
}

class R19_tail: EmbeddedObject {
  @Persisted var `default`: MutableSet<String?>
  @Persisted var age: Double
  @Persisted(deleteRule: .cascadeIfLast) var identity: R19_default?
  @Persisted var __: Map<String, Int16>
  @Persisted var observe: Decimal128
  @Persisted var hashValue2: Date?
  @Persisted var set: Data

  override class func propertiesMapping() -> [String: String] {
    [
      "hashValue2": "hash",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R19_tail "
  }
}

let randomModels4: [[ObjectBase.Type]] = [
  [R15_observationInfo.self, R15_hash.self, R15_in.self, R15_observationInfo2.self],
  [R16_default.self, R16_Int.self, R16_realm.self],
  [R17___.self, R17_realm.self, R17_default.self, R17_List.self],
  [R18_where.self, R18_e.self],
  [R19_self.self, R19_default.self, R19_id.self, R19_observe.self, R19_tail.self],
]
