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
  @usableFromInline nonisolated(unsafe) let table: UnsafeMutablePointer<ClusterTable>
  @usableFromInline let reader: PointReader

  init(_ directory: ClusterDirectory) {
    unsafe table = directory.table
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
  ) -> UnsafeMutablePointer<ColumnStorage>? {
    guard let chunk = unsafe chunk(object, property), unsafe chunk.pointee.access == access,
      unsafe chunk.pointee.quick & ~0x40 == kind.rawValue | 0x80,
      let column = unsafe chunk.pointee.column
    else { return nil }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    if unsafe place < column.pointee.count { return unsafe column }
    if unsafe place == column.pointee.count {
      unsafe column.pointee.growByOne()
    } else {
      guard unsafe chunk.pointee.hasNoFill else { return nil }
      unsafe column.pointee.grow(to: place &+ 1)
    }
    return unsafe column
  }

  /// What the cluster of an object that lives knows of a property.
  @inlinable
  @inline(__always)
  func chunk(
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) -> UnsafeMutablePointer<ChunkEntry>? {
    guard let cluster = unsafe reader.cluster(object) else { return nil }
    let index = Int(property.rawValue)
    return unsafe index < cluster.pointee.propertyCount ? cluster.chunks + index : nil
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
    guard let column = unsafe column(object, property, kind) else { return false }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    unsafe column.pointee.words[place] = word
    unsafe column.pointee.nulls[place] = false
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
    guard let column = unsafe column(object, property, kind) else { return false }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    unsafe column.pointee.words[2 &* place] = pair.0
    unsafe column.pointee.words[2 &* place &+ 1] = pair.1
    unsafe column.pointee.nulls[place] = false
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
    guard unsafe table.pointee.hasRoom,
      let column = unsafe column(object, property, kind)
    else { return false }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    guard unsafe !column.pointee.isExternal(place) else { return false }
    if kind == .mixed {
      let mayLink = unsafe bytes.withUnsafeBytes {
        unsafe MixedCodec.mayLink($0) || MixedCodec.mayLink(column.pointee.cell(at: place))
      }
      if mayLink { return false }
    }
    unsafe bytes.withUnsafeBytes { unsafe column.pointee.setCell($0, at: place) }
    unsafe column.pointee.nulls[place] = false
    unsafe table.pointee.changedByteCount &+= bytes.byteCount
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
    guard let chunk = unsafe chunk(object, property), unsafe chunk.pointee.isOptional else {
      return false
    }
    if unsafe chunk.pointee.access == .link { return setLink(object, property, nil) }
    let place = object.key.place
    guard let kind = unsafe ValueKind(rawValue: chunk.pointee.quick & ~0x80), kind != .mixed,
      let column = unsafe column(object, property, kind)
    else { return false }
    switch unsafe column.pointee.form {
    case .words: unsafe column.pointee.words[place] = 0
    case .pairs:
      unsafe column.pointee.words[2 * place] = 0
      unsafe column.pointee.words[2 * place + 1] = 0
    case .cells:
      guard unsafe !column.pointee.isExternal(place) else { return false }
      unsafe column.pointee.setCell(.empty, at: place)
    case .keys, .collections: return false
    }
    unsafe column.pointee.nulls[place] = true
    return true
  }

  /// Sets the links of a list that has none.
  private func setLinks(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ elements: [Value]
  ) -> Bool {
    guard let column = unsafe column(object, property, .link, .list),
      let chunk = unsafe chunk(object, property),
      unsafe column.pointee.words[2 * object.key.place + 1] == 0,
      unsafe table.pointee.hasRoom
    else { return false }
    guard unsafe areThere(elements, chunk) else { return false }
    for case .link(let target) in elements { unsafe append(target, object, chunk, column) }
    return true
  }

  // MARK: - Objects

  /// Where the next object of a class goes.
  @unsafe private struct Vacancy {
    let entry: UnsafeMutablePointer<ClassClusters>
    let cluster: UnsafeMutablePointer<ClusterStorage>
    let key: UInt64
    let place: Int
  }

  private func vacancy(_ classKey: ClassKey, _ creation: ClassClusters.Creation) -> Vacancy? {
    let number = Int(classKey.rawValue)
    guard unsafe number < table.pointee.entryCount,
      unsafe table.pointee.entries[number].creation == creation,
      unsafe table.pointee.hasRoom
    else { return nil }
    let entry = unsafe table.pointee.entries + number
    let key = unsafe entry.pointee.record.nextKey
    guard unsafe key &>> 8 < entry.pointee.count,
      let cluster = unsafe entry.pointee.clusters[Int(truncatingIfNeeded: key &>> 8)],
      unsafe cluster.pointee.isNoted
    else { return nil }
    let place = Int(truncatingIfNeeded: key & 255)
    return unsafe Vacancy(entry: entry, cluster: cluster, key: key, place: place)
  }

  private func occupy(_ vacancy: Vacancy) -> ObjectKey {
    let cluster = unsafe vacancy.cluster
    unsafe cluster.pointee.facts.live[vacancy.place] = true
    unsafe cluster.pointee.facts.count = vacancy.place &+ 1
    unsafe cluster.pointee.isHeaderChanged = true
    unsafe vacancy.entry.pointee.record.nextKey = vacancy.key &+ 1
    unsafe vacancy.entry.pointee.record.count &+= 1
    return unsafe ObjectKey(rawValue: vacancy.key)
  }

  /// Whether the next object of a class may be made here.
  package func hasRoom(_ classKey: ClassKey) -> Bool {
    unsafe vacancy(classKey, .place) != nil || vacancy(classKey, .key) != nil
  }

  /// Whether the next object of a class may have a value; where not, somebody else has to look.
  package func takes(_ value: Value, _ property: PropertyKey, _ classKey: ClassKey) -> Bool {
    let (entry, index) = (Int(classKey.rawValue), Int(property.rawValue))
    guard unsafe entry < table.pointee.entryCount else { return false }
    let number = unsafe table.pointee.entries[entry].record.nextKey &>> 8
    guard unsafe number < table.pointee.entries[entry].count,
      let cluster = unsafe table.pointee.entries[entry].clusters[Int(truncatingIfNeeded: number)],
      unsafe index < cluster.pointee.propertyCount
    else { return false }
    let chunk = unsafe cluster.chunks + index
    switch unsafe chunk.pointee.access {
    case .value: return unsafe chunk.pointee.quick == value.kind.map { $0.rawValue | 0x80 }
    case .link:
      guard case .link(let target) = value else { return false }
      return unsafe isThere(target, chunk)
    case .list:
      guard case .list(let elements) = value else { return false }
      return unsafe areThere(elements, chunk)
    case .none, .owned, .set: return false
    }
  }

  /// Makes an object without values, beside others that were made or changed before.
  ///
  /// - Parameter classKey: The class.
  /// - Returns: The object's key, or `nil` where the view has to be asked.
  @usableFromInline
  package func create(_ classKey: ClassKey) -> ObjectKey? {
    guard let vacancy = unsafe vacancy(classKey, .place) else { return nil }
    return unsafe occupy(vacancy)
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
    guard let vacancy = unsafe vacancy(classKey, .key),
      unsafe vacancy.entry.pointee.keyRun.takes(property, value),
      let column = unsafe vacancy.cluster.chunks[Int(property.rawValue)].column,
      unsafe column.pointee.count >= vacancy.place
    else { return nil }
    let place = unsafe vacancy.place
    if unsafe column.pointee.count == place { unsafe column.pointee.growByOne() }
    unsafe column.pointee.words[place] = UInt64(bitPattern: value)
    unsafe column.pointee.nulls[place] = false
    unsafe vacancy.entry.pointee.keyRun.append(value, vacancy.key)
    unsafe vacancy.entry.pointee.hasKeyRun = true
    unsafe table.pointee.changedByteCount &+= PrimaryKeyRun.bytesPerEntry
    return unsafe occupy(vacancy)
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
    guard let column = unsafe column(object, property, .link, .owned),
      let chunk = unsafe chunk(object, property), unsafe chunk.pointee.target == target,
      unsafe column.pointee.nulls[object.key.place], let vacancy = unsafe vacancy(target, .owner)
    else { return nil }
    unsafe setTarget(vacancy.key, object, chunk, column)
    return unsafe occupy(vacancy)
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
    guard let column = unsafe column(object, property, .link, .link),
      let chunk = unsafe chunk(object, property), unsafe isThere(target, chunk)
    else { return false }
    unsafe setTarget(target?.key.rawValue, object, chunk, column)
    return true
  }

  private func setTarget(
    _ new: UInt64?,
    _ object: ObjectIdentity,
    _ chunk: UnsafeMutablePointer<ChunkEntry>,
    _ column: UnsafeMutablePointer<ColumnStorage>
  ) {
    let place = object.key.place
    let old = unsafe column.pointee.nulls[place] ? nil : column.pointee.words[place]
    if old == new { return }
    if let old { unsafe noteLink(object, old, chunk, isAdded: false) }
    if let new { unsafe noteLink(object, new, chunk, isAdded: true) }
    unsafe column.pointee.words[place] = new ?? 0
    unsafe column.pointee.nulls[place] = new == nil
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
    guard unsafe table.pointee.hasRoom,
      let column = unsafe column(object, property, .link, isSet ? .set : .list),
      let chunk = unsafe chunk(object, property), unsafe isThere(target, chunk)
    else { return false }
    let place = object.key.place
    guard unsafe !column.pointee.isExternal(place) else { return false }
    if isSet, let last = unsafe column.pointee.keys(at: place).last, last >= target.key.rawValue {
      return false
    }
    unsafe append(target, object, chunk, column)
    return true
  }

  private func append(
    _ target: ObjectIdentity,
    _ object: ObjectIdentity,
    _ chunk: UnsafeMutablePointer<ChunkEntry>,
    _ column: UnsafeMutablePointer<ColumnStorage>
  ) {
    let end = unsafe column.pointee.keyCount(at: object.key.place)
    unsafe column.pointee.insertKey(target.key.rawValue, at: end, place: object.key.place)
    unsafe table.pointee.changedByteCount &+= 24
    unsafe noteLink(object, target.key.rawValue, chunk, isAdded: true)
  }

  private func isThere(
    _ target: ObjectIdentity?,
    _ chunk: UnsafeMutablePointer<ChunkEntry>
  ) -> Bool {
    guard let target else { return true }
    return unsafe target.classKey == chunk.pointee.target && reader.cluster(target) != nil
  }

  private func areThere(
    _ elements: [Value],
    _ chunk: UnsafeMutablePointer<ChunkEntry>
  ) -> Bool {
    elements.allSatisfy { element in
      guard case .link(let target) = element else { return false }
      return unsafe isThere(target, chunk)
    }
  }

  private func noteLink(
    _ object: ObjectIdentity,
    _ key: UInt64,
    _ chunk: UnsafeMutablePointer<ChunkEntry>,
    isAdded: Bool
  ) {
    let target = unsafe ObjectIdentity(chunk.pointee.target, ObjectKey(rawValue: key))
    unsafe table.pointee.noteLink(
      from: object.key.rawValue,
      to: target,
      chunk.pointee.backlinkColumn,
      isAdded: isAdded
    )
  }
}
