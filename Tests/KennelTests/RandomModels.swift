// swift-format-ignore-file
import Kennel

struct N0_isFrozen: Model {
  let List = Property<ObjectId>(.primaryKey)
  let isEqual = Property<Decimal128>()
  let `default` = Property<Double?>()
  let größe = Property<Set<Double?>>()
  let größe2 = Property<[Bool?]>()
  let TypeValue = Property<Float?>(name: "Type")
  let `class` = Property<[String: ObjectId?]>()
  let description = Backlinks<N0___>(of: \.initValue)
}

struct N0_wrappedValue: EmbeddedModel {
  let tail = Property<Float?>(.indexed, name: "tail ")
  let `where` = Property<String>(.indexed)
  let ǅ = Property<Value>()
  let identity = Property<Timestamp>()
  let context = Property<Set<Float?>>()
  let StringValue = Property<[String: String?]>(name: "String")
  let 日本 = Property<[String?]>()
  let isEqual = Property<Object<N0_ǅ>?>()
  let StringString = Property<[String: Object<N0_ǅ>]>()
  let firstName = Property<Int32?>(name: "first name")
  let Sendable = Property<[UUIDValue?]>()
  let `default` = Property<Set<Int8?>>()
}

struct N0___: EmbeddedModel {
  let value = Property<Timestamp>()
  let initValue = Property<Object<N0_isFrozen>?>(name: "init", deleteRule: .cascade)
  let isFrozen = Property<UUIDValue?>(.indexed)
}

struct N0_id: EmbeddedModel {
  let freeze = Property<ObjectId>()
  let isEqual = Property<Int8>(.indexed)
  let _id = Property<Int?>(default: 59)
  let `any` = Property<Decimal128>()
  let firstName = Property<Double?>(.indexed, name: "first name")
  let set = Property<Value>()
  let _٣ = Property<Double?>(name: "\u{663}")
  let money = Property<[String: [UInt8]]>(name: "$money")
  let __ = Property<[String: Double]>()
  let AnyValue = Property<Value>(name: "Any")
}

struct N0_ǅ: EmbeddedModel {
  let observe = Property<[Float]>()
  let name = Property<Set<Value>>()
  let `any` = Property<Object<N0_wrappedValue>?>()
  let set = Property<Timestamp?>(default: Timestamp(seconds: 129891756))
  let xY = Property<String>(name: "x\"y")
}

struct N0_Self: Model {
  let StringValue = Property<Float?>(name: "String")
  let backSlash = Property<Timestamp?>(name: "back\\slash")
  let tick = Property<Int>(.primaryKey, name: "`tick`")
  let context = Property<[UInt8]?>(.indexed)
  let isEqual = Property<[String: Double]>()
  let ǅ = Property<[Double?]>()
  let größe = Property<[UInt8]?>(.indexed)
}

struct N1_Self: Model {
  let Type2 = Property<[Value]>()
  let tick = Property<UUIDValue>(name: "`tick`")
  let TypeValue = Property<Bool?>(name: "Type", default: true)
  let freeze = Property<UUIDValue>(default: UUIDValue(high: 2936340266296909718, low: 15510403807412641897))
  let Anysome = Property<[UInt8]>()
  let AnyValue = Property<ObjectId>(.primaryKey, name: "Any")
  let Sendable = Property<[String: Float]>()
}

struct N1_isFrozen: Model {
  let backSlash = Property<Int>(.indexed, name: "back\\slash")
  let age = Property<UUIDValue?>(default: UUIDValue(high: 2983140654205117793, low: 15463603419504433822))
  let elements = Property<[ObjectId?]>()
  let IntValue = Property<Set<Decimal128>>(name: "Int")
  let SelfValue = Property<ObjectId?>(.primaryKey, name: "Self")
  let value = Property<Float>()
  let identity = Property<[String: ObjectId?]>()
  let isEqual = Property<ObjectId>(.indexed, default: ObjectId(high: 13579198677185207553, low: 7))
}

struct N1_SelfList: Model {
  let observe = Property<Set<Float?>>()
  let `some` = Property<[String: ObjectId?]>()
  let elements = Property<Int?>(.primaryKey)
  let selfValue = Property<[UInt8]?>(name: "self", default: [0, 1, 248])
  let wrappedValue = Property<Set<[UInt8]>>()
  let backSlash = Property<Bool?>(name: "back\\slash")
}

struct N1__id: EmbeddedModel {
  let Sendable = Property<Decimal128?>(default: Decimal128(high: 3476778912330022912, low: 263249442547207))
  let id = Property<Bool>()
  let backSlash = Property<Value>(name: "back\\slash")
}

struct N2_Self: Model {
  let hashxY = Property<[Float?]>(name: "hashx\"y")
  let aB = Property<Value>(name: "a-b")
  let freeze = Property<Timestamp?>(default: Timestamp(seconds: 1594859045))
  let e = Property<Value>(name: "e\u{301}")
  let List = Property<String?>(default: "in\n\u{1b}\\(x)")
  let wrappedValue = Property<Value>()
  let tick = Property<[[UInt8]]>(name: "`tick`")
  let backSlash = Property<String>(name: "back\\slash", default: "x\"y\n\u{1b}\\(x)")
  let hashValue2 = Property<Bool>(.indexed, name: "hash")
  let aB2 = Backlinks<N2_in>(of: \.name, name: "a-b2")
}

struct N2_id: Model {
  let tail = Property<Set<Timestamp?>>(name: "tail ")
  let xY = Property<[String: String]>(name: "x\"y")
}

struct N2_Money: EmbeddedModel {
  static var className: String { "N2_$money" }

  let _٣ = Property<Double>(name: "\u{663}")
}

struct N2_in: Model {
  let isEqual = Property<Set<Int16>>()
  let money = Property<String?>(name: "$money")
  let Sendable = Property<UUIDValue?>(.indexed)
  let name = Property<Object<N2_Self>?>()
  let IntValue = Property<[Timestamp?]>(name: "Int")
  let freeze = Property<Double>(.indexed)
  let List = Property<String?>()
  let __ = Property<Decimal128>(default: Decimal128(high: 3476778912330022912, low: 116344774352704))
  let __Value = Property<[UInt8]?>(name: "_")
  let _id = Property<UUIDValue?>()
  let value = Property<[String: Double]>()
}

struct N3_set: Model {
  let _id = Property<[UInt8]>(default: [0, 1, 168])
  let hashValue2 = Property<UUIDValue?>(name: "hash")
  let `where` = Property<Value>()
  let get = Property<[Int32]>()
  let realm = Property<[String: ObjectId]>()
  let tail = Property<UUIDValue>(.indexed, name: "tail ")
  let context = Property<ObjectId?>()
  let AnyValue = Property<Value>(name: "Any")
}

struct N3_default: Model {
  let _id = Property<Float>(default: 41.0)
  let observe = Property<Double>(default: 45.740134375)
  let realm = Property<ObjectId?>()
  let unnamed = Property<UUIDValue>(.indexed, name: "\u{1f415}")
  let isFrozen = Property<UUIDValue?>(default: UUIDValue(high: 6888652259840590227, low: 11558091813868961388))
  let age = Property<Object<N3_default>?>()
  let Sendable = Property<Value>()
  let freeze = Property<Timestamp>()
  let __ = Property<[UInt8]>(name: "_", default: [0, 1, 156])
}

let randomModels: [[any Model.Type]] = [
  [N0_isFrozen.self, N0_wrappedValue.self, N0___.self, N0_id.self, N0_ǅ.self, N0_Self.self],
  [N1_Self.self, N1_isFrozen.self, N1_SelfList.self, N1__id.self],
  [N2_Self.self, N2_id.self, N2_Money.self, N2_in.self],
  [N3_set.self, N3_default.self],
]
