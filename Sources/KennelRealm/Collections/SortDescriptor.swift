/// A property to sort by, and its direction.
///
/// ```swift
/// let largest = SortDescriptor(keyPath: \Ship.tons, ascending: false)
/// print(realm.objects(Ship.self).sorted(by: [largest]).map(\.name))
/// ```
public struct SortDescriptor: Equatable, Sendable {
  /// The names of the properties, separated by dots.
  public let keyPath: String
  /// Whether the smallest value sorts first.
  public let ascending: Bool

  /// Creates a sort descriptor.
  ///
  /// - Parameters:
  ///   - keyPath: The names of the properties, separated by dots.
  ///   - ascending: Whether the smallest value sorts first.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Creates a sort descriptor from a key path.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of a class or a projection, such as `\Dog.owner?.name`.
  ///   - ascending: Whether the smallest value sorts first.
  public init<Element: KeypathSortable>(
    keyPath: PartialKeyPath<Element>,
    ascending: Bool = true
  ) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Returns the descriptor with the opposite direction.
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
  /// Creates an ascending sort descriptor.
  public init(stringLiteral value: String) { self.init(keyPath: value) }
}
