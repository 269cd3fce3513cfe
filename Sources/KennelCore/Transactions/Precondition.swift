import KennelStorage

/// What an operation saw of the place it changed, to be compared by value when the place may have
/// changed meanwhile.
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
  case gap(before: Value?, after: Value?)
  /// An element of a list and its neighbours.
  case element(Value, before: Value?, after: Value?)
  /// An element to be moved, and the elements between which it went.
  case move(Value, before: Value?, after: Value?, gapBefore: Value?, gapAfter: Value?)
}

extension Precondition {
  /// The value of a property, where that is what was seen.
  internal var wholeValue: Value? { if case .value(let value) = self { value } else { nil } }

  /// The element of a list that was to be changed.
  internal var listElement: Value? {
    switch self {
    case .element(let element, _, _), .move(let element, _, _, _, _): element
    case .nothing, .value, .entry, .end, .gap: nil
    }
  }

  /// The same with links to the objects that provisional ones became.
  internal func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> Precondition {
    switch self {
    case .nothing, .end: return self
    case .value(let value): return .value(value.mapped(keys))
    case .entry(let value): return .entry(value?.mapped(keys))
    case .gap(let before, let after):
      return .gap(before: before?.mapped(keys), after: after?.mapped(keys))
    case .element(let element, let before, let after):
      return .element(
        element.mapped(keys),
        before: before?.mapped(keys),
        after: after?.mapped(keys)
      )
    case .move(let element, let before, let after, let gapBefore, let gapAfter):
      return .move(
        element.mapped(keys),
        before: before?.mapped(keys),
        after: after?.mapped(keys),
        gapBefore: gapBefore?.mapped(keys),
        gapAfter: gapAfter?.mapped(keys)
      )
    }
  }
}

extension DatabaseReader {
  /// What an operation sees at this moment.
  internal final func currentPrecondition(
    of operation: Draft.Operation
  ) throws(DatabaseError) -> Precondition {
    guard case .change(let slot, let change) = operation else { return .nothing }
    let (object, property) = (slot.object, slot.property)
    switch slot.position {
    case .member: return .nothing
    case .value: return .value(try value(of: object, property: property))
    case .key(let key): return .entry(try entry(key, of: object, property))
    case .index(let index):
      switch change {
      case .insert, .create: return try gap(at: index, object, property)
      case .set, .remove: return try element(at: index, object, property)
      case .move(let destination): return try move(index, to: destination, object, property)
      case .add: return .nothing
      }
    }
  }

  private func element(
    at index: Int,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Precondition {
    let window = try neighbours(of: index, object, property)
    guard let element = window.element else { return .nothing }
    return .element(element, before: window.before, after: window.after)
  }

  private func move(
    _ source: Int,
    to destination: Int,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Precondition {
    let window = try neighbours(of: source, object, property)
    guard let element = window.element else { return .nothing }
    let target = try neighbours(of: destination, object, property)
    let isDown = destination > source
    return .move(
      element,
      before: window.before,
      after: window.after,
      gapBefore: isDown ? target.element : target.before,
      gapAfter: isDown ? target.after : target.element
    )
  }

  private func entry(
    _ key: String,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Value? {
    guard case .map(let entries) = try value(of: object, property: property) else { return nil }
    return entries.first { $0.key.hasSameBytes(as: key) }?.value
  }

  private func gap(
    at index: Int,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Precondition {
    if try index == elementCount(of: object, property: property) { return .end }
    let window = try neighbours(of: index, object, property)
    return .gap(before: window.before, after: window.element)
  }

  private func neighbours(
    of index: Int,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> (before: Value?, element: Value?, after: Value?) {
    guard index >= 0, index < .max - 1 else { return (nil, nil, nil) }
    let start = max(index - 1, 0)
    let window = try elements(of: object, property: property, in: start..<index + 2)
    func at(_ position: Int) -> Value? {
      window.indices.contains(position - start) ? window[position - start] : nil
    }
    return (index > 0 ? at(index - 1) : nil, at(index), at(index + 1))
  }
}
