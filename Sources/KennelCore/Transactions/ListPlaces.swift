import KennelStorage

/// Finds again, in a list that another commit changed, the places that an operation saw.
///
/// A place is found where everything that was seen of it still stands together, and only if that
/// is so at one place. A person who insists on an operation gets the nearest place that fits.
internal struct ListPlaces {
  let elements: [Value]
  /// Whether no element can stand at two places, so that its neighbours do not matter.
  let hasUniqueElements: Bool

  private func at(_ index: Int) -> Value? {
    elements.indices.contains(index) ? elements[index] : nil
  }

  /// Whether what was seen after an element stands at an index; the end of a list may have moved
  /// on, since appending never conflicts.
  private func follows(_ after: Value?, _ index: Int) -> Bool {
    after == nil || at(index) == after
  }

  /// The one gap between two elements.
  func gap(_ seen: Precondition.Neighbors) -> Int? {
    if seen.before == nil, seen.after == nil { return nil }
    return only((0...elements.count).filter { at($0 - 1) == seen.before && at($0) == seen.after })
  }

  /// The one place of an element between its neighbours.
  func place(of element: Value, _ seen: Precondition.Neighbors) -> Int? {
    only(
      elements.indices.filter {
        elements[$0] == element
          && (hasUniqueElements || at($0 - 1) == seen.before && follows(seen.after, $0 + 1))
      }
    )
  }

  /// The one place of another element between the neighbours that one had.
  func placeOfReplacement(_ seen: Precondition.Neighbors) -> Int? {
    only(elements.indices.filter { at($0 - 1) == seen.before && at($0 + 1) == seen.after })
  }

  private func only(_ places: [Int]) -> Int? {
    places.count == 1 ? places[0] : nil
  }

  /// The place of an element that is nearest to an index.
  func nearest(_ element: Value, to index: Int) -> Int? {
    elements.indices.filter { elements[$0] == element }
      .min { abs($0 - index) < abs($1 - index) }
  }

  /// The gap that is most like the one that was seen.
  func nearestGap(_ seen: Precondition.Neighbors, to index: Int) -> Int {
    if let gap = gap(seen) { return gap }
    if let before = seen.before, let place = nearest(before, to: index - 1) { return place + 1 }
    if let after = seen.after, let place = nearest(after, to: index) { return place }
    return min(max(index, 0), elements.count)
  }
}
