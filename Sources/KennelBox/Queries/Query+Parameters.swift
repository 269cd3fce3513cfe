// Replacing the values of a query's conditions: by the property, or by the alias of a condition.
//
// That there is no such condition is a mistake of the program, but stops it nowhere else than where the
// query is used: it throws.

import KennelCore
import Synchronization

extension Query {
  /// Replaces the value of the first condition on a property that takes one value.
  ///
  /// If there is none, the query throws ``ObjectBoxError/illegalArgument(message:)`` when it is used. If
  /// there are several, give them aliases.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - value: The value.
  public func setParameter<V: EntityPropertyValue>(
    _ property: Property<E, V, Void>,
    to value: V.NonNull
  ) {
    set(property, [value._storedValue], count: 1)
  }

  /// Replaces both values of the first condition on a property that takes two values.
  ///
  /// If there is none, the query throws when it is used.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - value1: The first value.
  ///   - value2: The second value.
  public func setParameters<V: EntityPropertyValue>(
    _ property: Property<E, V, Void>,
    to value1: V.NonNull,
    _ value2: V.NonNull
  ) {
    set(property, [value1._storedValue, value2._storedValue], count: 2)
  }

  /// Replaces the values of the first condition on a property that takes any number of values.
  ///
  /// If there is none, the query throws when it is used.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - collection: The values.
  public func setParameters<V: EntityPropertyValue>(
    _ property: Property<E, V, Void>,
    to collection: [V.NonNull]
  ) {
    set(property, collection.map(\._storedValue), count: nil)
  }

  /// Replaces the bounds of the first condition on a property that takes two values by the number ±
  /// the tolerance.
  ///
  /// If there is none, the query throws when it is used.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - value: The number in the middle.
  ///   - tolerance: How much a value may differ from that number.
  public func setParameter<V: EntityPropertyValue>(
    _ property: Property<E, V, Void>,
    toEqual value: V.NonNull,
    tolerance: V.NonNull
  ) where V.NonNull: BinaryFloatingPoint {
    setParameters(property, to: value - tolerance, value + tolerance)
  }

  /// Replaces the id that the first condition on a relation compares with.
  ///
  /// - Parameters:
  ///   - property: The relation.
  ///   - id: The id.
  public func setParameter<R>(_ property: Property<E, EntityId<R>, R>, to id: Id) {
    set(property, [.int(Int64(bitPattern: id))], count: 1)
  }

  /// Replaces the id that the first condition on the id property compares with.
  ///
  /// - Parameters:
  ///   - property: The id property.
  ///   - id: The id.
  public func setParameter<V: IdBase>(_ property: Property<E, V, V>, to id: Id) {
    set(property, [.int(Int64(bitPattern: id))], count: 1)
  }

  private func set<V, R>(_ property: Property<E, V, R>, _ values: [Value], count: Int?) {
    let info = E.entityInfo
    let name = "\(info.name).\(info.properties[property.number].name)"
    replaceValues(of: "the property \(name)", with: values, count: count) { test in
      test.entity == info.name && test.number == property.number
    }
  }

  /// Replaces the values of the first condition that a function selects and that takes as many.
  private func replaceValues(
    of description: String,
    with values: [Value],
    count: Int?,
    where selects: (ConditionTree.Test) -> Bool
  ) {
    condition.withLock { condition in
      let isFound = condition.tree.replaceValues(with: values) { test in
        selects(test) && test.valueCount == count
      }
      guard !isFound, condition.mistake == nil else { return }
      let taken = count.map { $0 == 1 ? "one value" : "\($0) values" } ?? "a list of values"
      condition.mistake = .illegalArgument(
        message:
          "The query cannot be used: a parameter was set for \(description), but no condition of it "
          + "takes \(taken)"
      )
    }
  }

  // MARK: - Aliases

  /// Replaces the value of a condition that takes one value.
  ///
  /// If no such condition has the alias, the query throws
  /// ``ObjectBoxError/illegalArgument(message:)`` when it is used.
  ///
  /// - Parameters:
  ///   - alias: The alias of the condition.
  ///   - value: The value.
  public func setParameter<V: EntityValue>(_ alias: String, to value: V) {
    set(alias, [value._storedValue], count: 1)
  }

  /// Replaces both values of a condition that takes two values.
  ///
  /// - Parameters:
  ///   - alias: The alias of the condition.
  ///   - value1: The first value.
  ///   - value2: The second value.
  public func setParameters<V: EntityValue>(_ alias: String, to value1: V, _ value2: V) {
    set(alias, [value1._storedValue, value2._storedValue], count: 2)
  }

  /// Replaces the values of a condition that takes any number of values.
  ///
  /// - Parameters:
  ///   - alias: The alias of the condition.
  ///   - collection: The values.
  public func setParameters<V: EntityScalar>(_ alias: String, to collection: [V]) {
    set(alias, collection.map(\._storedValue), count: nil)
  }

  /// Replaces the range of a condition that compares with a tolerance.
  ///
  /// - Parameters:
  ///   - alias: The alias of the condition.
  ///   - value: The number in the middle.
  ///   - tolerance: How much a value may differ from that number.
  public func setParameters<V: EntityValue & BinaryFloatingPoint>(
    _ alias: String,
    toEqual value: V,
    tolerance: V
  ) {
    setParameters(alias, to: value - tolerance, value + tolerance)
  }

  private func set(_ alias: String, _ values: [Value], count: Int?) {
    replaceValues(of: "the alias \"\(alias)\"", with: values, count: count) { $0.alias == alias }
  }
}
