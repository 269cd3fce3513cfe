import KennelCore

/// Finds the modified objects of a class: those that changed, and those that link to one that did.
internal struct ModifiedObjects {
  let context: RealmContext
  let classKey: ClassKey
  /// The observed paths, by their names in the file; `nil` for all properties, over three links.
  let paths: [[String]]?

  private var view: DatabaseReader { context.view }
  private var schema: KennelCore.Schema { view.schema }

  /// The keys of the modified objects.
  func keys(_ changes: ChangeSet) throws -> Set<ObjectKey> {
    guard let paths else { return try keysOverAllLinks(changes) }
    var found: Set<ObjectIdentity> = []
    for path in paths { try found.formUnion(objects(path, changes)) }
    return Set(found.map(\.key))
  }

  // MARK: - All links

  private struct Link: Hashable {
    let origin: ClassKey
    let property: PropertyKey
  }

  private func keysOverAllLinks(_ changes: ChangeSet) throws -> Set<ObjectKey> {
    var links: [ClassKey: [Link]] = [:]
    var near: Set<ClassKey> = [classKey]
    var frontier = near
    for _ in 0..<3 {
      var next: Set<ClassKey> = []
      for origin in frontier {
        for property in schema[origin]?.properties ?? [] {
          guard let target = property.target else { continue }
          let link = Link(origin: origin, property: property.key)
          if links[target]?.contains(link) != true { links[target, default: []].append(link) }
          if near.insert(target).inserted { next.insert(target) }
        }
      }
      frontier = next
    }
    var objects = Set(changes.changed.map(\.object).filter { near.contains($0.classKey) })
    var found = objects
    for _ in 0..<3 where !objects.isEmpty {
      var next: Set<ObjectIdentity> = []
      for object in objects {
        for link in links[object.classKey] ?? [] {
          for origin in try origins(of: object, link) where found.insert(origin).inserted {
            next.insert(origin)
          }
        }
      }
      objects = next
    }
    return Set(found.filter { $0.classKey == classKey }.map(\.key))
  }

  private func origins(of object: ObjectIdentity, _ link: Link) throws -> [ObjectIdentity] {
    guard try view.contains(object) else { return [] }
    return try view.origins(of: link.origin, property: link.property, to: object, in: 0..<Int.max)
      .keys
      .map { ObjectIdentity(link.origin, $0) }
  }

  // MARK: - Key paths

  private enum Step {
    case property(ClassKey, PropertySchema)
    /// An inverse relationship of a class.
    case inverse(ClassKey, Link)
  }

  private func steps(_ path: [String]) -> [Step] {
    var steps: [Step] = []
    var current: ClassKey? = classKey
    for name in path {
      guard let key = current, let schema = schema[key] else { break }
      if let property = schema[name] {
        steps.append(.property(key, property))
        current = property.target
      } else if let backlink = schema.backlinks.first(where: { $0.name == name }) {
        steps.append(
          .inverse(key, Link(origin: backlink.origin, property: backlink.property))
        )
        current = backlink.origin
      }
    }
    return steps
  }

  private func objects(_ path: [String], _ changes: ChangeSet) throws -> Set<ObjectIdentity> {
    let steps = steps(path)
    var found: Set<ObjectIdentity> = []
    for (position, step) in steps.enumerated() {
      var objects = changed(step, changes)
      for back in steps[..<position].reversed() where !objects.isEmpty {
        objects = try before(back, objects)
      }
      found.formUnion(objects)
    }
    return found
  }

  /// The objects at a step whose property changed.
  private func changed(_ step: Step, _ changes: ChangeSet) -> Set<ObjectIdentity> {
    switch step {
    case .property(let classKey, let property):
      let objects = changes.changed.filter { changed in
        changed.object.classKey == classKey
          && changed.properties.contains { $0.property == property.key }
      }
      return Set(objects.map(\.object))
    case .inverse(_, let link):
      var objects: Set<ObjectIdentity> = []
      for changed in changes.changed where changed.object.classKey == link.origin {
        for property in changed.properties where property.property == link.property {
          objects.formSymmetricDifference(property.old.links)
          objects.formUnion(Set(property.new.links).subtracting(property.old.links))
        }
      }
      for made in changes.created where made.classKey == link.origin {
        if let value = try? view.value(of: made, property: link.property) {
          objects.formUnion(value.links)
        }
      }
      return objects
    }
  }

  /// The objects from which a step leads to one of others.
  private func before(
    _ step: Step,
    _ objects: Set<ObjectIdentity>
  ) throws -> Set<ObjectIdentity> {
    var found: Set<ObjectIdentity> = []
    for object in objects {
      switch step {
      case .property(let classKey, let property):
        try found.formUnion(origins(of: object, Link(origin: classKey, property: property.key)))
      case .inverse(_, let link):
        found.formUnion(try view.value(of: object, property: link.property).links)
      }
    }
    return found
  }
}

extension RealmContext {
  /// The keys of the modified objects of a class; none for values.
  internal func modified(
    _ classKey: ClassKey?,
    _ paths: [[String]]?,
    _ changes: ChangeSet
  ) -> Set<ObjectKey> {
    guard let classKey else { return [] }
    let objects = ModifiedObjects(context: self, classKey: classKey, paths: paths)
    return attempt { try objects.keys(changes) }
  }
}

extension ModifiedObjects {
  /// The paths by their names in the file; stops the program if a property does not exist.
  static func storedPaths(
    _ keyPaths: [String]?,
    _ classKey: ClassKey,
    _ context: RealmContext
  ) -> [[String]]? {
    keyPaths?.map { keyPath in
      let names = keyPath.split(separator: ".").map {
        StoredPredicate.Step.property(String($0))
      }
      let path = PredicateNames(context: context).stored(.init(Array(names)), classKey)
      let stored = path.steps.compactMap { step -> String? in
        if case .property(let name) = step { name } else { nil }
      }
      var current = context.view.schema[classKey]
      for (name, written) in zip(stored, keyPath.split(separator: ".")) {
        let backlink = current?.backlinks.first { $0.name == name }
        guard current?[name] != nil || backlink != nil else {
          throwRealmException(
            "Invalid property name: property '\(written)' not found in object of type "
              + "'\(current?.name ?? "?")', in the key path '\(keyPath)' to observe"
          )
        }
        let next = current?[name]?.target ?? backlink?.origin
        current = next.flatMap { context.view.schema[$0] }
      }
      return stored
    }
  }
}
