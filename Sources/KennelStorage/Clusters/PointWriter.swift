/// Changes objects in the memory of an exclusive write, where nothing but that memory is concerned.
///
/// Each change says whether it was made; where not, nothing happened, and an operation makes it. That
/// decodes the column, after which the next change of the same 256 objects is made here, without a
/// reference count or an allocation. What stays with operations takes a look at indexes, delete rules or
/// ranges. Typed properties inline it into programs.
///
/// Safe to use while its view lives: it looks every object up and checks every place.
@usableFromInline
@safe package struct PointWriter: Sendable {
  @usableFromInline @safe nonisolated(unsafe) let table: ViewHandle<ClusterTable>
  @usableFromInline let reader: PointReader

  init(_ directory: ClusterDirectory) {
    table = directory.table
    reader = PointReader(directory)
  }

  /// The column of a property, with room for the object's place, if it may be set there.
  @inlinable
  @inline(__always)
  func column(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ access: PointAccess = .value
  ) -> ViewHandle<ColumnStorage>? {
    guard let chunk = chunk(object, property), chunk.pointee.access == access,
      chunk.pointee.quick & ~0x40 == kind.rawValue | 0x80,
      let column = chunk.pointee.column
    else { return nil }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    if place < column.pointee.count { return column }
    if place == column.pointee.count {
      column.pointee.growByOne()
    } else {
      guard chunk.pointee.hasNoFill else { return nil }
      column.pointee.grow(to: place &+ 1)
    }
    return column
  }

  /// The entry of a property in the cluster of an object that lives.
  @inlinable
  @inline(__always)
  func chunk(_ object: ObjectIdentity, _ property: PropertyKey) -> ViewHandle<ChunkEntry>? {
    guard let cluster = reader.cluster(object) else { return nil }
    let index = Int(property.rawValue)
    return index < cluster.pointee.propertyCount ? cluster.chunks.handle(index) : nil
  }

  /// Sets a value of one word.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - kind: The kind of the value.
  ///   - word: The value.
  /// - Returns: Whether it was set.
  @inlinable
  @inline(__always)
  package func setWord(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ word: UInt64
  ) -> Bool {
    guard let column = column(object, property, kind) else { return false }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    column.pointee.words[place] = word
    column.pointee.nulls[place] = false
    return true
  }

  /// Sets a value of two words.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - kind: The kind of the value.
  ///   - pair: The value.
  /// - Returns: Whether it was set.
  @inlinable
  @inline(__always)
  package func setPair(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ pair: (UInt64, UInt64)
  ) -> Bool {
    guard let column = column(object, property, kind) else { return false }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    column.pointee.words[first: place] = pair.0
    column.pointee.words[second: place] = pair.1
    column.pointee.nulls[place] = false
    return true
  }

  /// Sets a value of bytes, unless it is a mixed one where the old or the new value links to objects.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - kind: The kind of the value.
  ///   - bytes: The value.
  /// - Returns: Whether it was set.
  @usableFromInline
  package func setBytes(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ bytes: RawSpan
  ) -> Bool {
    guard table.pointee.hasRoom,
      let column = column(object, property, kind)
    else { return false }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    guard !column.pointee.isExternal(place) else { return false }
    if kind == .mixed {
      let mayLink = unsafe bytes.withUnsafeBytes {
        unsafe MixedCodec.mayLink(StoredBytes($0))
          || MixedCodec.mayLink(column.pointee.cell(at: place))
      }
      if mayLink { return false }
    }
    unsafe bytes.withUnsafeBytes { unsafe column.pointee.setCell(StoredBytes($0), at: place) }
    column.pointee.nulls[place] = false
    table.pointee.changedByteCount &+= bytes.byteCount
    return true
  }

  /// Sets a value of any kind, or the links of a list that is empty.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - value: The value.
  /// - Returns: Whether it was set.
  package func set(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ value: Value
  ) -> Bool {
    if case .int(let value) = value { return setWord(object, property, .int, value.storedWord) }
    if case .string(let value) = value {
      return value.withStoredBytes { setBytes(object, property, .string, $0) }
    }
    switch value.shape {
    case .scalar(let scalar):
      let kind = type(of: scalar).kind
      return switch scalar.stored {
      case .word(let word, _): setWord(object, property, kind, word)
      case .pair(let first, let second, _): setPair(object, property, kind, (first, second))
      case .bytes(let bytes): bytes.withStoredBytes { setBytes(object, property, kind, $0) }
      }
    case .link(let target): return setLink(object, property, target)
    case .list(let elements): return setLinks(object, property, elements)
    case .null: return setNull(object, property)
    case .set, .map: return false
    }
  }

  private func setNull(_ object: ObjectIdentity, _ property: PropertyKey) -> Bool {
    guard let chunk = chunk(object, property), chunk.pointee.isOptional else { return false }
    if chunk.pointee.access == .link { return setLink(object, property, nil) }
    let place = object.key.place
    guard let kind = ValueKind(rawValue: chunk.pointee.quick & ~0x80), kind != .mixed,
      let column = column(object, property, kind)
    else { return false }
    switch column.pointee.form {
    case .words: column.pointee.words[place] = 0
    case .pairs:
      column.pointee.words[first: place] = 0
      column.pointee.words[second: place] = 0
    case .cells:
      guard !column.pointee.isExternal(place) else { return false }
      column.pointee.setCell(.empty, at: place)
    case .keys, .collections: return false
    }
    column.pointee.nulls[place] = true
    return true
  }

  /// Sets the links of a list that has none.
  private func setLinks(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ elements: [Value]
  ) -> Bool {
    guard let column = column(object, property, .link, .list),
      let chunk = chunk(object, property),
      column.pointee.words[second: object.key.place] == 0,
      table.pointee.hasRoom
    else { return false }
    guard areThere(elements, chunk) else { return false }
    for case .link(let target) in elements { append(target, object, chunk, column) }
    return true
  }

  // MARK: - Objects

  /// Where the next object of a class goes.
  private struct Vacancy {
    let entry: ViewHandle<ClassClusters>
    let cluster: ViewHandle<ClusterStorage>
    let key: UInt64
    let place: Int
  }

  private func vacancy(_ classKey: ClassKey, _ creation: ClassClusters.Creation) -> Vacancy? {
    let number = Int(classKey.rawValue)
    guard number < table.pointee.entries.count,
      table.pointee.entries[number].creation == creation,
      table.pointee.hasRoom
    else { return nil }
    let entry = table.pointee.entries.handle(number)
    let key = entry.pointee.record.nextKey
    guard key &>> 8 < UInt64(truncatingIfNeeded: entry.pointee.clusters.count),
      let cluster = entry.pointee.clusters[Int(truncatingIfNeeded: key &>> 8)],
      cluster.pointee.isNoted
    else { return nil }
    let place = Int(truncatingIfNeeded: key & 255)
    return Vacancy(entry: entry, cluster: cluster, key: key, place: place)
  }

  private func occupy(_ vacancy: Vacancy) -> ObjectKey {
    let cluster = vacancy.cluster
    cluster.pointee.facts.live[vacancy.place] = true
    cluster.pointee.facts.count = vacancy.place &+ 1
    cluster.pointee.isHeaderChanged = true
    vacancy.entry.pointee.record.nextKey = vacancy.key &+ 1
    vacancy.entry.pointee.record.count &+= 1
    return ObjectKey(rawValue: vacancy.key)
  }

  /// Whether the next object of a class may be made here.
  package func hasRoom(_ classKey: ClassKey) -> Bool {
    vacancy(classKey, .place) != nil || vacancy(classKey, .key) != nil
  }

  /// Whether the next object of a class may have a value; where not, somebody else has to look.
  package func takes(_ value: Value, _ property: PropertyKey, _ classKey: ClassKey) -> Bool {
    let (entry, index) = (Int(classKey.rawValue), Int(property.rawValue))
    guard entry < table.pointee.entries.count else { return false }
    let number = table.pointee.entries[entry].record.nextKey &>> 8
    guard number < UInt64(truncatingIfNeeded: table.pointee.entries[entry].clusters.count),
      let cluster = table.pointee.entries[entry].clusters[Int(truncatingIfNeeded: number)],
      index < cluster.pointee.propertyCount
    else { return false }
    let chunk = cluster.chunks.handle(index)
    switch chunk.pointee.access {
    case .value: return chunk.pointee.quick == value.kind.map { $0.rawValue | 0x80 }
    case .link:
      guard case .link(let target) = value else { return false }
      return isThere(target, chunk)
    case .list:
      guard case .list(let elements) = value else { return false }
      return areThere(elements, chunk)
    case .none, .owned, .set: return false
    }
  }

  /// Makes an object without values, beside others that were made or changed before.
  ///
  /// - Parameter classKey: The class.
  /// - Returns: The object's key, or `nil` where the view has to be asked.
  @usableFromInline
  package func create(_ classKey: ClassKey) -> ObjectKey? {
    guard let vacancy = vacancy(classKey, .place) else { return nil }
    return occupy(vacancy)
  }

  /// Makes an object with a primary key that is greater than every other of its class.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - property: The primary key property.
  ///   - value: The primary key.
  /// - Returns: The object's key, or `nil` where the view has to be asked.
  @usableFromInline
  package func create(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Int64
  ) -> ObjectKey? {
    guard let vacancy = vacancy(classKey, .key),
      unsafe vacancy.entry.pointee.keyRun.takes(property, value),
      let column = vacancy.cluster.chunks[Int(property.rawValue)].column,
      column.pointee.count >= vacancy.place
    else { return nil }
    let place = vacancy.place
    if column.pointee.count == place { column.pointee.growByOne() }
    column.pointee.words[place] = UInt64(bitPattern: value)
    column.pointee.nulls[place] = false
    unsafe vacancy.entry.pointee.keyRun.append(value, vacancy.key)
    vacancy.entry.pointee.hasKeyRun = true
    unsafe table.pointee.changedByteCount &+= PrimaryKeyRun.bytesPerEntry
    return occupy(vacancy)
  }

  /// Makes an embedded object without values in a to-one property that is null.
  ///
  /// - Parameters:
  ///   - object: The object that owns the new one.
  ///   - property: The property.
  ///   - target: The embedded class.
  /// - Returns: The embedded object's key, or `nil` where the view has to be asked.
  package func createEmbedded(
    in object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey
  ) -> ObjectKey? {
    guard let column = column(object, property, .link, .owned),
      let chunk = chunk(object, property), chunk.pointee.target == target,
      column.pointee.nulls[object.key.place], let vacancy = vacancy(target, .owner)
    else { return nil }
    setTarget(vacancy.key, object, chunk, column)
    return occupy(vacancy)
  }

  // MARK: - Links

  /// Sets a to-one link that holds nothing alive.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - target: The object to link to; `nil` for none.
  /// - Returns: Whether it was set.
  package func setLink(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ObjectIdentity?
  ) -> Bool {
    guard let column = column(object, property, .link, .link),
      let chunk = chunk(object, property), isThere(target, chunk)
    else { return false }
    setTarget(target?.key.rawValue, object, chunk, column)
    return true
  }

  private func setTarget(
    _ new: UInt64?,
    _ object: ObjectIdentity,
    _ chunk: ViewHandle<ChunkEntry>,
    _ column: ViewHandle<ColumnStorage>
  ) {
    let place = object.key.place
    let old = column.pointee.nulls[place] ? nil : column.pointee.words[place]
    if old == new { return }
    if let old { noteLink(object, old, chunk, isAdded: false) }
    if let new { noteLink(object, new, chunk, isAdded: true) }
    column.pointee.words[place] = new ?? 0
    column.pointee.nulls[place] = new == nil
  }

  /// Adds a link at the end of a list or set.
  ///
  /// - Parameters:
  ///   - target: The object to link to.
  ///   - object: The object.
  ///   - property: The property.
  ///   - isSet: Whether it is a set: a link that does not belong at the end is not added.
  /// - Returns: Whether it was added.
  package func append(
    _ target: ObjectIdentity,
    to object: ObjectIdentity,
    _ property: PropertyKey,
    isSet: Bool = false
  ) -> Bool {
    guard table.pointee.hasRoom,
      let column = column(object, property, .link, isSet ? .set : .list),
      let chunk = chunk(object, property), isThere(target, chunk)
    else { return false }
    let place = object.key.place
    guard !column.pointee.isExternal(place) else { return false }
    if isSet, let last = unsafe column.pointee.keys(at: place).last, last >= target.key.rawValue {
      return false
    }
    append(target, object, chunk, column)
    return true
  }

  private func append(
    _ target: ObjectIdentity,
    _ object: ObjectIdentity,
    _ chunk: ViewHandle<ChunkEntry>,
    _ column: ViewHandle<ColumnStorage>
  ) {
    let end = column.pointee.keyCount(at: object.key.place)
    column.pointee.insertKey(target.key.rawValue, at: end, place: object.key.place)
    table.pointee.changedByteCount &+= 24
    noteLink(object, target.key.rawValue, chunk, isAdded: true)
  }

  private func isThere(_ target: ObjectIdentity?, _ chunk: ViewHandle<ChunkEntry>) -> Bool {
    guard let target else { return true }
    return target.classKey == chunk.pointee.target && reader.cluster(target) != nil
  }

  private func areThere(
    _ elements: [Value],
    _ chunk: ViewHandle<ChunkEntry>
  ) -> Bool {
    elements.allSatisfy { element in
      guard case .link(let target) = element else { return false }
      return isThere(target, chunk)
    }
  }

  private func noteLink(
    _ object: ObjectIdentity,
    _ key: UInt64,
    _ chunk: ViewHandle<ChunkEntry>,
    isAdded: Bool
  ) {
    let target = ObjectIdentity(chunk.pointee.target, ObjectKey(rawValue: key))
    table.pointee.noteLink(
      from: object.key.rawValue,
      to: target,
      chunk.pointee.backlinkColumn,
      isAdded: isAdded
    )
  }
}
