import KennelStorage

extension DraftCommit {
  /// Returns what is changed.
  ///
  /// - Returns: The objects created, deleted and changed, by class and key.
  /// - Throws: `DatabaseError` if the file is damaged.
  /// - Complexity: Linear in the changes.
  public func changes() throws(DatabaseError) -> ChangeSet {
    var touched: [ObjectIdentity: Set<PropertyKey>] = [:]
    for entry in entries {
      for edit in entry.edits {
        guard let (object, property) = edit.place else { continue }
        let found = identities[object] ?? object
        touched[found, default: []].formUnion(property.map { [$0] } ?? [])
      }
    }
    var changes = ChangeSet(fromCommit: before.commitNumber, toCommit: before.commitNumber + 1)
    changes.isSchemaChanged = before.schema != after.schema
    for object in touched.keys.sorted() {
      switch (try before.contains(object), try after.contains(object)) {
      case (false, true): changes.created.append(object)
      case (true, false): changes.deleted.append(object)
      case (false, false): break
      case (true, true):
        let properties = try changed(object, (touched[object] ?? []).sorted())
        if !properties.isEmpty {
          changes.changed.append(.init(object: object, properties: properties))
        }
      }
    }
    return changes
  }

  private func changed(
    _ object: ObjectIdentity,
    _ properties: [PropertyKey]
  ) throws(DatabaseError) -> [ChangeSet.ChangedProperty] {
    var found: [ChangeSet.ChangedProperty] = []
    for property in properties {
      let old = try before.value(of: object, property: property)
      let new = try after.value(of: object, property: property)
      if old != new { found.append(.init(property: property, old: old, new: new)) }
    }
    return found
  }
}

extension Edit {
  /// The object that the edit changes, and the property, if it is not the object as a whole; `nil` if it
  /// changes the schema.
  fileprivate var place: (ObjectIdentity, PropertyKey?)? {
    switch self {
    case .created(let object), .erased(let object), .restored(let object): (object, nil)
    case .set(let object, let property, _, _), .inserted(let object, let property, _, _),
      .removed(let object, let property, _, _):
      (object, property)
    case .schemaChanged: nil
    }
  }
}
