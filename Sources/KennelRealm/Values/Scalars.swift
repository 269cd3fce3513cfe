// swift-format-ignore-file: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation

public import Foundation
public import KennelCore

/// A whole number of up to 64 bits.
public protocol _IntegerProperty: _PersistableInsideOptional, FixedWidthInteger, _Indexable,
  _PrimaryKey, _QueryNumeric, MinMaxType, AddableType, SortableType
{}

extension _IntegerProperty {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.int, bitWidth: bitWidth) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
    Self(truncatingIfNeeded: object.read(key, Int64.readNullable) ?? 0)
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
    object.write(Int64(value), key, Int64.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
    object.read(key, Int64.readNullable).map { Self(truncatingIfNeeded: $0) }
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
    object.write(value.map { Int64($0) }, key, Int64.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> Self { 0 }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> Self {
    if case .int(let number) = value { Self(truncatingIfNeeded: number) } else { 0 }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .int(Int64(self)) }
}

extension Int: _IntegerProperty {}
extension Int8: _IntegerProperty {}
extension Int16: _IntegerProperty {}
extension Int32: _IntegerProperty {}
extension Int64: _IntegerProperty {}

extension Bool: _PersistableInsideOptional, _Indexable, SortableType {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.bool) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Bool {
    object.read(key, Bool.readNullable) ?? false
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Bool) {
    object.write(value, key, Bool.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Bool? {
    object.read(key, Bool.readNullable)
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Bool?) {
    object.write(value, key, Bool.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> Bool { false }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> Bool {
    if case .bool(let value) = value { value } else { false }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .bool(self) }
}

extension Float: _PersistableInsideOptional, _QueryNumeric, MinMaxType, AddableType, SortableType {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.float) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Float {
    object.read(key, Float.readNullable) ?? 0
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Float) {
    object.write(value, key, Float.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Float? {
    object.read(key, Float.readNullable)
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Float?) {
    object.write(value, key, Float.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> Float { 0 }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> Float {
    if case .float(let value) = value { value } else { 0 }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .float(self) }
}

extension Double: _PersistableInsideOptional, _QueryNumeric, MinMaxType, AddableType, SortableType {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.double) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Double {
    object.read(key, Double.readNullable) ?? 0
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Double) {
    object.write(value, key, Double.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Double? {
    object.read(key, Double.readNullable)
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Double?) {
    object.write(value, key, Double.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> Double { 0 }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> Double {
    if case .double(let value) = value { value } else { 0 }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .double(self) }
}

extension String: _PersistableInsideOptional, _Indexable, _PrimaryKey, _QueryString, _QueryBinary,
  SortableType
{
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.string) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> String {
    object.read(key, String.readNullable) ?? ""
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: String) {
    object.write(value, key, String.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> String? {
    object.read(key, String.readNullable)
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: String?) {
    object.write(value, key, String.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> String { "" }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> String {
    if case .string(let value) = value { value } else { "" }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .string(self) }
}

extension Data: _PersistableInsideOptional, _QueryBinary, SortableType {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.data) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Data {
    Data(object.read(key, [UInt8].readNullable) ?? [])
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Data) {
    object.write(Array(value), key, [UInt8].setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Data? {
    object.read(key, [UInt8].readNullable).map { Data($0) }
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Data?) {
    object.write(value.map { Array($0) }, key, [UInt8].setNullable)
  }
  @inlinable
  public static func _makeDefault() -> Data { Data() }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> Data {
    if case .data(let bytes) = value { Data(bytes) } else { Data() }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .data(Array(self)) }
}

extension Date: _PersistableInsideOptional, _Indexable, _QueryNumeric, MinMaxType, SortableType {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.date) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Date {
    Date(object.read(key, Timestamp.readNullable) ?? Timestamp(seconds: 0))
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Date) {
    object.write(Timestamp(value), key, Timestamp.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Date? {
    object.read(key, Timestamp.readNullable).map { Date($0) }
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Date?) {
    object.write(value.map { Timestamp($0) }, key, Timestamp.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> Date { Date() }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> Date {
    if case .date(let time) = value { Date(time) } else { Date(timeIntervalSince1970: 0) }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .date(Timestamp(self)) }
}

extension Date {
  /// The seconds from 1970, where a timestamp begins, to 2001, where a date does.
  private static let secondsBetweenEpochs: Int64 = 978_307_200

  @_effects(readnone)
  @usableFromInline
  internal init(_ time: Timestamp) {
    let seconds = time.seconds.subtractingReportingOverflow(Self.secondsBetweenEpochs)
    let whole = seconds.overflow ? Double(time.seconds) : Double(seconds.partialValue)
    self.init(timeIntervalSinceReferenceDate: whole + Double(time.nanoseconds) / 1e9)
  }
}

extension Timestamp {
  /// The date to the nanosecond, or the nearest that there is.
  @usableFromInline
  internal init(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval.isFinite, abs(interval) < 9.2e18 else {
      self.init(seconds: interval < 0 ? .min : .max)
      return
    }
    let whole = interval.rounded(.down)
    var seconds = Int64(whole) + 978_307_200
    var nanoseconds = UInt32(((interval - whole) * 1e9).rounded())
    if nanoseconds >= 1_000_000_000 {
      nanoseconds = 0
      seconds += 1
    }
    self = Timestamp(seconds: seconds, nanoseconds: nanoseconds) ?? Timestamp(seconds: seconds)
  }
}

extension UUID: _PersistableInsideOptional, _Indexable, _PrimaryKey, SortableType {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.UUID) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> UUID {
    UUID(object.read(key, UUIDValue.readNullable) ?? UUIDValue(high: 0, low: 0))
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: UUID) {
    object.write(UUIDValue(value), key, UUIDValue.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> UUID? {
    object.read(key, UUIDValue.readNullable).map { UUID($0) }
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: UUID?) {
    object.write(value.map { UUIDValue($0) }, key, UUIDValue.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> UUID { UUID() }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> UUID {
    guard case .uuid(let words) = value else { return UUID(UUIDValue(high: 0, low: 0)) }
    return UUID(words)
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .uuid(UUIDValue(self)) }
}

extension UUID {
  @usableFromInline
  internal init(_ words: UUIDValue) {
    func byte(_ index: UInt64) -> UInt8 {
      let word = index < 8 ? words.high : words.low
      return UInt8(truncatingIfNeeded: word >> (8 * (7 - index % 8)))
    }
    self.init(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7),
        byte(8), byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
      )
    )
  }
}

extension UUIDValue {
  @usableFromInline
  internal init(_ id: UUID) {
    let bytes = id.uuid
    func word(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(
      high: word(
        bytes.0,
        bytes.1,
        bytes.2,
        bytes.3,
        bytes.4,
        bytes.5,
        bytes.6,
        bytes.7
      ),
      low: word(
        bytes.8,
        bytes.9,
        bytes.10,
        bytes.11,
        bytes.12,
        bytes.13,
        bytes.14,
        bytes.15
      )
    )
  }
}

extension ObjectId: _PersistableInsideOptional, _Indexable, _PrimaryKey, SortableType {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.objectId) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> ObjectId {
    ObjectId(
      object.read(key, KennelCore.ObjectId.readNullable) ?? KennelCore.ObjectId(high: 0, low: 0)
    )
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: ObjectId) {
    object.write(value.stored, key, KennelCore.ObjectId.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> ObjectId? {
    object.read(key, KennelCore.ObjectId.readNullable).map { ObjectId($0) }
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: ObjectId?) {
    object.write(value.map { $0.stored }, key, KennelCore.ObjectId.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> ObjectId { .generate() }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> ObjectId {
    if case .objectId(let id) = value {
      ObjectId(id)
    } else {
      ObjectId(KennelCore.ObjectId(high: 0, low: 0))
    }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value {
    .objectId(stored)
  }
}

extension Decimal128: _PersistableInsideOptional, _QueryNumeric, MinMaxType, AddableType,
  SortableType
{
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.decimal128) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Decimal128 {
    Decimal128(object.read(key, KennelCore.Decimal128.readNullable) ?? Decimal128().stored)
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Decimal128) {
    object.write(value.stored, key, KennelCore.Decimal128.setNullable)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Decimal128? {
    object.read(key, KennelCore.Decimal128.readNullable).map { Decimal128($0) }
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Decimal128?) {
    object.write(value.map { $0.stored }, key, KennelCore.Decimal128.setNullable)
  }
  @inlinable
  public static func _makeDefault() -> Decimal128 { Decimal128() }
  @inlinable
  public static func _decode(_ value: KennelCore.Value, _ context: RealmContext?) -> Decimal128 {
    if case .decimal128(let number) = value { Decimal128(number) } else { Decimal128() }
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> KennelCore.Value { .decimal128(stored) }
}
