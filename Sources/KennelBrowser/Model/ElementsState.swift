internal import KennelCore

/// What a person sees of a list, set or map, and where they are in it.
struct ElementsState {
  let object: ObjectIdentity
  let property: PropertyKey
  /// The element that the cursor is on: its place and what was there.
  var cursor: Element?
  var top = 0

  func count(in world: World) -> Int { world.elementCount(of: object, property) }

  func schema(in world: World) -> PropertySchema? {
    world.schema.property(property, of: object.classKey)
  }

  func elements(in world: World, _ range: Range<Int>) -> [Element] {
    guard let schema = schema(in: world) else { return [] }
    return world.elements(of: object, schema, in: range)
  }

  mutating func move(to index: Int, in world: World) {
    let index = min(max(0, index), count(in: world) - 1)
    cursor = index < 0 ? nil : elements(in: world, index..<index + 1).first
  }

  mutating func move(by distance: Int, in world: World) {
    move(to: (cursor?.index ?? -1) + distance, in: world)
  }

  /// How far an element that moved is looked for.
  private static let reach = 1_000

  /// Finds the cursor's element again after something changed; whether it is gone.
  mutating func settle(in world: World) -> Bool {
    let count = count(in: world)
    guard let cursor else {
      move(to: 0, in: world)
      return false
    }
    let near = max(0, cursor.index - Self.reach)..<min(count, cursor.index + Self.reach)
    guard near.lowerBound < near.upperBound else {
      move(to: cursor.index, in: world)
      return true
    }
    let same = elements(in: world, near).filter {
      $0.value == cursor.value && $0.key == cursor.key
    }
    let distance = { (element: Element) in abs(element.index - cursor.index) }
    if let found = same.min(by: { distance($0) < distance($1) }) {
      self.cursor = found
      return false
    }
    move(to: cursor.index, in: world)
    return true
  }

  mutating func visible(in world: World, count rows: Int) -> [Element] {
    let count = count(in: world)
    if let cursor {
      if cursor.index < top { top = cursor.index }
      if cursor.index >= top + rows { top = cursor.index - rows + 1 }
    }
    top = max(0, min(top, count - rows))
    return elements(in: world, top..<min(count, top + max(0, rows)))
  }
}
