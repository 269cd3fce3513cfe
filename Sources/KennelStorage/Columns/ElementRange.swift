/// The elements of one collection, read in place.
///
/// Safe to use while the snapshot is pinned: positions are checked.
@safe package struct ElementRange {
  /// All elements of all collections of the chunk.
  private let elements: ChunkView?
  /// The keys of the elements, where the collections are maps.
  private let keys: ChunkView?
  private let start: Int
  /// The elements of this collection.
  package let count: Int

  init(_ elements: ChunkView?, keys: ChunkView?, start: Int, count: Int) {
    self.elements = elements
    self.keys = keys
    self.start = start
    self.count = count
  }

  /// The key of a map's entry.
  package func key(_ position: Int) throws(StorageError) -> String {
    let bytes = place(position).flatMap { keys?.inlineCell($0) }
    guard let key = String(utf8: bytes ?? .empty) else {
      throw .damaged(in: "a map", "a key is not UTF-8")
    }
    return key
  }

  /// An element as a value.
  package func value(_ position: Int) throws(StorageError) -> Value {
    guard let place = place(position), let elements, !elements.isNull(place) else { return .null }
    switch ColumnType(elements.kind).form {
    case .words:
      let word = elements.word(place)
      if elements.kind == .link { return .link(LinkWord.decode(word)) }
      return Value(word: word, kind: elements.kind, target: nil)
    case .pairs:
      return try Value(pair: elements.pair(place), kind: elements.kind)
    case .cells, .keys, .collections:
      return try Value(cell: elements.inlineCell(place), kind: elements.kind)
    }
  }

  /// All elements as values.
  package func values() throws(StorageError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for position in 0..<count { values.append(try value(position)) }
    return values
  }

  /// All entries of a map.
  package func entries() throws(StorageError) -> [MapEntry] {
    var entries: [MapEntry] = []
    entries.reserveCapacity(count)
    for position in 0..<count { entries.append(MapEntry(try key(position), try value(position))) }
    return entries
  }

  private func place(_ position: Int) -> Int? {
    position >= 0 && position < count ? start + position : nil
  }
}

extension ChunkView {
  /// The elements of a place's list, set or map.
  package func elements(_ place: Int) -> ChunkValue<ElementRange> {
    guard place >= 0, place < count else {
      return .inline(ElementRange(nil, keys: nil, start: 0, count: 0))
    }
    if let location = external(place) { return .external(location) }
    let start = unsafe Int(first[place])
    let range = unsafe (start: start, count: Int(first[place + 1]) - start)
    var next = unsafe payload
    var keys: ChunkView?
    if encoding == .entries {
      unsafe keys = ChunkView(verified: Self.nested(&next), type: ColumnType(.string))
    }
    let view = unsafe ChunkView(verified: Self.nested(&next), type: ColumnType(kind))
    return .inline(ElementRange(view, keys: keys, start: range.start, count: range.count))
  }

  private static func nested(_ next: inout UnsafeRawPointer) -> StoredBytes {
    let count = unsafe Int(UInt32(littleEndian: next.loadUnaligned(as: UInt32.self)))
    let bytes = unsafe StoredBytes(next + 4, count: count)
    unsafe next += 4 + count
    return bytes
  }

  /// The bytes of a cell that is not external.
  func inlineCell(_ place: Int) -> StoredBytes {
    if case .inline(let bytes) = cell(place) { bytes } else { .empty }
  }
}

extension ColumnType {
  /// How elements of this type lie in a chunk of elements: links say their class.
  var asElements: ColumnType { kind == .link ? ColumnType(.int) : self }
}

/// A link whose class its column does not know: the class in the upper 16 bits, the key below.
package enum LinkWord {
  package static func encode(_ identity: ObjectIdentity) -> UInt64 {
    UInt64(identity.classKey.rawValue) << 48 | identity.key.rawValue & (ObjectKey.limit - 1)
  }

  package static func decode(_ word: UInt64) -> ObjectIdentity {
    ObjectIdentity(
      ClassKey(rawValue: UInt16(truncatingIfNeeded: word >> 48)),
      ObjectKey(rawValue: word & (ObjectKey.limit - 1))
    )
  }
}

/// Elements of collections as what columns hold.
enum ElementCodec {
  /// The words of a value; `nil` for null and for values of another kind.
  static func words(_ value: Value, _ kind: ValueKind) -> (UInt64, UInt64)? {
    guard value.kind == kind else { return nil }
    if case .link(let identity) = value { return (LinkWord.encode(identity), 0) }
    return value.word.map { ($0, 0) } ?? value.pair
  }

  /// Appends the bytes of a value; false for null and for values of another kind.
  static func append(_ value: Value, _ kind: ValueKind, to bytes: inout [UInt8]) -> Bool {
    switch value.shape {
    case .null: return false
    case .scalar, .link, .list, .set, .map:
      if kind == .mixed {
        MixedCodec.encode(value, into: &bytes)
      } else {
        guard let cell = value.cellBytes(kind: kind) else { return false }
        bytes.append(contentsOf: cell)
      }
      return true
    }
  }
}
