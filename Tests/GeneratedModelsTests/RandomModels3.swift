// swift-format-ignore-file
import KennelRealm

class R10_Tick: Object {
  @Persisted var `where`: Date? = Date(timeIntervalSince1970: 2594043788)
  @Persisted var `class`: UUID?
  @Persisted var name: Double? = 32.8680640625
  @Persisted var selfValue: String?
  @Persisted var backSlash: MutableSet<Bool?>
  @Persisted(indexed: true) var List: UUID = UUID(uuid: (45, 219, 191, 99, 160, 49, 55, 246, 210, 36, 64, 156, 95, 206, 200, 9))
  @Persisted var _1st: Map<String, Decimal128?>
  @Persisted(indexed: true) var where2: Bool
  @Persisted(deleteRule: .deny) var xY: List<R10_Tick>
  @Persisted(primaryKey: true) var context: UUID
  @Persisted var List2: UUID
  @Persisted var contextid: Float?
  @Persisted(indexed: true) var __: Date = Date(timeIntervalSince1970: 3251095174)
  @Persisted(originProperty: "xY") var age: LinkingObjects<R10_Tick>
  @Persisted(originProperty: "value") var initValue: LinkingObjects<R10_value>

  override class func propertiesMapping() -> [String: String] {
    [
      "selfValue": "self",
      "backSlash": "back\\slash",
      "_1st": "1st",
      "xY": "x\"y",
      "__": "_",
      "initValue": "init",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R10_`tick`"
  }
}

class R10_value: EmbeddedObject {
  @Persisted var set: Data?
  @Persisted var tail_id: Date? = Date(timeIntervalSince1970: 512940930)
  @Persisted var backSlash: ObjectId
  @Persisted var selfValue: MutableSet<UUID>
  @Persisted var StringValue: List<Bool>
  @Persisted var tick: Double = 0.595603125
  @Persisted var xY: String
  @Persisted var isFrozenValue: MutableSet<String>
  @Persisted var value: Map<String, R10_Tick?>
  @Persisted var isFrozendefault: R10_value?
  @Persisted var id: Float?
  @Persisted(indexed: true) var tail: Int32

  override class func propertiesMapping() -> [String: String] {
    [
      "tail_id": "tail _id",
      "backSlash": "back\\slash",
      "selfValue": "self",
      "StringValue": "String",
      "tick": "`tick`",
      "xY": "x\"y",
      "isFrozenValue": "isFrozen",
      "tail": "tail ",
    ]
  }
}

class R11_firstName: Object {
  @Persisted var List: Map<String, Float?>
  @Persisted var context: Map<String, Float>
  @Persisted var money: Map<String, R11_?>
  @Persisted var `in`: String?
  @Persisted var selfValue: List<Decimal128>
  @Persisted var inhash: MutableSet<R11_>
  @Persisted var hashValue2: ObjectId
  @Persisted var isFrozenValue: Map<String, Data?>
  @Persisted var __: R11_isFrozen?
  @Persisted var contextaB: Int?

  override class func propertiesMapping() -> [String: String] {
    [
      "money": "$money",
      "selfValue": "self",
      "hashValue2": "hash",
      "isFrozenValue": "isFrozen",
      "contextaB": "contexta-b",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R11_first name"
  }
}

class R11_: Object {
  @Persisted(deleteRule: .cascadeIfLast) var `class`: List<R11_>
  @Persisted var Int: Date?
  @Persisted var money: List<Decimal128>
  @Persisted var isFrozen日本: MutableSet<AnyRealmValue>
  @Persisted(primaryKey: true) var isFrozenValue: String
  @Persisted var __: List<String?>
  @Persisted var class2: UUID
  @Persisted(originProperty: "class") var e: LinkingObjects<R11_>

  override class func propertiesMapping() -> [String: String] {
    [
      "money": "$money",
      "isFrozenValue": "isFrozen",
      "e": "e\u{301}",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R11_\u{1f415}"
  }
}

class R11_isFrozen: EmbeddedObject {
  @Persisted var hashValue2: AnyRealmValue
  @Persisted var __: String
  @Persisted var realmValue: ObjectId?
  @Persisted(indexed: true) var tail: ObjectId = ObjectId("e8d3cad41929e59400000007")
  @Persisted var initValue: AnyRealmValue
  @Persisted var backSlash: Double?
  @Persisted var observe: Data
  @Persisted var tick: MutableSet<AnyRealmValue>
  @Persisted var firstName: String = "hash\n\u{1b}\\(x)"
  @Persisted var aB: List<R11_isFrozen>

  override class func propertiesMapping() -> [String: String] {
    [
      "hashValue2": "hash",
      "realmValue": "realm",
      "tail": "tail ",
      "initValue": "init",
      "backSlash": "back\\slash",
      "tick": "`tick`",
      "firstName": "first name",
      "aB": "a-b",
    ]
  }
}

class R12_Self: Object {
  @Persisted(deleteRule: .deny) var Int: MutableSet<R12_Self>
  @Persisted var _id: MutableSet<ObjectId>
}

class R12_in: EmbeddedObject {
  @Persisted var AnyValue: List<Bool?>
  @Persisted var `where`: List<String>
  @Persisted var List: MutableSet<Int8?>
  @Persisted var where2: Decimal128
  @Persisted var id: MutableSet<Int?>
  @Persisted var backSlash: Decimal128?
  @Persisted var firstName: ObjectId? = ObjectId("4b11c43e2a74d67f00000007")

  override class func propertiesMapping() -> [String: String] {
    [
      "AnyValue": "Any",
      "backSlash": "back\\slash",
      "firstName": "first name",
    ]
  }
}

class R12_größe: Object {
  @Persisted var größe: Map<String, AnyRealmValue>
  @Persisted var StringValue: Map<String, Data?>
  @Persisted var 日本: R12_Tick?
  @Persisted(indexed: true) var observe: String
  @Persisted var descriptionValue: List<Data>
  @Persisted var money: Decimal128?
  @Persisted var xY: Float?
  @Persisted var name: Data? = Data([0, 1, 24])
  @Persisted var `class`: Float
  @Persisted(indexed: true) var _id: Bool? = true
  @Persisted var __: Int?
  @Persisted(primaryKey: true) var TypeValue: String?
  @Persisted var aB: Map<String, Double>

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
      "descriptionValue": "description",
      "money": "$money",
      "xY": "x\"y",
      "__": "_",
      "TypeValue": "Type",
      "aB": "a-b",
    ]
  }
}

class R12_Tick: EmbeddedObject {
  @Persisted var observationInfo: List<R12_Tick>
  @Persisted(indexed: true) var name: Bool = true
  @Persisted var StringValue: Double?
  @Persisted var List: Double = 18.8983375
  @Persisted var age: Map<String, Data>
  @Persisted var `class`: Data = Data([0, 1, 122])
  @Persisted var hashValue2: List<String>
  @Persisted var observe: Decimal128 = "160829060789268"
  @Persisted var größe: Double?
  @Persisted var aB: UUID?

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
      "hashValue2": "hash",
      "aB": "a-b",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R12_`tick`"
  }
}

class R13_日本: Object {
  @Persisted var tail: Map<String, String?>
  @Persisted var List: Decimal128
  @Persisted var unnamed: List<Float>
  @Persisted var identity: ObjectId?
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var selfValue: ObjectId
  @Persisted(indexed: true) var Listidentity: ObjectId?
  @Persisted var `where`: List<UUID>
  @Persisted var TypeValue: List<Double?>
  @Persisted var aB: Double = 60.6249
  @Persisted var self2: AnyRealmValue
  @Persisted(originProperty: "where") var größe: LinkingObjects<R13_aB>

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
      "unnamed": "\u{1f415}",
      "selfValue": "self",
      "TypeValue": "Type",
      "aB": "a-b",
    ]
  }
}

class R13_1st: Object {
  @Persisted var id2: Map<String, String>
  @Persisted var id: List<String>
  @Persisted var `where`: Date?
  @Persisted(primaryKey: true) var realmValue: ObjectId

  override class func propertiesMapping() -> [String: String] {
    [
      "realmValue": "realm",
    ]
  }
}

class R13_aB: Object {
  @Persisted var größe: String?
  @Persisted(deleteRule: .cascadeIfLast) var `where`: Map<String, R13_日本?>
  @Persisted var tail: Map<String, Data?>
  @Persisted var TypeValue: AnyRealmValue
  @Persisted(indexed: true) var descriptionValue: Bool
  @Persisted var __: AnyRealmValue
  @Persisted(primaryKey: true) var SelfValue: ObjectId
  @Persisted var where2: Float

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
      "TypeValue": "Type",
      "descriptionValue": "description",
      "__": "_",
      "SelfValue": "Self",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R13_a-b"
  }
}

class R13___: Object {
  @Persisted var Int: Decimal128
  @Persisted(indexed: true) var tick: ObjectId?
  @Persisted var List: List<ObjectId?>
  @Persisted var `class`: AnyRealmValue
  @Persisted var age: Data?
  @Persisted var id: Map<String, AnyRealmValue>
  @Persisted var observe: List<Float>
  @Persisted var hashValue2: UUID?

  override class func propertiesMapping() -> [String: String] {
    [
      "tick": "`tick`",
      "hashValue2": "hash",
    ]
  }
}

class R13_e: EmbeddedObject {
  @Persisted(indexed: true) var Int: String
  @Persisted var `in`: Map<String, AnyRealmValue>
  @Persisted var context: Decimal128?
  @Persisted(indexed: true) var isFrozenValue: Bool?
  @Persisted var xY: List<UUID?>
  @Persisted var StringValue: Double
  @Persisted var SelfValue: List<Int8?>

  override class func propertiesMapping() -> [String: String] {
    [
      "isFrozenValue": "isFrozen",
      "xY": "x\"y",
      "StringValue": "String",
      "SelfValue": "Self",
    ]
  }

  override class func _realmObjectName() -> String? {
    "R13_e\u{301}"
  }
}

class R14_class: Object {
  @Persisted(primaryKey: true) var observationInfo: ObjectId?
  @Persisted var StringValue: UUID
  @Persisted var observationInfoe: Map<String, Data>

  override class func propertiesMapping() -> [String: String] {
    [
      "StringValue": "String",
      "observationInfoe": "observationInfoe\u{301}",
    ]
  }
}

class R14_Any: EmbeddedObject {
  @Persisted var money: List<Decimal128?>
  @Persisted(indexed: true) var aB: Date? = Date(timeIntervalSince1970: 670877126)
  @Persisted var größe: Double? = 63.66005625
  @Persisted var backSlash: String? = "age\n\u{1b}\\(x)"
  @Persisted var TypeValue: Float?
  @Persisted(deleteRule: .cascade) var unnamed: R14_class?
  @Persisted var _1st: AnyRealmValue
  @Persisted var e: AnyRealmValue
  @Persisted var age: Decimal128
  @Persisted(indexed: true) var xY: Bool
  @Persisted var __: Data? = Data([0, 1, 64])
  @Persisted var initValue: R14_Any?

  override class func propertiesMapping() -> [String: String] {
    [
      "money": "$money",
      "aB": "a-b",
      "backSlash": "back\\slash",
      "TypeValue": "Type",
      "unnamed": "\u{1f415}",
      "_1st": "1st",
      "e": "e\u{301}",
      "xY": "x\"y",
      "__": "_",
      "initValue": "init",
    ]
  }
}

class R14_日本: Object {
  @Persisted(indexed: true) var tail: ObjectId = ObjectId("c5b3f2fad7eb898c00000007")
  @Persisted var value: String
  @Persisted var SelfValue: Map<String, AnyRealmValue>
  @Persisted var __: ObjectId

  override class func propertiesMapping() -> [String: String] {
    [
      "tail": "tail ",
      "SelfValue": "Self",
    ]
  }
}

class R14_context: EmbeddedObject {
  @Persisted var observe: Int8? = 1
  @Persisted var `in`: UUID?
  @Persisted var __: List<Int16>
  @Persisted var id2: ObjectId?
  @Persisted var descriptionValue: ObjectId = ObjectId("383b04adca0018db00000007")
  @Persisted var hashValue2: Map<String, Date>
  @Persisted var id: MutableSet<Data?>
  @Persisted var größe: Float = 109.75
  @Persisted var unnamed: List<Decimal128>

  override class func propertiesMapping() -> [String: String] {
    [
      "descriptionValue": "description",
      "hashValue2": "hash",
      "unnamed": "\u{1f415}",
    ]
  }
}

let randomModels3: [[ObjectBase.Type]] = [
  [R10_Tick.self, R10_value.self],
  [R11_firstName.self, R11_.self, R11_isFrozen.self],
  [R12_Self.self, R12_in.self, R12_größe.self, R12_Tick.self],
  [R13_日本.self, R13_1st.self, R13_aB.self, R13___.self, R13_e.self],
  [R14_class.self, R14_Any.self, R14_日本.self, R14_context.self],
]
