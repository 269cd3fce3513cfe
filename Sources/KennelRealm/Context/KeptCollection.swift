import KennelCore

/// A collection that the object which has it as a property keeps.
///
/// For internal use.
public class KeptCollection {
  /// Objects are kept by collections that belong to objects that are kept by collections … up to here,
  /// so that who follows a long chain of links does not keep all of it.
  internal static let deepest: UInt8 = 3

  // Without checks for exclusive access is what is used per element that a program reads: they cost
  // more than the access. Safe to use: a collection belongs to one thread, that of something frozen
  // does not change, and no access contains another.

  /// How many collections and objects keep each other above this one.
  internal final var level: UInt8 = 0
  /// The property whose collection it is, as ``ObjectBase/collection(_:)`` counts.
  @safe @exclusivity(unchecked) internal final var slot = 0
  /// The next collection of the object.
  @safe @exclusivity(unchecked) internal final var next: KeptCollection?

  internal init() {}

  /// Serves the collection of another object of the same class.
  internal func renew(_ key: ObjectKey, _ age: UInt64) {}

  /// Makes the collections of an object, the first of which is given, those of another object.
  ///
  /// One that somebody else refers to stays what it is, and the object forgets it.
  internal static func renew(_ first: inout KeptCollection?, _ key: ObjectKey, _ age: UInt64) {
    let isOurs = isSole(&first)
    guard let collection = first else { return }
    if isOurs {
      Borrowed(collection).use { collection in
        collection.renew(key, age)
        if collection.next != nil { renew(&collection.next, key, age) }
      }
    } else {
      first = collection.next
      collection.next = nil
      renew(&first, key, age)
    }
  }
}

/// Collects the names of the properties of a key path.
///
/// For internal use.
public final class PathRecorder {
  internal var names: [String] = []
  /// The names of the properties of each class whose objects record their reads.
  internal var properties: [ObjectIdentifier: [String]] = [:]

  internal init() {}

  /// Notes that a property is read, by its position among those of the class.
  internal func note(_ position: PropertyKey, of object: ObjectBase) {
    let names = properties[ObjectIdentifier(type(of: object))] ?? []
    self.names.append(names[Int(position.rawValue)])
  }
}
