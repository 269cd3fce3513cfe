import KennelStorage

/// The primitive changes of a write transaction and of a draft.
///
/// Every primitive keeps backlinks and indexes right, so that they are right after every change,
/// inside a transaction too, and so that undoing a primitive is another primitive. What a change
/// means beyond the object it concerns is decided above, in `Workspace+Operations.swift`.
internal final class Workspace {
  let reader: DatabaseReader
  var view: StoreView { reader.view }
  /// The edits made since the last ``takeEdits()``; `nil` if nobody wants them.
  private var edits: [Edit]?
  /// The consequences of the last operation.
  var executedPlan = BlastRadius()
  /// Who is told how far a deletion is, and may stop it.
  var progress: QueryProgress?
  /// Whether new objects get provisional keys.
  let isDraft: Bool

  /// Where the schema is changed.
  let keeper: any SchemaKeeper
  /// The effect of the last change of the schema.
  var executedSchemaPlan: SchemaPlan?

  init(_ reader: DatabaseReader, keeper: any SchemaKeeper, isDraft: Bool) {
    self.reader = reader
    self.keeper = keeper
    self.isDraft = isDraft
    edits = isDraft ? [] : nil
  }

  /// The edits since the last call.
  func takeEdits() -> [Edit] {
    defer { edits = isDraft ? [] : nil }
    return edits ?? []
  }

  /// Runs changes, and tells which they were.
  func recording(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) -> [Edit] {
    let before = edits
    edits = []
    defer { edits = before.map { $0 + (edits ?? []) } }
    try body()
    return edits ?? []
  }

  /// Changes the schema, which is one edit, however many values it converts.
  func noteSchema(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    let (before, schema) = (edits, view.schema)
    edits = nil
    do throws(DatabaseError) {
      try body()
      edits = before.map { view.schema == schema ? $0 : $0 + [.schemaChanged] }
    } catch {
      edits = before
      throw error
    }
  }

  private func note(_ edit: @autoclosure () -> Edit) {
    if edits != nil { edits?.append(edit()) }
  }

  /// Applies an edit of the past, or an inverse of one.
  func apply(_ edit: Edit) throws(DatabaseError) {
    switch edit {
    case .created(let object), .restored(let object): try restore(object)
    case .erased(let object): try erase(object)
    case .set(let object, let key, _, let new):
      try set(object, reader.property(key, of: object.classKey), new)
    case .inserted(let object, let key, let index, let target):
      try insert(target, at: index, of: object, reader.property(key, of: object.classKey))
    case .removed(let object, let key, let index, _):
      _ = try remove(at: index, of: object, reader.property(key, of: object.classKey))
    // Who takes it back performs everything else anew.
    case .schemaChanged: break
    }
  }

  // MARK: - Objects

  /// Creates a new object with values for some properties; the others read as absent.
  func create(
    _ classKey: ClassKey,
    key: ObjectKey? = nil,
    _ initial: [(PropertySchema, Value)]
  ) throws(DatabaseError) -> ObjectIdentity {
    let view = view
    let isDraft = isDraft
    let made = try storing { () throws(StorageError) in
      if let key {
        let isUsed = key.rawValue < view.clusters.record(of: classKey).nextKey
        try key.isProvisional
          ? view.objects.createProvisional(classKey, key) : view.objects.create(classKey, key)
        if isUsed, let schema = view.schema[classKey] {
          try view.backlinks.flush()
          try view.values.forget(ObjectIdentity(classKey, key), schema)
        }
        return key
      }
      return try isDraft ? view.objects.createProvisional(classKey) : view.objects.create(classKey)
    }
    let object = ObjectIdentity(classKey, made)
    for property in try reader.classSchema(classKey).properties where property.isIndexed {
      let value = initial.first { $0.0.key == property.key }?.1
      view.indexes.addEntry(object, property, value ?? property.absentValue)
    }
    note(.created(object))
    for (property, value) in initial { try initialize(object, property, value) }
    return object
  }

  /// Marks an object dead: its links and index entries go, its values stay for a revival.
  ///
  /// Links to the object are not looked at.
  func erase(_ object: ObjectIdentity) throws(DatabaseError) {
    try noteLinks(of: object, isAdded: false)
    try forEachIndexed(object) { property, value in
      view.indexes.removeEntry(object, property, value)
    }
    try storing { () throws(StorageError) in
      if !isDraft { try view.values.dropExternals(of: object) }
      try view.objects.setLive(object, false)
    }
    note(.erased(object))
  }

  /// Revives a dead object with the values, links and index entries it had.
  private func restore(_ object: ObjectIdentity) throws(DatabaseError) {
    try storing(view.objects.setLive(object, true))
    try noteLinks(of: object, isAdded: true)
    try forEachIndexed(object) { property, value in view.indexes.addEntry(object, property, value) }
    note(.restored(object))
  }

  /// Notes at their targets that an object got or lost all of its links.
  private func noteLinks(of object: ObjectIdentity, isAdded: Bool) throws(DatabaseError) {
    for property in reader.links.properties(of: object.classKey) {
      for target in try reader.targets(of: object, property) {
        noteLink(object, property, target, isAdded: isAdded)
      }
    }
  }

  /// Notes at its target that an object got or lost a link.
  private func noteLink(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ target: ObjectIdentity,
    isAdded: Bool
  ) {
    guard let slot = reader.links.slot(target.classKey, object.classKey, property.key) else {
      return
    }
    view.backlinks.note(from: object.key.rawValue, to: target, slot, isAdded: isAdded)
  }

  private func forEachIndexed(
    _ object: ObjectIdentity,
    _ body: (PropertySchema, Value) -> Void
  ) throws(DatabaseError) {
    for property in try reader.classSchema(object.classKey).properties where property.isIndexed {
      body(property, try storing(view.values.value(of: object, property)))
    }
  }

  // MARK: - Values

  /// Sets a property that is not a list or set of links; nothing happens where it has the value.
  func set(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Value
  ) throws(DatabaseError) {
    let old = try storing(view.values.value(of: object, property))
    try set(object, property, from: old, to: value)
  }

  /// The same where the value that it has was read already.
  func set(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    from old: Value,
    to value: Value
  ) throws(DatabaseError) {
    guard old != value else { return }
    if property.isIndexed {
      view.indexes.removeEntry(object, property, old)
      view.indexes.addEntry(object, property, value)
    }
    if property.canLink {
      for target in old.links { noteLink(object, property, target, isAdded: false) }
      for target in value.links { noteLink(object, property, target, isAdded: true) }
    }
    try storing(view.values.set(object, property, value))
    note(.set(object, property.key, old: old, new: value))
  }

  /// Sets a property of an object that has just been made and reads as absent; its index entry is
  /// there already.
  private func initialize(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Value
  ) throws(DatabaseError) {
    let isKeyList = property.columnType.form == .keys
    if property.canLink {
      for target in value.links { noteLink(object, property, target, isAdded: true) }
    }
    try storing { () throws(StorageError) in
      if isKeyList {
        try view.values.setKeys(object, property, value.linkedKeys)
      } else {
        try view.values.set(object, property, value)
      }
    }
    guard edits != nil else { return }
    if isKeyList {
      for (index, key) in value.linkedKeys.enumerated() {
        note(.inserted(object, property.key, index, key))
      }
    } else {
      note(.set(object, property.key, old: property.absentValue, new: value))
    }
  }

  // MARK: - Lists and sets of links

  func insert(
    _ key: UInt64,
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) {
    noteLink(object, property, key, isAdded: true)
    try storing(view.values.insertKey(key, at: index, of: object, property))
    note(.inserted(object, property.key, index, key))
  }

  func remove(
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) -> UInt64 {
    let key = try storing(view.values.removeKey(at: index, of: object, property))
    noteLink(object, property, key, isAdded: false)
    note(.removed(object, property.key, index, key))
    return key
  }

  private func noteLink(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ key: UInt64,
    isAdded: Bool
  ) {
    guard let target = property.target else { return }
    noteLink(object, property, .init(target, ObjectKey(rawValue: key)), isAdded: isAdded)
  }
}
