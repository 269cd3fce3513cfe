/// Reads bytes that lie outside their chunk.
package typealias ExternalReader = (ExternalLocation) throws(StorageError) -> [UInt8]

/// A question about the values of a column, asked of a whole cluster at once.
package protocol ColumnTest: Sendable {
  /// The answer for null.
  var answerForNull: Bool { get }

  func holds(for value: Value) throws(StorageError) -> Bool

  /// The places whose word passes; `nil` where words alone do not answer.
  func places(_ words: PackedView, count: Int) -> PlaceSet?

  /// The places of `wanted`, which all have a value in the chunk, whose value passes.
  func places(
    _ chunk: ChunkView,
    among wanted: PlaceSet,
    external: ExternalReader
  ) throws(StorageError) -> PlaceSet

  /// The places of `wanted`, which all have a value in the decoded column, whose value passes.
  func places(
    _ column: MutableColumn,
    among wanted: PlaceSet,
    external: ExternalReader
  ) throws(StorageError) -> PlaceSet
}

extension ColumnTest {
  package func places(_ words: PackedView, count: Int) -> PlaceSet? { nil }
}

extension WordTest: ColumnTest {
  package var answerForNull: Bool { ranks.answerForNull }

  package func holds(for value: Value) -> Bool {
    value.word.map { holds(for: $0) } ?? answerForNull
  }

  package func places(
    _ chunk: ChunkView,
    among wanted: PlaceSet,
    external: ExternalReader
  ) throws(StorageError) -> PlaceSet {
    guard let places = places(chunk.first, count: chunk.count) else {
      return wanted.places { holds(for: chunk.word($0)) }
    }
    return wanted.intersection(places)
  }

  package func places(_ words: PackedView, count: Int) -> PlaceSet? {
    guard let turn = order.turn, ranks.ranges.count <= 8 else { return nil }
    var places = PlaceSet()
    for range in ranks.ranges {
      let length = range.upperBound &- range.lowerBound
      unsafe places.formUnion(
        words.places(from: range.lowerBound &- turn, length: length, count: count)
      )
    }
    return ranks.isNegated ? PlaceSet(first: count).subtracting(places) : places
  }

  package func places(
    _ column: MutableColumn,
    among wanted: PlaceSet,
    external: ExternalReader
  ) throws(StorageError) -> PlaceSet {
    wanted.places { holds(for: column.words[$0]) }
  }
}

extension PairTest: ColumnTest {
  package var answerForNull: Bool { ranks.answerForNull }

  package func holds(for value: Value) -> Bool {
    value.pair.map { holds(for: $0) } ?? answerForNull
  }

  package func places(
    _ chunk: ChunkView,
    among wanted: PlaceSet,
    external: ExternalReader
  ) throws(StorageError) -> PlaceSet {
    wanted.places { holds(for: chunk.pair($0)) }
  }

  package func places(
    _ column: MutableColumn,
    among wanted: PlaceSet,
    external: ExternalReader
  ) throws(StorageError) -> PlaceSet {
    wanted.places { holds(for: column.words[pair: $0]) }
  }
}

extension TextTest: ColumnTest {
  package func places(
    _ chunk: ChunkView,
    among wanted: PlaceSet,
    external: ExternalReader
  ) throws(StorageError) -> PlaceSet {
    guard chunk.dictionaryCount == 0 else {
      // Each entry of the dictionary is asked once.
      var places = PlaceSet()
      for code in 0..<chunk.dictionaryCount
      where try holds(for: chunk.dictionaryCell(code)) {
        unsafe places.formUnion(
          chunk.first.places(from: UInt64(code), length: 0, count: chunk.count)
        )
      }
      return wanted.intersection(places)
    }
    if case .contains(let text) = question, let search = ByteSearch(text), !chunk.hasExternals,
      let found = folding.withFolded(chunk.cellBytes, { places(of: search, in: $0, of: chunk) })
    {
      return isNegated ? wanted.subtracting(found) : wanted.intersection(found)
    }
    return try wanted.places { (place) throws(StorageError) in
      switch chunk.cell(place) {
      case .inline(let bytes): try holds(for: bytes)
      case .external(let location): try holds(for: external(location))
      }
    }
  }

  package func places(
    _ column: MutableColumn,
    among wanted: PlaceSet,
    external: ExternalReader
  ) throws(StorageError) -> PlaceSet {
    try wanted.places { (place) throws(StorageError) in
      switch column.cells[place] {
      case .inline(let bytes): try holds(for: bytes)
      case .external(let location): try holds(for: external(location))
      }
    }
  }
}

extension TextTest {
  /// The places whose cell has a text, found by one search through the bytes of all cells, perhaps folded:
  /// each cell is too short to be worth a search of its own.
  private func places(
    of search: ByteSearch,
    in bytes: StoredBytes,
    of chunk: ChunkView
  ) -> PlaceSet {
    var places = PlaceSet()
    var place = 0
    search.forEachMatch(in: bytes) { position in
      // The cell of the match: the last that begins there or before.
      var step = 128
      while step > 0 {
        let next = place &+ step
        if next < chunk.count, unsafe chunk.cellOffset(next) <= position { place = next }
        step &>>= 1
      }
      let end = unsafe chunk.cellOffset(place + 1)
      if position &+ search.wanted.count > end { return position &+ 1 }
      places[place] = true
      return end
    }
    return places
  }
}
