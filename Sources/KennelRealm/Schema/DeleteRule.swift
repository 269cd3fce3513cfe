/// The arguments of a property's declaration.
@usableFromInline
internal struct PropertyTraits {
  @usableFromInline var isIndexed = false
  @usableFromInline var isPrimaryKey = false
  @usableFromInline var deleteRule: DeleteRule?

  @inlinable
  init() {}

  init(isIndexed: Bool) { self.isIndexed = isIndexed }

  init(isPrimaryKey: Bool) { self.isPrimaryKey = isPrimaryKey }

  init(_ deleteRule: DeleteRule) { self.deleteRule = deleteRule }
}

/// Determines what happens to the target of a link when the linking object is deleted or, with
/// `cascadeIfLast`, the link is removed.
///
/// ```swift
/// @Persisted(deleteRule: .cascade) var ships: List<Ship>
/// ```
///
/// Delete rules are an addition of Kennel; Realm Swift has none.
public enum DeleteRule: UInt8, Sendable, CaseIterable {
  /// The target stays.
  case nullify
  /// The target is deleted with the object that links to it.
  case cascade
  /// The target is deleted when a `cascadeIfLast` link to it goes and no other `cascade` or
  /// `cascadeIfLast` link to it remains.
  case cascadeIfLast
  /// The linking object cannot be deleted while the target exists.
  case deny
}
