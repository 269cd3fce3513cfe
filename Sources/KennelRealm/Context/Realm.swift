import Foundation
import KennelCore

/// A realm: the objects of a file, confined to one thread, queue or actor.
///
/// ```swift
/// let realm = try Realm(configuration: configuration)
/// try realm.write {
///   realm.add(Ship(value: ["name": "Beagle", "tons": 242]))
/// }
/// let small = realm.objects(Ship.self).where { $0.tons < 300 }
/// print(small.count)
/// ```
///
/// It shows the newest commit at the time it was opened, until it is refreshed or begins a write
/// transaction. On the main queue, or the queue or actor that it was opened on, it refreshes
/// automatically.
public struct Realm: Equatable {
  internal let context: RealmContext

  internal init(_ context: RealmContext) {
    self.context = context
  }

  /// The configuration of the realm.
  public var configuration: Configuration { context.configuration }

  /// Whether it is frozen.
  public var isFrozen: Bool { context.isFrozen }

  /// Returns whether both are the same realm on the same thread.
  public static func == (left: Realm, right: Realm) -> Bool { left.context === right.context }

  /// Says what to do if an object with the same primary key exists.
  ///
  /// ```swift
  /// try realm.write {
  ///   realm.add(Ship(value: ["name": "Fram", "tons": 440]), update: .modified)
  /// }
  /// ```
  public enum UpdatePolicy: Int, Sendable {
    /// Stops the program.
    case error = 1
    /// Sets the properties that differ.
    case modified = 3
    /// Sets all properties.
    case all = 2
  }
}

@available(*, unavailable, message: "A realm belongs to its thread or actor: open another there")
extension Realm: Sendable {}
