public import KennelStorage

/// An operation of a draft that conflicts with another commit.
///
/// ```swift
/// for conflict in draft.conflicts {
///   let values = [conflict.base, conflict.mine, conflict.theirs]
///   print(conflict.message, values.map { $0.map(ValueText.describe) ?? "nothing" })
/// }
/// ```
///
/// All operations of the draft that set the same property are one conflict.
public struct Conflict: Hashable, Sendable, Identifiable {
  /// The kind of change by the other commit.
  ///
  /// ```swift
  /// for conflict in draft.conflicts where conflict.kind == .valueChanged {
  ///   try draft.resolve(conflict.id, with: .theirs)
  /// }
  /// ```
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The other commit changed the same property, or the same entry of a map.
    case valueChanged
    /// The other commit changed the element of a list or its neighbours.
    case listChanged
    /// The other commit deleted the object.
    case objectDeleted
    /// The other commit deleted the target of a new link.
    case targetDeleted
    /// The other commit created an object with the same primary key.
    case duplicatePrimaryKey
    /// The other commit gave an object the same value of a unique property.
    case duplicateValue
    /// The other commit deleted the property or changed its type.
    case propertyGone
    /// The other commit created a link whose rule prevents the deletion.
    case deletionDenied
    /// The other commit changed the same part of the schema.
    case schemaChanged
    /// The operation depends on another one that conflicts.
    case dependsOnConflict
  }

  /// How a conflict is resolved.
  ///
  /// ```swift
  /// for conflict in draft.conflicts {
  ///   try draft.resolve(conflict.id, with: conflict.canKeepMine ? .mine : .theirs)
  /// }
  /// ```
  public enum Resolution: Hashable, Sendable {
    /// Performs the draft's operation on top of the other commit.
    case mine
    /// Drops the draft's operation.
    case theirs
  }

  /// The number of the first operation of the conflict.
  public let id: Int
  /// The operation.
  public internal(set) var operation: Draft.Operation
  /// The kind of change by the other commit.
  public let kind: Kind
  /// The object that the operation creates, changes or deletes, or the first of those that it deletes.
  public let object: ObjectIdentity?
  /// The property that the conflict is about; `nil` if it is about the object as a whole.
  public let property: PropertyKey?
  /// The value that the operation saw; `nil` if there was none.
  public let base: Value?
  /// The value of the operation; `nil` if it removes one.
  public internal(set) var mine: Value?
  /// The value of the newest commit; `nil` if there is none any more.
  public let theirs: Value?
  /// The description of the conflict, as a sentence.
  public let message: String
  /// Whether the operation can still be performed.
  public let canKeepMine: Bool
}

extension Conflict.Kind {
  /// The kind behind an error of an operation that could be performed before.
  internal init(_ error: DatabaseError, isTarget: Bool) {
    switch error.code {
    case .noSuchObject: self = isTarget ? .targetDeleted : .objectDeleted
    case .noSuchProperty, .noSuchClass, .wrongType, .outOfRange: self = .propertyGone
    case .schemaMismatch: self = .schemaChanged
    case .duplicatePrimaryKey: self = .duplicatePrimaryKey
    case .duplicateValue: self = .duplicateValue
    case .deletionDenied: self = .deletionDenied
    default: self = .listChanged
    }
  }
}

extension Draft.Operation {
  /// The value that the operation leaves in its place; `nil` if it leaves none.
  internal var shownValue: Value? {
    switch self {
    case .change(let slot, .set(let value)): slot.position == .value ? value.canonical : value
    case .change(_, .insert(let value)): value
    case .change(let slot, .add):
      if case .member(let member) = slot.position { member } else { nil }
    case .change(_, .remove), .change(_, .move), .change(_, .create), .create, .delete, .schema: nil
    }
  }
}

extension Precondition {
  /// The value that was seen; `nil` if there was none.
  internal var shownValue: Value? {
    switch self {
    case .nothing, .end, .schema: nil
    case .value(let value): value
    case .entry(let value): value
    case .gap(let gap): gap.after
    case .element(let value, _), .move(let value, _, _): value
    }
  }
}
