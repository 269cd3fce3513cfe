import Foundation
import KennelCore

extension AnyRealmValue {
  /// A list or dictionary that stays connected with the file; `nil` for any other value.
  ///
  /// - Parameters:
  ///   - stored: What is stored.
  ///   - place: Where it is, which is only made where it is needed.
  internal init?(_ stored: StoredValue, at place: @autoclosure () -> ManagedPlace) {
    switch stored {
    case .list: self = .list(List.at(place()))
    case .map: self = .dictionary(Map.at(place()))
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128,
      .link, .set:
      return nil
    }
  }
}

extension ManagedPlace {
  /// An element as the program's type has it; lists and dictionaries inside it stay connected.
  internal func decode<Element: RealmCollectionValue>(
    _ value: StoredValue,
    at step: NestedStep
  ) -> Element {
    if value.isCollection, let nested = AnyRealmValue(value, at: nested(step, value)) as? Element {
      return nested
    }
    return Element._decode(value, context)
  }
}

extension AnyRealmValue {
  /// A list or dictionary as the file stores it; any other value by itself.
  ///
  /// A list may hold itself as long as it is unmanaged: what is nested too deep stops the program.
  ///
  /// - Parameters:
  ///   - depth: How many lists and dictionaries it is inside of.
  ///   - link: What is stored of an object.
  /// - Returns: What is stored.
  internal func encoded(
    depth: Int = 0,
    link: (Object) -> StoredValue
  ) -> StoredValue {
    guard depth <= StoredValue.deepestNesting else {
      throwRealmException(
        "Cannot store lists and dictionaries that are more than "
          + "\(StoredValue.deepestNesting) levels inside each other"
      )
    }
    switch self {
    case .list(let list):
      return .list(list.map { $0.encoded(depth: depth + 1, link: link) })
    case .dictionary(let map):
      let entries = map.entries.map {
        MapEntry($0.key, $0.value.encoded(depth: depth + 1, link: link))
      }
      return .map(entries.sorted { $0.key.hasBytes(before: $1.key) })
    case .object(let object): return link(object)
    case .none, .int, .bool, .float, .double, .string, .data, .date, .objectId, .decimal128, .uuid:
      return _encode(nil)
    }
  }
}
