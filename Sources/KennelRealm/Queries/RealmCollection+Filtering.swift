public import Foundation
import KennelCore

extension RealmCollection {
  /// The elements for which a predicate holds, live.
  ///
  /// ```swift
  /// realm.objects(Dog.self).filter("age > %@ AND name BEGINSWITH[c] %@", 3, "re")
  /// ```
  ///
  /// - Parameters:
  ///   - predicateFormat: A predicate in Realm's predicate language, with `%@` for a value, `%K`
  ///     for a key path.
  ///   - args: What stands in the place of each.
  /// - Returns: The elements.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    Results(_source.filtered(format: predicateFormat, args))
  }

  /// The elements for which a predicate holds, live.
  ///
  /// - Parameter predicate: A predicate made of a format, or compounded of such; a block is
  ///   refused, as it cannot be asked of what is stored.
  /// - Returns: The elements.
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    let source = _source
    return Results(source.filtered(source.predicate(of: predicate)))
  }

  /// The elements for which a condition holds, live.
  ///
  /// ```swift
  /// realm.objects(Person.self).where { $0.age > 5 && $0.dogs.name.contains("x") }
  /// ```
  ///
  /// - Parameter isIncluded: Makes the condition of the element.
  /// - Returns: The elements.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    Results(_source.filtered(isIncluded(Query<Element>()).node.predicate()))
  }

  /// The position of the first element for which a predicate holds.
  ///
  /// - Parameters:
  ///   - predicateFormat: The predicate, as for `filter`.
  ///   - args: What stands in the places of its placeholders.
  /// - Returns: The position; `nil` where there is none.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    if realm == nil { return UnmanagedSearch.position(in: self, predicateFormat, args) }
    let source = _source
    return source.position(in: source.filtered(format: predicateFormat, args))
  }

  /// The position of the first element for which a predicate holds.
  ///
  /// - Parameter predicate: The predicate, as for `filter`.
  /// - Returns: The position; `nil` where there is none.
  public func index(matching predicate: NSPredicate) -> Int? {
    if realm == nil { return UnmanagedSearch.position(in: self, predicate) }
    let source = _source
    return source.position(in: source.filtered(source.predicate(of: predicate)))
  }

  /// The position of the first element for which a condition holds.
  ///
  /// - Parameter isIncluded: Makes the condition of the element.
  /// - Returns: The position; `nil` where there is none.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    if realm == nil {
      return UnmanagedSearch.position(in: self, isIncluded(Query<Element>()).node.predicate())
    }
    let source = _source
    let filtered = source.filtered(isIncluded(Query<Element>()).node.predicate())
    return source.position(in: filtered)
  }
}

extension ResultsSource {
  /// The same with a predicate, whose names may be those of Swift.
  internal func filtered(_ predicate: KennelCore.Predicate) -> ResultsSource {
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

  internal func filtered(format: String, _ arguments: [Any]) -> ResultsSource {
    filtered(parsed(format, arguments))
  }

  internal func parsed(_ format: String, _ arguments: [Any]) -> KennelCore.Predicate {
    context.requireConfinement()
    do {
      return try KennelCore.Predicate.read(
        format,
        in: context.view.schema,
        arguments: arguments.map(QueryArgument.value)
      )
    } catch {
      throwRealmException("Unable to parse the format string \"\(format)\": \(error)")
    }
  }

  /// Where the first element of a filtered source stands in this one.
  internal func position(in filtered: ResultsSource) -> Int? {
    let found = filtered.elements()
    guard found.count > 0 else { return nil }
    switch (elements(), found.value(0)) {
    case (.objects(_, let keys), .link(let first)): return keys.firstIndex(of: first.key)
    case (.values(let values), let first): return values.firstIndex { $0.isEquivalent(to: first) }
    default: return nil
    }
  }
}

extension KennelCore.Predicate {
  /// Says that an aggregate is asked of a property that has one value; `nil` where none is.
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
