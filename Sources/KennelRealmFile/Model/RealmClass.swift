/// A table of a Realm file.
public struct RealmClass: Sendable {
  /// The kinds of classes, by what may own their objects.
  public enum Kind: Sendable, Hashable {
    /// Objects stand alone.
    case topLevel
    /// Every object belongs to another.
    case embedded
    /// Objects are only written, for a server.
    case asymmetric
  }

  /// The name of the table, such as `class_Dog`; the SDKs prefix it, Realm's core does not.
  public let name: String
  /// The name of the class, such as `Dog`; `nil` for Realm's own tables.
  public let className: String?
  /// The kind, by what may own objects of the class.
  public let kind: Kind
  /// The number by which links name the class.
  public let tableKey: Int
  /// The properties, in the order of their declaration.
  public internal(set) var properties: [RealmFileProperty]
  /// The properties of other classes that link to this one.
  public let backlinks: [RealmBacklink]
  /// The property whose value identifies an object.
  public let primaryKey: RealmFileProperty?
  /// The number of objects.
  public internal(set) var count: Int

  /// The offset of the table's top node.
  let top: Int
  /// The root of the tree of clusters.
  let clusters: Int64

  /// The name of the class, or of the table of one that is Realm's own.
  public var title: String { className ?? name }
}

/// A property of a class.
public struct RealmFileProperty: Sendable, Hashable {
  /// The name of the property.
  public let name: String
  /// Identifies the property in its file.
  public let columnKey: Int64
  /// The number of the property's column.
  public let index: Int
  /// The type of the value, or of the elements of a collection.
  public let kind: RealmKind
  /// Whether the value, or an element of a collection, may be null.
  public let isOptional: Bool
  /// The kind of collection; `nil` for a single value.
  public let collection: RealmCollectionKind?
  /// Whether the property has an index of any kind; a primary key has one.
  public let isIndexed: Bool
  /// Whether the index finds words.
  public let isFullText: Bool

  /// The key of the table that links lead to; `nil` if the property is not a link.
  public var target: Int? {
    if case .object(let target) = kind { target } else { nil }
  }

  /// Whether values of a damaged file are lost, and null in their place.
  public internal(set) var hasLostValues = false

  /// The strings of a column that stores numbers in place of them.
  let enumeration: Int64?
  /// Whether the keys of a dictionary are integers.
  let hasIntegerKeys: Bool
}

/// A property of another class that links to a class.
public struct RealmBacklink: Sendable, Hashable {
  /// The table key of the class that has the property.
  public let source: Int
  /// The column key of the property.
  public let sourceColumn: Int64
  /// The number of the column that stores the backlinks.
  public let index: Int
}

/// The type of a value.
public enum RealmKind: Sendable, Hashable {
  /// A 64-bit integer.
  case int
  /// A truth value.
  case bool
  /// A text.
  case string
  /// Bytes.
  case data
  /// A value of any type.
  case mixed
  /// A point in time.
  case timestamp
  /// A 32-bit floating-point number.
  case float
  /// A 64-bit floating-point number.
  case double
  /// A decimal number of 128 bits.
  case decimal
  /// A link to an object of the class with the table key.
  case object(target: Int)
  /// An identifier of 12 bytes.
  case objectId
  /// An identifier of 16 bytes.
  case uuid
}

/// The kinds of collections.
public enum RealmCollectionKind: Sendable, Hashable {
  /// Elements in an order, with duplicates.
  case list
  /// Elements without duplicates.
  case set
  /// Values by key.
  case dictionary
}
