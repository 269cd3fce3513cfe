import KennelCore

/// A list, set or map that is filled with what any sequence or dictionary has.
internal protocol FilledCollection: ExchangeableCollection {
  associatedtype FilledElement: RealmCollectionValue

  /// The elements of a value, with empty keys, or the entries; `nil` if it has none.
  static func given(_ value: Any) -> [(key: String, value: Any?)]?
  static func contents(_ elements: [(key: String, value: FilledElement)]) -> Contents
  /// Replaces the stored elements.
  func store(_ elements: [(key: String, value: StoredValue)], at place: ManagedPlace)
  /// Replaces the unmanaged elements by some that are made when they are read.
  func makeLater(_ contents: @escaping () -> Contents)
}

extension FilledCollection {
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

extension FilledCollection where Self: RealmCollection, Contents == [Element] {
  static func given(_ value: Any) -> [(key: String, value: Any?)]? {
    ObjectFiller.elements(value)?.map { ("", $0) }
  }

  static func contents(_ elements: [(key: String, value: Element)]) -> [Element] {
    elements.map(\.value)
  }
}

extension List: FilledCollection {
  typealias FilledElement = Element

  func store(_ elements: [(key: String, value: StoredValue)], at place: ManagedPlace) {
    place.note(.removeAll)
    place.note(.insert(0..<elements.count))
    place.setAll(.list(elements.map(\.value)))
  }
}

extension MutableSet: FilledCollection {
  typealias FilledElement = Element

  func store(_ elements: [(key: String, value: StoredValue)], at place: ManagedPlace) {
    removeAll()
    for (_, member) in elements {
      place.context.change {
        try $0.insertMember(member, of: place.identity, property: place.key)
      }
    }
  }
}

extension Map: FilledCollection {
  typealias FilledElement = Value

  static func given(_ value: Any) -> [(key: String, value: Any?)]? { ObjectFiller.entries(value) }

  static func contents(
    _ elements: [(key: String, value: Value)]
  ) -> [(key: Key, value: Value)] {
    elements.map { (Key(_mapKey: $0.key), $0.value) }
  }

  func store(_ elements: [(key: String, value: StoredValue)], at place: ManagedPlace) {
    removeAll()
    for (key, value) in elements { place.setEntry(key, value) }
  }
}
