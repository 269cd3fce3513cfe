/// Asking a question of all pairs of a chunk: dates and identifiers.
extension PairTest {
  /// The places whose pair passes; anything where a place is null.
  ///
  /// Dates are whole seconds mostly and then as good as plain numbers; an identifier that is looked
  /// for is found by its first word, and few places have that.
  package func places(_ view: ChunkView) -> PlaceSet {
    let count = unsafe view.count
    let passing: PlaceSet
    if ranges.count == 1, let range = ranges.first {
      passing = unsafe places(of: range, view)
    } else if ranges.count <= 8 {
      passing = ranges.reduce(into: PlaceSet()) { unsafe $0.formUnion(places(of: $1, view)) }
    } else {
      var places = PlaceSet()
      for place in 0..<count where unsafe isIn(view.pair(place)) { places[place] = true }
      passing = places
    }
    return isNegated ? PlaceSet(first: count).subtracting(passing) : passing
  }

  private func places(of range: Range, _ view: ChunkView) -> PlaceSet {
    let (first, second) = unsafe (view.first, view.second)
    if unsafe second.width == 0 {
      // All second words are the same: what they add moves an end of the range by one.
      var (low, high) = (range.lower.0, range.upper.0)
      if unsafe second.base < range.lower.1 {
        guard low < .max else { return PlaceSet() }
        low += 1
      }
      if unsafe second.base > range.upper.1 {
        guard high > 0 else { return PlaceSet() }
        high -= 1
      }
      guard low <= high else { return PlaceSet() }
      return unsafe first.places(from: low &- turn, length: high &- low, count: view.count)
    }
    guard range.lower.0 <= range.upper.0 else { return PlaceSet() }
    // Those whose first word lies between the ends are in, those at an end have to be looked at.
    let length = range.upper.0 &- range.lower.0
    var places = unsafe first.places(from: range.lower.0 &- turn, length: length, count: view.count)
    var atEnd = unsafe first.places(from: range.lower.0 &- turn, length: 0, count: view.count)
    unsafe atEnd.formUnion(first.places(from: range.upper.0 &- turn, length: 0, count: view.count))
    var place = atEnd.next(from: 0)
    while let current = place {
      places[current] = unsafe range.contains((first[current] ^ turn, second[current]))
      place = atEnd.next(from: current + 1)
    }
    return places
  }
}
