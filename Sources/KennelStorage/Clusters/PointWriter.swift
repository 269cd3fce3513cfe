/// Changes objects in the memory of an exclusive write, where nothing but that memory is concerned.
///
/// Each change says whether it was made; where not, nothing happened and the view has to be asked: it
/// decodes the column, after which the next change of the same 256 objects is made here, without a
/// reference count or an allocation. Public for code that is inlined into programs; made to be used
/// through typed properties.
public struct PointWriter: Sendable {
  @usableFromInline nonisolated(unsafe) let table: UnsafeMutablePointer<ClusterTable>
  @usableFromInline let reader: PointReader

  init(_ directory: ClusterDirectory) {
    table = directory.table
    reader = PointReader(directory)
  }

  /// More memory than this is not held by changes: the view is asked then, and hands them on.
  @usableFromInline static let memoryBudgetInBytes = 128 << 20

  /// The column of a property, with room for the object's place, if any value may be set there.
  @inlinable
  @inline(__always)
  func column(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ quick: UInt8
  ) -> UnsafeMutablePointer<ColumnStorage>? {
    guard let cluster = reader.cluster(object) else { return nil }
    let index = Int(property.rawValue)
    guard index < cluster.pointee.propertyCount else { return nil }
    let chunk = cluster.chunks + index
    guard chunk.pointee.quick == quick | 0x80, chunk.pointee.isPlain,
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
  public func setWord(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ word: UInt64
  ) -> Bool {
    guard let column = column(object, property, kind.rawValue) else { return false }
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
  public func setPair(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ pair: (UInt64, UInt64)
  ) -> Bool {
    guard let column = column(object, property, kind.rawValue) else { return false }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    column.pointee.words[2 &* place] = pair.0
    column.pointee.words[2 &* place &+ 1] = pair.1
    column.pointee.nulls[place] = false
    return true
  }

  /// Sets a text.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - text: The value.
  /// - Returns: Whether it was set.
  public func setText(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ text: borrowing String
  ) -> Bool {
    guard table.pointee.changedByteCount < Self.memoryBudgetInBytes,
      let column = column(object, property, ValueKind.string.rawValue)
    else { return false }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    guard !column.pointee.isExternal(place) else { return false }
    let span = text.utf8Span.span.bytes
    span.withUnsafeBytes { column.pointee.setCell($0, at: place) }
    column.pointee.nulls[place] = false
    table.pointee.changedByteCount &+= span.byteCount
    return true
  }

  // MARK: - Objects

  /// Makes an object without values, beside others that were made or changed before.
  ///
  /// - Parameter classKey: The class.
  /// - Returns: The object's key, or `nil` where the view has to be asked.
  public func create(_ classKey: ClassKey) -> ObjectKey? {
    let number = Int(classKey.rawValue)
    guard number < table.pointee.entryCount, table.pointee.entries[number].isBlank else {
      return nil
    }
    return make(number)
  }

  /// Makes an object with a primary key that is greater than every other of its class.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - property: The primary key property.
  ///   - value: The primary key.
  /// - Returns: The object's key, or `nil` where the view has to be asked.
  public func create(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Int64
  ) -> ObjectKey? {
    let number = Int(classKey.rawValue)
    guard number < table.pointee.entryCount, table.pointee.entries[number].isBlankKeyed else {
      return nil
    }
    let entry = table.pointee.entries + number
    let next = entry.pointee.record.nextKey
    let place = Int(truncatingIfNeeded: next & 255)
    guard entry.pointee.keyRun.takes(property, value), next &>> 8 < entry.pointee.count,
      let cluster = entry.pointee.clusters[Int(truncatingIfNeeded: next &>> 8)],
      Int(property.rawValue) < cluster.pointee.propertyCount
    else { return nil }
    let chunk = cluster.chunks + Int(property.rawValue)
    guard chunk.pointee.quick == ValueKind.int.rawValue | 0x80, let column = chunk.pointee.column,
      column.pointee.count == place, let key = make(number)
    else { return nil }
    column.pointee.growByOne()
    column.pointee.words[place] = UInt64(bitPattern: value)
    column.pointee.nulls[place] = false
    entry.pointee.keyRun.append(value, key.rawValue)
    entry.pointee.hasKeyRun = true
    table.pointee.changedByteCount &+= PrimaryKeyRun.bytesPerEntry
    return key
  }

  private func make(_ number: Int) -> ObjectKey? {
    guard table.pointee.changedByteCount < Self.memoryBudgetInBytes else { return nil }
    let entry = table.pointee.entries + number
    let key = entry.pointee.record.nextKey
    guard key & 255 != 0, key &>> 8 < entry.pointee.count,
      let cluster = entry.pointee.clusters[Int(truncatingIfNeeded: key &>> 8)],
      cluster.pointee.isNoted
    else { return nil }
    let place = Int(truncatingIfNeeded: key & 255)
    cluster.pointee.facts.live[place] = true
    cluster.pointee.facts.count = place &+ 1
    cluster.pointee.isHeaderChanged = true
    entry.pointee.record.nextKey = key &+ 1
    entry.pointee.record.count &+= 1
    return ObjectKey(rawValue: key)
  }

  /// Makes an embedded object without values in a to-one property that is null.
  ///
  /// - Parameters:
  ///   - object: The object that owns the new one.
  ///   - property: The property.
  ///   - target: The embedded class.
  /// - Returns: The embedded object's key, or `nil` where the view has to be asked.
  public func createEmbedded(
    in object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey
  ) -> ObjectKey? {
    guard let owner = reader.cluster(object) else { return nil }
    let index = Int(property.rawValue)
    guard index < owner.pointee.propertyCount else { return nil }
    let chunk = owner.chunks + index
    guard chunk.pointee.quick == ValueKind.link.rawValue | 0x80, chunk.pointee.isOwning,
      chunk.pointee.target == target, let column = chunk.pointee.column
    else { return nil }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    if place < column.pointee.count, !column.pointee.nulls[place] { return nil }
    let number = Int(target.rawValue)
    guard place <= column.pointee.count, number < table.pointee.entryCount,
      table.pointee.entries[number].isBlankEmbedded, let key = make(number)
    else { return nil }
    if place == column.pointee.count { column.pointee.growByOne() }
    column.pointee.words[place] = key.rawValue
    column.pointee.nulls[place] = false
    return addBacklink(ObjectIdentity(target, key), chunk, object.key)
      ? key : undo(key, target, column, place)
  }

  /// Takes a new embedded object back whose owner could not be noted.
  private func undo(
    _ key: ObjectKey,
    _ classKey: ClassKey,
    _ column: UnsafeMutablePointer<ColumnStorage>,
    _ place: Int
  ) -> ObjectKey? {
    let entry = table.pointee.entries + Int(classKey.rawValue)
    if let cluster = entry.pointee.clusters[Int(truncatingIfNeeded: key.rawValue &>> 8)] {
      cluster.pointee.facts.live[key.place] = false
      cluster.pointee.facts.count = key.place
    }
    entry.pointee.record.nextKey = key.rawValue
    entry.pointee.record.count &-= 1
    column.pointee.words[place] = 0
    column.pointee.nulls[place] = true
    return nil
  }

  // MARK: - Links

  /// Sets a to-one link that is null or held nothing alive.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The property.
  ///   - target: The object to link to.
  /// - Returns: Whether it was set.
  public func setLink(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ObjectIdentity
  ) -> Bool {
    guard let column = column(object, property, ValueKind.link.rawValue),
      reader.cluster(target) != nil, let cluster = reader.cluster(object)
    else { return false }
    let chunk = cluster.chunks + Int(property.rawValue)
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    guard chunk.pointee.target == target.classKey, column.pointee.nulls[place],
      addBacklink(target, chunk, object.key)
    else { return false }
    column.pointee.words[place] = target.key.rawValue
    column.pointee.nulls[place] = false
    return true
  }

  /// Adds a link at the end of a list.
  ///
  /// - Parameters:
  ///   - target: The object to link to.
  ///   - object: The object.
  ///   - property: The property.
  /// - Returns: Whether it was added.
  public func append(
    _ target: ObjectIdentity,
    to object: ObjectIdentity,
    _ property: PropertyKey
  ) -> Bool {
    guard table.pointee.changedByteCount < Self.memoryBudgetInBytes,
      let column = column(object, property, ValueKind.link.rawValue | 0x40),
      reader.cluster(target) != nil, let cluster = reader.cluster(object)
    else { return false }
    let chunk = cluster.chunks + Int(property.rawValue)
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    guard chunk.pointee.target == target.classKey, !column.pointee.isExternal(place),
      addBacklink(target, chunk, object.key)
    else { return false }
    let end = column.pointee.keyCount(at: place)
    column.pointee.insertKey(target.key.rawValue, at: end, place: place)
    table.pointee.changedByteCount &+= 24
    return true
  }

  /// Notes that an object links to a target through a property; the target's keys stay ascending.
  ///
  /// At once where the last link of the property led to a neighbour, whose column is at hand; else later,
  /// with others: see ``BacklinkQueue``.
  private func addBacklink(
    _ target: ObjectIdentity,
    _ chunk: UnsafeMutablePointer<ChunkEntry>,
    _ origin: ObjectKey
  ) -> Bool {
    let number = UInt32(truncatingIfNeeded: target.key.rawValue &>> 8)
    let backlinkColumn = chunk.pointee.backlinkColumn
    // Behind one of the same target that waits the next one waits too: out of order a hub would have
    // to move all keys that were noted meanwhile.
    if chunk.pointee.recentTarget != number
      || table.pointee.waiting.endsWith(target, backlinkColumn)
    {
      chunk.pointee.recentTarget = number
      return table.pointee.waiting.append(target, backlinkColumn, from: origin.rawValue)
    }
    guard let cluster = reader.cluster(target) else { return false }
    let index = cluster.pointee.propertyCount &+ Int(backlinkColumn)
    guard index < cluster.pointee.chunkCount else { return false }
    guard let column = cluster.chunks[index].column else { return false }
    let place = Int(truncatingIfNeeded: target.key.rawValue & 255)
    if place >= column.pointee.count { column.pointee.grow(to: place &+ 1) }
    guard !column.pointee.isExternal(place) else { return false }
    let keys = column.pointee.keys(at: place)
    var position = keys.count
    // Links are mostly made in the order of their origins.
    if let last = keys.last, last > origin.rawValue {
      var low = 0
      while low < position {
        let middle = (low &+ position) &>> 1
        if keys[middle] <= origin.rawValue { low = middle &+ 1 } else { position = middle }
      }
    }
    column.pointee.insertKey(origin.rawValue, at: position, place: place)
    return true
  }
}
