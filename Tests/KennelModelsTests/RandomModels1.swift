// swift-format-ignore-file
import KennelRealm

class R0_isFrozen: Object {
  @Persisted(primaryKey: true) var List: ObjectId
  @Persisted var isEqual: Decimal128
  @Persisted var `default`: Double?
  @Persisted var größe: MutableSet<Double?>
  @Persisted var größe2: List<Bool?>
  @Persisted var TypeValue: Float?
  @Persisted var `class`: Map<String, ObjectId?>
  @Persisted(originProperty: "initValue") var descriptionValue: LinkingObjects<R0___>

  override class func propertiesMapping() -> [String: String] {
    [
      "TypeValue": "Type",
      "descriptionValue": "description",
    ]
  }
}

class R0_wrappedValue: EmbeddedObject {
  @Persisted var tail: Float?
  @Persisted(indexed: true) var `where`: String
  @Persisted var ǅ: AnyRealmValue
  @Persisted var identity: Date
  @Persisted var context: MutableSet<Float?>
  @Persisted var StringValue: Map<String, String?>
  @Persisted var 日本: List<String?>
  @Persisted var isEqual: R0_ǅ?
  @Persisted var StringString: Map<String, R0_ǅ?>
  @Persisted var firstName: Int32?
  @Persisted var Sendable: List<UUID?>
  @Persisted var `default`: MutableSet<Int8?>

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
      "StringValue": "String",
      "firstName": "first name",
    ]
  }
}

class R0___: EmbeddedObject {
  @Persisted var value: Date
  @Persisted(deleteRule: .cascade) var initValue: R0_isFrozen?
  @Persisted(indexed: true) var isFrozenValue: UUID?

  override class func propertiesMapping() -> [String: String] {
    [
      "initValue": "init",
      "isFrozenValue": "isFrozen",
    ]
  }
}

class R0_id: EmbeddedObject {
  @Persisted var freeze: ObjectId
  @Persisted(indexed: true) var isEqual: Int8
  @Persisted var _id: Int? = 59
  @Persisted var `any`: Decimal128
  @Persisted var firstName: Double?
  @Persisted var set: AnyRealmValue
  @Persisted var _٣: Double?
  @Persisted var money: Map<String, Data>
  @Persisted var __: Map<String, Double>
  @Persisted var AnyValue: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "firstName": "first name",
      "_\u{663}": "\u{663}",
      "money": "$money",
      "AnyValue": "Any",
    ]
  }
}

class R0_ǅ: EmbeddedObject {
  @Persisted var observe: List<Float>
  @Persisted var name: MutableSet<AnyRealmValue>
  @Persisted var `any`: R0_wrappedValue?
  @Persisted var set: Date? = Date(timeIntervalSince1970: 129891756)
  @Persisted var xY: String

  override class func propertiesMapping() -> [String: String] {
    [
      "xY": "x\"y",
    ]
  }
}

class R0_Self: Object {
  @Persisted var StringValue: Float?
  @Persisted var backSlash: Date?
  @Persisted(primaryKey: true) var tick: Int
  @Persisted var context: Data?
  @Persisted var isEqual: Map<String, Double>
  @Persisted var ǅ: List<Double?>
  @Persisted var größe: Data?

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
      "backSlash": "back\\slash",
      "tick": "`tick`",
    ]
  }
}

class R1_Self: Object {
  @Persisted var Type2: List<AnyRealmValue>
  @Persisted var tick: UUID
  @Persisted var TypeValue: Bool? = true
  @Persisted var freeze: UUID = UUID(uuid: (40, 191, 249, 234, 48, 77, 159, 150, 215, 64, 6, 21, 207, 178, 96, 105))
  @Persisted var Anysome: Data
  @Persisted(primaryKey: true) var AnyValue: ObjectId
  @Persisted var Sendable: Map<String, Float>

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
      "TypeValue": "Type",
      "AnyValue": "Any",
    ]
  }
}

class R1_isFrozen: Object {
  @Persisted(indexed: true) var backSlash: Int
  @Persisted var age: UUID? = UUID(uuid: (41, 102, 62, 158, 160, 236, 37, 97, 214, 153, 193, 97, 95, 19, 218, 158))
  @Persisted var elements: List<ObjectId?>
  @Persisted var Int: MutableSet<Decimal128>
  @Persisted(primaryKey: true) var SelfValue: ObjectId?
  @Persisted var value: Float
  @Persisted var identity: Map<String, ObjectId?>
  @Persisted(indexed: true) var isEqual: ObjectId = ObjectId("bc73014050141d0100000007")

  override class func propertiesMapping() -> [String: String] {
    [
      "backSlash": "back\\slash",
      "SelfValue": "Self",
    ]
  }
}

class R1_SelfList: Object {
  @Persisted var observe: MutableSet<Float?>
  @Persisted var `some`: Map<String, ObjectId?>
  @Persisted(primaryKey: true) var elements: Int?
  @Persisted var selfValue: Data? = Data([0, 1, 248])
  @Persisted var wrappedValue: MutableSet<Data>
  @Persisted var backSlash: Bool?

  override class func propertiesMapping() -> [String: String] {
    [
      "selfValue": "self",
      "backSlash": "back\\slash",
    ]
  }
}

class R1__id: EmbeddedObject {
  @Persisted var Sendable: Decimal128? = "263249442547207"
  @Persisted var id: Bool
  @Persisted var backSlash: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "backSlash": "back\\slash",
    ]
  }
}

class R2_Self: Object {
  @Persisted var hashxY: List<Float?>
  @Persisted var aB: AnyRealmValue
  @Persisted var freeze: Date? = Date(timeIntervalSince1970: 1594859045)
  @Persisted var e: AnyRealmValue
  @Persisted var List: String? = "in\n\u{1b}\\(x)"
  @Persisted var wrappedValue: AnyRealmValue
  @Persisted var tick: List<Data>
  @Persisted var backSlash: String = "x\"y\n\u{1b}\\(x)"
  @Persisted(indexed: true) var hashValue2: Bool
  @Persisted(originProperty: "name") var aB2: LinkingObjects<R2_in>

  override class func propertiesMapping() -> [String: String] {
    [
      "hashxY": "hashx\"y",
      "aB": "a-b",
      "e": "e\u{301}",
      "tick": "`tick`",
      "backSlash": "back\\slash",
      "hashValue2": "hash",
      "aB2": "a-b2",
    ]
  }
}

class R2_id: Object {
  @Persisted var tail: MutableSet<Date?>
  @Persisted var xY: Map<String, String>

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
      "xY": "x\"y",
    ]
  }
}

class R2_Money: EmbeddedObject {
  @Persisted var _٣: Double

  override class func propertiesMapping() -> [String: String] {
    [
      "_\u{663}": "\u{663}",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R2_$money"
  }
}

class R2_in: Object {
  @Persisted var isEqual: MutableSet<Int16>
  @Persisted var money: String?
  @Persisted(indexed: true) var Sendable: UUID?
  @Persisted var name: R2_Self?
  @Persisted var Int: List<Date?>
  @Persisted var freeze: Double
  @Persisted var List: String?
  @Persisted var __: Decimal128 = "116344774352704"
  @Persisted var __Value: Data?
  @Persisted var _id: UUID?
  @Persisted var value: Map<String, Double>

  override class func propertiesMapping() -> [String: String] {
    [
      "money": "$money",
      "__Value": "_",
    ]
  }
}

class R3_set: Object {
  @Persisted var _id: Data = Data([0, 1, 168])
  @Persisted var hashValue2: UUID?
  @Persisted var `where`: AnyRealmValue
  @Persisted var get: List<Int32>
  @Persisted var realmValue: Map<String, ObjectId>
  @Persisted(indexed: true) var tail: UUID
  @Persisted var context: ObjectId?
  @Persisted var AnyValue: AnyRealmValue

  override class func propertiesMapping() -> [String: String] {
    [
      "hashValue2": "hash",
      "realmValue": "realm",
      "tail": "tail ",
      "AnyValue": "Any",
    ]
  }
}

class R3_default: Object {
  @Persisted var _id: Float = 41.0
  @Persisted var observe: Double = 45.740134375
  @Persisted var realmValue: ObjectId?
  @Persisted(indexed: true) var unnamed: UUID
  @Persisted var isFrozenValue: UUID? = UUID(uuid: (95, 153, 104, 187, 144, 253, 129, 147, 160, 102, 151, 68, 111, 2, 126, 108))
  @Persisted var age: R3_default?
  @Persisted var Sendable: AnyRealmValue
  @Persisted var freeze: Date
  @Persisted var __: Data = Data([0, 1, 156])

  override class func propertiesMapping() -> [String: String] {
    [
      "realmValue": "realm",
      "unnamed": "\u{1f415}",
      "isFrozenValue": "isFrozen",
      "__": "_",
    ]
  }
}

class R4_Sendable: Object {
  @Persisted var realmValue: ObjectId?
  @Persisted var SelfValue: Map<String, ObjectId?>
  @Persisted var isEqual: MutableSet<Decimal128>
  @Persisted var hashValue2: R4_String?
  @Persisted var xY: R4_isFrozen?
  @Persisted var TypeValue: Decimal128 = "172743934744666"
  @Persisted var größe: Map<String, Int>
  @Persisted(originProperty: "initValue") var ǅ: LinkingObjects<R4_where>

  override class func propertiesMapping() -> [String: String] {
    [
      "realmValue": "realm",
      "SelfValue": "Self",
      "hashValue2": "hash",
      "xY": "x\"y",
      "TypeValue": "Type",
    ]
  }
}

class R4_String: Object {
  @Persisted(primaryKey: true) var AnyValue: Int?
  @Persisted var observationInfo: List<Data>
  @Persisted var hashValue2: UUID = UUID(uuid: (1, 153, 80, 57, 151, 235, 65, 34, 254, 102, 175, 198, 104, 20, 190, 221))
  @Persisted var __: ObjectId = ObjectId("f59230a1615057c300000007")
  @Persisted(indexed: true) var realmValue: ObjectId?
  @Persisted var observe: Bool
  @Persisted var `class`: List<Date>

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "hashValue2": "hash",
      "__": "_",
      "realmValue": "realm",
    ]
  }
}

class R4_where: Object {
  @Persisted var Sendable: Map<String, Bool?>
  @Persisted var set: UUID?
  @Persisted var identity: Float? = 34.875
  @Persisted(indexed: true) var __2: Int8?
  @Persisted var __: Map<String, Float?>
  @Persisted var _٣: Decimal128? = "149686225912165"
  @Persisted var initValue: MutableSet<R4_Sendable>
  @Persisted var init2: List<Decimal128>
  @Persisted var lazy: Map<String, Bool>
  @Persisted var ǅ: MutableSet<Bool?>

  override class func propertiesMapping() -> [String: String] {
    [
      "_\u{663}": "\u{663}",
      "initValue": "init",
    ]
  }
}

class R4_isFrozen: Object {
  @Persisted var tail: List<Data?>
  @Persisted var __: Double? = 37.0399390625
  @Persisted(primaryKey: true) var identity: UUID
  @Persisted var wrappedValue: Bool?
  @Persisted(originProperty: "xY") var __Value: LinkingObjects<R4_Sendable>

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
      "__Value": "_",
    ]
  }
}

let randomModels1: [[ObjectBase.Type]] = [
  [R0_isFrozen.self, R0_wrappedValue.self, R0___.self, R0_id.self, R0_ǅ.self, R0_Self.self],
  [R1_Self.self, R1_isFrozen.self, R1_SelfList.self, R1__id.self],
  [R2_Self.self, R2_id.self, R2_Money.self, R2_in.self],
  [R3_set.self, R3_default.self],
  [R4_Sendable.self, R4_String.self, R4_where.self, R4_isFrozen.self],
]
