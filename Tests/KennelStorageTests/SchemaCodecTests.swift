import KennelStorage
import Testing

/// A schema that is read from a file somebody else wrote.
@Suite struct `A schema that is read` {
  private func decoded(_ schema: Schema) throws(StorageError) -> Schema {
    let bytes = SchemaCodec.encode(schema)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { unsafe copy.deallocate() }
    unsafe copy.copyBytes(from: bytes)
    return try unsafe SchemaCodec.decode(UnsafeRawBufferPointer(copy))
  }

  private func schema(
    className: String = "Dog",
    propertyName: String = "friend",
    target: String = "Dog",
    backlinkName: String = "friends"
  ) -> Schema {
    let friend = PropertySchema(
      key: PropertyKey(rawValue: 0),
      name: propertyName,
      type: PropertyType(.link, isOptional: true, target: target),
      target: ClassKey(rawValue: 0),
      defaultValue: .null,
      fillValue: .null
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
    return Schema(classes: [dog])
  }

  @Test func `is the one that was written`() throws {
    #expect(try decoded(schema()) == schema())
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
