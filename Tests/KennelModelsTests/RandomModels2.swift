// swift-format-ignore-file
import KennelRealm

class R5_Self: Object {
  @Persisted var `any`: List<Int>
  @Persisted var isEqual: Map<String, Int16?>
  @Persisted var backSlash: Double
  @Persisted(primaryKey: true) var tick: ObjectId
  @Persisted var name: String?
  @Persisted var SelfValue: Data
  @Persisted var initValue: Data? = Data([0, 1, 239])

  override class func propertiesMapping() -> [String: String] {
    [
      "backSlash": "back\\slash",
      "tick": "`tick`",
      "SelfValue": "Self",
      "initValue": "init",
    ]
  }
}

class R5_init: EmbeddedObject {
  @Persisted var get: UUID?
  @Persisted var observationInfo: R5_backSlash?
  @Persisted var xY: List<String>
  @Persisted var List: MutableSet<Date>
  @Persisted var lazy: Float
  @Persisted var _٣: Float?
  @Persisted var freeze: Data
  @Persisted var _id: Double? = 56.69130625
  @Persisted var money: List<Data?>
  @Persisted var idValue: AnyRealmValue
  @Persisted var tick: Int8?

  override class func propertiesMapping() -> [String: String] {
    [
      "xY": "x\"y",
      "_\u{663}": "\u{663}",
      "money": "$money",
      "idValue": "id",
      "tick": "`tick`",
    ]
  }
}

class R5_backSlash: EmbeddedObject {
  @Persisted var isFrozenValue: List<Bool?>
  @Persisted var get: Int32
  @Persisted var `default`: Date?
  @Persisted var name: Map<String, UUID?>
  @Persisted var _id: AnyRealmValue
  @Persisted(indexed: true) var Sendable: Int32
  @Persisted var age: Data = Data([0, 1, 229])
  @Persisted var SelfValue: Date = Date(timeIntervalSince1970: 2855297774)

  override class func propertiesMapping() -> [String: String] {
    [
      "isFrozenValue": "isFrozen",
      "SelfValue": "Self",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R5_back\\slash"
  }
}

class R6_isFrozen: Object {
  @Persisted var name: MutableSet<Data>
  @Persisted var observationInfo: List<Float?>
  @Persisted var identity: Date = Date(timeIntervalSince1970: 2054479398)
  @Persisted var elements: Decimal128
  @Persisted var StringValue: Int = 39
  @Persisted var observe: Map<String, Date>
  @Persisted(originProperty: "StringValue") var elements2: LinkingObjects<R6_init>

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
    ]
  }
}

class R6_init: EmbeddedObject {
  @Persisted var unnamed: UUID
  @Persisted var isEqual: Decimal128?
  @Persisted var größe: Data = Data([0, 1, 63])
  @Persisted var e: List<Int32?>
  @Persisted var money: AnyRealmValue
  @Persisted var backSlash: Float = 73.375
  @Persisted var elements: Date?
  @Persisted(deleteRule: .cascade) var StringValue: R6_isFrozen?
  @Persisted var _id: Date

  override class func propertiesMapping() -> [String: String] {
    [
      "unnamed": "\u{1f415}",
      "e": "e\u{301}",
      "money": "$money",
      "backSlash": "back\\slash",
      "StringValue": "String",
    ]
  }
}

class R6_any: Object {
  @Persisted var `where`: MutableSet<Float?>
  @Persisted var e: Float?
  @Persisted(indexed: true) var AnyValue: UUID
  @Persisted(indexed: true) var `default`: Bool
  @Persisted(primaryKey: true) var set: String
  @Persisted var _id: MutableSet<Int32?>
  @Persisted var TypeValue: MutableSet<Int32?>
  @Persisted var where2: Data?
  @Persisted var elements: AnyRealmValue
  @Persisted(indexed: true) var firstName: UUID?
  @Persisted var money: List<Date>
  @Persisted var aB: Map<String, AnyRealmValue>

  override class func propertiesMapping() -> [String: String] {
    [
      "e": "e\u{301}",
      "AnyValue": "Any",
      "TypeValue": "Type",
      "firstName": "first name",
      "money": "$money",
      "aB": "a-b",
    ]
  }
}

class R6_firstName: EmbeddedObject {
  @Persisted var set: List<ObjectId?>

  override class func _realmObjectName() -> String? {
    "R6_first name"
  }
}

class R6_lazy: EmbeddedObject {
  @Persisted var `class`: MutableSet<AnyRealmValue>
  @Persisted var class2: MutableSet<Date>
  @Persisted var observationInfo: Double? = 1.357321875
  @Persisted(deleteRule: .cascadeIfLast) var isEqual: List<R6_any>
  @Persisted var `any`: ObjectId
}

class R7_name: Object {
  @Persisted var AnyValue: Map<String, R7_größe?>
  @Persisted(primaryKey: true) var tail: String?
  @Persisted var initValue: Map<String, Double>

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "tail": "tail ",
      "initValue": "init",
    ]
  }
}

class R7_where: Object {
  @Persisted var set: Bool = true
  @Persisted(primaryKey: true) var unnamed: UUID?
  @Persisted var id: MutableSet<Date?>
  @Persisted var AnyValue: Bool?
  @Persisted var money: Date?
  @Persisted var age: Map<String, Decimal128?>
  @Persisted var aB: String?
  @Persisted var context2: Double? = 7.3514625
  @Persisted var größe: List<ObjectId?>
  @Persisted var _2: String
  @Persisted var context: Bool?
  @Persisted(indexed: true) var _٣: Date

  override class func propertiesMapping() -> [String: String] {
    [
      "unnamed": "\u{1f415}",
      "AnyValue": "Any",
      "money": "$money",
      "aB": "a-b",
      "_2": "\u{1f415}2",
      "_\u{663}": "\u{663}",
    ]
  }
}

class R7_größe: Object {
  @Persisted(indexed: true) var observationInfo: Date
  @Persisted var `default`: Float = 17.125
  @Persisted var any2: Map<String, Int32>
  @Persisted(indexed: true) var Sendable: Date? = Date(timeIntervalSince1970: 509152145)
  @Persisted var `any`: List<ObjectId>
  @Persisted var tick: ObjectId?
  @Persisted var xY: List<R7_größe>
  @Persisted(primaryKey: true) var List: ObjectId?
  @Persisted var aB: MutableSet<Double?>
  @Persisted(originProperty: "AnyValue") var StringValue: LinkingObjects<R7_name>
  @Persisted(originProperty: "xY") var money: LinkingObjects<R7_größe>

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
      "xY": "x\"y",
      "aB": "a-b",
      "StringValue": "String",
      "money": "$money",
    ]
  }
}

class R8_observationInfo: Object {
  @Persisted var _٣: Map<String, R8_backSlash?>
  @Persisted(primaryKey: true) var realmValue: ObjectId
  @Persisted var größe: Double?
  @Persisted var initValue: Data
  @Persisted var name: Map<String, Bool>
  @Persisted var Sendable: ObjectId?
  @Persisted var TypeValue: UUID?
  @Persisted var _1st: Decimal128? = "110396608848978"
  @Persisted var unnamed: String?
  @Persisted(indexed: true) var 日本: Int? = -45

  override class func propertiesMapping() -> [String: String] {
    [
      "_\u{663}": "\u{663}",
      "realmValue": "realm",
      "initValue": "init",
      "TypeValue": "Type",
      "_1st": "1st",
      "unnamed": "\u{1f415}",
    ]
  }
}

class R8_Any: Object {
  @Persisted var Int: Double
  @Persisted var get: Map<String, Bool>
  @Persisted var isFrozenValue: ObjectId
  @Persisted(primaryKey: true) var name: ObjectId
  @Persisted var tick: Date
  @Persisted var aB: AnyRealmValue
  @Persisted var realmValue: Bool? = true
  @Persisted var freeze: R8_observationInfo?
  @Persisted(indexed: true) var 日本: UUID
  @Persisted var _٣: ObjectId?
  @Persisted var getobserve: Map<String, UUID?>

  override class func propertiesMapping() -> [String: String] {
    [
      "isFrozenValue": "isFrozen",
      "tick": "`tick`",
      "aB": "a-b",
      "realmValue": "realm",
      "_\u{663}": "\u{663}",
    ]
  }
}

class R8_backSlash: EmbeddedObject {
  @Persisted var firstName: R8_xY?
  @Persisted(indexed: true) var StringValue: UUID?
  @Persisted var ǅ: Data?
  @Persisted var elements: UUID

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name",
      "StringValue": "String",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R8_back\\slash"
  }
}

class R8_xY: Object {
  @Persisted(indexed: true) var größe: Int32
  @Persisted var observe: Float?
  @Persisted var firstName: Map<String, UUID>
  @Persisted var initValue: Map<String, AnyRealmValue>
  @Persisted var `default`: List<R8_isFrozen>
  @Persisted var set: Decimal128
  @Persisted var AnyValue: String
  @Persisted var tick: Map<String, AnyRealmValue>
  @Persisted(primaryKey: true) var xY: Int
  @Persisted var `where`: MutableSet<Decimal128>
  @Persisted var elements: Data? = Data([0, 1, 27])

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name",
      "initValue": "init",
      "AnyValue": "Any",
      "tick": "`tick`",
      "xY": "x\"y",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R8_x\"y"
  }
}

class R8_isFrozen: EmbeddedObject {
  @Persisted var `any`: R8_Any?
  @Persisted var freeze: Map<String, Bool>
  @Persisted var id: Decimal128 = "81571121750466"
  @Persisted var AnyValue: String? = "Int\n\u{1b}\\(x)"

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
    ]
  }
}

class R9_Self: Object {
  @Persisted var selfValue: MutableSet<Float>
  @Persisted(primaryKey: true) var Sendable: Int
  @Persisted var größe: Date
  @Persisted var value: Data? = Data([0, 1, 92])
  @Persisted var `class`: UUID? = UUID(uuid: (235, 86, 59, 147, 113, 61, 163, 116, 20, 169, 196, 108, 142, 194, 92, 139))
  @Persisted var StringValue: UUID? = UUID(uuid: (121, 26, 188, 163, 38, 206, 187, 221, 134, 229, 67, 92, 217, 49, 68, 34))
  @Persisted var initValue: Map<String, Bool?>
  @Persisted var tail: Data = Data([0, 1, 0])
  @Persisted(originProperty: "StringValue") var __: LinkingObjects<R9__id>

  override class func propertiesMapping() -> [String: String] {
    [
      "selfValue": "self",
      "StringValue": "String",
      "initValue": "init",
      "tail": "tail ",
    ]
  }
}

class R9__id: EmbeddedObject {
  @Persisted(deleteRule: .cascadeIfLast) var StringValue: R9_Self?
  @Persisted var set: Map<String, R9_init?>
  @Persisted var tick: List<R9__id>

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
      "tick": "`tick`",
    ]
  }
}

class R9_init: EmbeddedObject {
  @Persisted(indexed: true) var lazy: Int?
  @Persisted var set: AnyRealmValue
  @Persisted var realmValue: ObjectId?
  @Persisted var StringValue: Double

  override class func propertiesMapping() -> [String: String] {
    [
      "realmValue": "realm",
      "StringValue": "String",
    ]
  }
}

class R9_elements: Object {
  @Persisted var `class`: ObjectId = ObjectId("f13a2b370b824b9d00000007")
  @Persisted(primaryKey: true) var Int: ObjectId
  @Persisted var _id: Int16? = -5
  @Persisted var AnyValue: R9__idfirstName?
  @Persisted var `default`: Map<String, Double>
  @Persisted var Intclass: Double = 28.48818125
  @Persisted var `in`: ObjectId?
  @Persisted var SelfValue: MutableSet<String>
  @Persisted var List: Float = 122.625

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "SelfValue": "Self",
    ]
  }
}

class R9__idfirstName: EmbeddedObject {
  @Persisted var tick: Map<String, Float?>

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R9__idfirst name"
  }
}

let randomModels2: [[ObjectBase.Type]] = [
  [R5_Self.self, R5_init.self, R5_backSlash.self],
  [R6_isFrozen.self, R6_init.self, R6_any.self, R6_firstName.self, R6_lazy.self],
  [R7_name.self, R7_where.self, R7_größe.self],
  [R8_observationInfo.self, R8_Any.self, R8_backSlash.self, R8_xY.self, R8_isFrozen.self],
  [R9_Self.self, R9__id.self, R9_init.self, R9_elements.self, R9__idfirstName.self],
]
