import KennelCore

extension ExchangeableCollection {
  /// Replaces the elements by those of any sequence; false where one cannot be converted.
  func assign(converting value: Any?, _ filler: ObjectFiller) -> Bool {
    _ = writable()
    guard let value = ObjectFiller.present(value) else {
      removeAll()
      return true
    }
    guard let given = Self.given(value) else { return false }
    if let raw = ObjectFiller.raw(given.map(\.value), FilledElement._shape) {
      let elements = zip(given, raw).map { ($0.key, $1) }
      if let place {
        store(elements, at: place)
      } else {
        makeLater { Self.contents(elements.map { ($0, FilledElement._decode($1, nil)) }) }
      }
      return true
    }
    var elements: [(key: String, value: FilledElement)] = []
    for (key, value) in given {
      if !Self._shape.isOptional, ObjectFiller.present(value) == nil { return false }
      guard let element: FilledElement = filler.convert(value) else { return false }
      elements.append((key, element))
    }
    removeAll()
    add(Self.contents(elements))
    return true
  }
}

extension ExchangeableCollection where Self: RealmCollection, Contents == [Element] {
  static func given(_ value: Any) -> [(key: String, value: Any?)]? {
    ObjectFiller.elements(value)?.map { ("", $0) }
  }

  static func contents(_ elements: [(key: String, value: Element)]) -> [Element] {
    elements.map(\.value)
  }
}
