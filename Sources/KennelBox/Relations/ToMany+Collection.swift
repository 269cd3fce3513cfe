// swift-format-ignore-file: NoLeadingUnderscores

extension ToMany: RandomAccessCollection {
  /// The first position: 0.
  @inlinable public var startIndex: Int { 0 }
  /// The position past the last object.
  @inlinable public var endIndex: Int { withContent { content in content.elements.count } }

  /// Returns the object at a position.
  @inlinable
  public subscript(position: Int) -> S { withContent { content in content.elements[position] } }

  /// The first object; `nil` if there is none.
  @inlinable public var first: S? { withContent { content in content.elements.first } }
  /// The last object; `nil` if there is none.
  @inlinable public var last: S? { withContent { content in content.elements.last } }

  /// Returns an iterator over the current objects.
  @inlinable
  public func makeIterator() -> IndexingIterator<[S]> { collection.makeIterator() }

  /// Returns the current objects; `Array` and `sorted` call it.
  @inlinable
  public func _copyToContiguousArray() -> ContiguousArray<S> { ContiguousArray(collection) }
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
    replace({ elements in subrange.relative(to: elements) }, with: Array(newElements))
  }

  /// Adds an object at the end.
  ///
  /// - Parameter newElement: The object.
  @inlinable
  public func append(_ newElement: S) {
    replace({ elements in elements.count..<elements.count }, with: CollectionOfOne(newElement))
  }

  /// Adds objects at the end.
  ///
  /// - Parameter newElements: The objects.
  @inlinable
  public func append<Objects: Sequence>(contentsOf newElements: Objects)
  where Objects.Element == S {
    replace({ elements in elements.count..<elements.count }, with: Array(newElements))
  }

  // Of the methods below, the default ones ask for a position and use it later, when another thread
  // may have changed the relation.

  /// Removes the object at a position.
  ///
  /// - Parameter position: The position.
  /// - Returns: The object.
  @discardableResult
  public func remove(at position: Int) -> S {
    replace({ _ in position..<position + 1 }, with: [])[0]
  }

  /// Removes the first object.
  ///
  /// - Returns: The object.
  @discardableResult
  public func removeFirst() -> S { remove(at: 0) }

  /// Removes the last object.
  ///
  /// - Returns: The object.
  @discardableResult
  public func removeLast() -> S {
    replace({ $0.count - 1..<$0.count }, with: [])[0]
  }

  /// Removes objects from the end.
  ///
  /// - Parameter count: How many.
  public func removeLast(_ count: Int) {
    replace({ $0.count - count..<$0.count }, with: [])
  }

  /// Removes all objects.
  ///
  /// - Parameter keepCapacity: Not used.
  public func removeAll(keepingCapacity keepCapacity: Bool = false) { replace([]) }

  /// Removes the objects that satisfy a condition.
  ///
  /// - Parameter shouldBeRemoved: The condition.
  public func removeAll(where shouldBeRemoved: (S) throws -> Bool) rethrows {
    let (content, count, all) = withContent { ($0, $0.changeCount, $0.elements) }
    let kept = try all.filter { try !shouldBeRemoved($0) }
    _ = withContent { now in
      let range = 0..<now.elements.count
      if now === content, now.changeCount == count {
        return replace(range, of: now, with: kept)
      }
      // Another thread, or the condition, changed the relation: it keeps what came meanwhile.
      var doomed = ObjectBag(all)
      for object in kept { _ = doomed.take(object) }
      return replace(range, of: now, with: now.elements.filter { doomed.take($0) == nil })
    }
  }
}

extension ToMany: CustomStringConvertible, CustomDebugStringConvertible {
  /// The objects, if they were read; reads nothing.
  public var description: String {
    locked { content?.elements }.map { "\($0)" } ?? "(unresolved)"
  }

  /// The type and the objects, if they were read; reads nothing.
  public var debugDescription: String {
    "ToMany<\(S.self)>" + (locked { content?.elements }.map { "(\($0))" } ?? "(unresolved)")
  }
}
