extension ToMany: RandomAccessCollection {
  /// The first position: 0.
  @inlinable public var startIndex: Int { 0 }
  /// The position past the last object.
  @inlinable public var endIndex: Int { collection.count }

  /// Returns the object at a position.
  @inlinable
  public subscript(position: Int) -> S { collection[position] }

  /// Returns an iterator over the current objects.
  @inlinable
  public func makeIterator() -> IndexingIterator<[S]> { collection.makeIterator() }
}

extension ToMany: RangeReplaceableCollection {
  /// Replaces a range of the objects.
  ///
  /// - Parameters:
  ///   - subrange: The range.
  ///   - newElements: The objects that take its place.
  @inlinable
  public func replaceSubrange<C: Collection, R: RangeExpression>(
    _ subrange: R,
    with newElements: C
  ) where C.Element == S, R.Bound == Int {
    replace(subrange.relative(to: collection), with: Array(newElements))
  }

  /// Adds an object at the end.
  ///
  /// - Parameter newElement: The object.
  @inlinable
  public func append(_ newElement: S) {
    let end = resolvedContent.elements.count
    replace(end..<end, with: CollectionOfOne(newElement))
  }

  /// Removes all objects.
  ///
  /// - Parameter keepCapacity: Not used.
  public func removeAll(keepingCapacity keepCapacity: Bool = false) {
    replace(0..<collection.count, with: EmptyCollection())
  }

  /// Removes the objects that satisfy a condition.
  ///
  /// - Parameter shouldBeRemoved: The condition.
  public func removeAll(where shouldBeRemoved: (S) throws -> Bool) rethrows {
    let kept = try collection.filter { try !shouldBeRemoved($0) }
    replace(0..<collection.count, with: kept)
  }
}

extension ToMany: CustomStringConvertible, CustomDebugStringConvertible {
  /// The objects, if they were read; reads nothing.
  public var description: String { content.map { "\($0.elements)" } ?? "(unresolved)" }

  /// The type and the objects, if they were read; reads nothing.
  public var debugDescription: String {
    "ToMany<\(S.self)>\(content.map { "(\($0.elements))" } ?? "(unresolved)")"
  }
}
