public import KennelStorage

extension DatabaseReader {
  /// Returns the objects that can be reached from the given objects, including these (or their
  /// owners).
  ///
  /// Embedded objects belong to their owner: their links are followed as its own, and
  /// the set has only objects that are not embedded. Linear in the number of links.
  ///
  /// - Parameters:
  ///   - objects: The objects to start from. An embedded object stands for the object that owns it.
  ///   - edges: The links to follow.
  ///   - depth: The maximum number of links between a starting object and one that is returned;
  ///     `nil` for no maximum.
  ///   - progress: Called periodically with the number of objects found so far. Return false to
  ///     cancel.
  /// - Returns: The objects.
  /// - Throws: `DatabaseError` with code `cancelled` if cancelled, or another if an object does not
  ///   exist or the file is damaged.
  public final func closure(
    of objects: [ObjectIdentity],
    along edges: Set<LinkEdge>,
    depth: Int? = nil,
    progress: ((Int) -> Bool)? = nil
  ) throws(DatabaseError) -> ObjectSet {
    var found = ObjectSet()
    var level: [ObjectIdentity] = []
    for object in objects {
      guard try contains(object) else { throw missing(object) }
      let whole = try topOwner(of: object)
      if found.insert(whole) { level.append(whole) }
    }
    var plans: [ClassKey: [ClosureStep]] = [:]
    // What is owned has one owner: a part that is met again is a fault, and may be a part of itself.
    var owned = ObjectSet()
    var left = depth ?? .max
    var visited = 0
    while !level.isEmpty, left > 0 {
      left -= 1
      var next: [ObjectIdentity] = []
      for object in level {
        var parts = [object]
        while let part = parts.popLast() {
          visited += 1
          if visited & 1023 == 0, let progress, !progress(found.count) {
            throw DatabaseError(.cancelled, "Following the links was cancelled")
          }
          let steps = plans[part.classKey] ?? ClosureStep.all(of: part.classKey, edges, schema)
          plans[part.classKey] = steps
          for step in steps {
            for target in try targets(of: part, step) {
              if case .owned = step {
                guard owned.insert(target) else { throw severalOwners(target) }
                parts.append(target)
              } else if found.insert(target) {
                next.append(target)
              }
            }
          }
        }
      }
      level = next
    }
    return found
  }

  /// The object that an embedded one is a part of, or the object itself.
  private func topOwner(of object: ObjectIdentity) throws(DatabaseError) -> ObjectIdentity {
    var top = object
    var passed = ObjectSet()
    while let (owner, _) = try owningProperty(of: top) {
      guard passed.insert(top) else { throw severalOwners(top) }
      top = owner
    }
    return top
  }

  /// The error that an embedded object was reached twice from its owner.
  @_spi(Faces)
  public final func severalOwners(_ part: ObjectIdentity) -> DatabaseError {
    DatabaseError(.damaged(in: describe(part), "it has several owners, or is a part of itself"))
  }

  private func targets(
    of object: ObjectIdentity,
    _ step: ClosureStep
  ) throws(DatabaseError) -> [ObjectIdentity] {
    switch step {
    case .owned(let property), .link(let property): return try targets(of: object, property)
    case .backlink(let origin, let property):
      return try origins(of: origin, property: property, to: object, in: 0..<Int.max).map {
        (origin) throws(DatabaseError) in try topOwner(of: origin)
      }
    }
  }
}

/// How a closure goes on from an object of a class.
private enum ClosureStep {
  case owned(PropertySchema)
  case link(PropertySchema)
  case backlink(ClassKey, PropertyKey)

  static func all(
    of classKey: ClassKey,
    _ edges: Set<LinkEdge>,
    _ schema: Schema
  ) -> [ClosureStep] {
    let properties = schema[classKey]?.properties ?? []
    let forward: [ClosureStep] = properties.compactMap { property in
      if property.isEmbedded { return .owned(property) }
      return edges.contains(LinkEdge(classKey, property.key)) ? .link(property) : nil
    }
    let backward = edges.filter { edge in
      guard edge.isBackward, let link = schema.property(edge.property, of: edge.origin) else {
        return false
      }
      return link.target == classKey || link.target == nil
    }
    return forward + backward.map { .backlink($0.origin, $0.property) }
  }
}
