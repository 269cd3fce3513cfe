// swift-format-ignore-file
import KennelRealm

class R5_Tick: Object {
  @Persisted var value: List<Int>
  @Persisted var value2: Map<String, Int16?>
  @Persisted var `where`: List<Float>
  @Persisted(primaryKey: true) var Int: ObjectId
  @Persisted var name: String?
  @Persisted var observationInfo: Data
  @Persisted var selfValue: Data? = Data([0, 1, 239])

  override class func propertiesMapping() -> [String: String] {
    [
      "selfValue": "self",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R5_`tick`"
  }
}

class R5_self: EmbeddedObject {
  @Persisted var `in`: Float
  @Persisted var SelfValue: Float?
  @Persisted var größe: Map<String, String?>
  @Persisted var unnamed: MutableSet<Date>
  @Persisted var set: Data
  @Persisted var context: Double? = 56.69130625
  @Persisted var context2: AnyRealmValue
  @Persisted var name: AnyRealmValue
  @Persisted var StringValue: R5__?
  @Persisted var Int: Int8?
  @Persisted var aB: List<String>

  override class func propertiesMapping() -> [String: String] {
    [
      "SelfValue": "Self",
      "unnamed": "\u{1f415}",
      "StringValue": "String",
      "aB": "a-b",
    ]
  }
}

class R5__: EmbeddedObject {
  @Persisted var tail: Data = Data([0, 1, 178])

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
    ]
  }
}

class R6_xY: Object {
  @Persisted var name: MutableSet<Data>
  @Persisted var StringValue: List<Float?>
  @Persisted var AnyValue: Date = Date(timeIntervalSince1970: 2054479398)
  @Persisted var _id: Decimal128
  @Persisted var unnamed: Int = 39
  @Persisted var backSlash: Map<String, Date>
  @Persisted(originProperty: "unnamed") var tail: LinkingObjects<R6_self>

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
      "AnyValue": "Any",
      "unnamed": "\u{1f415}",
      "backSlash": "back\\slash",
      "tail": "tail ",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R6_x\"y"
  }
}

class R6_self: EmbeddedObject {
  @Persisted var __: UUID
  @Persisted var value: Decimal128?
  @Persisted var realmValue: Data = Data([0, 1, 63])
  @Persisted var isFrozenValue: List<Int32?>
  @Persisted var aB: AnyRealmValue
  @Persisted var __Value: Float = 73.375
  @Persisted var _id: Date?
  @Persisted(deleteRule: .cascade) var unnamed: R6_xY?
  @Persisted var context: Date

  override class func propertiesMapping() -> [String: String] {
    [
      "realmValue": "realm",
      "isFrozenValue": "isFrozen",
      "aB": "a-b",
      "__Value": "_",
      "unnamed": "\u{1f415}",
    ]
  }
}

class R6_identity: Object {
  @Persisted var isFrozen2: UUID = UUID(uuid: (188, 90, 174, 185, 42, 5, 176, 51, 67, 165, 81, 70, 213, 250, 79, 204))
  @Persisted var selfValue: MutableSet<Int32?>
  @Persisted var observe2: Data?
  @Persisted var isFrozenValue: Float?
  @Persisted(indexed: true) var hashValue2: UUID?
  @Persisted var 日本: List<Date>
  @Persisted(primaryKey: true) var e: String
  @Persisted var _1st: Map<String, AnyRealmValue>
  @Persisted(indexed: true) var `class`: Bool
  @Persisted var observe: MutableSet<Float?>
  @Persisted var _id: AnyRealmValue
  @Persisted var context: MutableSet<Int32?>

  override class func propertiesMapping() -> [String: String] {
    [
      "selfValue": "self",
      "isFrozenValue": "isFrozen",
      "hashValue2": "hash",
      "e": "e\u{301}",
      "_1st": "1st",
    ]
  }
}

class R6_hash: EmbeddedObject {
  @Persisted var descriptionValue: List<Double>
  @Persisted var __: String
  @Persisted var set: R6_xY?
  @Persisted var initValue: String
  @Persisted var StringValue: Double? = 1.357321875
  @Persisted var age: MutableSet<AnyRealmValue>
  @Persisted var aB: Map<String, Bool>
  @Persisted var `default`: Map<String, Data?>
  @Persisted var `class`: MutableSet<Date>

  override class func propertiesMapping() -> [String: String] {
    [
      "descriptionValue": "description",
      "__": "_",
      "initValue": "init",
      "StringValue": "String",
      "aB": "a-b",
    ]
  }
}

class R6_in: EmbeddedObject {
  @Persisted var set: Int16?
  @Persisted(indexed: true) var aB: Bool?
  @Persisted var descriptionValue: String = "$money\n\u{1b}\\(x)"
  @Persisted var backSlash: Int
  @Persisted var __: Int?
  @Persisted var value: Double
  @Persisted var e: Data = Data([0, 1, 109])
  @Persisted var name: Double
  @Persisted var 日本: R6_hash?

  override class func propertiesMapping() -> [String: String] {
    [
      "aB": "a-b",
      "descriptionValue": "description",
      "backSlash": "back\\slash",
      "__": "_",
      "e": "e\u{301}",
    ]
  }
}

class R7_name: Object {
  @Persisted var isFrozenValue: Map<String, R7_firstName?>
  @Persisted(primaryKey: true) var __: String?
  @Persisted var selfValue: Map<String, Double>

  override class func propertiesMapping() -> [String: String] {
    [
      "isFrozenValue": "isFrozen",
      "selfValue": "self",
    ]
  }
}

class R7_observe: Object {
  @Persisted var e: Bool = true
  @Persisted(primaryKey: true) var __: UUID?
  @Persisted var observationInfo: MutableSet<Date?>
  @Persisted var tail: Bool?
  @Persisted var 日本: Date?
  @Persisted var age: Map<String, Decimal128?>
  @Persisted var _1st: String?
  @Persisted var List2: Double? = 7.3514625
  @Persisted var firstName: List<ObjectId?>
  @Persisted var __2: String
  @Persisted var List: Bool?
  @Persisted(indexed: true) var SelfValue: Date

  override class func propertiesMapping() -> [String: String] {
    [
      "e": "e\u{301}",
      "tail": "tail ",
      "_1st": "1st",
      "firstName": "first name",
      "SelfValue": "Self",
    ]
  }
}

class R7_firstName: Object {
  @Persisted(indexed: true) var StringValue: Date
  @Persisted var `default`: Float = 17.125
  @Persisted var value2: Map<String, Int32>
  @Persisted(indexed: true) var get: Date? = Date(timeIntervalSince1970: 509152145)
  @Persisted var value: List<ObjectId>
  @Persisted var Int: ObjectId?
  @Persisted var aB: List<R7_firstName>
  @Persisted(primaryKey: true) var unnamed: ObjectId?
  @Persisted var _1st: MutableSet<Double?>
  @Persisted(originProperty: "isFrozenValue") var _2: LinkingObjects<R7_name>
  @Persisted(originProperty: "aB") var tick: LinkingObjects<R7_firstName>

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
      "aB": "a-b",
      "unnamed": "\u{1f415}",
      "_1st": "1st",
      "_2": "\u{1f415}2",
      "tick": "`tick`",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R7_first name"
  }
}

class R8_String: Object {
  @Persisted(indexed: true) var firstName: Int? = -45
  @Persisted(indexed: true) var __Value: String
  @Persisted var SelfList: List<UUID>
  @Persisted var hashgröße: Decimal128? = "5551792906812"
  @Persisted var initValue: UUID?
  @Persisted(primaryKey: true) var hashValue2: ObjectId
  @Persisted var __: String?
  @Persisted var SelfValue: AnyRealmValue
  @Persisted var get: ObjectId?
  @Persisted var selfValue: Data
  @Persisted(originProperty: "get") var backSlash: LinkingObjects<R8_tail>

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name",
      "__Value": "_",
      "initValue": "init",
      "hashValue2": "hash",
      "SelfValue": "Self",
      "selfValue": "self",
      "backSlash": "back\\slash",
    ]
  }
}

class R8_tail: Object {
  @Persisted var unnamed: Double
  @Persisted var Int: Date
  @Persisted var SelfValue: ObjectId?
  @Persisted var money: ObjectId
  @Persisted var descriptionValue: Bool? = true
  @Persisted var `where`: Map<String, Bool>
  @Persisted var get: R8_String?
  @Persisted(indexed: true) var firstName: UUID
  @Persisted var wherebackSlash: Map<String, UUID?>
  @Persisted var _1st: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "unnamed": "\u{1f415}",
      "SelfValue": "Self",
      "money": "$money",
      "descriptionValue": "description",
      "firstName": "first name",
      "wherebackSlash": "whereback\\slash",
      "_1st": "1st",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R8_tail "
  }
}

class R8__: EmbeddedObject {
  @Persisted var `class`: List<Decimal128?>
  @Persisted var hash2: Map<String, UUID>
  @Persisted var SelfValue: Data?
  @Persisted var id: String?
  @Persisted var hashValue2: R8_aB?
  @Persisted var _idValue: UUID
  @Persisted(indexed: true) var xY: String
  @Persisted var TypeValue: R8__?
  @Persisted var AnyValue: MutableSet<Date>
  @Persisted var tail: String
  @Persisted var `where`: Decimal128 = "166679111793368"
  @Persisted var unnamed: Double?

  override class func propertiesMapping() -> [String: String] {
    [
      "SelfValue": "Self",
      "hashValue2": "hash",
      "_idValue": "_id",
      "xY": "x\"y",
      "TypeValue": "Type",
      "AnyValue": "Any",
      "tail": "tail ",
      "unnamed": "\u{1f415}",
    ]
  }
}

class R8_aB: Object {
  @Persisted var aB: Data? = Data([0, 1, 175])
  @Persisted var identity: ObjectId?
  @Persisted var observationInfo: Decimal128 = "81571121750466"
  @Persisted var set_id: Map<String, Bool>
  @Persisted var set: Float?
  @Persisted var value: R8_tail?
  @Persisted var größe: Map<String, ObjectId>
  @Persisted(indexed: true) var e: Date
  @Persisted var isFrozenValue: String? = "back\\slash\n\u{1b}\\(x)"
  @Persisted var _1st: MutableSet<UUID?>
  @Persisted(originProperty: "hashValue2") var name: LinkingObjects<R8__>

  override class func propertiesMapping() -> [String: String] {
    [
      "aB": "a-b",
      "e": "e\u{301}",
      "isFrozenValue": "isFrozen",
      "_1st": "1st",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R8_a-b"
  }
}

class R8_Money: EmbeddedObject {
  @Persisted var name: Float?
  @Persisted var List: Float?
  @Persisted var init2: Map<String, Data?>
  @Persisted var __: AnyRealmValue
  @Persisted var initValue: AnyRealmValue
  @Persisted var aB: MutableSet<AnyRealmValue>

  override class func propertiesMapping() -> [String: String] {
    [
      "initValue": "init",
      "aB": "a-b",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R8_$money"
  }
}

class R9_Tick: Object {
  @Persisted var `default`: MutableSet<Float>
  @Persisted(primaryKey: true) var get: Int
  @Persisted var realmValue: Date
  @Persisted var AnyValue: Data? = Data([0, 1, 92])
  @Persisted var `class`: UUID? = UUID(uuid: (235, 86, 59, 147, 113, 61, 163, 116, 20, 169, 196, 108, 142, 194, 92, 139))
  @Persisted var unnamed: UUID? = UUID(uuid: (121, 26, 188, 163, 38, 206, 187, 221, 134, 229, 67, 92, 217, 49, 68, 34))
  @Persisted var selfValue: Map<String, Bool?>
  @Persisted var money: Data = Data([0, 1, 0])
  @Persisted(originProperty: "unnamed") var 日本: LinkingObjects<R9_context>

  override class func propertiesMapping() -> [String: String] {
    [
      "realmValue": "realm",
      "AnyValue": "Any",
      "unnamed": "\u{1f415}",
      "selfValue": "self",
      "money": "$money",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R9_`tick`"
  }
}

class R9_context: EmbeddedObject {
  @Persisted(deleteRule: .cascadeIfLast) var unnamed: R9_Tick?
  @Persisted var e: Map<String, R9_self?>
  @Persisted var Int: List<R9_context>

  override class func propertiesMapping() -> [String: String] {
    [
      "unnamed": "\u{1f415}",
      "e": "e\u{301}",
    ]
  }
}

class R9_self: EmbeddedObject {
  @Persisted(indexed: true) var `in`: Int?
  @Persisted var e: AnyRealmValue
  @Persisted var descriptionValue: ObjectId?
  @Persisted var unnamed: Double

  override class func propertiesMapping() -> [String: String] {
    [
      "e": "e\u{301}",
      "descriptionValue": "description",
      "unnamed": "\u{1f415}",
    ]
  }
}

class R9__id: Object {
  @Persisted var age: ObjectId = ObjectId("f13a2b370b824b9d00000007")
  @Persisted(primaryKey: true) var backSlash: ObjectId
  @Persisted var context: Int16? = -5
  @Persisted var isFrozenValue: R9_contexthash?
  @Persisted var `class`: Map<String, Double>
  @Persisted var backSlashage: Double = 28.48818125
  @Persisted var tick: ObjectId?
  @Persisted var observationInfo: MutableSet<String>
  @Persisted var tail: Float = 122.625

  override class func propertiesMapping() -> [String: String] {
    [
      "backSlash": "back\\slash",
      "isFrozenValue": "isFrozen",
      "backSlashage": "back\\slashage",
      "tick": "`tick`",
      "tail": "tail ",
    ]
  }
}

class R9_contexthash: EmbeddedObject {
  @Persisted var Int: Map<String, Float?>
}

let randomModels2: [[ObjectBase.Type]] = [
  [R5_Tick.self, R5_self.self, R5__.self],
  [R6_xY.self, R6_self.self, R6_identity.self, R6_hash.self, R6_in.self],
  [R7_name.self, R7_observe.self, R7_firstName.self],
  [R8_String.self, R8_tail.self, R8__.self, R8_aB.self, R8_Money.self],
  [R9_Tick.self, R9_context.self, R9_self.self, R9__id.self, R9_contexthash.self],
]
