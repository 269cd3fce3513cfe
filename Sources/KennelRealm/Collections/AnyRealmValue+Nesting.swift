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

extension AnyRealmValue {
  /// Returns whether both are the same value of the same type.
  ///
  /// Two managed lists or dictionaries are equal if they are the same one in the file; two
  /// unmanaged ones are equal if their elements are equal.
  public static func == (left: AnyRealmValue, right: AnyRealmValue) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.int(let left), .int(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.float(let left), .float(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.objectId(let left), .objectId(let right)): left == right
    case (.decimal128(let left), .decimal128(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  /// Hashes the value; a list or dictionary contributes only its kind, not its elements.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .dictionary: hasher.combine(1)
    case .list: hasher.combine(2)
    }
  }
}
