import Foundation

/// What is known of a projection, found once per process by looking at one of its instances.
internal final class ProjectionClass: @unchecked Sendable {
  /// In the order of declaration, those of superclasses first.
  let properties: [ProjectedProperty]

  private init<P: ProjectionObservable>(_ projection: P) {
    var mirrors: [Mirror] = []
    var next: Mirror? = Mirror(reflecting: projection)
    while let mirror = next {
      mirrors.append(mirror)
      next = mirror.superclassMirror
    }
    properties = mirrors.reversed().flatMap(\.children).compactMap { child in
      guard let keyPath = (child.value as? any AnyProjected)?.anyKeyPath as? PartialKeyPath<P.Root>,
        // The compiler calls the wrapper of `name` `_name`.
        let name = child.label?.dropFirst()
      else { return nil }
      return ProjectedProperty(String(name), keyPath)
    }
  }

  private static let lock = NSLock()
  /// Safe to use: under the lock.
  @safe nonisolated(unsafe) private static var known: [ObjectIdentifier: ProjectionClass] = [:]

  /// What is known of the class of a projection; stops the program if it is declared wrongly.
  static func of<P: ProjectionObservable>(_ projection: P) -> ProjectionClass {
    let identifier = ObjectIdentifier(type(of: projection))
    if let found = lock.withLock({ known[identifier] }) { return found }
    // Without the lock, since a wrong declaration stops the program.
    let found = ProjectionClass(projection)
    return lock.withLock {
      if let other = known[identifier] { return other }
      known[identifier] = found
      return found
    }
  }
}

/// A property of a projection.
internal struct ProjectedProperty {
  /// The name in the projection.
  let name: String
  let keyPath: AnyKeyPath
  /// The names of the key path, separated by dots.
  let path: String
  /// The path whose changes count: that of the elements' property, where a collection is mapped.
  let observedPath: String

  init<Root: ObjectBase>(_ name: String, _ keyPath: PartialKeyPath<Root>) {
    guard let path = KeyPathNames.name(of: keyPath) else {
      throwRealmException(
        "@Projected property '\(name)' must be a part of Realm object: key path '\(keyPath)' begins "
          + "with no stored property of '\(Root.className())'"
      )
    }
    self.name = name
    self.keyPath = keyPath
    self.path = path
    let value = Root._recording(PathRecorder())[keyPath: keyPath]
    let elementPath = (value as? any MappedCollection)?.elementPath
    observedPath = elementPath.map { "\(path).\($0)" } ?? path
  }

  /// The value of an object.
  func value(of object: ObjectBase) -> Any? { object[keyPath: keyPath].flatMap(unwrapped) }
}
