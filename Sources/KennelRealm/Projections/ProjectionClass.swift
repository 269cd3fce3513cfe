import Foundation

/// The properties of a class of projections, found once per process by reflecting on an instance.
internal final class ProjectionClass: @unchecked Sendable {
  /// In the order of declaration, those of superclasses first.
  let properties: [ProjectedProperty]
  /// The key paths that every instance gets, and where.
  private let kept: [(wrapper: any AnyProjected.Type, offset: Int, keyPath: AnyKeyPath)]

  private init<P: ProjectionObservable>(_ projection: P) {
    var kept: [(any AnyProjected.Type, Int, AnyKeyPath)] = []
    properties = reflectedFields(of: projection).compactMap { field in
      guard let wrapper = field.value as? any AnyProjected,
        let keyPath = wrapper.anyKeyPath as? PartialKeyPath<P.Root>
      else { return nil }
      if wrapper.isMadeAnew { kept.append((type(of: wrapper), field.offset, keyPath)) }
      // The compiler calls the wrapper of `name` `_name`.
      return ProjectedProperty(String(field.label.dropFirst()), keyPath)
    }
    self.kept = kept
  }

  /// Prepares a new instance.
  func prepare(_ projection: some ProjectionObservable) {
    for (wrapper, offset, keyPath) in kept {
      wrapper.keep(keyPath, at: FieldPlace(projection, offset: offset))
    }
  }

  private static let known = Memo<ObjectIdentifier, ProjectionClass>()

  /// Returns the class of a projection; stops the program if it is declared wrongly.
  static func of<P: ProjectionObservable>(_ projection: P) -> ProjectionClass {
    known.content(ObjectIdentifier(type(of: projection))) { ProjectionClass(projection) }
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
