import KennelStorage

/// Changes whose values come as words and bytes, of an exclusive write.
///
/// Each does at once what a plain property, a link or a list needs, and goes the long way of
/// `Workspace+Operations.swift` where an index, a delete rule, a range or an error is concerned.
extension Workspace {
  // MARK: - Values

  func setWord(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ word: UInt64?
  ) throws(DatabaseError) {
    let plan = reader.links.plan(object.classKey, property)
    if plan.care == .none, plan.kind == kind, word != nil || plan.isOptional {
      let isSet = try storing { () throws(StorageError) in
        try view.values.setWord(object, property, word)
      }
      if isSet { return }
    }
    try setValue(
      object,
      property,
      word.map { Value(word: $0, kind: kind, target: nil) } ?? .null
    )
  }

  func setPair(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ kind: ValueKind,
    _ pair: (UInt64, UInt64)?
  ) throws(DatabaseError) {
    let plan = reader.links.plan(object.classKey, property)
    if plan.care == .none, plan.kind == kind, pair != nil || plan.isOptional {
      let isSet = try storing { () throws(StorageError) in
        try view.values.setPair(object, property, pair)
      }
      if isSet { return }
    }
    let value = try storing { () throws(StorageError) in
      guard let pair else { return Value.null }
      return try Value(pair: pair, kind: kind)
    }
    try setValue(object, property, value)
  }

  func setBytes<V: BytesValue>(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ value: V?
  ) throws(DatabaseError) {
    let plan = reader.links.plan(object.classKey, property)
    if plan.care == .none, plan.kind == V.kind, value != nil || plan.isOptional {
      let isSet = try storing { () throws(StorageError) in
        try view.values.setBytes(object, property, value)
      }
      if isSet { return }
    }
    try setValue(object, property, value?.value ?? .null)
  }

  // MARK: - Links

  func setLink(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ObjectIdentity?
  ) throws(DatabaseError) {
    let plan = reader.links.plan(object.classKey, property)
    guard plan.care == .link, try isThere(target, plan), try reader.contains(object) else {
      try setValue(object, property, target.map(Value.link) ?? .null)
      return
    }
    try storing { () throws(StorageError) in
      let old = try view.values.link(object, property)
      if old == target?.key { return }
      if let old {
        try view.backlinks.remove(
          to: ObjectIdentity(plan.target, old),
          plan.backlinkSlot,
          from: object.key.rawValue
        )
      }
      if let target {
        try view.backlinks.add(to: target, plan.backlinkSlot, from: object.key.rawValue)
      }
      _ = try view.values.setWord(object, property, target?.key.rawValue)
    }
  }

  func append(
    _ target: ObjectIdentity,
    to object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) {
    let plan = reader.links.plan(object.classKey, property)
    guard plan.care == .list, try isThere(target, plan), try reader.contains(object) else {
      let count = try reader.elementCount(of: object, property: property)
      try insertElement(.link(target), at: count, of: object, property)
      return
    }
    try storing { () throws(StorageError) in
      try view.backlinks.add(to: target, plan.backlinkSlot, from: object.key.rawValue)
      _ = try view.values.appendKey(target.key.rawValue, to: object, property)
    }
  }

  private func isThere(
    _ target: ObjectIdentity?,
    _ plan: SlotPlan
  ) throws(DatabaseError) -> Bool {
    guard let target else { return true }
    guard target.classKey == plan.target else { return false }
    return try reader.contains(target)
  }

  // MARK: - Objects

  /// Creates an object without values.
  func createBlank(_ classKey: ClassKey) throws(DatabaseError) -> ObjectIdentity {
    let plan = reader.links.plan(classKey)
    guard plan.isBlank, !plan.isEmbedded, plan.primaryKey == nil else {
      return try create(classKey, key: nil, [:])
    }
    let key = try storing { () throws(StorageError) in try view.objects.create(classKey) }
    view.objects.allowBlankObjects(of: classKey, isEmbedded: false)
    return ObjectIdentity(classKey, key)
  }

  /// Creates an object with a primary key and no other values.
  func create(
    _ classKey: ClassKey,
    primaryKey: PropertyKey,
    _ value: Value
  ) throws(DatabaseError) -> ObjectIdentity {
    let plan = reader.links.plan(classKey)
    guard plan.isBlank, !plan.isEmbedded, let property = plan.primaryKey,
      property.key == primaryKey, !value.isNull
    else {
      return try create(classKey, key: nil, [primaryKey: value])
    }
    if !isDraft, case .int(let number) = value, property.type.bitWidth == 64,
      let object = try createKeyed(classKey, property, number)
    {
      return object
    }
    let schema = try reader.classSchema(classKey)
    try check(value, schema, property)
    try requireUnique(value, schema, property, except: nil)
    return try storing { () throws(StorageError) in
      let object = ObjectIdentity(classKey, try view.objects.create(classKey))
      view.indexes.addEntry(object, property, value)
      if value != property.absentValue { try view.values.set(object, property, value) }
      return object
    }
  }

  /// Creates an object with a primary key if that is greater than every other of its class.
  private func createKeyed(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ number: Int64
  ) throws(DatabaseError) -> ObjectIdentity? {
    try storing { () throws(StorageError) in
      guard try view.indexes.isGreatestKey(classKey, property.key, number) else { return nil }
      let object = ObjectIdentity(classKey, try view.objects.create(classKey))
      view.indexes.addGreatestKey(object, number)
      try view.values.set(object, property, .int(number))
      view.objects.allowKeyedObjects(of: classKey)
      return object
    }
  }

  /// Creates an embedded object without values in a to-one slot.
  func createEmbedded(
    in object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> ObjectIdentity {
    let slot = reader.links.plan(object.classKey, property)
    let plan = reader.links.plan(slot.target)
    guard slot.isEmbedded, slot.isSingle, slot.hasBacklinks, plan.isBlank,
      try reader.contains(object),
      try storing({ () throws(StorageError) in try view.values.link(object, property) }) == nil
    else { return try createEmbedded(at: Slot(object, property)) }
    return try storing { () throws(StorageError) in
      let embedded = ObjectIdentity(slot.target, try view.objects.create(slot.target))
      try view.backlinks.add(to: embedded, slot.backlinkSlot, from: object.key.rawValue)
      _ = try view.values.setWord(object, property, embedded.key.rawValue)
      view.objects.allowBlankObjects(of: slot.target, isEmbedded: true)
      return embedded
    }
  }
}
