import KennelStorage

/// The state of a place before an operation changed it, to be compared by value when the place may
/// have changed meanwhile.
///
/// Large cases are kept elsewhere, since drafts of many operations are copied more than looked into.
internal enum Precondition: Hashable {
  /// Nothing that another commit could spoil.
  case nothing
  /// The whole value of a property.
  case value(Value)
  /// The value of a map's entry; `nil` if there was none.
  case entry(Value?)
  /// The end of a list: appending never conflicts.
  case end
  /// The neighbours between which an element was inserted.
  indirect case gap(Neighbors)
  /// An element of a list and its neighbours.
  indirect case element(Value, Neighbors)
  /// An element to be moved, its neighbours, and the elements between which it went.
  indirect case move(Value, Neighbors, to: Neighbors)
  /// The part of the schema that was changed, as text.
  case schema(String)

  /// The elements beside a place in a list; `nil` at an end.
  struct Neighbors: Hashable {
    let before: Value?
    let after: Value?

    func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> Neighbors {
      Neighbors(before: before?.mapped(keys), after: after?.mapped(keys))
    }
  }
}

extension Precondition {
  /// The value of a property, where that is what was seen.
  internal var wholeValue: Value? { if case .value(let value) = self { value } else { nil } }

  /// The element of a list that was to be changed.
  internal var listElement: Value? {
    switch self {
    case .element(let element, _), .move(let element, _, _): element
    case .nothing, .value, .entry, .end, .gap, .schema: nil
    }
  }

  /// The same with links to the objects that provisional ones became.
  internal func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> Precondition {
    switch self {
    case .nothing, .end, .schema: self
    case .value(let value): .value(value.mapped(keys))
    case .entry(let value): .entry(value?.mapped(keys))
    case .gap(let gap): .gap(gap.mapped(keys))
    case .element(let element, let place): .element(element.mapped(keys), place.mapped(keys))
    case .move(let element, let place, let gap):
      .move(element.mapped(keys), place.mapped(keys), to: gap.mapped(keys))
    }
  }
}

extension DatabaseReader {
  internal final func currentPrecondition(
    of operation: Draft.Operation
  ) throws(DatabaseError) -> Precondition {
    if case .schema(let change, _) = operation { return .schema(sight(of: change)) }
    guard case .change(let slot, let change) = operation else { return .nothing }
    let (object, property) = (slot.object, slot.property)
    switch slot.position {
    case .member: return .nothing
    case .value: return .value(try value(of: object, property: property))
    case .key: return .entry(try value(in: slot))
    case .index(let index):
      switch change {
      case .insert, .create: return try gap(at: index, object, property)
      case .add: return .nothing
      case .set, .remove, .move: break
      }
      let (element, place) = try place(index, object, property)
      guard let element else { return .nothing }
      guard case .move(let destination) = change else { return .element(element, place) }
      let target = try self.place(destination, object, property)
      return .move(
        element,
        place,
        to: destination > index
          ? .init(before: target.element, after: target.neighbors.after)
          : .init(before: target.neighbors.before, after: target.element)
      )
    }
  }

  private func gap(
    at index: Int,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Precondition {
    if try index == elementCount(of: object, property: property) { return .end }
    let (element, neighbors) = try place(index, object, property)
    return .gap(.init(before: neighbors.before, after: element))
  }

  private func place(
    _ index: Int,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> (element: Value?, neighbors: Precondition.Neighbors) {
    guard index >= 0, index < .max - 1 else { return (nil, .init(before: nil, after: nil)) }
    let start = max(index - 1, 0)
    let window = try elements(of: object, property: property, in: start..<index + 2)
    func at(_ position: Int) -> Value? {
      window.indices.contains(position - start) ? window[position - start] : nil
    }
    let neighbors = Precondition.Neighbors(
      before: index > 0 ? at(index - 1) : nil,
      after: at(index + 1)
    )
    return (at(index), neighbors)
  }
}
