import KennelStorage
import Testing

/// A schema that is read from a file somebody else wrote.
@Suite struct `A schema that is read` {
  private func decoded(_ schema: Schema) throws(StorageError) -> Schema {
    let bytes = SchemaCodec.encode(schema)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { unsafe copy.deallocate() }
    unsafe copy.copyBytes(from: bytes)
    return try unsafe SchemaCodec.decode(StoredBytes(UnsafeRawBufferPointer(copy)))
  }

  private func schema(
    className: String = "Dog",
    propertyName: String = "friend",
    target: String = "Dog",
    backlinkName: String = "friends",
    form: SchemaForm = [],
    version: UInt64 = 0
  ) -> Schema {
    let friend = PropertySchema(
      key: PropertyKey(rawValue: 0),
      name: propertyName,
      type: PropertyType(.link, isOptional: true, target: target),
      target: ClassKey(rawValue: 0),
      defaultValue: .null,
      fillValue: .null,
      schemaForm: form
    )
    let friends = BacklinkSchema(
      name: backlinkName,
      origin: ClassKey(rawValue: 0),
      property: PropertyKey(rawValue: 0)
    )
    let dog = ClassSchema(
      key: ClassKey(rawValue: 0),
      name: className,
      isEmbedded: false,
      properties: [friend],
      backlinks: [friends],
      nextColumn: 1
    )
    return Schema(classes: [dog], version: version)
  }

  @Test func `is the one that was written`() throws {
    for version in [0, 7] as [UInt64] {
      for form in [[], .required, .short, [.required, .short]] as [SchemaForm] {
        let schema = schema(form: form, version: version)
        #expect(try decoded(schema) == schema)
        // What older programs read has no byte more than they wrote.
        #expect(SchemaCodec.encode(schema)[0] == (form.isEmpty ? version == 0 ? 1 : 2 : 3))
      }
    }
  }

  @Test func `has no form that is not known`() throws {
    let error = #expect(throws: StorageError.self) {
      try decoded(schema(form: [SchemaForm(rawValue: 4)]))
    }
    #expect("\(String(describing: error))".contains("unknown form"))
  }

  @Test(arguments: ["\u{1B}[2J", "a\u{7F}", "a\u{9B}b", "\u{2028}", "", "a.b", "a\nb"])
  func `has no name that a terminal obeys or a path cannot hold`(name: String) {
    for schema in [
      schema(className: name), schema(propertyName: name), schema(target: name),
      schema(backlinkName: name),
    ] {
      let error = #expect(throws: StorageError.self) { try decoded(schema) }
      // The name itself is not told, whatever becomes of the sentence.
      #expect(error.map { name.isEmpty || !"\($0)".contains(name) } == true)
    }
  }
}
