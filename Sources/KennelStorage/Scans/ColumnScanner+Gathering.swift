/// The values of one property of many objects, in the order in which the objects were given.
package struct GatheredWords {
  /// Ranks by ``WordOrder``, or object keys of links; 0 where null.
  package var words: [UInt64] = []
  /// Empty where no value is null.
  package var nulls: [Bool] = []

  package init(words: [UInt64] = []) {
    self.words = words
  }

  mutating func setNull(_ index: Int) {
    if nulls.isEmpty { nulls = Array(repeating: false, count: words.count) }
    nulls[index] = true
    words[index] = 0
  }
}

/// The values of one property of many objects, two words each.
package struct GatheredPairs {
  /// In the order of the values: the sign bit of seconds is turned.
  package var firsts: [UInt64] = []
  package var seconds: [UInt64] = []
  package var nulls: [Bool] = []

  package init() {}

  mutating func append(_ pair: (UInt64, UInt64)?, turn: UInt64) {
    nulls.note(isNull: pair == nil, at: firsts.count)
    firsts.append(pair.map { $0.0 ^ turn } ?? 0)
    seconds.append(pair?.1 ?? 0)
  }
}

/// The texts of one property of many objects, 4 GB at most.
package struct GatheredText {
  /// All texts one after the other.
  package var bytes: [UInt8] = []
  /// Where each text begins, and at last the end.
  package var starts: [UInt32] = [0]
  package var nulls: [Bool] = []

  package init() {}

  mutating func append(_ text: StoredBytes) {
    bytes.append(contentsOf: text)
    end(isNull: false)
  }

  mutating func append(_ text: [UInt8]) { text.withRawBytes { append($0) } }

  mutating func appendNull() { end(isNull: true) }

  private mutating func end(isNull: Bool) {
    nulls.note(isNull: isNull, at: starts.count - 1)
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
  }
}

extension [Bool] {
  /// Keeps the nulls of a column, which stay empty until the first one.
  fileprivate mutating func note(isNull: Bool, at index: Int) {
    guard isNull || !isEmpty else { return }
    while count < index { append(false) }
    append(isNull)
  }
}

/// Reading one property of many objects at once.
///
/// The keys may be in any order and 0 where there is no object, which reads as null; it is fastest
/// where neighbours follow each other. A report is made now and then of how much is done, from 0
/// to 1.
extension ColumnScanner {
  /// Fewer neighbours than this are read one by one, and not with their whole cluster.
  private static let few = 16

  /// The ranks of words, or the keys of links.
  package func gatherWords(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema,
    report: ((Double) -> Void)? = nil
  ) throws(StorageError) -> GatheredWords {
    let order = WordOrder(property.type.kind)
    let absent = property.absentValue.word
    var result = GatheredWords(words: Array(repeating: 0, count: keys.count))
    var runs = KeyRuns(keys, report)
    let words = ClusterWords()
    while let run = runs.next() {
      switch try state(classKey, run, property) {
      case nil: for index in run.range { result.setNull(index) }
      case .stored(let chunk)? where run.range.count < Self.few:
        for index in run.range {
          let place = keys[index].place
          let isReached = place < chunk.count
          if isReached ? chunk.isNull(place) : absent == nil {
            result.setNull(index)
          } else {
            result.words[index] = order.rank(of: isReached ? chunk.word(place) : absent ?? 0)
          }
        }
      case let state?:
        words.load(state, absent: absent)
        for index in run.range {
          result.words[index] = order.rank(of: words[keys[index].place])
        }
        if words.nulls.isEmpty { continue }
        for index in run.range where words.nulls[keys[index].place] { result.setNull(index) }
      }
    }
    return result
  }

  /// Dates and identifiers.
  package func gatherPairs(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema,
    report: ((Double) -> Void)? = nil
  ) throws(StorageError) -> GatheredPairs {
    let turn = property.type.kind.pairOrderMask ?? 0
    let absent = property.absentValue.pair
    var result = GatheredPairs()
    var runs = KeyRuns(keys, report)
    while let run = runs.next() {
      let state = try state(classKey, run, property)
      for index in run.range {
        let place = keys[index].place
        switch state {
        case .stored(let chunk)? where place < chunk.count:
          result.append(chunk.isNull(place) ? nil : chunk.pair(place), turn: turn)
        case .decoded(let column, _)? where place < column.count:
          let pair = column.words[pair: place]
          result.append(column.isNull(place) ? nil : pair, turn: turn)
        case .stored?, .decoded?, .absent?, .unknown?: result.append(absent, turn: turn)
        case nil: result.append(nil, turn: turn)
        }
      }
    }
    return result
  }

  /// Strings and data; `nil` where there are more than 4 GB of them.
  package func gatherText(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema,
    report: ((Double) -> Void)? = nil
  ) throws(StorageError) -> GatheredText? {
    var result = GatheredText()
    result.starts.reserveCapacity(keys.count + 1)
    var runs = KeyRuns(keys, report)
    let absent = property.absentValue.cellBytes(kind: property.type.kind)
    while let run = runs.next() {
      guard result.bytes.count <= UInt32.max else { return nil }
      let state = try state(classKey, run, property)
      for index in run.range {
        let place = keys[index].place
        switch state {
        case .stored(let chunk)? where place < chunk.count:
          try append(chunk, place, to: &result)
        case .decoded(let column, _)? where place < column.count:
          try append(column, place, to: &result)
        case .stored?, .decoded?, .absent?, .unknown?:
          if let absent { result.append(absent) } else { result.appendNull() }
        case nil: result.appendNull()
        }
      }
    }
    return result.bytes.count <= UInt32.max ? result : nil
  }

  private func append(
    _ column: some ReadableColumn,
    _ place: Int,
    to result: inout GatheredText
  ) throws(StorageError) {
    if column.isNull(place) { return result.appendNull() }
    switch column.cell(place) {
    case .inline(let bytes): result.append(bytes)
    case .external(let location): result.append(try pieces.bytes(of: location))
    }
  }

  /// Strings and data as numbers that are ordered as they are, where there are few different ones and
  /// none is long; `nil` elsewhere.
  package func gatherRanks(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema,
    report: ((Double) -> Void)? = nil
  ) throws(StorageError) -> GatheredWords? {
    let absent = property.absentValue.cellBytes(kind: property.type.kind)
    var known: [[UInt8]: UInt64] = [:]
    func number(_ text: [UInt8]) -> UInt64 {
      if let number = known[text] { return number }
      known[text] = UInt64(known.count)
      return UInt64(known.count - 1)
    }
    var result = GatheredWords(words: Array(repeating: 0, count: keys.count))
    var runs = KeyRuns(keys, report)
    while let run = runs.next() {
      guard known.count <= 4096 else { return nil }
      let state = try state(classKey, run, property)
      var entries: [UInt64]?
      if case .stored(let chunk)? = state, run.range.count >= Self.few {
        let codes = 0..<chunk.dictionaryCount
        if !codes.isEmpty {
          entries = codes.map { number(Array(chunk.dictionaryCell($0))) }
        }
      }
      for index in run.range {
        let place = keys[index].place
        switch state {
        case .stored(let chunk)? where place < chunk.count:
          if chunk.isNull(place) {
            result.setNull(index)
          } else if let entries {
            result.words[index] = entries[chunk.code(place)]
          } else if case .inline(let text) = chunk.cell(place) {
            result.words[index] = number(Array(text))
          } else {
            return nil
          }
        case .stored?, .absent?, .unknown?:
          if let absent { result.words[index] = number(absent) } else { result.setNull(index) }
        case .decoded?: return nil
        case nil: result.setNull(index)
        }
      }
    }
    var ranks = [UInt64](repeating: 0, count: known.count)
    let order = known.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (rank, entry) in order.enumerated() { ranks[Int(entry.value)] = UInt64(rank) }
    let hasNulls = !result.nulls.isEmpty
    for index in keys.indices where !(hasNulls && result.nulls[index]) {
      result.words[index] = ranks[Int(result.words[index])]
    }
    return result
  }

  /// The chunk of a property that holds neighbouring objects; `nil` where there are none.
  private func state(
    _ classKey: ClassKey,
    _ run: KeyRun,
    _ property: PropertySchema
  ) throws(StorageError) -> ChunkState? {
    guard run.isThere, let cluster = try clusters.cluster(classKey, run.cluster) else { return nil }
    return try clusters.chunk(cluster, property)
  }
}
