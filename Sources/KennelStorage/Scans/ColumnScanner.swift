/// Asks a question of a whole column of a cluster at once.
///
/// The answers are for all 256 places, live or not; those that no chunk reaches have the answer
/// for the property's fill value.
package final class ColumnScanner {
  internal let clusters: ClusterStore
  internal let pieces: PieceStore

  internal init(_ clusters: ClusterStore) {
    self.clusters = clusters
    pieces = clusters.pieces
  }

  /// The places whose word passes a test.
  package func places(
    in cluster: Cluster,
    _ property: PropertySchema,
    where test: WordTest
  ) throws(StorageError) -> PlaceSet {
    if let words = unsafe cluster.denseWords(property) {
      return unsafe test.places(words, count: 256)
    }
    switch try clusters.chunk(cluster, property) {
    case .absent, .unknown: return PlaceSet(all: test.holds(for: property.absentValue))
    case .stored(let view):
      return unsafe test.places(view.first, count: view.count).completed(
        nulls: view.hasNulls ? view.nullBits() : nil,
        test.answerForNull,
        count: view.count,
        test.holds(for: property.absentValue)
      )
    case .decoded(let column, _):
      let answers = unsafe test.places(column.words, count: column.count)
      return answers.completed(
        nulls: column.nulls,
        test.answerForNull,
        count: column.count,
        test.holds(for: property.absentValue)
      )
    }
  }

  /// The places whose pair passes a test.
  package func places(
    in cluster: Cluster,
    _ property: PropertySchema,
    where test: PairTest
  ) throws(StorageError) -> PlaceSet {
    let state = try clusters.chunk(cluster, property)
    let count: Int
    let nulls: PlaceSet?
    var answers = PlaceSet()
    switch state {
    case .absent, .unknown: return PlaceSet(all: test.holds(for: property.absentValue))
    case .stored(let view):
      count = unsafe view.count
      nulls = unsafe view.hasNulls ? view.nullBits() : nil
      answers = unsafe test.places(view)
    case .decoded(let column, _):
      count = column.count
      nulls = column.nulls
      for place in 0..<count {
        let pair = unsafe (column.pairs[2 * place], column.pairs[2 * place + 1])
        if test.holds(for: pair) { answers[place] = true }
      }
    }
    return answers.completed(
      nulls: nulls,
      test.answerForNull,
      count: count,
      test.holds(for: property.absentValue)
    )
  }

  /// The places of `wanted` whose text or data passes a test.
  package func places(
    in cluster: Cluster,
    _ property: PropertySchema,
    among wanted: PlaceSet,
    where test: TextTest
  ) throws(StorageError) -> PlaceSet {
    let state = try clusters.chunk(cluster, property)
    var answers = PlaceSet()
    let count: Int
    switch state {
    case .absent, .unknown: return test.holds(for: property.absentValue) ? wanted : answers
    case .stored(let view):
      count = unsafe view.count
      answers = try unsafe storedPlaces(view, among: wanted, where: test)
    case .decoded(let column, _):
      count = column.count
      var place = wanted.next(from: 0)
      while let current = place, current < count {
        if column.isNull(current) {
          answers[current] = test.answerForNull
        } else {
          switch unsafe column.cells[current] {
          case .inline(let bytes): answers[current] = unsafe bytes.withUnsafeBytes(test.holds)
          case .external(let location): answers[current] = try holds(test, location)
          }
        }
        place = wanted.next(from: current + 1)
      }
    }
    if count < 256, test.holds(for: property.absentValue) {
      var place = wanted.next(from: count)
      while let current = place {
        answers[current] = true
        place = wanted.next(from: current + 1)
      }
    }
    return answers
  }

  /// The places of `wanted` that a chunk has and whose cell passes a test.
  private func storedPlaces(
    _ view: ChunkView,
    among wanted: PlaceSet,
    where test: TextTest
  ) throws(StorageError) -> PlaceSet {
    let nulls = unsafe view.hasNulls ? view.nullBits() : PlaceSet()
    let reached = unsafe wanted.intersection(PlaceSet(first: view.count))
    let full = reached.subtracting(nulls)
    var answers: PlaceSet
    if unsafe view.dictionaryCount > 0 {
      answers = unsafe test.placesOfDictionary(view).intersection(full)
    } else {
      answers = unsafe test.places(view, among: full)
      if unsafe view.hasExternals {
        var place = full.next(from: 0)
        while let current = place {
          if let location = unsafe view.external(current) {
            answers[current] = try holds(test, location)
          }
          place = full.next(from: current + 1)
        }
      }
    }
    if test.answerForNull { answers.formUnion(reached.intersection(nulls)) }
    return answers
  }

  private func holds(_ test: TextTest, _ location: ExternalLocation) throws(StorageError) -> Bool {
    try unsafe pieces.bytes(of: location).withUnsafeBytes(test.holds)
  }

  /// The word of each place of `wanted`, 0 where it is null: the targets of to-one links.
  package func words(
    in cluster: Cluster,
    _ property: PropertySchema
  ) throws(StorageError) -> ClusterWords {
    let words = ClusterWords()
    switch try clusters.chunk(cluster, property) {
    case .absent, .unknown: words.fill(from: 0, property.absentValue)
    case .stored(let view):
      unsafe view.unpackWords(into: words.words)
      words.nulls = unsafe view.hasNulls ? view.nullBits() : PlaceSet()
      unsafe words.fill(from: view.count, property.absentValue)
    case .decoded(let column, _):
      for place in 0..<column.count { unsafe words.words[place] = unsafe column.words[place] }
      words.nulls = column.nulls
      words.fill(from: column.count, property.absentValue)
    }
    return words
  }
}

/// The words of one property of one cluster, all 256 of them.
///
/// Safe to use: it owns its memory; only its pointer is unsafe.
@safe package final class ClusterWords {
  package let words: UnsafeMutablePointer<UInt64>
  /// The places that are null; their words are anything.
  package var nulls = PlaceSet()

  init() {
    unsafe words = .allocate(capacity: 256)
    unsafe words.initialize(repeating: 0, count: 256)
  }

  deinit {
    unsafe words.deallocate()
  }

  func fill(from start: Int, _ value: Value) {
    for place in start..<256 {
      unsafe words[place] = value.word ?? 0
      nulls[place] = value.word == nil
    }
  }

  /// The word of a place, 0…255.
  package subscript(place: Int) -> UInt64 { unsafe words[place & 255] }
}

extension WordTest {
  /// The places whose word passes, null or not, of numbers that are packed.
  fileprivate func places(_ packed: PackedView, count: Int) -> PlaceSet {
    guard let turn = order.turn, ranges.count <= 8 else {
      return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 256) { buffer in
        guard let words = buffer.baseAddress else { return PlaceSet() }
        unsafe packed.unpack(0..<count, into: words)
        return unsafe self.places(words, count: count)
      }
    }
    var places = PlaceSet()
    for range in ranges {
      let length = range.upperBound &- range.lowerBound
      unsafe places.formUnion(
        packed.places(from: range.lowerBound &- turn, length: length, count: count)
      )
    }
    return isNegated ? PlaceSet(all: true).subtracting(places) : places
  }

  /// The places whose word passes, null or not.
  fileprivate func places(_ words: UnsafePointer<UInt64>, count: Int) -> PlaceSet {
    var places = PlaceSet()
    if ranges.count > 8 {
      for place in 0..<count where unsafe contains(order.rank(of: words[place])) {
        places[place] = true
      }
      return isNegated ? PlaceSet(all: true).subtracting(places) : places
    }
    for range in ranges {
      let found =
        if let turn = order.turn {
          unsafe shifted(words, count, range, turn)
        } else {
          unsafe ranked(words, count, range)
        }
      for index in 0..<4 { places.words[index] |= found.words[index] }
    }
    if isNegated {
      for index in 0..<4 { places.words[index] = ~places.words[index] }
    }
    return places
  }

  /// Integers by one subtraction and one comparison.
  private func shifted(
    _ words: UnsafePointer<UInt64>,
    _ count: Int,
    _ range: ClosedRange<UInt64>,
    _ turn: UInt64
  ) -> PlaceSet {
    let start = range.lowerBound &- turn
    let length = range.upperBound &- range.lowerBound
    var places = PlaceSet()
    var base = 0
    while base < count {
      let end = min(64, count - base)
      var bits: UInt64 = 0
      for offset in 0..<end {
        let isIn = unsafe words[base &+ offset] &- start <= length
        bits |= (isIn ? 1 : 0) &<< UInt64(truncatingIfNeeded: offset)
      }
      places.words[base &>> 6] = bits
      base &+= 64
    }
    return places
  }

  private func ranked(
    _ words: UnsafePointer<UInt64>,
    _ count: Int,
    _ range: ClosedRange<UInt64>
  ) -> PlaceSet {
    var places = PlaceSet()
    for place in 0..<count where unsafe range.contains(order.rank(of: words[place])) {
      places[place] = true
    }
    return places
  }
}

extension PlaceSet {
  /// The same answers, with those for null and for places at or past `count` put in.
  fileprivate func completed(
    nulls: PlaceSet?,
    _ answerForNull: Bool,
    count: Int,
    _ answerPastEnd: @autoclosure () -> Bool
  ) -> PlaceSet {
    var result = self
    if let nulls {
      result = answerForNull ? result.union(nulls) : result.subtracting(nulls)
    }
    guard count < 256 else { return result }
    let reached = PlaceSet(first: count)
    result = result.intersection(reached)
    return answerPastEnd() ? result.union(PlaceSet(all: true).subtracting(reached)) : result
  }
}
