internal import KennelCore

/// Looks for a text in the elements of a collection.
struct ElementSearch: Sendable {
  let pattern: SearchPattern
  let object: ObjectIdentity
  let property: PropertySchema
  var start: Int
  var isForward: Bool

  private static let batch = 512

  /// Finds the next place.
  func run(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> FoundPlace? {
    var next: FoundPlace?
    try visit(in: snapshot, context) { place in
      next = place
      return false
    }
    return next
  }

  /// Finds all places from the first element on.
  func matches(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> [UInt64] {
    var all = self
    (all.start, all.isForward) = (-1, true)
    var places: [UInt64] = []
    try all.visit(in: snapshot, context) { place in
      places.append(place.number)
      return places.count <= SearchMatches.most
    }
    return places
  }

  /// Calls a closure with each place in their order, until it returns `false`.
  private func visit(
    in snapshot: Snapshot,
    _ context: JobContext,
    _ body: (FoundPlace) -> Bool
  ) throws(DatabaseError) {
    let count = try snapshot.elementCount(of: object, property: property.key)
    guard count > 0 else { return }
    var seen = 0
    while seen < count, !context.isCancelled {
      let offset = isForward ? start + 1 + seen : start - 1 - seen
      let index = (offset % count + count) % count
      let length = isForward ? min(Self.batch, count - index) : min(Self.batch, index + 1)
      let first = isForward ? index : index - length + 1
      let texts = try texts(first..<first + length, in: snapshot)
      let order = isForward ? Array(texts.indices) : texts.indices.reversed()
      for place in order where pattern.isFound(in: texts[place]) {
        let found = first + place
        let hasWrapped = isForward ? found <= start : found >= start
        guard body(FoundPlace(key: object.key, index: found, hasWrapped: hasWrapped)) else {
          return
        }
      }
      seen += length
      context.report(progress: Double(seen) / Double(count))
    }
  }

  private func texts(
    _ range: Range<Int>,
    in snapshot: Snapshot
  ) throws(DatabaseError) -> [String] {
    var texts: [String] = []
    if property.type.collection == .map {
      for entry in try snapshot.entries(of: object, property: property.key, in: range) {
        texts.append("\(entry.key) \(try text(of: entry.value, in: snapshot))")
      }
      return texts
    }
    for value in try snapshot.elements(of: object, property: property.key, in: range) {
      texts.append(try text(of: value, in: snapshot))
    }
    return texts
  }

  private func text(of value: Value, in snapshot: Snapshot) throws(DatabaseError) -> String {
    if case .link(let target) = value { return try snapshot.displayName(of: target, limit: 60) }
    return value.isNull ? "" : ScalarText.text(of: value)
  }
}
