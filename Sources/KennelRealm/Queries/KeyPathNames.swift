// swift-format-ignore-file: NoLeadingUnderscores

import Foundation

/// Returns the names of a key path, separated by dots.
///
/// - Parameter keyPath: A key path of model classes, such as `\Person.dog?.name` or
///   `\Person.dogs[0].name`.
/// - Returns: The names, such as `dog.name`.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  KeyPathNames.name(of: keyPath)
}

/// Names of key paths, each found once by reading the path on an object that notes what is read.
internal enum KeyPathNames {
  private static let lock = NSLock()
  /// Safe to use: under the lock.
  @safe nonisolated(unsafe) private static var known: [AnyKeyPath: String] = [:]

  static func name<T: ObjectBase>(of keyPath: PartialKeyPath<T>) -> String {
    if let name = lock.withLock({ known[keyPath] }) { return name }
    let recorder = PathRecorder()
    let object = T.recording(recorder)
    let value = object[keyPath: keyPath]
    if recorder.names.isEmpty, let name = plainName(of: value, in: object) {
      recorder.names = [name]
    }
    guard !recorder.names.isEmpty else {
      throwRealmException(
        "Key path '\(keyPath)' leads to no property of class '\(T.className())' that is stored"
      )
    }
    let name = recorder.names.joined(separator: ".")
    lock.withLock { known[keyPath] = name }
    return name
  }

  /// The property in the older syntax that holds a collection.
  private static func plainName(of value: Any, in object: ObjectBase) -> String? {
    let model = ModelClass.of(type(of: object))
    return model.properties.first { property in
      guard let held = property.plainCollection(of: object) else { return false }
      return identity(held) == identity(value)
    }?.name
  }

  private static func identity(_ value: Any) -> ObjectIdentifier? {
    if let relationship = value as? any InverseRelationship {
      return relationship.identity
    }
    return type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
  }
}
