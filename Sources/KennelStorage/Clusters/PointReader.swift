import CMemory

/// Reads and writes single values in the memory of a view, as far as it has met them: no reference is
/// counted and nothing is allocated on the way.
///
/// Where it does not know, it says so: the caller asks the view then, which loads the chunk, and the
/// next value of the same 256 is found here. Typed properties inline it into programs.
///
/// Safe to use while its view lives: it looks every object up and checks every place.
@usableFromInline
@safe package struct PointReader: Sendable {
  @usableFromInline @safe nonisolated(unsafe) let table: ViewHandle<ClusterTable>

  init(_ directory: ClusterDirectory) { table = directory.table }

  /// A reader's answer about a value.
  @usableFromInline
  package enum Answer: Sendable {
    /// It has been read.
    case value
    /// It is null.
    case null
    /// The view has to be asked.
    case unknown
  }

  @inlinable
  @inline(__always)
  func cluster(_ object: ObjectIdentity) -> ViewHandle<ClusterStorage>? {
    guard let cluster = table.cluster(object.classKey, object.key.rawValue &>> 8),
      cluster.pointee.facts.live[Int(truncatingIfNeeded: object.key.rawValue & 255)]
    else { return nil }
    return cluster
  }

  /// The number of objects of a class.
  package func count(of classKey: ClassKey) -> Int {
    let entry = Int(classKey.rawValue)
    return entry < table.pointee.entries.count
      ? Int(table.pointee.entries[entry].record.count) : 0
  }

  /// A bit per place of a cluster, set where an object lives; `nil` if the view has to be asked.
  package func live(_ classKey: ClassKey, _ number: UInt64) -> [4 of UInt64]? {
    table.cluster(classKey, number)?.pointee.facts.live.words
  }

  /// Whether an object is known to live; false says nothing.
  @inlinable
  @inline(__always)
  package func lives(_ object: ObjectIdentity) -> Bool { cluster(object) != nil }

  /// Has what reading properties of an object takes fetched from memory, as far as it is read in place.
  ///
  /// The values of one object lie in as many chunks, and reading them one after the other waits for
  /// each.
  package func prefetch(_ object: ObjectIdentity, _ properties: [PropertyKey]) {
    guard let cluster = cluster(object) else { return }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    for property in properties {
      let index = Int(property.rawValue)
      guard index < cluster.pointee.propertyCount else { continue }
      let chunk = cluster.chunks.handle(index)
      guard chunk.pointee.state == .stored else { continue }
      unsafe kennel_prefetch(chunk.pointee.packed.start + place &* chunk.pointee.packed.width &>> 3)
      guard chunk.pointee.dense == 0 else { continue }
      let view = unsafe cluster.pointee.views.handle(index)
      // Nearly: what each offset is more than the line through all of them is a few bytes.
      let line = Int(truncatingIfNeeded: view.pointee.slope) &* place
      unsafe kennel_prefetch(view.pointee.payload + line)
      unsafe kennel_prefetch(view.pointee.second.start + place &* view.pointee.second.width &>> 3)
    }
  }

  /// Reads a value that is one word: a truth value, a whole or floating point number, a link's key.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - kind: The kind that the value must have.
  ///   - word: Gets the word.
  /// - Returns: What is known.
  @inlinable
  @inline(__always)
  package func readWord(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ word: inout UInt64
  ) -> Answer {
    guard let cluster = cluster(object) else { return .unknown }
    let index = Int(property.rawValue)
    guard index < cluster.pointee.propertyCount else { return .unknown }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    let chunk = cluster.chunks.handle(index)
    if chunk.pointee.dense == kind.rawValue {
      // Most numbers of 256 neighbours are within 256 of each other.
      word =
        unsafe chunk.pointee.packed.width == 8
        ? chunk.pointee.packed.byte(place) : chunk.pointee.packed[place]
      return .value
    }
    let quick = chunk.pointee.quick
    if quick == kind.rawValue {
      let view = unsafe cluster.pointee.views.handle(index)
      guard place < view.pointee.count else { return .unknown }
      if view.pointee.nulls[place] { return .null }
      word = unsafe view.pointee.first[place]
      return .value
    }
    if quick == kind.rawValue | 0x80, let column = cluster.chunks[index].column {
      guard place < column.pointee.count else { return .unknown }
      if column.pointee.nulls[place] { return .null }
      word = column.pointee.words[place]
      return .value
    }
    return .unknown
  }

  /// Reads a value that is two words: a date or an identifier.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - kind: The kind that the value must have.
  ///   - pair: Gets the words.
  /// - Returns: What is known.
  @inlinable
  @inline(__always)
  package func readPair(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ pair: inout (UInt64, UInt64)
  ) -> Answer {
    guard let cluster = cluster(object) else { return .unknown }
    let index = Int(property.rawValue)
    guard index < cluster.pointee.propertyCount else { return .unknown }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    let quick = cluster.chunks[index].quick
    if quick == kind.rawValue {
      let view = unsafe cluster.pointee.views.handle(index)
      guard place < view.pointee.count else { return .unknown }
      if view.pointee.nulls[place] { return .null }
      pair = unsafe (view.pointee.first[place], view.pointee.second[place])
      return .value
    }
    if quick == kind.rawValue | 0x80, let column = cluster.chunks[index].column {
      guard place < column.pointee.count else { return .unknown }
      if column.pointee.nulls[place] { return .null }
      pair = (column.pointee.words[first: place], column.pointee.words[second: place])
      return .value
    }
    return .unknown
  }

  /// Reads a value that is bytes: a text or data.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - value: Gets the value.
  /// - Returns: What is known.
  @inlinable
  package func readBytes<V: BytesValue>(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ value: inout V?
  ) -> Answer {
    switch cell(object, property, V.kind) {
    case .bytes(let bytes):
      value = unsafe V.fromStored(bytes.buffer.bytes)
      return value == nil ? .unknown : .value
    case .null: return .null
    case .unknown: return .unknown
    }
  }

  /// Compares a value that is bytes with others.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - kind: The kind that the value must have.
  ///   - bytes: The bytes.
  /// - Returns: Whether they are the same; `nil` where the view has to be asked.
  @inlinable
  package func hasBytes(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ bytes: RawSpan
  ) -> Bool? {
    switch cell(object, property, kind) {
    case .bytes(let stored): return unsafe stored.buffer.bytes.hasSameBytes(as: bytes)
    case .null: return false
    case .unknown: return nil
    }
  }

  /// A reader's answer about a value that is bytes, which are valid until something changes.
  @usableFromInline
  enum CellAnswer {
    case bytes(StoredBytes)
    case null, unknown
  }

  /// Finds the bytes of a value.
  @inlinable
  @inline(__always)
  func cell(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind
  ) -> CellAnswer {
    guard let cluster = cluster(object) else { return .unknown }
    let index = Int(property.rawValue)
    guard index < cluster.pointee.propertyCount else { return .unknown }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    let quick = cluster.chunks[index].quick
    if quick == kind.rawValue {
      let view = unsafe cluster.pointee.views.handle(index)
      guard place < view.pointee.count else { return .unknown }
      if view.pointee.nulls[place] { return .null }
      if case .inline(let bytes) = view.pointee.cell(place) { return .bytes(bytes) }
      return .unknown
    }
    if quick == kind.rawValue | 0x80, let column = cluster.chunks[index].column {
      guard place < column.pointee.count else { return .unknown }
      if column.pointee.nulls[place] { return .null }
      if column.pointee.isExternal(place) { return .unknown }
      return .bytes(column.pointee.cell(at: place))
    }
    return .unknown
  }

  /// The keys of a list or set of links that is read in place; `nil` where the view has to be asked.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  /// - Returns: The keys, valid as long as nothing changes.
  @inlinable
  @inline(__always)
  package func keys(_ object: ObjectIdentity, _ property: PropertyKey) -> LinkedKeys? {
    guard let cluster = cluster(object) else { return nil }
    let index = Int(property.rawValue)
    guard index < cluster.pointee.propertyCount else { return nil }
    return keys(cluster, index, Int(truncatingIfNeeded: object.key.rawValue & 255))
  }

  /// The keys of the objects that link to an object, if they are read in place.
  ///
  /// - Parameters:
  ///   - object: The object that is linked to.
  ///   - column: Where its class keeps the links of a property.
  /// - Returns: The keys, valid as long as nothing changes; `nil` where the view has to be asked.
  @inlinable
  @inline(__always)
  package func origins(_ object: ObjectIdentity, _ column: UInt16) -> LinkedKeys? {
    guard table.pointee.waiting.isEmpty, let cluster = cluster(object) else { return nil }
    let index = cluster.pointee.propertyCount &+ Int(column)
    guard index < cluster.pointee.chunkCount else { return nil }
    return keys(cluster, index, Int(truncatingIfNeeded: object.key.rawValue & 255))
  }

  @inlinable
  @inline(__always)
  func keys(_ cluster: ViewHandle<ClusterStorage>, _ index: Int, _ place: Int) -> LinkedKeys? {
    let chunk = cluster.chunks.handle(index)
    let view = unsafe cluster.pointee.views.handle(index)
    if chunk.pointee.dense == ValueKind.link.rawValue | 0x40 {
      let slope = view.pointee.slope
      let line = slope &* UInt64(truncatingIfNeeded: place)
      if chunk.pointee.packed.width == 0 {
        // All lists are equally long, and the first begins with 0.
        return LinkedKeys(
          PackedKeys(
            view.pointee.second,
            start: Int(truncatingIfNeeded: line),
            count: Int(truncatingIfNeeded: slope)
          )
        )
      }
      let start = unsafe chunk.pointee.packed[place] &+ line
      let end = unsafe chunk.pointee.packed[place &+ 1] &+ line &+ slope
      return LinkedKeys(
        PackedKeys(
          view.pointee.second,
          start: Int(truncatingIfNeeded: start),
          count: Int(truncatingIfNeeded: end &- start)
        )
      )
    }
    guard chunk.pointee.quick == ValueKind.link.rawValue | 0x40 else { return nil }
    guard place < view.pointee.count, !view.pointee.hasExternals else { return nil }
    let start = unsafe view.pointee.offset(place)
    let end = unsafe view.pointee.offset(place &+ 1)
    return LinkedKeys(
      PackedKeys(
        view.pointee.second,
        start: Int(truncatingIfNeeded: start),
        count: Int(truncatingIfNeeded: end &- start)
      )
    )
  }
}

/// The keys of the objects that a list or set links to, or of those that link to an object.
@usableFromInline
package struct LinkedKeys {
  @usableFromInline let keys: PackedKeys

  @inlinable
  init(_ keys: PackedKeys) { self.keys = keys }

  /// The number of keys.
  @inlinable
  package var count: Int { keys.count }

  /// A key; 0, which no object has, at a position that is not below `count`.
  @inlinable
  @inline(__always)
  package subscript(position: Int) -> ObjectKey { ObjectKey(rawValue: keys[position]) }
}
