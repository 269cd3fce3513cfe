internal import KennelCore

/// What a person sees of a list, set or map, and where they are in it.
struct ElementsState {
  let object: ObjectIdentity
  let property: PropertyKey
  /// The element that the cursor is on: its place and what was there.
  var cursor: Element?
  var top = 0

  func count(in model: BrowserModel) -> Int { model.elementCount(of: object, property) }

  func schema(in model: BrowserModel) -> PropertySchema? {
    model.schema.property(property, of: object.classKey)
  }

  func elements(in model: BrowserModel, _ range: Range<Int>) -> [Element] {
    guard let schema = schema(in: model) else { return [] }
    return model.elements(of: object, schema, in: range)
  }

  mutating func move(to index: Int, in model: BrowserModel) {
    let index = min(max(0, index), count(in: model) - 1)
    cursor = index < 0 ? nil : elements(in: model, index..<index + 1).first
  }

  mutating func move(by distance: Int, in model: BrowserModel) {
    move(to: (cursor?.index ?? -1) + distance, in: model)
  }

  /// How far an element that moved is looked for.
  private static let reach = 1_000

  /// Finds the cursor's element again after something changed; whether it is gone.
  mutating func settle(in model: BrowserModel) -> Bool {
    let count = count(in: model)
    guard let cursor else {
      move(to: 0, in: model)
      return false
    }
    let near = max(0, cursor.index - Self.reach)..<min(count, cursor.index + Self.reach)
    guard near.lowerBound < near.upperBound else {
      move(to: cursor.index, in: model)
      return true
    }
    let same = elements(in: model, near).filter {
      $0.value == cursor.value && $0.key == cursor.key
    }
    let distance = { (element: Element) in abs(element.index - cursor.index) }
    if let found = same.min(by: { distance($0) < distance($1) }) {
      self.cursor = found
      return false
    }
    move(to: cursor.index, in: model)
    return true
  }

  mutating func visible(in model: BrowserModel, count rows: Int) -> [Element] {
    let count = count(in: model)
    if let cursor {
      if cursor.index < top { top = cursor.index }
      if cursor.index >= top + rows { top = cursor.index - rows + 1 }
    }
    top = max(0, min(top, count - rows))
    return elements(in: model, top..<min(count, top + max(0, rows)))
  }
}
