/// The rule for the names of classes, properties and backlinks.
package enum SchemaName {
  /// Says what is wrong with a name; `nil` where it may stand in a schema.
  ///
  /// A name may be anything a program or a document calls its data, but nothing that separates names
  /// in paths and queries, and no character that a terminal obeys or that ends a line.
  package static func problem(_ name: String) -> String? {
    let isGood =
      (1...255).contains(name.utf8.count)
      && name.unicodeScalars.allSatisfy { !isControl($0) && !"/.@<>".unicodeScalars.contains($0) }
    return isGood
      ? nil : "names have 1 to 255 bytes and no control characters or any of / . @ < >"
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x7F else { return scalar.value < 0x20 }
    return [.control, .lineSeparator, .paragraphSeparator]
      .contains(scalar.properties.generalCategory)
  }
}
