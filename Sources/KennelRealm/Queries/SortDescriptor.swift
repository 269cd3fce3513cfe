/// One of the things that a collection is sorted by: a property, or one behind to-one links.
public struct SortDescriptor: Equatable, Sendable {
  /// The names of the properties with dots between.
  public let keyPath: String
  /// Whether the smallest value comes first.
  public let ascending: Bool

  /// Makes a sort descriptor.
  ///
  /// - Parameters:
  ///   - keyPath: The names of the properties with dots between.
  ///   - ascending: Whether the smallest value comes first.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Makes a sort descriptor of a key path.
  ///
  /// - Parameters:
  ///   - keyPath: The key path, as `\Dog.owner?.name`.
  ///   - ascending: Whether the smallest value comes first.
  public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// The same in the other direction.
  ///
  /// - Returns: The reversed descriptor.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}

extension SortDescriptor: CustomStringConvertible {
  /// The path and the direction.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// Makes an ascending sort descriptor of a path.
  public init(stringLiteral value: String) { self.init(keyPath: value) }
}
