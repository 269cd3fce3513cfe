/// Says what happens to the object that holds a link when the target of the link is deleted.
///
/// A ``DeleteRule`` says what happens in the other direction; a property may have both.
///
/// ```swift
/// let owner = PropertyDefinition("owner", .link("Person"), targetRule: .cascade)
/// try database.write { transaction in
///   try transaction.define([ClassDefinition("Passport", properties: [owner])])
/// }
/// ```
public enum TargetRule: UInt8, Sendable, CaseIterable {
  /// The object remains: its link becomes null, or leaves the collection.
  case nullify = 0
  /// The object is deleted with the target.
  case cascade = 1
  /// The target cannot be deleted, unless the same deletion deletes the object, too.
  ///
  /// Whether it does is checked when everything is known that is to be deleted, whatever the order.
  case deny = 2
}
