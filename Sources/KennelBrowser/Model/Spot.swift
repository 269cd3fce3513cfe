internal import KennelCore

/// An element of a collection: where it stands and what stands there.
///
/// The position alone is not enough to act on: another process may have inserted before it. What
/// acts on an element first looks whether its value is still the one that the person saw.
struct Element: Hashable {
  var index: Int
  /// The key, where the collection is a map.
  var key: String?
  var value: Value

  /// Names its place: the position, or the key in a map.
  var name: String {
    guard let key else { return "\(index)" }
    return key.isEmpty ? "\"\"" : key
  }

  /// The object that the element links to.
  var target: ObjectIdentity? {
    if case .link(let target) = value { target } else { nil }
  }
}

/// The place of a cursor: a property of an object, or an element of its collection.
struct Spot: Hashable {
  var object: ObjectIdentity
  var property: PropertyKey
  var element: Element?
  /// The marked objects that an edit changes together, as they were when it began; empty where it
  /// changes the one object.
  var marked: [ObjectIdentity] = []
  /// Whether a new element goes before ``element`` in its list instead of after it.
  var isBefore = false

  init(_ object: ObjectIdentity, _ property: PropertyKey, element: Element? = nil) {
    self.object = object
    self.property = property
    self.element = element
  }
}

extension Spot {
  /// Where a new element goes in a list of a length: beside the element, else at the end.
  func insertionIndex(count: Int) -> Int {
    guard let element else { return count }
    return min(count, isBefore ? element.index : element.index + 1)
  }

  /// The objects that an edit changes.
  var objects: [ObjectIdentity] { marked.isEmpty ? [object] : marked }

  /// The place as the engine names it.
  func slot(in schema: Schema) -> Slot {
    Slot(object, property, position(in: schema))
  }

  private func position(in schema: Schema) -> Slot.Position {
    guard let element else { return .value }
    switch schema.property(property, of: object.classKey)?.type.collection {
    case .map: return .key(element.key ?? "")
    case .set: return .member(element.value)
    case .list, .some(.none), nil: return .index(element.index)
    }
  }
}
