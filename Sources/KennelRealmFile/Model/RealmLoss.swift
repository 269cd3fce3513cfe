/// Something of a damaged file that cannot be read, or is older than its newest commit.
public struct RealmLoss: Sendable, Hashable {
  /// The kinds of losses.
  public enum Kind: Sendable, Hashable {
    /// It is not known which commit is the newest one.
    case uncertainCommit
    /// The description of a class is that of an older commit.
    case olderClasses
    /// A class, or the objects with some keys, if there were any.
    case possibleObjects
    /// Objects.
    case objects
    /// Objects of an older commit, which the newest one may have deleted or changed.
    case olderObjects
    /// Values of a property.
    case values
    /// Links whose targets are lost.
    case links
    /// A property can be null, because values of it are lost.
    case property
  }

  /// The kind.
  public let kind: Kind
  /// The name of the class, or of the table of one that is Realm's own.
  public let className: String?
  /// The property.
  public let property: String?
  /// The keys of the objects.
  public let keys: ClosedRange<Int64>?
  /// The class that a link leads to.
  public let targetClass: String?
  /// The key of the object that a link leads to.
  public let targetKey: Int64?

  init(
    _ kind: Kind,
    _ className: String? = nil,
    _ property: String? = nil,
    keys: ClosedRange<Int64>? = nil,
    target: (className: String, key: Int64)? = nil
  ) {
    self.kind = kind
    self.className = className
    self.property = property
    self.keys = keys
    targetClass = target?.className
    targetKey = target?.key
  }
}
