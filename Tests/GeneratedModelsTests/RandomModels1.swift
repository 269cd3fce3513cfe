// swift-format-ignore-file
import KennelRealm

class R0_Money: Object {
  @Persisted var SelfValue: Map<String, Float>
  @Persisted var id: ObjectId
  @Persisted var TypeValue: String = "hash\n\u{1b}\\(x)"
  @Persisted var backSlash: R0_日本?
  @Persisted(primaryKey: true) var unnamed: ObjectId
  @Persisted var `class`: Map<String, ObjectId?>
  @Persisted var context: Map<String, Int8?>
  @Persisted var realmValue: List<Bool?>
  @Persisted var firstName: MutableSet<Double?>
  @Persisted var `default`: Data = Data([0, 1, 56])
  @Persisted var Selfset: Map<String, ObjectId?>
  @Persisted(originProperty: "selfValue") var get: LinkingObjects<R0_id>

  override class func propertiesMapping() -> [String: String] {
    [
      "SelfValue": "Self",
      "TypeValue": "Type",
      "backSlash": "back\\slash",
      "unnamed": "\u{1f415}",
      "realmValue": "realm",
      "firstName": "first name",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R0_$money"
  }
}

class R0_id: EmbeddedObject {
  @Persisted var e: ObjectId? = ObjectId("a192afe3157c85d000000007")
  @Persisted var _id: Int
  @Persisted var Int: Decimal128? = "255128249541176"
  @Persisted var realmValue: MutableSet<Double?>
  @Persisted(indexed: true) var money: UUID?
  @Persisted(deleteRule: .cascade) var selfValue: R0_Money?
  @Persisted var __: Data?
  @Persisted var tick: MutableSet<Float?>
  @Persisted var initValue: Date
  @Persisted(indexed: true) var hashValue2: ObjectId = ObjectId("6a77afab0f7c937000000007")

  override class func propertiesMapping() -> [String: String] {
    [
      "e": "e\u{301}",
      "realmValue": "realm",
      "money": "$money",
      "selfValue": "self",
      "tick": "`tick`",
      "initValue": "init",
      "hashValue2": "hash",
    ]
  }
}

class R0_日本: EmbeddedObject {
  @Persisted var get2: ObjectId = ObjectId("c8d589e486e29eed00000007")
  @Persisted var get: MutableSet<Decimal128?>
  @Persisted(indexed: true) var unnamed: Int = 49
  @Persisted var set: UUID

  override class func propertiesMapping() -> [String: String] {
    [
      "unnamed": "\u{1f415}",
    ]
  }
}

class R0_observationInfo: EmbeddedObject {
  @Persisted var value: Decimal128
  @Persisted var `in`: Double?
  @Persisted var firstName: Int32? = -41

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name",
    ]
  }
}

class R0_id2: EmbeddedObject {
  @Persisted(indexed: true) var __: String?
  @Persisted var observationInfo: Double
  @Persisted var name: MutableSet<AnyRealmValue>
  @Persisted(indexed: true) var observe: UUID?
  @Persisted(indexed: true) var StringValue: ObjectId? = ObjectId("7e9d7e05138f286300000007")
  @Persisted var e: Date? = Date(timeIntervalSince1970: 129891756)
  @Persisted var __Value: String
  @Persisted var identity: R0_id?
  @Persisted var xY: List<Float>
  @Persisted var `in`: List<AnyRealmValue>
  @Persisted var 日本: Date
  @Persisted var backSlash: Data = Data([0, 1, 30])

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
      "e": "e\u{301}",
      "__Value": "_",
      "xY": "x\"y",
      "backSlash": "back\\slash",
    ]
  }
}

class R0_tail: Object {
  @Persisted var AnyValue: Double? = 14.1239234375
  @Persisted var `where`: Data
  @Persisted var name: R0_id?
  @Persisted var tail: Float? = 81.5
  @Persisted(primaryKey: true) var set: UUID

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "tail": "tail ",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R0_tail "
  }
}

class R1_Tick: Object {
  @Persisted var List: MutableSet<UUID?>
  @Persisted var init2: List<AnyRealmValue>
  @Persisted var isFrozenValue: Data
  @Persisted var Int: UUID
  @Persisted var initValue: Bool? = true
  @Persisted var get: Map<String, Float>
  @Persisted var TypeValue: List<AnyRealmValue>
  @Persisted var money: List<String>
  @Persisted var tick: AnyRealmValue
  @Persisted var Int2: R1_Tick?

  override class func propertiesMapping() -> [String: String] {
    [
      "isFrozenValue": "isFrozen",
      "initValue": "init",
      "TypeValue": "Type",
      "money": "$money",
      "tick": "`tick`",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R1_`tick`"
  }
}

class R1_xY: Object {
  @Persisted var List: AnyRealmValue
  @Persisted(primaryKey: true) var backSlash: ObjectId
  @Persisted(indexed: true) var value: ObjectId = ObjectId("bc73014050141d0100000007")
  @Persisted var e: Float
  @Persisted var _id: List<ObjectId?>
  @Persisted(indexed: true) var __: Int
  @Persisted var _id2: ObjectId?
  @Persisted var hashValue2: Map<String, UUID?>
  @Persisted var `in`: ObjectId = ObjectId("a2e4fe841f72235e00000007")

  override class func propertiesMapping() -> [String: String] {
    [
      "backSlash": "back\\slash",
      "e": "e\u{301}",
      "__": "_",
      "hashValue2": "hash",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R1_x\"y"
  }
}

class R1_observationInfo: Object {
  @Persisted var unnamed: List<Date?>
  @Persisted var get: Float? = 68.625
  @Persisted var __: Bool?
  @Persisted var _2: AnyRealmValue
  @Persisted var observationInfo: Bool
  @Persisted var identity: Map<String, ObjectId?>

  override class func propertiesMapping() -> [String: String] {
    [
      "unnamed": "\u{1f415}",
      "__": "_",
    ]
  }
}

class R1_tail: Object {
  @Persisted var xY: Map<String, String?>
  @Persisted var value: Int16 = 3

  override class func propertiesMapping() -> [String: String] {
    [
      "xY": "x\"y",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R1_tail "
  }
}

class R2_Tick: Object {
  @Persisted var aBaB: List<AnyRealmValue>
  @Persisted var realmValue: Double = 6.1317359375
  @Persisted var größe: MutableSet<UUID?>
  @Persisted var aB: R2_Tick?
  @Persisted var __: Float
  @Persisted(primaryKey: true) var isFrozenValue: String
  @Persisted(originProperty: "default") var get: LinkingObjects<R2_Tick2>

  override class func propertiesMapping() -> [String: String] {
    [
      "aBaB": "a-ba-b",
      "realmValue": "realm",
      "aB": "a-b",
      "__": "_",
      "isFrozenValue": "isFrozen",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R2_`tick`"
  }
}

class R2_observationInfo: Object {
  @Persisted var id: Bool?
  @Persisted var `in`: AnyRealmValue
  @Persisted var Int: List<Data>
  @Persisted var inhash: Float
  @Persisted var Int2: Double
  @Persisted var descriptionValue: Map<String, Date?>
  @Persisted var TypeValue: List<Float?>

  override class func propertiesMapping() -> [String: String] {
    [
      "descriptionValue": "description",
      "TypeValue": "Type",
    ]
  }
}

class R2_aB: EmbeddedObject {
  @Persisted(indexed: true) var `where`: UUID
  @Persisted var self2: R2_aB?
  @Persisted var selfValue: Map<String, Decimal128>
  @Persisted var e: Date
  @Persisted var __: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "selfValue": "self",
      "e": "e\u{301}",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R2_a-b"
  }
}

class R2_Tick2: Object {
  @Persisted var hashValue2: Map<String, ObjectId?>
  @Persisted var `default`: List<R2_Tick>
  @Persisted var id: List<Date>
  @Persisted var hashclass: MutableSet<Bool?>
  @Persisted(primaryKey: true) var __: String

  override class func propertiesMapping() -> [String: String] {
    [
      "hashValue2": "hash",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R2_`tick`2"
  }
}

class R3_e: Object {
  @Persisted var context: Data = Data([0, 1, 168])
  @Persisted var TypeValue: UUID?
  @Persisted var observe: AnyRealmValue
  @Persisted var `where`: List<Int32>
  @Persisted var descriptionValue: Map<String, ObjectId>
  @Persisted(indexed: true) var money: UUID
  @Persisted var List: ObjectId?
  @Persisted var isFrozenValue: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "TypeValue": "Type",
      "descriptionValue": "description",
      "money": "$money",
      "isFrozenValue": "isFrozen",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R3_e\u{301}"
  }
}

class R3_class: Object {
  @Persisted var context: Float = 41.0
  @Persisted var xY: Double = 45.740134375
  @Persisted var hashValue2: ObjectId?
  @Persisted(indexed: true) var __: UUID
  @Persisted var money: UUID? = UUID(uuid: (95, 153, 104, 187, 144, 253, 129, 147, 160, 102, 151, 68, 111, 2, 126, 108))
  @Persisted var age: R3_class?
  @Persisted var get: AnyRealmValue
  @Persisted var set: Date
  @Persisted var größe: Data = Data([0, 1, 156])

  override class func propertiesMapping() -> [String: String] {
    [
      "xY": "x\"y",
      "hashValue2": "hash",
      "money": "$money",
    ]
  }
}

class R4_get: Object {
  @Persisted var descriptionValue: ObjectId?
  @Persisted var tick: Map<String, ObjectId?>
  @Persisted var value: MutableSet<Decimal128>
  @Persisted var TypeValue: R4_?
  @Persisted var __: R4_xY?
  @Persisted var initValue: Decimal128 = "172743934744666"
  @Persisted var firstName: Map<String, Int>
  @Persisted(originProperty: "selfValue") var SelfValue: LinkingObjects<R4_Int>

  override class func propertiesMapping() -> [String: String] {
    [
      "descriptionValue": "description",
      "tick": "`tick`",
      "TypeValue": "Type",
      "__": "_",
      "initValue": "init",
      "firstName": "first name",
      "SelfValue": "Self",
    ]
  }
}

class R4_: Object {
  @Persisted(primaryKey: true) var isFrozenValue: Int?
  @Persisted var StringValue: List<Data>
  @Persisted var TypeValue: UUID = UUID(uuid: (1, 153, 80, 57, 151, 235, 65, 34, 254, 102, 175, 198, 104, 20, 190, 221))
  @Persisted var größe: ObjectId = ObjectId("f59230a1615057c300000007")
  @Persisted(indexed: true) var descriptionValue: ObjectId?
  @Persisted var xY: Bool
  @Persisted var age: List<Date>

  override class func propertiesMapping() -> [String: String] {
    [
      "isFrozenValue": "isFrozen",
      "StringValue": "String",
      "TypeValue": "Type",
      "descriptionValue": "description",
      "xY": "x\"y",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R4_\u{1f415}"
  }
}

class R4_Int: Object {
  @Persisted var get: Map<String, Bool?>
  @Persisted var e: UUID?
  @Persisted var AnyValue: Float? = 34.875
  @Persisted(indexed: true) var größe: Int8? = -13
  @Persisted var 日本: Map<String, Float?>
  @Persisted var in2: Decimal128?
  @Persisted var selfValue: MutableSet<R4_get>
  @Persisted var self2: List<Decimal128>
  @Persisted var `in`: Map<String, Bool>
  @Persisted var SelfValue: MutableSet<Bool?>

  override class func propertiesMapping() -> [String: String] {
    [
      "e": "e\u{301}",
      "AnyValue": "Any",
      "selfValue": "self",
      "SelfValue": "Self",
    ]
  }
}

class R4_xY: Object {
  @Persisted var money: List<Data?>
  @Persisted var 日本: Double? = 37.0399390625
  @Persisted(primaryKey: true) var AnyValue: UUID
  @Persisted var id: Bool?
  @Persisted(originProperty: "__") var größe: LinkingObjects<R4_get>

  override class func propertiesMapping() -> [String: String] {
    [
      "money": "$money",
      "AnyValue": "Any",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R4_x\"y"
  }
}

let randomModels1: [[ObjectBase.Type]] = [
  [R0_Money.self, R0_id.self, R0_日本.self, R0_observationInfo.self, R0_id2.self, R0_tail.self],
  [R1_Tick.self, R1_xY.self, R1_observationInfo.self, R1_tail.self],
  [R2_Tick.self, R2_observationInfo.self, R2_aB.self, R2_Tick2.self],
  [R3_e.self, R3_class.self],
  [R4_get.self, R4_.self, R4_Int.self, R4_xY.self],
]
