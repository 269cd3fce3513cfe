import Foundation
import KennelCore
import KennelFoundation

/// Converts Swift values to the stored values that queries compare with.
internal enum QueryArgument {
  /// The value to compare with, or a list of values for IN and BETWEEN.
  ///
  /// Stops the program if no stored value corresponds to it.
  static func value(_ given: Any?) -> StoredValue {
    guard let given = given.flatMap(unwrapped) else { return .null }
    if let value = single(given) { return value }
    if let keyed = given as? any AnyMap { return .list(keyed.anyEntries.map { value($0.1) }) }
    if let sequence = given as? any Sequence { return .list(elements(sequence)) }
    throwRealmException(
      "Cannot use a value of type '\(type(of: given))' in a query: give a number, text, data, a date, "
        + "an identifier, an object, or a sequence of such"
    )
  }

  /// Whether two arguments are the same to a query.
  static func areEqual(_ first: Any, _ second: Any) -> Bool {
    let (first, second) = (unwrapped(first), unwrapped(second))
    switch (first, second) {
    case (nil, nil): return true
    case (let first as ObjectBase, let second as ObjectBase):
      return first === second || first.isSameObject(as: second)
    case (let first?, let second?):
      if let first = single(first), let second = single(second) {
        if case (.int, .int) = (first, second) { return first == second }
        return first == second || number(first).map { $0 == number(second) } ?? false
      }
      guard let first = first as? any Sequence, let second = second as? any Sequence else {
        return false
      }
      let (left, right) = (anyElements(first), anyElements(second))
      return left.count == right.count && zip(left, right).allSatisfy(areEqual)
    case (nil, let only?), (let only?, nil): return only is NSNull
    }
  }

  /// A floating point number, or an integer that is to be compared with one.
  private static func number(_ value: StoredValue) -> Double? {
    value.kind == .decimal128 ? nil : value.number?.nearestDouble
  }

  private static func anyElements(_ sequence: some Sequence) -> [Any] { Array(sequence) }

  private static func elements(_ sequence: some Sequence) -> [StoredValue] {
    sequence.map { value($0) }
  }

  private static func single(_ given: Any) -> StoredValue? {
    switch given {
    case is NSNull: return .null
    case let area as any RLMGeospatial: return .string(area._areaText)
    case let object as ObjectBase: return link(object)
    case let value as AnyRealmValue: return value.encoded(link: link)
    case let value as any RealmCollectionValue: return value._encode(nil)
    case let number as NSNumber: return AnyRealmValue(number)?._encode(nil)
    case let number as any BinaryInteger: return Int64(exactly: number).map { .int($0) }
    case let text as NSString: return .string(text.description)
    case let data as NSData: return .data(Array(Data(referencing: data)))
    case let date as NSDate:
      return .date(
        Timestamp(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
      )
    case let text as Substring: return .string(String(text))
    case let raw as any RawRepresentable: return single(raw.rawValue)
    default: return nil
    }
  }

  /// The link to an object; ``nowhere`` if it is unmanaged or was deleted.
  private static func link(_ object: ObjectBase) -> StoredValue {
    guard let context = object.context, context.isValid(object) else {
      return .link(nowhere)
    }
    return .link(object.identity)
  }

  /// Stands for unmanaged and deleted objects; ``PredicateNames`` removes it.
  static let nowhere = ObjectIdentity(ClassKey(rawValue: .max), ObjectKey(rawValue: .max))
}
