public import Foundation
import KennelCore

extension _QueryCollection {
  /// Returns the elements, or the values of a map, that match a predicate; live.
  ///
  /// ```swift
  /// let small = realm.objects(Ship.self).filter("tons < %@ AND name BEGINSWITH[c] %@", 300, "be")
  /// ```
  ///
  /// - Parameters:
  ///   - predicateFormat: A predicate in Realm's predicate language, with `%@` for a value and `%K`
  ///     for a key path.
  ///   - args: The values of the placeholders.
  /// - Returns: The elements.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<_QueryElement> {
    let source = _source
    return Results(source.filtered(.read(predicateFormat, args, in: source.context.view.schema)))
  }

  /// Returns the elements, or the values of a map, that match a predicate; live.
  ///
  /// - Parameter predicate: A predicate created from a format, or a compound of such. A predicate
  ///   with a block stops the program.
  /// - Returns: The elements.
  public func filter(_ predicate: NSPredicate) -> Results<_QueryElement> {
    let source = _source
    return Results(source.filtered(.made(of: predicate, in: source.context.view.schema)))
  }

  /// Returns the elements, or the values of a map, that match a condition; live.
  ///
  /// ```swift
  /// let large = realm.objects(Ship.self).where { $0.tons > 300 && $0.voyages.port.contains("x") }
  /// ```
  ///
  /// - Parameter isIncluded: Returns the condition.
  /// - Returns: The elements.
  public func `where`(_ isIncluded: (Query<_QueryElement>) -> Query<Bool>) -> Results<_QueryElement>
  {
    Results(_source.filtered(isIncluded(Query<_QueryElement>()).node.predicate()))
  }
}

extension RealmCollection {
  /// Returns the position of the first element that matches a predicate.
  ///
  /// - Parameters:
  ///   - predicateFormat: The predicate, as for `filter`.
  ///   - args: The values of the placeholders.
  /// - Returns: The position; `nil` if there is none.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    position { .read(predicateFormat, args, in: $0) }
  }

  /// Returns the position of the first element that matches a predicate.
  ///
  /// - Parameter predicate: The predicate, as for `filter`.
  /// - Returns: The position; `nil` if there is none.
  public func index(matching predicate: NSPredicate) -> Int? {
    position { .made(of: predicate, in: $0) }
  }

  /// Returns the position of the first element that matches a condition.
  ///
  /// - Parameter isIncluded: Returns the condition.
  /// - Returns: The position; `nil` if there is none.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    position { _ in isIncluded(Query<Element>()).node.predicate() }
  }

  /// The position of the first element that matches a predicate, which is made for a schema.
  private func position(_ made: (KennelCore.Schema) -> StoredPredicate) -> Int? {
    if realm == nil {
      let predicate = made(KennelCore.Schema())
      return firstIndex { UnmanagedSearch.holds(predicate, $0) }
    }
    let source = _source
    return source.position(in: source.filtered(made(source.context.view.schema)))
  }
}

extension ResultsSource {
  /// A copy with one more predicate, whose names may be those of Swift.
  internal func filtered(_ predicate: StoredPredicate) -> ResultsSource {
    context.requireConfinement()
    let stored = PredicateNames(context: context).stored(predicate, classKey)
    if let classKey {
      do {
        try stored.check(for: classKey, in: context.view.schema)
      } catch {
        let problem = context.view.schema[classKey].flatMap(stored.aggregateOfSingle)
        throwRealmException(problem ?? "Cannot filter by '\(predicate)': \(error)")
      }
    } else {
      do {
        _ = try stored.holds(for: .null)
      } catch {
        throwRealmException("Cannot filter values by '\(predicate)': \(error)")
      }
    }
    return changed { $0.filters.append(stored) }
  }

  /// The position of the first element of a filtered source in this one.
  internal func position(in filtered: ResultsSource) -> Int? {
    let found = filtered.elements()
    guard found.count > 0 else { return nil }
    switch (elements(), found.value(0)) {
    case (.objects(_, let keys), .link(let first)): return keys.firstIndex(of: first.key)
    case (.values(let values), let first): return values.firstIndex { $0.isEquivalent(to: first) }
    case (.objects, _): return nil
    }
  }
}

extension StoredPredicate {
  /// The message for an aggregate of a property with a single value; `nil` if there is none.
  fileprivate func aggregateOfSingle(_ schema: ClassSchema) -> String? {
    switch self {
    case .constant: return nil
    case .and(let parts), .or(let parts):
      return parts.lazy.compactMap { $0.aggregateOfSingle(schema) }.first
    case .not(let part): return part.aggregateOfSingle(schema)
    case .comparison(let comparison):
      for case .path(let path) in [comparison.left, comparison.right] {
        guard path.aggregate != nil, path.variable == nil, path.steps.count == 1,
          case .property(let name)? = path.steps.first, let property = schema[name],
          property.target == nil, !property.isCollection
        else { continue }
        return "Invalid keypath '\(path)': Property '\(schema.name).\(name)' is not a link or "
          + "collection and can only appear at the end of a keypath."
      }
      return nil
    }
  }
}
