/// What a column holds: a property's type without names and widths.
package struct ColumnType: Hashable, Sendable {
  package let kind: ValueKind
  package let collection: CollectionKind

  package init(_ kind: ValueKind, _ collection: CollectionKind = .none) {
    self.kind = kind
    self.collection = collection
  }

  package init(_ type: PropertyType) {
    kind = type.kind
    collection = type.collection
  }

  /// The keys of the objects that link to an object: ascending, with duplicates.
  package static let backlinks = ColumnType(.link, .list)

  /// How a decoded column of this type keeps its values.
  package var form: ColumnForm {
    switch collection {
    case .list where kind == .link, .set where kind == .link: .keys
    case .list, .set, .map: .collections
    case .none:
      switch kind {
      case .bool, .int, .float, .double, .link: .words
      case .date, .objectId, .uuid, .decimal128: .pairs
      case .string, .data, .mixed: .cells
      }
    }
  }
}

/// The five ways in which a decoded column keeps its values.
package enum ColumnForm: Sendable {
  /// One word each: booleans 0/1, integers and floating point numbers by their bits, links by
  /// their object key.
  case words
  /// Two words each: dates as seconds and nanoseconds, identifiers and decimals high and low.
  case pairs
  /// Bytes each: UTF-8 of strings, data, encoded mixed values (``MixedCodec``).
  case cells
  /// Object keys each: lists and sets of links to one class.
  case keys
  /// Values each: every other list, set and map.
  case collections
}

/// A value that lies outside its chunk, in pieces of its own.
@usableFromInline
package struct ExternalLocation: Hashable, Sendable {
  /// Names the pieces in the tree of pieces; never reused.
  package let id: UInt64
  /// Bytes of a cell; elements of a collection.
  package let count: UInt64
  /// How often a list of keys was changed since it was stored first; 0 for anything else, which
  /// gets a new id with each change.
  ///
  /// With it the chunk differs whenever the list does, and the difference of two snapshots
  /// need not look for the owners of changed pieces.
  package let revision: UInt32

  package init(id: UInt64, count: UInt64, revision: UInt32) {
    self.id = id
    self.count = count
    self.revision = revision
  }
}

/// Bytes in the chunk, or outside it.
package enum Cell: Hashable, Sendable {
  case inline([UInt8])
  case external(ExternalLocation)
}

/// Object keys in the chunk, or outside it.
package enum KeyList: Hashable, Sendable {
  case inline([UInt64])
  case external(ExternalLocation)
}

/// A collection's value in the chunk, or outside it.
package enum CollectionCell: Hashable, Sendable {
  /// `.list`, `.set` or `.map`; never `.null`: a collection without elements is empty.
  case inline(Value)
  case external(ExternalLocation)
}

/// One property of one cluster, decoded for changing.
///
/// A place at or past `count` reads as null, or as empty where the property is a collection.
/// Only the array that belongs to the type's ``ColumnForm`` is in use; `nulls` concerns words,
/// pairs and cells.
package final class MutableColumn {
  package let type: ColumnType
  /// The places in use, at most 256.
  @exclusivity(unchecked) package private(set) var count = 0
  /// A bit per place, set where the value is null.
  @exclusivity(unchecked) package var nulls: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  @exclusivity(unchecked) package var words: [UInt64] = []
  /// Two entries per place.
  @exclusivity(unchecked) package var pairs: [UInt64] = []
  @exclusivity(unchecked) package var cells: [Cell] = []
  @exclusivity(unchecked) package var keys: [KeyList] = []
  @exclusivity(unchecked) package var collections: [CollectionCell] = []

  package init(_ type: ColumnType) {
    self.type = type
  }

  /// A column of `count` places; the array of the type's form must have them all.
  init(
    _ type: ColumnType,
    count: Int,
    nulls: PlaceBits,
    words: [UInt64] = [],
    pairs: [UInt64] = [],
    cells: [Cell] = [],
    keys: [KeyList] = [],
    collections: [CollectionCell] = []
  ) {
    self.type = type
    self.count = count
    self.nulls = nulls
    self.words = words
    self.pairs = pairs
    self.cells = cells
    self.keys = keys
    self.collections = collections
  }

  package init(copying other: MutableColumn) {
    type = other.type
    count = other.count
    nulls = other.nulls
    words = other.words
    pairs = other.pairs
    cells = other.cells
    keys = other.keys
    collections = other.collections
  }

  package func isNull(_ place: Int) -> Bool {
    if place >= count { return true }
    let bit: UInt64 = 1 &<< UInt64(place & 63)
    return switch place &>> 6 {
    case 0: nulls.0 & bit != 0
    case 1: nulls.1 & bit != 0
    case 2: nulls.2 & bit != 0
    default: nulls.3 & bit != 0
    }
  }

  package func setNull(_ place: Int, _ isNull: Bool) {
    grow(to: place + 1)
    let bit: UInt64 = 1 &<< UInt64(place & 63)
    switch place &>> 6 {
    case 0: nulls.0 = isNull ? nulls.0 | bit : nulls.0 & ~bit
    case 1: nulls.1 = isNull ? nulls.1 | bit : nulls.1 & ~bit
    case 2: nulls.2 = isNull ? nulls.2 | bit : nulls.2 & ~bit
    default: nulls.3 = isNull ? nulls.3 | bit : nulls.3 & ~bit
    }
  }

  /// Makes room for `newCount` places; new ones are null or empty.
  package func grow(to newCount: Int) {
    guard newCount > count else { return }
    let added = newCount - count
    let first = count
    count = newCount
    switch type.form {
    case .words: words.append(contentsOf: repeatElement(0, count: added))
    case .pairs: pairs.append(contentsOf: repeatElement(0, count: 2 * added))
    case .cells: cells.append(contentsOf: repeatElement(.inline([]), count: added))
    case .keys:
      keys.append(contentsOf: repeatElement(.inline([]), count: added))
      return
    case .collections:
      collections.append(contentsOf: repeatElement(.inline(type.collection.empty), count: added))
      return
    }
    var bits = PlaceSetBits(nulls)
    bits.set(from: first)
    nulls = bits.words
  }
}

extension CollectionKind {
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
