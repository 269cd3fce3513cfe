import KennelPages

/// Asking a question of all texts of a chunk.
extension TextTest {
  /// The places whose entry of the dictionary passes; anything where a place is null.
  ///
  /// Each entry is asked once; then the places are those whose packed entry number is one of a few.
  func placesOfDictionary(_ view: ChunkView) -> PlaceSet {
    let passing = unsafe passingCodes(view)
    var places = PlaceSet()
    var code = passing.next(from: 0)
    // Entries that follow each other are one question.
    while let first = code {
      var last = first
      while unsafe last + 1 < view.dictionaryCount, passing[last + 1] { last += 1 }
      let length = UInt64(last - first)
      unsafe places.formUnion(
        view.first.places(from: UInt64(first), length: length, count: view.count)
      )
      code = passing.next(from: last + 2)
    }
    return places
  }

  /// The entries of a dictionary that pass.
  private func passingCodes(_ view: ChunkView) -> PlaceSet {
    var passing = PlaceSet()
    guard folding.isEmpty, case .equal(let wanted) = question else {
      for code in unsafe 0..<view.dictionaryCount where unsafe holds(for: view.dictionaryCell(code))
      {
        passing[code] = true
      }
      return passing
    }
    // Most entries have another length.
    unsafe wanted.withUnsafeBytes { wanted in
      for code in unsafe 0..<view.dictionaryCount {
        let cell = unsafe view.dictionaryCell(code)
        let isEqual = unsafe cell.count == wanted.count && ByteOrder.compare(cell, wanted) == 0
        if isEqual != isNegated { passing[code] = true }
      }
    }
    return passing
  }

  /// The places of `wanted`, none of them null, whose bytes pass; of a chunk without dictionary.
  ///
  /// The answers for external cells are for none at all.
  func places(_ view: ChunkView, among wanted: PlaceSet) -> PlaceSet {
    if let search, wanted.count > 8 { return unsafe places(search, view, among: wanted) }
    var places = PlaceSet()
    var place = wanted.next(from: 0)
    while let current = place {
      if unsafe holds(for: view.cellBytes(at: current)) { places[current] = true }
      place = wanted.next(from: current + 1)
    }
    return places
  }

  /// One search through the bytes of all cells: a cell's own 12 bytes are too few to be worth a
  /// search of their own (1.9 against 3.6 ns a cell).
  private func places(
    _ search: ByteSearch,
    _ view: ChunkView,
    among wanted: PlaceSet
  ) -> PlaceSet {
    var places = PlaceSet()
    var place = 0
    var isWhole = false
    if case .equal = question { isWhole = true }
    unsafe search.forEachMatch(in: view.cellBytes) { position in
      // The cell that has the position: the last that begins there or before.
      var step = 128
      var found = place
      while step > 0 {
        let next = found &+ step
        if unsafe next < view.count, unsafe view.cellOffset(next) <= position { found = next }
        step &>>= 1
      }
      place = found
      let end = unsafe view.cellOffset(found + 1)
      if position &+ search.wanted.count > end { return position &+ 1 }
      if isWhole,
        unsafe position != view.cellOffset(found) || position &+ search.wanted.count != end
      {
        return position &+ 1
      }
      places[found] = true
      return end
    }
    return isNegated ? wanted.subtracting(places) : wanted.intersection(places)
  }
}

extension ChunkView {
  /// The inline bytes of a place that the chunk has, in a column without dictionary.
  @inline(__always)
  fileprivate func cellBytes(at place: Int) -> UnsafeRawBufferPointer {
    let start = unsafe cellOffset(place)
    return unsafe UnsafeRawBufferPointer(rebasing: cellBytes[start..<cellOffset(place + 1)])
  }
}
