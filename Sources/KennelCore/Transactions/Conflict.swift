public import KennelStorage

/// An operation of a draft that another commit has overtaken.
public struct Conflict: Hashable, Sendable, Identifiable {
  /// What the other commit did.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// It changed the same property, or the same entry of a map.
    case valueChanged
    /// It changed the element of a list, or its neighbours.
    case listChanged
    /// It deleted the object.
    case objectDeleted
    /// It deleted the object that a link is to point to.
    case targetDeleted
    /// It made an object with the same primary key.
    case duplicatePrimaryKey
    /// It removed the property, or gave it another type.
    case propertyGone
    /// It made a link that forbids the deletion.
    case deletionDenied
    /// The operation builds on another one that conflicts.
    case dependsOnConflict
  }

  /// The number of the operation.
  public let id: Int
  /// The operation.
  public let operation: Operation
  /// What the other commit did.
  public let kind: Kind
  /// What the operation saw when it was made.
  public let base: Value
  /// What the operation is to make of it.
  public let mine: Value
  /// What the newest commit has.
  public let theirs: Value
  /// What happened, as a sentence.
  public let message: String

  /// Whether the operation can be carried out all the same.
  public var canKeepMine: Bool { kind == .valueChanged || kind == .listChanged }
}

/// How a person decides a conflict.
public enum Resolution: Hashable, Sendable {
  /// The draft's operation goes on top of the other commit.
  case mine
  /// The draft's operation is dropped.
  case theirs
}

extension Conflict.Kind {
  /// The kind behind an error of an operation that could be performed before.
  internal init(_ error: DatabaseError, isTarget: Bool) {
    switch error.code {
    case .noSuchObject: self = isTarget ? .targetDeleted : .objectDeleted
    case .noSuchProperty, .noSuchClass, .wrongType, .outOfRange: self = .propertyGone
    case .duplicatePrimaryKey: self = .duplicatePrimaryKey
    case .deletionDenied: self = .deletionDenied
    default: self = .listChanged
    }
  }
}

/// Compares what an operation saw with what is there now.
internal struct ConflictCheck {
  let snapshot: Snapshot

  /// The operation as it can be performed now: at the position where its element is, if that moved.
  ///
  /// - Throws: the conflict.
  func adjusted(
    _ operation: Operation,
    id: Int,
    seen: Sighting
  ) throws(ConflictOrError) -> Operation {
    let now: Sighting
    do throws(DatabaseError) {
      if case .delete(let objects) = operation {
        var alive: [ObjectIdentity] = []
        for object in objects where try snapshot.contains(object) { alive.append(object) }
        return .delete(alive)
      }
      if let slot = operation.slot { _ = try snapshot.existing(slot.object, slot.property) }
      if case .end = seen { return try appending(operation) }
      now = try snapshot.sighting(of: operation)
    } catch {
      if error.isFatal { throw .error(error) }
      if error.code == .noSuchElement {
        if let moved = try relocated(operation, seen) { return moved }
      }
      throw .conflict(conflict(operation, id, error: error, seen: seen))
    }
    if now == seen { return operation }
    if isAlreadyDone(operation, now) { return operation }
    if let moved = try relocated(operation, seen) { return moved }
    let kind: Conflict.Kind
    switch seen {
    case .value, .entry, .nothing: kind = .valueChanged
    default: kind = .listChanged
    }
    throw .conflict(
      Conflict(
        id: id,
        operation: operation,
        kind: kind,
        base: seen.shownValue,
        mine: operation.shownValue,
        theirs: now.shownValue,
        message: kind == .valueChanged
          ? "Another commit changed the same value" : "Another commit changed this part of the list"
      )
    )
  }

  func conflict(
    _ operation: Operation,
    _ id: Int,
    error: DatabaseError,
    seen: Sighting
  ) -> Conflict {
    let isTarget = error.object != nil && error.object != operation.slot?.object
    return Conflict(
      id: id,
      operation: operation,
      kind: Conflict.Kind(error, isTarget: isTarget),
      base: seen.shownValue,
      mine: operation.shownValue,
      theirs: .null,
      message: error.message
    )
  }

  /// An operation whose result is there already does no harm.
  private func isAlreadyDone(_ operation: Operation, _ now: Sighting) -> Bool {
    switch (operation, now) {
    case (.set(_, _, let value), .value(let current)): value.canonical == current
    case (.setEntry(_, let value, _, _), .entry(let current)): value == current
    default: false
    }
  }

  private func appending(_ operation: Operation) throws(DatabaseError) -> Operation {
    switch operation {
    case .insert(let value, _, let object, let property):
      let count = try snapshot.elementCount(of: object, property)
      return .insert(value, at: count, object, property)
    case .createEmbedded(let slot):
      let count = try snapshot.elementCount(of: slot.object, slot.property)
      return .createEmbedded(Slot(slot.object, slot.property, .index(count)))
    default: return operation
    }
  }

  /// The operation at the one other position where everything it saw still stands together.
  private func relocated(
    _ operation: Operation,
    _ seen: Sighting
  ) throws(ConflictOrError) -> Operation? {
    do throws(DatabaseError) {
      guard let slot = operation.slot, case .index = slot.position else { return nil }
      let count = try snapshot.elementCount(of: slot.object, slot.property)
      let elements = try snapshot.elements(of: slot.object, slot.property, in: 0..<count)
      func at(_ index: Int) -> Value? { elements.indices.contains(index) ? elements[index] : nil }
      switch seen {
      case .gap(let before, let after):
        let places = (0...count).filter { at($0 - 1) == before && at($0) == after }
        guard places.count == 1 else { return nil }
        return operation.moved(to: places[0])
      case .element(let element, let before, let after):
        let places = elements.indices.filter {
          elements[$0] == element && at($0 - 1) == before && at($0 + 1) == after
        }
        guard places.count == 1 else { return nil }
        return operation.moved(to: places[0])
      default: return nil
      }
    } catch {
      throw .error(error)
    }
  }
}

/// Why an operation was not performed again.
internal enum ConflictOrError: Error {
  case conflict(Conflict)
  case error(DatabaseError)
}

extension Operation {
  fileprivate func moved(to index: Int) -> Operation {
    switch self {
    case .insert(let value, _, let object, let property):
      .insert(value, at: index, object, property)
    case .replace(_, let value, let object, let property):
      .replace(at: index, with: value, object, property)
    case .remove(_, let object, let property): .remove(at: index, object, property)
    case .createEmbedded(let slot):
      .createEmbedded(Slot(slot.object, slot.property, .index(index)))
    default: self
    }
  }

  /// What the operation makes of its place.
  internal var shownValue: Value {
    switch self {
    case .set(_, _, let value), .insert(let value, _, _, _), .replace(_, let value, _, _),
      .insertMember(let value, _, _):
      value
    case .setEntry(_, let value, _, _): value ?? .null
    default: .null
    }
  }
}

extension Sighting {
  /// The value that was seen.
  internal var shownValue: Value {
    switch self {
    case .nothing, .end: .null
    case .value(let value): value
    case .entry(let value): value ?? .null
    case .gap(_, let after): after ?? .null
    case .element(let value, _, _), .move(let value, _, _, _, _): value
    }
  }
}
