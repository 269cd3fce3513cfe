@_spi(Faces) import KennelCore

/// A difference in one value of an object.
package struct ValueChange: Hashable, Sendable {
  /// The place in the object, such as `name`, `address.city`, `dogs[3]` or `notes["a"]`.
  package let path: String
  /// The old value; `nil` if there was none, such as before an insertion.
  package let old: ComparedValue?
  /// The new value; `nil` if there is none, such as after a removal.
  package let new: ComparedValue?

  /// As in `age: 3 → 4`, `dogs[1]: + →Dog/7` or `tags: - "old"`.
  package var text: String { differenceText(path, old?.text, new?.text) }

  /// Compares two values, place by place.
  package static func between(
    _ old: ComparedValue,
    _ new: ComparedValue,
    at path: String
  ) -> [ValueChange] {
    if old == new { return [] }
    switch (old, new) {
    case (.embedded(let old), .embedded(let new)):
      return members(old, new) { "\(path).\($0)" }
    case (.map(let old), .map(let new)):
      return members(old, new) { "\(path)[\(ValueText.quote($0))]" }
    case (.list(let old), .list(let new)):
      return ListEdits.between(old, new, at: path)
    case (.set(let old), .set(let new)):
      let (before, after) = (Set(old), Set(new))
      return old.filter { !after.contains($0) }.map { ValueChange(path: path, old: $0, new: nil) }
        + new.filter { !before.contains($0) }.map { ValueChange(path: path, old: nil, new: $0) }
    case (.scalar, _), (.link, _), (.embedded, _), (.list, _), (.set, _), (.map, _):
      return [ValueChange(path: path, old: old, new: new)]
    }
  }

  private static func members(
    _ old: [ComparedValue.Member],
    _ new: [ComparedValue.Member],
    _ path: (String) -> String
  ) -> [ValueChange] {
    let later = Dictionary(new.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
    let earlier = Set(old.map { Array($0.name.utf8) })
    var changes: [ValueChange] = []
    for member in old {
      if let value = later[Array(member.name.utf8)] {
        changes += between(member.value, value, at: path(member.name))
      } else {
        changes.append(ValueChange(path: path(member.name), old: member.value, new: nil))
      }
    }
    for member in new where !earlier.contains(Array(member.name.utf8)) {
      changes.append(ValueChange(path: path(member.name), old: nil, new: member.value))
    }
    return changes
  }
}

/// Describes a difference, as in `age: 3 → 4`, or with a sign where one of the two is missing.
func differenceText(_ name: String, _ old: String?, _ new: String?) -> String {
  switch (old, new) {
  case (let old?, let new?): "\(name): \(old) → \(new)"
  case (nil, let new?): "\(name): + \(new)"
  case (let old?, nil): "\(name): - \(old)"
  case (nil, nil): name
  }
}

/// The elements that were removed from a list and inserted into it.
enum ListEdits {
  /// Of more elements than these, all are told as replaced.
  ///
  /// Finding the fewest edits takes time and memory in proportion to the square of their number,
  /// which may be that of all elements.
  private static let mostElements = 4_000

  /// Finds the edits; what is the same at the start and at the end of both lists is left out first.
  static func between(
    _ old: [ComparedValue],
    _ new: [ComparedValue],
    at path: String
  ) -> [ValueChange] {
    let (start, end) = old.sharedEnds(with: new)
    let before = old[start..<old.count - end]
    let after = new[start..<new.count - end]
    let isLong = before.count + after.count > mostElements
    if before.count == after.count {
      let places = zip(before.indices, after.indices).filter { before[$0] != after[$1] }
      // As many as before: elements were set, not moved.
      if places.count <= max(1, before.count / 2) || isLong {
        return places.flatMap { old, new in
          ValueChange.between(before[old], after[new], at: "\(path)[\(new)]")
        }
      }
    }
    if isLong || before.isEmpty || after.isEmpty { return replaced(before, after, path) }
    return after.difference(from: before).map { edit in
      switch edit {
      case .remove(let offset, let value, _):
        ValueChange(path: "\(path)[\(start + offset)]", old: value, new: nil)
      case .insert(let offset, let value, _):
        ValueChange(path: "\(path)[\(start + offset)]", old: nil, new: value)
      }
    }
  }

  private static func replaced(
    _ before: ArraySlice<ComparedValue>,
    _ after: ArraySlice<ComparedValue>,
    _ path: String
  ) -> [ValueChange] {
    before.indices.map { ValueChange(path: "\(path)[\($0)]", old: before[$0], new: nil) }
      + after.indices.map { ValueChange(path: "\(path)[\($0)]", old: nil, new: after[$0]) }
  }
}
