/// A step from a list or map to one of its elements.
///
/// ```swift
/// let sizes: Value = .map([MapEntry("paws", .list([.int(3), .int(4)]))])
/// let path: [NestedStep] = [.key("paws"), .index(1)]
/// if let size = sizes.element(at: path) { print(ValueText.describe(size)) }
/// ```
public enum NestedStep: Hashable, Sendable {
  /// A position in a list, from 0.
  case index(Int)
  /// A key of a map.
  case key(String)
}

extension Value {
  /// How many collections a mixed value may have inside each other: a list of numbers is one.
  public static let deepestNesting = 100

  /// Whether this is a list, a set or a map.
  public var isCollection: Bool {
    switch shape {
    case .list, .set, .map: true
    case .null, .scalar, .link: false
    }
  }

  /// Returns the element that a step leads to; `nil` if there is none.
  ///
  /// - Parameter step: The step.
  /// - Returns: The element.
  public func element(_ step: NestedStep) -> Value? {
    switch (step, self) {
    case (.index(let index), .list(let elements)):
      elements.indices.contains(index) ? elements[index] : nil
    case (.key(let key), .map(let entries)):
      // Texts of the same bytes are equal, which is found out sooner.
      entries.first { $0.key == key && $0.key.hasSameBytes(as: key) }?.value
    case (.index, _), (.key, _): nil
    }
  }

  /// Returns the element at the end of a path; `nil` if there is none.
  ///
  /// - Parameter path: The steps; without any, the value is its own element.
  /// - Returns: The element.
  public func element(at path: some Collection<NestedStep>) -> Value? {
    var value = self
    for step in path {
      guard let next = value.element(step) else { return nil }
      value = next
    }
    return value
  }

  /// Returns the same value with another element at the end of a path.
  ///
  /// Linear in the number of elements of the collections on the path.
  ///
  /// - Parameters:
  ///   - path: The steps.
  ///   - change: Returns the new element for the old one; `nil` if there is none.
  /// - Returns: The value; `nil` if there is no such element, or `change` returned `nil`.
  public func replacing(
    at path: ArraySlice<NestedStep>,
    _ change: (Value) -> Value?
  ) -> Value? {
    guard let step = path.first else { return change(self) }
    guard let old = element(step), let new = old.replacing(at: path.dropFirst(), change) else {
      return nil
    }
    switch (step, self) {
    case (.index(let index), .list(var elements)):
      elements[index] = new
      return .list(elements)
    case (.key(let key), .map(let entries)):
      return .map(entries.map { $0.key.hasSameBytes(as: key) ? MapEntry($0.key, new) : $0 })
    case (.index, _), (.key, _): return nil
    }
  }

  /// How many collections are inside each other: 0 for a single value, 1 for a list of numbers.
  ///
  /// Counts to one more than ``deepestNesting`` at most.
  package var nesting: Int { nesting(limit: Self.deepestNesting + 1) }

  private func nesting(limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    switch shape {
    case .list(let values), .set(let values):
      var deepest = 0
      for value in values { deepest = max(deepest, value.nesting(limit: limit - 1)) }
      return 1 + deepest
    case .map(let entries):
      var deepest = 0
      for entry in entries { deepest = max(deepest, entry.value.nesting(limit: limit - 1)) }
      return 1 + deepest
    case .null, .scalar, .link: return 0
    }
  }

  /// The objects that a value or anything inside it links to, in order, with duplicates.
  ///
  /// Linear in the size of the value.
  public var links: [ObjectIdentity] {
    var links: [ObjectIdentity] = []
    appendLinks(to: &links)
    return links
  }

  private func appendLinks(to links: inout [ObjectIdentity]) {
    switch shape {
    case .link(let link): links.append(link)
    case .list(let values), .set(let values):
      for value in values { value.appendLinks(to: &links) }
    case .map(let entries):
      for entry in entries { entry.value.appendLinks(to: &links) }
    case .null, .scalar: break
    }
  }

  /// The same value with each single value in it, itself or inside collections, replaced.
  package func mapSingleValues(_ transform: (Value) -> Value) -> Value {
    switch shape {
    case .list(let values): .list(values.map { $0.mapSingleValues(transform) })
    case .set(let values): .set(values.map { $0.mapSingleValues(transform) })
    case .map(let entries):
      .map(entries.map { MapEntry($0.key, $0.value.mapSingleValues(transform)) })
    case .null, .scalar, .link: transform(self)
    }
  }
}
