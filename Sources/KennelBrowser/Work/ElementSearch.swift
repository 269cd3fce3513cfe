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
    try places(upTo: 1, in: snapshot, context).first
  }

  /// Finds all places from the first element on.
  func matches(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> [UInt64] {
    var all = self
    (all.start, all.isForward) = (-1, true)
    return try all.places(upTo: SearchMatches.most + 1, in: snapshot, context).map(\.number)
  }

  /// Finds so many places, in their order.
  private func places(
    upTo most: Int,
    in snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> [FoundPlace] {
    var places: [FoundPlace] = []
    let count = try snapshot.elementCount(of: object, property: property.key)
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
        places.append(FoundPlace(key: object.key, index: found, hasWrapped: hasWrapped))
        if places.count == most { return places }
      }
      seen += length
      context.report(progress: Double(seen) / Double(count))
    }
    return places
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
