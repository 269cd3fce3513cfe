import KennelCore

extension JSONWriter {
  /// Appends the lines in front of a document's objects.
  mutating func append(schema: Schema) {
    append("{\"\(DocumentFormat.header)\":\(DocumentFormat.version)}\n")
    for classSchema in schema.classes { append(classSchema, in: schema) }
  }

  /// Appends the lines of a class.
  mutating func append(_ classSchema: ClassSchema, in schema: Schema) {
    begin(DocumentFormat.classLine, classSchema.name)
    if classSchema.isEmbedded { append(",\"embedded\":true") }
    append("}\n")
    for property in classSchema.properties { append(property, in: schema) }
    for backlink in classSchema.backlinks { append(backlink, in: schema) }
  }

  private mutating func begin(_ kind: String, _ name: String) {
    append("{" as Unicode.Scalar)
    append(name: kind)
    append(quoted: name)
  }

  private mutating func append(_ property: PropertySchema, in schema: Schema) {
    begin(DocumentFormat.propertyLine, property.name)
    append(",\"type\":")
    append(quoted: property.type.description)
    if property.isPrimaryKey { append(",\"primaryKey\":true") }
    if property.isUnique { append(",\"unique\":true") }
    if property.isIndexed, !property.isPrimaryKey, !property.isUnique {
      append(",\"indexed\":true")
    }
    if property.schemaForm.contains(.required) {
      append(",\"\(DocumentFormat.requiredInSchema)\":true")
    }
    if property.schemaForm.contains(.short) { append(",\"\(DocumentFormat.shortInSchema)\":true") }
    if property.deleteRule != .nullify {
      append(",\"\(DocumentFormat.deleteRule)\":")
      append(quoted: "\(property.deleteRule)")
    }
    if property.targetRule != .nullify {
      append(",\"\(DocumentFormat.targetRule)\":")
      append(quoted: "\(property.targetRule)")
    }
    if property.defaultValue != property.type.initialValue {
      append(",\"default\":")
      append(property.defaultValue, kind: property.type.kind, in: schema)
    }
    append("}\n")
  }

  private mutating func append(_ backlink: BacklinkSchema, in schema: Schema) {
    let origin = schema[backlink.origin]
    begin(DocumentFormat.backlinkLine, backlink.name)
    append(",\"origin\":")
    append(quoted: origin?.name ?? "")
    append(",\"property\":")
    append(quoted: origin?[backlink.property]?.name ?? "")
    append("}\n")
  }
}
