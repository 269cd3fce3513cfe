import Foundation
import KennelCore

extension _QueryCollection {
  /// Returns the elements sorted by a property; live.
  ///
  /// - Parameters:
  ///   - keyPath: The name of the property, or a path through to-one links such as `owner.name`.
  ///   - ascending: Whether the smallest value sorts first.
  /// - Returns: The elements.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<_QueryElement> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Returns the elements sorted by several properties; live.
  ///
  /// - Parameter sortDescriptors: The sort order, the most significant property first.
  /// - Returns: The elements.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<_QueryElement>
  where S.Iterator.Element == SortDescriptor {
    Results(_source.sorted(Array(sortDescriptors)))
  }

  /// Returns the elements without those that equal an earlier element in some properties; live.
  ///
  /// - Parameter keyPaths: The names of the properties.
  /// - Returns: The elements.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<_QueryElement>
  where S.Iterator.Element == String {
    Results(_source.distinct(by: Array(keyPaths)))
  }
}

extension _QueryCollection where _Observed: KeypathSortable {
  /// Returns the elements sorted by a property; live.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - ascending: Whether the smallest value sorts first.
  /// - Returns: The elements.
  public func sorted<T: _HasPersistedType>(
    by keyPath: KeyPath<_Observed, T>,
    ascending: Bool = true
  ) -> Results<_QueryElement> where T.PersistedType: SortableType {
    sorted(byKeyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Returns the elements that are distinct by properties; live.
  ///
  /// - Parameter keyPaths: The properties.
  /// - Returns: The elements.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<_QueryElement>
  where S.Iterator.Element == PartialKeyPath<_Observed> {
    distinct(by: keyPaths.map { _name(for: $0) })
  }
}

extension RealmCollection where Element.PersistedType: SortableType {
  /// Returns the values sorted; live.
  ///
  /// - Parameter ascending: Whether the smallest value sorts first.
  /// - Returns: The values.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(byKeyPath: "self", ascending: ascending)
  }
}

extension _QueryCollection where _QueryElement.PersistedType: SortableType {
  /// Returns the distinct values; live.
  ///
  /// - Returns: The values.
  public func distinct() -> Results<_QueryElement> { distinct(by: ["self"]) }
}

extension ResultsSource {
  internal func sorted(_ sortDescriptors: [SortDescriptor]) -> ResultsSource {
    if sortDescriptors.isEmpty { return self }
    let keys = sortDescriptors.map { descriptor in
      SortKey(
        checked(descriptor.keyPath, "sort"),
        isAscending: descriptor.ascending,
        putsNullLinksLast: true
      )
    }
    if let classKey {
      for key in keys {
        do {
          try key.check(for: classKey, in: context.view.schema)
        } catch {
          throwRealmException("Cannot sort on key path '\(key.path)': \(error)")
        }
      }
    }
    return changed { source in
      // The previous order decides between elements with equal keys.
      if case .sort(let known)? = source.descriptors.last {
        source.descriptors[source.descriptors.count - 1] = .sort(keys + known)
      } else {
        source.descriptors.append(.sort(keys))
      }
    }
  }

  internal func distinct(by keyPaths: [String]) -> ResultsSource {
    let paths = keyPaths.map { checked($0, "distinct") }
    return changed { $0.descriptors.append(.distinct(paths)) }
  }

  /// A checked path over to-one links to a single value, by its names in the file.
  private func checked(_ keyPath: String, _ what: String) -> StoredPredicate.Path {
    context.requireConfinement()
    let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let classKey else {
      guard names == ["self"] else {
        throwRealmException(
          "Cannot \(what) on key path '\(keyPath)': values have only 'self'"
        )
      }
      return .itself
    }
    let path = PredicateNames(context: context).stored(
      StoredPredicate.Path(names.map { .property($0) }),
      classKey
    )
    var current = context.view.schema[classKey]
    for (index, step) in path.steps.enumerated() {
      guard case .property(let name) = step, let property = current?[name] else {
        throwRealmException(
          "Cannot \(what) on key path '\(keyPath)': property "
            + "'\(current?.name ?? "?").\(names[index])' does not exist."
        )
      }
      let isLast = index == path.steps.count - 1
      guard property.type.collection == .none, isLast == (property.type.kind != .link) else {
        throwRealmException(
          "Cannot \(what) on key path '\(keyPath)': property '\(current?.name ?? "?").\(name)' is "
            + (isLast ? "no single value." : "no to-one link.")
        )
      }
      current = property.target.flatMap { context.view.schema[$0] }
    }
    return path
  }
}
