// Replacing the values of a query's conditions: by the property, or by the alias of a condition.

import KennelCore

extension Query {
  /// Replaces the value of the conditions on a property.
  ///
  /// The program stops if no condition is on the property, or if one of them takes two values or
  /// none.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - value: The value.
  public func setParameter<V: EntityPropertyValue>(
    _ property: Property<E, V, Void>,
    to value: V.NonNull
  ) {
    set(property, [value._storedValue])
  }

  /// Replaces both values of every condition on a property; the program stops if one does not take
  /// two values.
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
    set(property, [value1._storedValue, value2._storedValue])
  }

  /// Replaces the values of every condition on a property; the program stops if one does not take
  /// that number of values.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - collection: The values.
  public func setParameters<V: EntityPropertyValue>(
    _ property: Property<E, V, Void>,
    to collection: [V.NonNull]
  ) {
    set(property, collection.map(\._storedValue))
  }

  /// Replaces the bounds of every condition on a property by the number ± the tolerance; the
  /// program stops if one does not take two values.
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

  /// Replaces the id that the conditions on a relation compare with.
  ///
  /// - Parameters:
  ///   - property: The relation.
  ///   - id: The id.
  public func setParameter<R>(_ property: Property<E, EntityId<R>, R>, to id: Id) {
    set(property, [.int(Int64(bitPattern: id))])
  }

  /// Replaces the id that the conditions on the id property compare with.
  ///
  /// - Parameters:
  ///   - property: The id property.
  ///   - id: The id.
  public func setParameter<V: IdBase>(_ property: Property<E, V, V>, to id: Id) {
    set(property, [.int(Int64(bitPattern: id))])
  }

  private func set<V, R>(_ property: Property<E, V, R>, _ values: [Value]) {
    let info = E.entityInfo
    replaceValues(of: "\(info.name).\(info.properties[property.number].name)", with: values) {
      test in
      test.entity == info.name && test.number == property.number
    }
  }

  // MARK: - Aliases

  /// Replaces the value of a condition.
  ///
  /// The program stops if no condition has the alias, or if the condition with the alias takes two
  /// values or none.
  ///
  /// - Parameters:
  ///   - alias: The alias of the condition.
  ///   - value: The value.
  public func setParameter<V: EntityValue>(_ alias: String, to value: V) {
    set(alias, [value._storedValue])
  }

  /// Replaces both values of a condition that takes two values.
  ///
  /// - Parameters:
  ///   - alias: The alias of the condition.
  ///   - value1: The first value.
  ///   - value2: The second value.
  public func setParameters<V: EntityValue>(_ alias: String, to value1: V, _ value2: V) {
    set(alias, [value1._storedValue, value2._storedValue])
  }

  /// Replaces the values of a condition that takes any number of values.
  ///
  /// - Parameters:
  ///   - alias: The alias of the condition.
  ///   - collection: The values.
  public func setParameters<V: EntityScalar>(_ alias: String, to collection: [V]) {
    set(alias, collection.map(\._storedValue))
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

  private func set(_ alias: String, _ values: [Value]) {
    replaceValues(of: "the condition \"\(alias)\"", with: values) { $0.alias == alias }
  }
}
