import KennelStorage

/// Copies what was found of a damaged file, object by object, and lists what is missing.
///
/// 1. All values are read once. So it is known which are lost, and which properties must be able to be null.
/// 2. The objects are created with their keys and all values that are no links.
/// 3. Links are set where their targets were saved, and embedded objects created in their owners.
internal final class ObjectRecovery {
  private let salvage: FileSalvage
  private let found: Snapshot
  private let transaction: WriteTransaction
  private let progress: (Double) -> Bool
  private var done = 0

  private var losses = LossGatherer()
  private var objectCount = 0
  /// The properties of which a value is lost.
  private var incomplete: [ClassKey: Set<PropertyKey>] = [:]
  /// Objects that were found and cannot be saved.
  private var skipped: Set<ObjectIdentity> = []
  /// Embedded objects that an owner has.
  private var owned: Set<ObjectIdentity> = []
  /// Clusters by the class and the number.
  private var clusters: [ClassKey: [UInt64: SalvagedCluster]] = [:]

  init(
    _ salvage: FileSalvage,
    _ found: Snapshot,
    _ transaction: WriteTransaction,
    progress: @escaping (Double) -> Bool
  ) {
    self.salvage = salvage
    self.found = found
    self.transaction = transaction
    self.progress = progress
    for cluster in salvage.clusters {
      clusters[cluster.classKey, default: [:]][cluster.number] = cluster
    }
  }

  func run() throws(DatabaseError) -> RecoveryReport {
    if !salvage.hasRoots { losses.add(.uncertainCommit) }
    if salvage.hasOtherSchema { losses.add(.olderClasses) }
    for lost in salvage.lostObjects {
      let keys =
        ObjectKey(rawValue: lost.keys.lowerBound)...ObjectKey(rawValue: lost.keys.upperBound)
      losses.add(lost.isCertain ? .objects : .possibleObjects, name(lost.classKey), nil, keys)
    }
    try forEachObject(survey)
    try transaction.adopt(relaxedSchema())
    try forEachObject { (object, schema, cluster) throws(DatabaseError) in
      if !schema.isEmbedded { try create(object, schema, cluster) }
    }
    try forEachObject { (object, schema, _) throws(DatabaseError) in
      if !schema.isEmbedded { try link(object) }
    }
    try forEachObject { object, schema, cluster in
      guard schema.isEmbedded, !owned.contains(object) else { return }
      losses.add(cluster.isLiveKnown ? .objects : .possibleObjects, schema.name, at: object.key)
    }
    var report = RecoveryReport()
    report.commitNumber = Int(clamping: salvage.newestCommit)
    report.objectCount = objectCount
    report.losses = losses.losses
    return report
  }

  private func name(_ classKey: ClassKey) -> String { salvage.schema[classKey]?.name ?? "?" }

  /// Calls a body with each object that is not skipped.
  private func forEachObject(
    _ body: (ObjectIdentity, ClassSchema, SalvagedCluster) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    for cluster in salvage.clusters {
      guard let schema = salvage.schema[cluster.classKey] else { continue }
      for place in cluster.live {
        let object = ObjectIdentity(schema.key, cluster.key(of: place))
        if !skipped.contains(object) { try body(object, schema, cluster) }
      }
      done += 1
      guard progress(Double(done) / Double(4 * salvage.clusters.count)) else {
        throw DatabaseError(.cancelled, "The recovery was cancelled")
      }
    }
  }

  // MARK: - What is lost

  private func survey(
    _ object: ObjectIdentity,
    _ schema: ClassSchema,
    _ cluster: SalvagedCluster
  ) throws(DatabaseError) {
    // Nothing tells whether it is an object without values or a place that was never used.
    if !cluster.isLiveKnown, try isBlank(object, schema, cluster) {
      skipped.insert(object)
      losses.add(.possibleObjects, schema.name, at: object.key)
      return
    }
    if !cluster.isLiveKnown { losses.add(.possiblyDeleted, schema.name, at: object.key) }
    if cluster.hasOlderHeader { losses.add(.olderObjects, schema.name, at: object.key) }
    for property in schema.properties {
      if try value(of: object, property, cluster) == nil {
        losses.add(.values, schema.name, property.name, at: object.key)
        incomplete[schema.key, default: []].insert(property.key)
      } else if cluster.olderProperties.contains(property.key) {
        losses.add(.olderValues, schema.name, property.name, at: object.key)
      }
    }
  }

  /// Whether no property that is left has a value other than that of a place that was never used.
  private func isBlank(
    _ object: ObjectIdentity,
    _ schema: ClassSchema,
    _ cluster: SalvagedCluster
  ) throws(DatabaseError) -> Bool {
    for property in schema.properties where !cluster.lost.contains(property.key) {
      if try value(of: object, property, cluster) != property.absentValue { return false }
    }
    return true
  }

  /// The value of a property; `nil` if it is lost, or is none that the property can have.
  private func value(
    of object: ObjectIdentity,
    _ property: PropertySchema,
    _ cluster: SalvagedCluster?
  ) throws(DatabaseError) -> Value? {
    guard let cluster, !cluster.lost.contains(property.key) else { return nil }
    do throws(StorageError) {
      let value = try found.view.values.value(of: object, property).canonical
      let check = ValueCheck(
        schema: salvage.schema,
        className: name(object.classKey),
        property: property
      )
      return (try? check.check(value)) == nil ? nil : value
    } catch {
      if case .damaged = error { return nil }
      throw DatabaseError(error)
    }
  }

  private func cluster(of object: ObjectIdentity) -> SalvagedCluster? {
    clusters[object.classKey]?[object.key.cluster]
  }

  /// The classes, whose properties can be null where a value is lost.
  private func relaxedSchema() -> Schema {
    var classes = salvage.schema.classes
    for (index, schema) in classes.enumerated() {
      var properties = schema.properties
      for (position, property) in properties.enumerated()
      where incomplete[schema.key]?.contains(property.key) == true && !property.isCollection {
        guard property.isPrimaryKey || !property.allowsNull else { continue }
        losses.add(.property, schema.name, property.name)
        properties[position].type.isOptional = true
        guard property.isPrimaryKey else { continue }
        // Any number of objects may have no value of a unique property.
        properties[position].isPrimaryKey = false
        properties[position].isUnique = true
      }
      classes[index].properties = properties
      classes[index].index()
    }
    return Schema(classes: classes, version: salvage.schema.version)
  }

  // MARK: - What is saved

  private func create(
    _ object: ObjectIdentity,
    _ schema: ClassSchema,
    _ cluster: SalvagedCluster
  ) throws(DatabaseError) {
    var values: [PropertyKey: Value] = [:]
    for property in schema.properties where !property.canLink {
      values[property.key] =
        try value(of: object, property, cluster) ?? property.collection.empty
    }
    do throws(DatabaseError) {
      try transaction.create(schema.key, key: object.key, values)
      objectCount += 1
    } catch {
      if error.isFatal { throw error }
      skipped.insert(object)
      losses.add(.objects, schema.name, at: object.key)
    }
  }

  /// Sets the links of an object, and creates the objects that are embedded in it, however deep.
  private func link(_ object: ObjectIdentity) throws(DatabaseError) {
    var waiting = [(source: object, saved: object)]
    while let (source, saved) = waiting.popLast() {
      guard let schema = salvage.schema[source.classKey] else { continue }
      for property in schema.properties where property.canLink || schema.isEmbedded {
        let value =
          try value(of: source, property, cluster(of: source)) ?? property.collection.empty
        if property.isEmbedded {
          try embed(value, of: source, property, in: saved, &waiting)
        } else {
          let kept = try withoutLostLinks(value, source, property) ?? .null
          try transaction.set(saved, property: property.key, to: kept)
        }
      }
    }
  }

  /// A value without the links whose targets were not saved; `nil` if it is such a link.
  private func withoutLostLinks(
    _ value: Value,
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) -> Value? {
    switch value.shape {
    case .null, .scalar: return value
    case .link(let target):
      if try transaction.contains(target) { return value }
      lose(target, object, property)
      return nil
    case .list(let elements):
      return .list(try kept(elements, object, property))
    case .set(let members):
      return .set(try kept(members, object, property))
    case .map(let entries):
      var kept: [MapEntry] = []
      for entry in entries {
        let value = try withoutLostLinks(entry.value, object, property)
        kept.append(MapEntry(entry.key, value ?? .null))
      }
      return .map(kept)
    }
  }

  private func kept(
    _ elements: [Value],
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) -> [Value] {
    var kept: [Value] = []
    for element in elements {
      if let value = try withoutLostLinks(element, object, property) { kept.append(value) }
    }
    return kept
  }

  private func lose(
    _ target: ObjectIdentity,
    _ object: ObjectIdentity,
    _ property: PropertySchema
  ) {
    let name = "\(self.name(target.classKey))/\(target.key.rawValue)"
    losses.add(.links, self.name(object.classKey), property.name, at: object.key, target: name)
  }

  /// Creates the objects that are embedded in a property, without their values.
  private func embed(
    _ value: Value,
    of source: ObjectIdentity,
    _ property: PropertySchema,
    in saved: ObjectIdentity,
    _ waiting: inout [(source: ObjectIdentity, saved: ObjectIdentity)]
  ) throws(DatabaseError) {
    var slots: [(position: Slot.Position, target: ObjectIdentity)] = []
    switch value.shape {
    case .link(let target): slots = [(.value, target)]
    case .list(let elements):
      for case .link(let target) in elements { slots.append((.index(0), target)) }
    case .map(let entries):
      for entry in entries {
        if case .link(let target) = entry.value {
          slots.append((.key(entry.key), target))
        } else {
          try transaction.setEntry(entry.key, to: .null, of: saved, property: property.key)
        }
      }
    case .null, .scalar, .set: break
    }
    var count = 0
    for (position, target) in slots {
      guard cluster(of: target) != nil, try found.contains(target), !skipped.contains(target),
        owned.insert(target).inserted
      else {
        lose(target, source, property)
        continue
      }
      var position = position
      if case .index = position { position = .index(count) }
      let slot = Slot(saved, property.key, position)
      waiting.append((target, try transaction.createEmbedded(at: slot)))
      objectCount += 1
      count += 1
    }
  }
}
