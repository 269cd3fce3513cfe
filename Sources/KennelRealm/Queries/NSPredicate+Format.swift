public import Foundation
import KennelCore

/// Receives the text of a predicate that is asked to evaluate it.
private final class FormatProbe {
  var content: (format: String, arguments: [Any])?
}

/// What a predicate was made of; it is handed to probes alone, on the thread that asks.
private struct FormatContent: @unchecked Sendable {
  let format: String
  let arguments: [Any]

  func hand(to object: Any?) -> Bool {
    guard let probe = object as? FormatProbe else {
      throwRealmException(
        "A predicate made of a format is for collections of a realm: pass it to filter or index"
      )
    }
    probe.content = (format, arguments)
    return true
  }
}

extension NSPredicate {
  /// Makes a predicate in Realm's predicate language, for `filter` and `index(matching:)`.
  ///
  /// - Parameters:
  ///   - format: The text, with `%@` for a value and `%K` for a key path.
  ///   - args: What stands in the place of each.
  public convenience init(format: String, _ args: Any...) {
    self.init(format: format, argumentArray: args)
  }

  /// Makes a predicate in Realm's predicate language, for `filter` and `index(matching:)`.
  ///
  /// - Parameters:
  ///   - format: The text, with `%@` for a value and `%K` for a key path.
  ///   - arguments: What stands in the place of each.
  public convenience init(format: String, argumentArray arguments: [Any]?) {
    let content = FormatContent(format: format, arguments: arguments ?? [])
    self.init { object, _ in content.hand(to: object) }
  }
}

extension ResultsSource {
  /// The predicate of a Foundation predicate.
  internal func predicate(of predicate: NSPredicate) -> KennelCore.Predicate {
    KennelCore.Predicate.made(of: predicate, parsed)
  }
}

extension KennelCore.Predicate {
  /// The predicate of a Foundation predicate, with a reader of formats and their arguments.
  internal static func made(
    of predicate: NSPredicate,
    _ parsed: (String, [Any]) -> KennelCore.Predicate
  ) -> KennelCore.Predicate {
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates.map { made(of: $0, parsed) }
      switch compound.compoundPredicateType {
      case .not: return .not(parts.first ?? .constant(true))
      case .and: return parts.count < 2 ? parts.first ?? .constant(true) : .and(parts)
      case .or: return parts.count < 2 ? parts.first ?? .constant(false) : .or(parts)
      @unknown default: throwRealmException("Cannot filter by \(compound)")
      }
    }
    for holds in [true, false] where predicate.isEqual(NSPredicate(value: holds)) {
      return .constant(holds)
    }
    let probe = FormatProbe()
    _ = predicate.evaluate(with: probe)
    guard let content = probe.content else {
      throwRealmException(
        "Only support compound, comparison, and constant predicates: a block cannot be asked of what "
          + "is stored. Use NSPredicate(format:), or filter the elements in Swift"
      )
    }
    return parsed(content.format, content.arguments)
  }
}
