// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation
import KennelCore

/// A predicate that keeps its format and arguments.
private final class FormatPredicate: NSPredicate {
  private(set) var format = ""
  private(set) var arguments: [Any] = []

  static func made(_ format: String, _ arguments: [Any]) -> FormatPredicate {
    let predicate = FormatPredicate { _, _ in false }
    predicate.format = format
    predicate.arguments = arguments
    return predicate
  }

  override var predicateFormat: String { format }

  override func evaluate(with object: Any?) -> Bool { stop() }

  override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
    stop()
  }

  private func stop() -> Never {
    throwRealmException(
      "A predicate made of a format is for collections of a realm: pass it to filter or index"
    )
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FormatPredicate else { return false }
    return other === self
      || other.format == format && other.arguments.count == arguments.count
        && zip(other.arguments, arguments).allSatisfy(QueryArgument.areEqual)
  }

  override var hash: Int { format.hashValue }
}

/// Gives `NSPredicate` its initializers with a format.
///
/// They are in an extension of a protocol because an initializer of the class itself could not
/// return an instance of a subclass.
public protocol _MadeOfFormat {}

extension NSPredicate: _MadeOfFormat {}

extension _MadeOfFormat where Self: NSPredicate {
  /// Creates a predicate in Realm's predicate language, for `filter` and `index(matching:)`.
  ///
  /// - Parameters:
  ///   - format: The text, with `%@` for a value and `%K` for a key path.
  ///   - args: The values of the placeholders.
  public init(format: String, _ args: Any...) {
    self.init(format: format, argumentArray: args)
  }

  /// Creates a predicate in Realm's predicate language, for `filter` and `index(matching:)`.
  ///
  /// - Parameters:
  ///   - format: The text, with `%@` for a value and `%K` for a key path.
  ///   - arguments: The values of the placeholders.
  public init(format: String, argumentArray arguments: [Any]?) {
    guard let made = FormatPredicate.made(format, arguments ?? []) as? Self else {
      throwRealmException("Only NSPredicate itself can be made of a format, not '\(Self.self)'")
    }
    self = made
  }
}

extension StoredPredicate {
  /// Reads a predicate in Realm's predicate language; stops the program if it is wrong.
  internal static func read(
    _ format: String,
    _ arguments: [Any],
    in schema: KennelCore.Schema
  ) -> StoredPredicate {
    do {
      return try read(format, in: schema, arguments: arguments.map(QueryArgument.value))
    } catch {
      throwRealmException("Unable to parse the format string \"\(format)\": \(error)")
    }
  }

  /// The predicate of a Foundation predicate.
  internal static func made(
    of predicate: NSPredicate,
    in schema: KennelCore.Schema
  ) -> StoredPredicate {
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates.map { made(of: $0, in: schema) }
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
    guard let content = predicate as? FormatPredicate else {
      throwRealmException(
        "Only support compound, comparison, and constant predicates: a block cannot be asked of what "
          + "is stored. Use NSPredicate(format:), or filter the elements in Swift"
      )
    }
    return read(content.format, content.arguments, in: schema)
  }
}
