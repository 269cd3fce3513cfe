package import KennelCore

/// The classes and properties that differ between two schemas.
package enum SchemaDifference {
  /// Compares classes and properties by name.
  ///
  /// - Parameters:
  ///   - old: The older schema.
  ///   - new: The newer schema.
  ///   - className: The class to compare; `nil` for all.
  /// - Returns: The differences, in the order of the schemas.
  package static func between(
    _ old: Schema,
    _ new: Schema,
    class className: String? = nil
  ) -> [ObjectDifference.OfSchema] {
    func isWanted(_ name: String) -> Bool { className?.hasSameBytes(as: name) ?? true }
    var changes: [ObjectDifference.OfSchema] = []
    for classSchema in old.classes where isWanted(classSchema.name) {
      guard let later = new[classSchema.name] else {
        changes.append(change(classSchema.name, nil, describe(classSchema), nil))
        continue
      }
      changes += between(classSchema, later)
    }
    for classSchema in new.classes where isWanted(classSchema.name) && old[classSchema.name] == nil
    {
      changes.append(change(classSchema.name, nil, nil, describe(classSchema)))
    }
    return changes
  }

  private static func between(
    _ old: ClassSchema,
    _ new: ClassSchema
  ) -> [ObjectDifference.OfSchema] {
    var changes: [ObjectDifference.OfSchema] = []
    if old.isEmbedded != new.isEmbedded {
      changes.append(change(old.name, nil, describe(old), describe(new)))
    }
    for property in old.properties {
      let (before, after) = (describe(property), new[property.name].map(describe))
      if before != after { changes.append(change(old.name, property.name, before, after)) }
    }
    for property in new.properties where old[property.name] == nil {
      changes.append(change(new.name, property.name, nil, describe(property)))
    }
    return changes
  }

  private static func change(
    _ className: String,
    _ propertyName: String?,
    _ old: String?,
    _ new: String?
  ) -> ObjectDifference.OfSchema {
    ObjectDifference.OfSchema(className: className, propertyName: propertyName, old: old, new: new)
  }

  private static func describe(_ classSchema: ClassSchema) -> String {
    let kind = classSchema.isEmbedded ? "embedded class" : "class"
    return "\(kind) with \(counted(classSchema.properties.count, "property", "properties"))"
  }

  private static func describe(_ property: PropertySchema) -> String {
    var parts = ["\(property.type)"]
    if property.isEmbedded { parts.append("embedded") }
    parts += property.keyTraits
    if property.deleteRule != .nullify { parts.append("delete rule \(property.deleteRule)") }
    if property.targetRule != .nullify { parts.append("target rule \(property.targetRule)") }
    return parts.joined(separator: ", ")
  }
}
