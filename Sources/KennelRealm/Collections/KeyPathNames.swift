// swift-format-ignore-file: NoLeadingUnderscores

import Foundation

/// Returns the names of a key path, separated by dots.
///
/// - Parameter keyPath: A key path of a model class or a projection, such as `\Person.dog?.name`,
///   `\Person.dogs[0].name` or `\PersonProjection.dogName`.
/// - Returns: The names, such as `dog.name`.
public func _name<T: KeypathSortable>(for keyPath: PartialKeyPath<T>) -> String {
  guard let name = KeyPathNames.name(of: keyPath) else {
    throwRealmException(
      "Key path '\(keyPath)' leads to no property of class '\(T.self)' that is stored"
    )
  }
  return name
}

/// Finds the names of key paths by reading them on an object that records its reads; caches them.
internal enum KeyPathNames {
  private static let known = Memo<AnyKeyPath, String?>()

  /// The names; `nil` if the path leads to no stored property.
  static func name<T: KeypathSortable>(of keyPath: PartialKeyPath<T>) -> String? {
    known.content(keyPath) {
      let recorder = PathRecorder()
      let root = T._recording(recorder)
      let value = root[keyPath: keyPath]
      if recorder.names.isEmpty { return plainName(of: value, in: root._object) }
      return recorder.names.joined(separator: ".")
    }
  }

  /// The property in the older syntax that holds a collection.
  private static func plainName(of value: Any, in object: ObjectBase) -> String? {
    let model = ModelClass.of(type(of: object))
    return model.properties.first { property in
      guard let held = property.plainCollection(of: object) else { return false }
      return identity(of: held) == identity(of: value)
    }?.name
  }
}
