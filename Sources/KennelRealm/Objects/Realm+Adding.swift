import Foundation
import KennelCore

extension Realm {
  /// Adds an object and the unmanaged objects that it links to.
  ///
  /// The object becomes managed: it reads and writes the file.
  ///
  /// - Parameters:
  ///   - object: An unmanaged object, or one of this realm.
  ///   - update: What to do if an object with the same primary key exists.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    context.requireTransaction()
    if let other = object.context {
      if other === context, !context.isValid(object) || other.configuration.readOnly {
        context.adder.throwInvalidAdded()
      }
      if other === context { return }
      context.adder.throwForeign()
    }
    let binding = context.binding(of: type(of: object))
    if update != .error { context.adder.requirePrimaryKey(binding) }
    _ = context.adder.add(object, binding, update)
  }

  /// Adds objects and the unmanaged objects that they link to.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - update: What to do if an object with the same primary key exists.
  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error)
  where S.Iterator.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Creates an object from a dictionary, an array or another object.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - value: A dictionary by property name, an array of all property values in order, or an
  ///     object with the same property names. Links take such values, too. A missing property gets
  ///     its default.
  ///   - update: What to do if an object with the same primary key exists. If an existing object is
  ///     updated, properties that the value does not contain keep their values.
  /// - Returns: The object.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type,
    value: Any = [:],
    update: UpdatePolicy = .error
  ) -> T {
    context.requireTransaction()
    if update != .error { context.adder.requirePrimaryKey(context.binding(of: type)) }
    return known(context.adder.create(type, value, update), as: type)
  }
}
