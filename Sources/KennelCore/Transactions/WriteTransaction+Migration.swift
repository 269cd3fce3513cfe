import KennelStorage

/// Changes of the schema that lose or reinterpret existing data.
///
/// Each either happens as a whole or throws and leaves everything as it was.
extension WriteTransaction {
  /// Deletes a property with its values and embedded objects; ignores the rules of its links.
  ///
  /// Linear in the number of objects of the class.
  ///
  /// - Parameters:
  ///   - name: The property.
  ///   - className: Its class.
  /// - Throws: `DatabaseError` if there is no such class or property, or the file is damaged.
  public func deleteProperty(_ name: String, of className: String) throws(DatabaseError) {
    try changeSchema(.deleteProperty(name, of: className))
  }

  /// Deletes classes that have no objects.
  ///
  /// Their keys are never used again.
  ///
  /// Linear in the number of objects that the classes ever had.
  ///
  /// - Parameter names: The classes. No other class may have a property that links to them, except
  ///   mixed properties.
  /// - Throws: `DatabaseError` with code `noSuchClass`, or `schemaMismatch` if a class has objects
  ///   or another class links to it.
  public func deleteClasses(_ names: Set<String>) throws(DatabaseError) {
    try changeSchema { (workspace) throws(DatabaseError) in try workspace.deleteClasses(names) }
  }

  /// Makes a property optional or required.
  ///
  /// Nulls of a required property become the default of its type.
  ///
  /// Linear in the number of objects of the class if the property becomes required.
  ///
  /// - Parameters:
  ///   - isOptional: Whether null is allowed.
  ///   - name: The property. In a collection, its elements become optional or required.
  ///   - className: Its class.
  /// - Throws: `DatabaseError` if there is no such class or property, or if the property is a
  ///   link or mixed, which is always optional.
  public func setOptional(
    _ isOptional: Bool,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try changeSchema { (workspace) throws(DatabaseError) in
      try workspace.setOptional(isOptional, name, of: className)
    }
  }

  /// Changes the width of an integer property.
  ///
  /// Linear in the number of objects of the class if the width decreases.
  ///
  /// - Parameters:
  ///   - bitWidth: The width: 8, 16, 32 or 64 bits.
  ///   - name: The property.
  ///   - className: Its class.
  /// - Throws: `DatabaseError` if there is no such class or property, it is not an integer, or a
  ///   value does not fit.
  public func setBitWidth(
    _ bitWidth: Int,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try changeSchema { (workspace) throws(DatabaseError) in
      try workspace.setBitWidth(bitWidth, name, of: className)
    }
  }

  /// Sets or removes the primary key of a class.
  ///
  /// Linear in the number of objects of the class.
  ///
  /// - Parameters:
  ///   - name: The property; `nil` for none.
  ///   - className: The class.
  /// - Throws: `DatabaseError` with code `duplicatePrimaryKey` if two objects have the same value;
  ///   or if there is no such class or property, or it cannot be a primary key.
  public func setPrimaryKey(_ name: String?, of className: String) throws(DatabaseError) {
    try changeSchema(.setPrimaryKey(name, of: className))
  }

  /// Makes a property unique, or allows equal values.
  ///
  /// Linear in the number of objects of the class if the property becomes unique.
  ///
  /// - Parameters:
  ///   - isUnique: Whether no two objects may have the same value; any number may have null.
  ///   - name: The property, which keeps its index.
  ///   - className: Its class.
  /// - Throws: `DatabaseError` with code `duplicateValue` if two objects have the same value; or if
  ///   there is no such class or property, or it cannot be unique.
  public func setUnique(
    _ isUnique: Bool,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try changeSchema(.setUnique(isUnique, name, of: className))
  }

  /// Sets the schema version of the program.
  ///
  /// - Parameter version: The version. The engine does not use it.
  /// - Throws: `DatabaseError` if the transaction is over.
  public func setSchemaVersion(_ version: UInt64) throws(DatabaseError) {
    try changeSchema { (workspace) throws(DatabaseError) in
      guard workspace.reader.schema.version != version else { return }
      var schema = workspace.reader.schema
      schema.version = version
      try workspace.adopt(schema)
    }
  }
}
