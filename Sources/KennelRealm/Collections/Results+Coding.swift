extension Results: Encodable where Element: Encodable {
  /// Writes the elements in order.
  ///
  /// - Parameter encoder: Where to.
  /// - Throws: What the elements throw.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension AnyRealmCollection: Encodable where Element: Encodable {
  /// Writes the elements in order.
  ///
  /// - Parameter encoder: Where to.
  /// - Throws: What the elements throw.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}
