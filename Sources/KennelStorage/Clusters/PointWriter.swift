/// Changes objects in the memory of an exclusive write, where nothing but that memory is concerned.
///
/// Each change says whether it was made; where not, nothing happened and the view has to be asked: it
/// decodes the column, after which the next change of the same 256 objects is made here, without a
/// reference count or an allocation. Typed properties inline it into programs.
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

  /// More memory than this is not held by changes: the view is asked then, and hands them on.
  @usableFromInline static let memoryBudgetInBytes = 48 << 20

  /// The column of a property, with room for the object's place, if any value may be set there.
  @inlinable
  @inline(__always)
  func column(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ quick: UInt8
  ) -> UnsafeMutablePointer<ColumnStorage>? {
    guard let cluster = unsafe reader.cluster(object) else { return nil }
    let index = Int(property.rawValue)
    guard unsafe index < cluster.pointee.propertyCount else { return nil }
    let chunk = unsafe cluster.chunks + index
    guard unsafe chunk.pointee.quick == quick | 0x80, unsafe chunk.pointee.isPlain,
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
    guard let column = unsafe column(object, property, kind.rawValue) else { return false }
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
    guard let column = unsafe column(object, property, kind.rawValue) else { return false }
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
    guard unsafe table.pointee.changedByteCount < Self.memoryBudgetInBytes,
      let column = unsafe column(object, property, kind.rawValue)
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

  // MARK: - Objects

  /// Makes an object without values, beside others that were made or changed before.
  ///
  /// - Parameter classKey: The class.
  /// - Returns: The object's key, or `nil` where the view has to be asked.
  @usableFromInline
  package func create(_ classKey: ClassKey) -> ObjectKey? {
    let number = Int(classKey.rawValue)
    guard unsafe number < table.pointee.entryCount, unsafe table.pointee.entries[number].isBlank
    else {
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
  @usableFromInline
  package func create(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Int64
  ) -> ObjectKey? {
    let number = Int(classKey.rawValue)
    guard unsafe number < table.pointee.entryCount,
      unsafe table.pointee.entries[number].isBlankKeyed
    else {
      return nil
    }
    let entry = unsafe table.pointee.entries + number
    let next = unsafe entry.pointee.record.nextKey
    let place = Int(truncatingIfNeeded: next & 255)
    guard unsafe entry.pointee.keyRun.takes(property, value),
      unsafe next &>> 8 < entry.pointee.count,
      let cluster = unsafe entry.pointee.clusters[Int(truncatingIfNeeded: next &>> 8)],
      unsafe Int(property.rawValue) < cluster.pointee.propertyCount
    else { return nil }
    let chunk = unsafe cluster.chunks + Int(property.rawValue)
    guard unsafe chunk.pointee.quick == ValueKind.int.rawValue | 0x80,
      let column = unsafe chunk.pointee.column,
      unsafe column.pointee.count == place, let key = make(number)
    else { return nil }
    unsafe column.pointee.growByOne()
    unsafe column.pointee.words[place] = UInt64(bitPattern: value)
    unsafe column.pointee.nulls[place] = false
    unsafe entry.pointee.keyRun.append(value, key.rawValue)
    unsafe entry.pointee.hasKeyRun = true
    unsafe table.pointee.changedByteCount &+= PrimaryKeyRun.bytesPerEntry
    return key
  }

  private func make(_ number: Int) -> ObjectKey? {
    guard unsafe table.pointee.changedByteCount < Self.memoryBudgetInBytes else { return nil }
    let entry = unsafe table.pointee.entries + number
    let key = unsafe entry.pointee.record.nextKey
    guard key & 255 != 0, unsafe key &>> 8 < entry.pointee.count,
      let cluster = unsafe entry.pointee.clusters[Int(truncatingIfNeeded: key &>> 8)],
      unsafe cluster.pointee.isNoted
    else { return nil }
    let place = Int(truncatingIfNeeded: key & 255)
    unsafe cluster.pointee.facts.live[place] = true
    unsafe cluster.pointee.facts.count = place &+ 1
    unsafe cluster.pointee.isHeaderChanged = true
    unsafe entry.pointee.record.nextKey = key &+ 1
    unsafe entry.pointee.record.count &+= 1
    return ObjectKey(rawValue: key)
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
    guard let owner = unsafe reader.cluster(object) else { return nil }
    let index = Int(property.rawValue)
    guard unsafe index < owner.pointee.propertyCount else { return nil }
    let chunk = unsafe owner.chunks + index
    guard unsafe chunk.pointee.quick == ValueKind.link.rawValue | 0x80,
      unsafe chunk.pointee.links == .owned,
      unsafe chunk.pointee.target == target, let column = unsafe chunk.pointee.column
    else { return nil }
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    if unsafe place < column.pointee.count, unsafe !column.pointee.nulls[place] { return nil }
    let number = Int(target.rawValue)
    guard unsafe place <= column.pointee.count, unsafe number < table.pointee.entryCount,
      unsafe table.pointee.entries[number].isBlankEmbedded, let key = make(number)
    else { return nil }
    if unsafe place == column.pointee.count { unsafe column.pointee.growByOne() }
    unsafe column.pointee.words[place] = key.rawValue
    unsafe column.pointee.nulls[place] = false
    return unsafe addBacklink(ObjectIdentity(target, key), chunk, object.key)
      ? key : undo(key, target, column, place)
  }

  /// Takes a new embedded object back whose owner could not be noted.
  private func undo(
    _ key: ObjectKey,
    _ classKey: ClassKey,
    _ column: UnsafeMutablePointer<ColumnStorage>,
    _ place: Int
  ) -> ObjectKey? {
    let entry = unsafe table.pointee.entries + Int(classKey.rawValue)
    if let cluster = unsafe entry.pointee.clusters[Int(truncatingIfNeeded: key.rawValue &>> 8)] {
      unsafe cluster.pointee.facts.live[key.place] = false
      unsafe cluster.pointee.facts.count = key.place
    }
    unsafe entry.pointee.record.nextKey = key.rawValue
    unsafe entry.pointee.record.count &-= 1
    unsafe column.pointee.words[place] = 0
    unsafe column.pointee.nulls[place] = true
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
  package func setLink(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ObjectIdentity
  ) -> Bool {
    guard let column = unsafe column(object, property, ValueKind.link.rawValue),
      unsafe reader.cluster(target) != nil, let cluster = unsafe reader.cluster(object)
    else { return false }
    let chunk = unsafe cluster.chunks + Int(property.rawValue)
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    guard unsafe chunk.pointee.target == target.classKey, unsafe column.pointee.nulls[place],
      unsafe addBacklink(target, chunk, object.key)
    else { return false }
    unsafe column.pointee.words[place] = target.key.rawValue
    unsafe column.pointee.nulls[place] = false
    return true
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
    guard unsafe table.pointee.changedByteCount < Self.memoryBudgetInBytes,
      let column = unsafe column(object, property, ValueKind.link.rawValue | 0x40),
      unsafe reader.cluster(target) != nil, let cluster = unsafe reader.cluster(object)
    else { return false }
    let chunk = unsafe cluster.chunks + Int(property.rawValue)
    let place = Int(truncatingIfNeeded: object.key.rawValue & 255)
    guard unsafe chunk.pointee.target == target.classKey,
      unsafe chunk.pointee.links == (isSet ? .set : .list),
      unsafe !column.pointee.isExternal(place)
    else { return false }
    if isSet, let last = unsafe column.pointee.keys(at: place).last, last >= target.key.rawValue {
      return false
    }
    guard unsafe addBacklink(target, chunk, object.key) else { return false }
    let end = unsafe column.pointee.keyCount(at: place)
    unsafe column.pointee.insertKey(target.key.rawValue, at: end, place: place)
    unsafe table.pointee.changedByteCount &+= 24
    return true
  }

  /// Notes that an object links to a target through a property; the target's keys stay ascending.
  ///
  /// At once where the last link of the property led to a neighbour, whose column is at hand; else later,
  /// with others: see ``WaitingBacklinks``.
  private func addBacklink(
    _ target: ObjectIdentity,
    _ chunk: UnsafeMutablePointer<ChunkEntry>,
    _ origin: ObjectKey
  ) -> Bool {
    let number = UInt32(truncatingIfNeeded: target.key.rawValue &>> 8)
    let backlinkColumn = unsafe chunk.pointee.backlinkColumn
    // Behind one of the same target that waits the next one waits too: out of order a hub would have
    // to move all keys that were noted meanwhile.
    if unsafe chunk.pointee.recentTarget != number
      || table.pointee.waiting.endsWith(target, backlinkColumn)
    {
      unsafe chunk.pointee.recentTarget = number
      unsafe table.pointee.wait(target, backlinkColumn, from: origin.rawValue)
      return true
    }
    guard let cluster = unsafe reader.cluster(target) else { return false }
    let index = unsafe cluster.pointee.propertyCount &+ Int(backlinkColumn)
    guard unsafe index < cluster.pointee.chunkCount else { return false }
    guard let column = unsafe cluster.chunks[index].column else { return false }
    let place = Int(truncatingIfNeeded: target.key.rawValue & 255)
    if unsafe place >= column.pointee.count { unsafe column.pointee.grow(to: place &+ 1) }
    guard unsafe !column.pointee.isExternal(place) else { return false }
    let keys = unsafe column.pointee.keys(at: place)
    var position = keys.count
    // Links are mostly made in the order of their origins.
    if let last = unsafe keys.last, last > origin.rawValue {
      var low = 0
      while low < position {
        let middle = (low &+ position) &>> 1
        if unsafe keys[middle] <= origin.rawValue { low = middle &+ 1 } else { position = middle }
      }
    }
    unsafe column.pointee.insertKey(origin.rawValue, at: position, place: place)
    return true
  }
}
