/// Whether a property holds one value or a collection of them.
///
/// ```swift
/// let lists = person.properties.filter { $0.type.collection == .list }
/// print(lists.map(\.name))
/// ```
public enum CollectionKind: UInt8, Sendable, CaseIterable {
  /// One value.
  case none = 0
  /// An ordered collection that may hold an element twice.
  case list = 1
  /// A collection that holds each member once.
  case set = 2
  /// A collection of values under string keys.
  case map = 3

  /// The collection without elements.
  package var empty: Value {
    switch self {
    case .none: .null
    case .list: .list([])
    case .set: .set([])
    case .map: .map([])
    }
  }
}

/// The type of a property.
///
/// ```swift
/// let dogs = PropertyType.list(.link("Dog"))
/// print(dogs, PropertyType("list<link<Dog>>") == dogs)
/// ```
///
/// Written as in `string?`, `int32`, `link<Dog>`, `list<link<Dog>>`, `set<uuid>`, `map<mixed>`,
/// `list<double?>`.
public struct PropertyType: Hashable, Sendable {
  /// The kind of the value, or of each element.
  public var kind: ValueKind
  /// Whether it is a collection, and which.
  public var collection: CollectionKind
  /// Whether the value, or each element, may be null.
  ///
  /// Links and mixed values always may, except link elements of lists and sets.
  public var isOptional: Bool
  /// The declared width of an `int` in bits: 8, 16, 32 or 64.
  public var bitWidth: Int
  /// The class that a link points to.
  public var target: String?

  /// Makes a type from its parts.
  public init(
    _ kind: ValueKind,
    collection: CollectionKind = .none,
    isOptional: Bool = false,
    bitWidth: Int = 64,
    target: String? = nil
  ) {
    self.kind = kind
    self.collection = collection
    self.isOptional = isOptional
    self.bitWidth = bitWidth
    self.target = target
  }

  /// A truth value.
  public static let bool = PropertyType(.bool)
  /// A whole number of 64 bits.
  public static let int = PropertyType(.int)
  /// A floating point number of 32 bits.
  public static let float = PropertyType(.float)
  /// A floating point number of 64 bits.
  public static let double = PropertyType(.double)
  /// Text.
  public static let string = PropertyType(.string)
  /// Bytes.
  public static let data = PropertyType(.data)
  /// A point in time.
  public static let date = PropertyType(.date)
  /// An identifier of 12 bytes.
  public static let objectId = PropertyType(.objectId)
  /// An identifier of 16 bytes.
  public static let uuid = PropertyType(.uuid)
  /// A decimal number of 34 digits.
  public static let decimal128 = PropertyType(.decimal128)
  /// Any scalar, a link to an object of any class, or a list or map of such values; may be null.
  public static let mixed = PropertyType(.mixed, isOptional: true)

  /// A whole number of a declared width of 8, 16, 32 or 64 bits.
  public static func int(bitWidth: Int) -> PropertyType {
    PropertyType(.int, bitWidth: bitWidth)
  }

  /// A to-one link to an object of a class, embedded if that class is.
  public static func link(_ target: String) -> PropertyType {
    PropertyType(.link, isOptional: true, target: target)
  }

  /// A list of elements of a type.
  public static func list(_ element: PropertyType) -> PropertyType {
    element.collected(as: .list)
  }

  /// A set of members of a type.
  public static func set(_ element: PropertyType) -> PropertyType {
    element.collected(as: .set)
  }

  /// A map with values of a type under string keys.
  public static func map(_ element: PropertyType) -> PropertyType {
    element.collected(as: .map)
  }

  /// The widths that an `int` can have, in bits.
  public static let bitWidths = [8, 16, 32, 64]

  /// The numbers that an `int` of the declared width can hold.
  public var intRange: ClosedRange<Int64> {
    let limit = bitWidth < 64 ? Int64(1) << (bitWidth - 1) - 1 : .max
    return -limit - 1...limit
  }

  /// The same type, with null allowed.
  public var optional: PropertyType {
    var type = self
    type.isOptional = true
    return type
  }

  /// The type of an element of the collection, or of the value itself.
  public var element: PropertyType {
    var type = self
    type.collection = .none
    return type
  }

  private func collected(as collection: CollectionKind) -> PropertyType {
    var type = self
    type.collection = collection
    if kind == .link { type.isOptional = collection == .map }
    return type
  }
}

extension PropertyType: CustomStringConvertible {
  /// The type as it is written in documents and on the screen.
  public var description: String {
    let name =
      switch kind {
      case .int where bitWidth != 64: "int\(bitWidth)"
      case .link: "link<\(target ?? "?")>"
      case let kind: "\(kind)"
      }
    let isMarked = isOptional && kind != .link && kind != .mixed
    let element = isMarked ? name + "?" : name
    return collection == .none ? element : "\(collection)<\(element)>"
  }

  /// Reads what ``description`` writes; `nil` for any other text.
  public init?(_ text: String) {
    var rest = Substring(text)
    var collection = CollectionKind.none
    for kind in [CollectionKind.list, .set, .map] where rest.hasPrefix("\(kind)<") {
      guard rest.hasSuffix(">") else { return nil }
      rest = rest.dropFirst("\(kind)<".count).dropLast()
      collection = kind
      break
    }
    let isMarked = rest.hasSuffix("?")
    if isMarked { rest = rest.dropLast() }
    if rest.hasPrefix("link<"), rest.hasSuffix(">"), !isMarked {
      let target = String(rest.dropFirst("link<".count).dropLast())
      guard !target.isEmpty else { return nil }
      let optional = collection == .none || collection == .map
      self.init(.link, collection: collection, isOptional: optional, target: target)
      return
    }
    if let width = ["int8": 8, "int16": 16, "int32": 32][String(rest)] {
      self.init(.int, collection: collection, isOptional: isMarked, bitWidth: width)
      return
    }
    guard let kind = ValueKind.allCases.first(where: { "\($0)" == rest }), kind != .link,
      !(kind == .mixed && isMarked)
    else { return nil }
    self.init(kind, collection: collection, isOptional: isMarked || kind == .mixed)
  }
}
