public import KennelStorage

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Draft: Editing {
  @discardableResult
  public func create(
    _ classKey: ClassKey,
    _ values: [PropertyKey: Value]
  ) throws(DatabaseError) -> ObjectIdentity {
    try made(by: .create(classKey, values))
  }

  @discardableResult
  public func createEmbedded(at slot: Slot) throws(DatabaseError) -> ObjectIdentity {
    try made(by: .createEmbedded(slot))
  }

  private func made(by operation: Operation) throws(DatabaseError) -> ObjectIdentity {
    guard let object = try perform(operation) else {
      throw DatabaseError(.noSuchObject, "No object was made")
    }
    return object
  }

  public func set(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ value: Value
  ) throws(DatabaseError) {
    try perform(.set(object, property, value))
  }

  public func insert(
    _ value: Value,
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) {
    try perform(.insert(value, at: index, object, property))
  }

  public func replace(
    at index: Int,
    with value: Value,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) {
    try perform(.replace(at: index, with: value, object, property))
  }

  public func removeElement(
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) {
    try perform(.remove(at: index, object, property))
  }

  public func moveElement(
    from source: Int,
    to destination: Int,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) {
    try perform(.move(from: source, to: destination, object, property))
  }

  @discardableResult
  public func insertMember(
    _ value: Value,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Bool {
    let count = entries.count
    try perform(.insertMember(value, object, property))
    return entries.count > count
  }

  @discardableResult
  public func removeMember(
    _ value: Value,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Bool {
    let count = entries.count
    try perform(.removeMember(value, object, property))
    return entries.count > count
  }

  public func setEntry(
    _ key: String,
    _ value: Value?,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) {
    try perform(.setEntry(key, value, object, property))
  }

  /// Deletes objects with what they take along, and tells how far it is.
  ///
  /// - Parameters:
  ///   - objects: The objects, deleted as one operation.
  ///   - progress: Who is told, and may stop it.
  /// - Returns: What it takes along.
  /// - Throws: `DatabaseError` if an object does not exist, a rule forbids it, it was stopped, or the
  ///   file is damaged; the draft is as it was.
  @discardableResult
  public func delete(
    _ objects: [ObjectIdentity],
    progress: QueryProgress
  ) throws(DatabaseError) -> BlastRadius {
    let workspace = world.workspace
    workspace.progress = progress
    defer { workspace.progress = nil }
    let count = entries.count
    try perform(.delete(objects))
    return entries.count > count ? entries.last?.plan ?? BlastRadius() : BlastRadius()
  }

  @discardableResult
  public func delete(_ objects: [ObjectIdentity]) throws(DatabaseError) -> Int {
    try perform(.delete(objects))
    return entries.last?.plan.deathCount ?? 0
  }
}
