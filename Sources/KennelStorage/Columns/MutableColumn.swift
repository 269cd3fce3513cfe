/// The type of a column's values: a property's type without names and widths.
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
      switch kind.form {
      case .word, .link: .words
      case .pair: .pairs
      case .bytes, .mixed: .cells
      }
    }
  }
}

/// The five ways in which a decoded column keeps its values.
@usableFromInline
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

/// The value of a place, in its chunk or outside it: bytes, object keys, or a collection, which is never `.null`.
@usableFromInline
package enum ChunkValue<Contents> {
  case inline(Contents)
  case external(ExternalLocation)
}

extension ChunkValue: Equatable where Contents: Equatable {}
extension ChunkValue: Sendable where Contents: Sendable {}

/// One property of one cluster, decoded for changing.
///
/// A place at or past `count` reads as null, or as empty where the property is a collection.
/// Words, pairs, cells and keys lie in raw memory (``ColumnStorage``), which the hot paths reach
/// without touching this object; `nulls` concerns words, pairs and cells.
///
/// Safe to use: it owns its body.
@safe package final class MutableColumn {
  package let type: ColumnType
  package let body: ViewHandle<ColumnStorage>
  /// The collection of each place; of a column of collections.
  package var collections: [ChunkValue<Value>] = []

  package init(_ type: ColumnType) {
    self.type = type
    body = unsafe ViewHandle(.allocate(capacity: 1))
    unsafe body.pointer.initialize(to: ColumnStorage(type.form))
  }

  package init(copying other: MutableColumn) {
    type = other.type
    body = unsafe ViewHandle(.allocate(capacity: 1))
    unsafe body.pointer.initialize(to: ColumnStorage(copying: other.body.pointee))
    collections = other.collections
  }

  deinit {
    unsafe body.pointee.deallocate()
    unsafe body.pointer.deallocate()
  }

  /// The places in use, at most 256.
  package var count: Int { body.pointee.count }

  /// A bit per place, set where the value is null.
  package var nulls: PlaceSet { body.pointee.nulls }

  /// One word per place, or two; of a column of words or pairs.
  package var words: ColumnWords { body.pointee.words }

  /// The bytes of each place, copied; of a column of cells.
  package var cells: CopiedCells { CopiedCells(body: body) }

  /// The keys of each place, copied; of a column of keys.
  package var keys: CopiedKeys { CopiedKeys(body: body) }

  package func isNull(_ place: Int) -> Bool { body.pointee.isNull(place) }

  package func setNull(_ place: Int, _ isNull: Bool) {
    grow(to: place + 1)
    body.pointee.nulls[place] = isNull
  }

  /// Makes room for `newCount` places; new ones are null or empty.
  package func grow(to newCount: Int) {
    let added = newCount - count
    guard added > 0 else { return }
    body.pointee.grow(to: newCount)
    if type.form == .collections {
      collections.append(contentsOf: repeatElement(.inline(type.collection.empty), count: added))
    }
  }
}

/// The cells of a column as values.
package struct CopiedCells {
  fileprivate let body: ViewHandle<ColumnStorage>

  package subscript(place: Int) -> ChunkValue<[UInt8]> {
    get {
      if let location = body.pointee.external(at: place) { return .external(location) }
      return .inline(Array(body.pointee.cell(at: place)))
    }
    nonmutating set {
      switch newValue {
      case .inline(let bytes):
        bytes.withRawBytes { body.pointee.setCell($0, at: place) }
      case .external(let location): body.pointee.setExternal(location, at: place)
      }
    }
  }
}

/// The lists of keys of a column as values.
package struct CopiedKeys {
  fileprivate let body: ViewHandle<ColumnStorage>

  package subscript(place: Int) -> ChunkValue<[UInt64]> {
    get {
      if let location = body.pointee.external(at: place) { return .external(location) }
      return unsafe .inline(Array(body.pointee.keys(at: place)))
    }
    nonmutating set {
      switch newValue {
      case .inline(let keys):
        unsafe keys.withUnsafeBufferPointer { unsafe body.pointee.setKeys($0, at: place) }
      case .external(let location): body.pointee.setExternal(location, at: place)
      }
    }
  }
}
