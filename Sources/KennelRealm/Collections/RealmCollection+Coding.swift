extension RealmCollection where Self: Encodable, Element: Encodable {
  /// Encodes the elements in order.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: What the elements throw.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension Results: Encodable where Element: Encodable {}
extension AnyRealmCollection: Encodable where Element: Encodable {}
extension List: Encodable where Element: Encodable {}
extension MutableSet: Encodable where Element: Encodable {}

extension List: Decodable where Element: Decodable {
  /// Creates an unmanaged list from a decoder.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: What the elements throw.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    append(objectsIn: try [Element](from: decoder))
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Creates an unmanaged set from a decoder.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: What the members throw.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    insert(objectsIn: try [Element](from: decoder))
  }
}
