/// The values of one property of one cluster.
extension FileCheck {
  /// Checks every live place; notes links, index entries and values outside the chunk.
  ///
  /// `chunk` is `nil` where the cluster has none: every place has the fill value then.
  func checkValues(_ cluster: ClusterPlaces, _ property: PropertySchema, _ chunk: ChunkView?) {
    let count = chunk?.count ?? 0
    for place in cluster.live {
      if isStopped { return }
      let object = cluster.object(place)
      guard let chunk, place < count else {
        guard property.isIndexed else { return }
        noteEntry(object, property, property.absentValue)
        continue
      }
      do throws(StorageError) {
        try check(chunk, place, object, property)
      } catch {
        add(.invalidValue, "\(name(object, property)): \(error.place)")
        unread.insert(PropertyIdentity(object.classKey, property.key))
      }
    }
  }

  private func check(
    _ chunk: ChunkView,
    _ place: Int,
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) {
    switch ColumnType(property.type).form {
    case .words, .pairs:
      checkScalar(chunk, place, object, property)
    case .cells:
      guard !chunk.isNull(place) else {
        return checkElement(.null, object, property, isWhole: true)
      }
      let value: Value
      switch chunk.cell(place) {
      case .inline(let bytes): value = try Value(cell: bytes, kind: property.type.kind)
      case .external(let location):
        guard let bytes = ownBytes(location, owner(object, property)) else { return }
        value = try Value(cell: bytes, kind: property.type.kind)
      }
      checkElement(value, object, property, isWhole: true)
    case .keys:
      switch chunk.keys(place) {
      case .inline(let keys): checkKeys(keys.unpack(), object, property)
      case .external(let location):
        guard let keys = ownKeys(location, owner(object, property)) else { return }
        checkKeys(keys, object, property)
      }
    case .collections:
      let value: Value
      switch try chunk.collection(place) {
      case .inline(let collection): value = collection
      case .external(let location):
        guard let bytes = ownBytes(location, owner(object, property)) else { return }
        value = try Value(cell: bytes, kind: .mixed)
      }
      checkCollection(value, object, property)
    }
  }

  private func checkScalar(
    _ chunk: ChunkView,
    _ place: Int,
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) {
    if chunk.isNull(place) { return checkElement(.null, object, property, isWhole: true) }
    let value: Value?
    switch property.type.kind.form {
    case .word(let type): value = type.checkedValue(of: chunk.word(place))
    case .pair(let type): value = type.checkedValue(of: chunk.pair(place))
    case .link, .bytes, .mixed:
      value = Value(word: chunk.word(place), kind: .link, target: property.target)
    }
    guard let value else {
      return invalid(object, property, "what is stored is no \(property.type.kind)")
    }
    checkElement(value, object, property, isWhole: true)
  }

  // MARK: - Elements

  /// Checks a value, or an element of a collection, for its type.
  private func checkElement(
    _ value: Value,
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    isWhole: Bool
  ) {
    if isWhole, property.isIndexed { noteEntry(object, property, value) }
    let type = property.type
    switch (type.kind, value) {
    case (_, .null):
      let isAllowed =
        type.kind == .link
        ? isWhole || type.collection == .map
        : type.kind == .mixed || type.isOptional
      if !isAllowed {
        add(.unexpectedNull, "\(name(object, property)) is null; its type is \(type)")
      }
    case (.int, .int(let number)):
      if !type.intRange.contains(number) {
        add(.outOfRange, "\(name(object, property)) does not fit its type, \(type)")
      }
    case (.link, .link(let target)):
      if target.classKey == property.target {
        noteLink(object, property, target)
      } else {
        invalid(object, property, "it links to \(name(target)); its type is \(type)")
      }
    case (.mixed, .link(let target)):
      if schema[target.classKey]?.isEmbedded == true {
        invalid(object, property, "a mixed value holds the embedded \(name(target))")
      } else {
        noteLink(object, property, target)
      }
    case (.mixed, .list), (.mixed, .set), (.mixed, .map): checkNested(value, object, property)
    case (_, let value):
      if type.kind != .mixed, type.kind != value.kind {
        invalid(object, property, "the value is not of its type, \(type)")
      }
    }
  }

  /// Checks a list or map that a mixed value is; how deep it nests was checked when it was decoded.
  private func checkNested(
    _ value: Value,
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) {
    if property.type.collection == .set {
      return invalid(object, property, "a set of mixed values holds a collection")
    }
    switch value.shape {
    case .list(let elements):
      for element in elements { checkElement(element, object, property, isWhole: false) }
    case .map(let entries): checkEntries(entries, object, property)
    case .null, .scalar, .link, .set: invalid(object, property, "a mixed value holds a set")
    }
  }

  private func invalid(_ object: ObjectIdentity, _ property: PropertySchema, _ what: String) {
    add(.invalidValue, "\(name(object, property)): \(what)")
  }

  private func checkKeys(
    _ keys: [UInt64],
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) {
    guard let target = property.target else { return }
    var last: UInt64 = 0
    for key in keys {
      if property.type.collection == .set, key <= last {
        misordered(object, property)
      }
      last = key
      noteLink(object, property, ObjectIdentity(target, ObjectKey(rawValue: key)))
    }
  }

  private func checkCollection(
    _ value: Value,
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) {
    switch (property.type.collection, value) {
    case (.list, .list(let elements)):
      for element in elements { checkElement(element, object, property, isWhole: false) }
    case (.set, .set(let members)):
      for (index, member) in members.enumerated() {
        if index > 0, !members[index - 1].isOrdered(before: member) {
          misordered(object, property)
        }
        checkElement(member, object, property, isWhole: false)
      }
    case (.map, .map(let entries)): checkEntries(entries, object, property)
    case (.none, _), (.list, _), (.set, _), (.map, _):
      invalid(object, property, "the value is not of its type, \(property.type)")
    }
  }

  private func checkEntries(
    _ entries: [MapEntry],
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) {
    for (index, entry) in entries.enumerated() {
      if index > 0, !entries[index - 1].key.hasBytes(before: entry.key) {
        add(.collectionOrder, "\(name(object, property)): its keys do not ascend")
      }
      checkElement(entry.value, object, property, isWhole: false)
    }
  }

  private func misordered(_ object: ObjectIdentity, _ property: PropertySchema) {
    add(.collectionOrder, "\(name(object, property)): its members do not ascend")
  }
}
