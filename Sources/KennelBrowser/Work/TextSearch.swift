internal import KennelCore

/// Looks for a text in what the cells of a class show, from an object on and around the end.
struct TextSearch: Sendable {
  let text: String
  let classKey: ClassKey
  let properties: [PropertySchema]
  /// The rows to search; `nil` for all objects in the order of their keys.
  let keys: ResultKeys?
  let start: ObjectKey?
  let isForward: Bool

  /// So many objects are searched between two looks at whether to stop.
  private static let batch = 512
  /// A longer value is searched no further than the screen would show it.
  private static let mostBytes = 1_024

  func run(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> FoundPlace? {
    let needle = Self.folded(text)
    guard !needle.isEmpty else { return nil }
    let total = max(1, keys?.keys.count ?? snapshot.count(of: classKey))
    var position = start
    var seen = 0
    var hasWrapped = false
    while seen < total + Self.batch, !context.isCancelled {
      let batch = try next(after: position, in: snapshot)
      for key in batch {
        let isStart = key == start
        if let property = try match(key, needle, in: snapshot) {
          return FoundPlace(key: key, property: property, hasWrapped: hasWrapped)
        }
        if isStart, hasWrapped { return nil }
      }
      seen += batch.count
      context.report(progress: Double(seen) / Double(total))
      position = batch.last
      if batch.count < Self.batch {
        if hasWrapped { return nil }
        hasWrapped = true
        position = nil
      }
    }
    return nil
  }

  private func next(
    after key: ObjectKey?,
    in snapshot: Snapshot
  ) throws(DatabaseError) -> [ObjectKey] {
    if let all = keys?.keys {
      let index = key.flatMap { all.firstIndex(of: $0) }
      if isForward {
        let first = index.map { $0 + 1 } ?? 0
        return Array(all[first..<min(all.count, first + Self.batch)])
      }
      let end = index ?? all.count
      return all[max(0, end - Self.batch)..<end].reversed()
    }
    guard isForward else { return try snapshot.keys(of: classKey, before: key, limit: Self.batch) }
    let from = key.map { ObjectKey(rawValue: $0.rawValue + 1) }
    return try snapshot.keys(of: classKey, from: from, limit: Self.batch)
  }

  private func match(
    _ key: ObjectKey,
    _ needle: [UInt8],
    in snapshot: Snapshot
  ) throws(DatabaseError) -> PropertyKey? {
    let object = ObjectIdentity(classKey, key)
    for property in properties where !property.isCollection {
      let value = try snapshot.preview(of: object, property.key, limit: Self.mostBytes).value
      let shown: String
      switch value {
      case .null: continue
      case .string(let text): shown = text
      case .link(let target): shown = try snapshot.displayName(of: target, limit: 60)
      case .bool, .int, .float, .double, .data, .date, .objectId, .uuid, .decimal128, .list, .set,
        .map:
        shown = ScalarText.text(of: value)
      }
      if Self.contains(shown, needle) { return property.key }
    }
    return nil
  }

  static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

  /// Whether a text contains another, whatever the case of their letters.
  static func contains(_ text: String, _ needle: [UInt8]) -> Bool {
    let bytes = folded(text)
    guard let first = needle.first, bytes.count >= needle.count else { return false }
    for start in 0...(bytes.count - needle.count) where bytes[start] == first {
      if bytes[start..<start + needle.count].elementsEqual(needle) { return true }
    }
    return false
  }
}

/// Where a text was found.
struct FoundPlace: Hashable, Sendable {
  var key: ObjectKey
  var property: PropertyKey?
  /// The place of the element, in a collection.
  var index: Int?
  /// Whether the search went past the end and began again.
  var hasWrapped: Bool
}
