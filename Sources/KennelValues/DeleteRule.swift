/// Says what happens to the target of a link when the object that holds the link is deleted.
///
/// ```swift
/// let dogs = PropertyDefinition("dogs", .list(.link("Dog")), deleteRule: .cascade)
/// try database.write { transaction in
///   try transaction.define([ClassDefinition("Breeder", properties: [dogs])])
/// }
/// ```
public enum DeleteRule: UInt8, Sendable, CaseIterable {
  /// The target remains.
  case nullify = 0
  /// The target is deleted with the object that links to it.
  case cascade = 1
  /// The target is deleted when a link with this rule goes and no other `cascade` or
  /// `cascadeIfLast` link to it remains.
  case cascadeIfLast = 2
  /// The object cannot be deleted while the target of the link exists.
  case deny = 3

  /// Whether a link with this rule keeps its target alive when a `cascadeIfLast` link to it goes:
  /// `cascade` and `cascadeIfLast` do.
  public var isStrong: Bool {
    self == .cascade || self == .cascadeIfLast
  }

  /// Whether a deletion must know which other objects have such links to the same target.
  package var asksWhoElseLinks: Bool {
    self == .cascadeIfLast || self == .deny
  }

  /// Whether removing the link can delete its target.
  package var deletesWhenUnlinked: Bool {
    self == .cascadeIfLast
  }
}
