package import KennelCore

/// A property whose values can be links, with the class that has it.
package struct LinkProperty: Sendable {
  package let origin: ClassSchema
  package let property: PropertySchema
  private let access: Access

  private enum Access {
    case one(TypedProperty<ObjectIdentity?>)
    case many(TypedProperty<[ObjectIdentity]>)
    /// Maps and mixed values, which are read as a whole.
    case any
  }

  /// - Throws: `DatabaseError` if the schema does not have the property.
  package init(
    _ origin: ClassSchema,
    _ property: PropertySchema,
    in schema: Schema
  ) throws(DatabaseError) {
    self.origin = origin
    self.property = property
    switch property.type.collection {
    case _ where property.type.kind != .link: access = .any
    case .none: access = .one(try schema.property(property.name, of: origin.name))
    case .list, .set: access = .many(try schema.property(property.name, of: origin.name))
    case .map: access = .any
    }
  }

  /// The properties of a schema that can hold links.
  ///
  /// - Throws: `DatabaseError` if the schema contradicts itself.
  package static func all(in schema: Schema) throws(DatabaseError) -> [LinkProperty] {
    var all: [LinkProperty] = []
    for origin in schema.classes {
      for property in origin.properties where property.canLink {
        all.append(try LinkProperty(origin, property, in: schema))
      }
    }
    return all
  }

  /// As in `Person.dogs`.
  package var name: String { "\(origin.name).\(property.name)" }

  /// Calls a body with the target of each link of an object, with duplicates.
  func forEachTarget(
    of object: ObjectIdentity,
    in reader: DatabaseReader,
    _ body: (ObjectIdentity) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    switch access {
    case .one(let property):
      if let target = try reader[object, property] { try body(target) }
    case .many(let property):
      for index in 0..<(try reader.count(in: object, property: property)) {
        try body(try reader.target(at: index, in: object, property: property))
      }
    case .any:
      for target in try reader.value(of: object, property: property.key).links { try body(target) }
    }
  }

  /// The number of links of an object.
  func count(of object: ObjectIdentity, in reader: DatabaseReader) throws(DatabaseError) -> Int {
    switch access {
    case .one(let property): try reader[object, property] == nil ? 0 : 1
    case .many(let property): try reader.count(in: object, property: property)
    case .any: try reader.value(of: object, property: property.key).links.count
    }
  }
}
