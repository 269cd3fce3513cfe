/// The base class of model classes.
///
/// ```swift
/// class Ship: Object {
///   @Persisted(primaryKey: true) var name: String
///   @Persisted var tons = 0
///   @Persisted var captain: Captain?
///   @Persisted var voyages: List<Voyage>
/// }
/// ```
///
/// In a module with main-actor isolation by default, write `nonisolated class Dog: Object`.
open class Object: ObjectBase {
  /// Creates an unmanaged object with the defaults of its properties.
  public required init() {
    super.init()
  }
}

/// The base class of embedded objects.
///
/// ```swift
/// class Voyage: EmbeddedObject {
///   @Persisted var port = ""
///   @Persisted var days = 1
/// }
/// ```
///
/// An embedded object has exactly one owner. It is deleted with its owner, or when it is replaced.
open class EmbeddedObject: ObjectBase {
  /// Creates an unmanaged object with the defaults of its properties.
  public required init() {
    super.init()
  }
}

/// An object with properties by name, for migrations and for classes that the program does not
/// have.
///
/// ```swift
/// for ship in realm.dynamicObjects("Ship") { print(ship["name"] as? String ?? "") }
/// ```
@dynamicMemberLookup
public final class DynamicObject: Object {}
