/// The values of one property of many objects, in the order in which the objects were given.
package struct GatheredWords {
  /// Ranks by ``WordOrder``, or object keys of links; 0 where null.
  package var words: [UInt64] = []
  /// Empty where no value is null.
  package var nulls: [Bool] = []

  package init(words: [UInt64] = []) {
    self.words = words
  }
}

/// The values of one property of many objects, two words each.
package struct GatheredPairs {
  /// In the order of the values: the sign bit of seconds is turned.
  package var firsts: [UInt64] = []
  package var seconds: [UInt64] = []
  package var nulls: [Bool] = []

  package init() {}
}

/// The texts of one property of many objects, 4 GB at most.
package struct GatheredText {
  /// All texts one after the other.
  package var bytes: [UInt8] = []
  /// Where each text begins, and at last the end.
  package var starts: [UInt32] = [0]
  package var nulls: [Bool] = []

  package init() {}
}

/// Reading one property of many objects at once.
///
/// The keys may be in any order and 0 where there is no object, which reads as null; it is fastest
/// where neighbours follow each other. A report is made now and then of how much is done, from 0
/// to 1.
extension ColumnScanner {
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
    try unsafe withCluster { (words) throws(StorageError) in
      while let run = runs.next() {
        let nulls = try unsafe load(run, keys, classKey, property, absent, into: words)
        unsafe result.take(words, nulls, keys, run.range, order)
      }
    }
    return result
  }

  /// Writes the words of the objects of a run to their places; returns the places that are null.
  func load(
    _ run: KeyRun,
    _ keys: [ObjectKey],
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ absent: UInt64?,
    into words: UnsafeMutablePointer<UInt64>
  ) throws(StorageError) -> PlaceSet {
    var nulls = PlaceSet()
    switch try state(classKey, run, property) {
    case .stored(let view)? where run.range.count >= 16:
      unsafe view.unpackWords(into: words)
      if unsafe view.hasNulls { nulls = unsafe view.nullBits() }
      unsafe fill(words, &nulls, from: view.count, absent)
    case .stored(let view)?:
      for index in run.range {
        let place = keys[index].place
        let isNull = unsafe place < view.count ? view.isNull(place) : absent == nil
        nulls[place] = isNull
        unsafe words[place] = isNull ? 0 : place < view.count ? view.word(place) : absent ?? 0
      }
    case .decoded(let column, _)?:
      for place in 0..<column.count { unsafe words[place] = unsafe column.words[place] }
      nulls = column.nulls
      unsafe fill(words, &nulls, from: column.count, absent)
    case .absent?, .unknown?: unsafe fill(words, &nulls, from: 0, absent)
    case nil: nulls = PlaceSet(all: true)
    }
    return nulls
  }

  /// Fills the places of a cluster that a column does not reach.
  func fill(
    _ words: UnsafeMutablePointer<UInt64>,
    _ nulls: inout PlaceSet,
    from start: Int,
    _ absent: UInt64?
  ) {
    guard start < 256 else { return }
    unsafe (words + start).update(repeating: absent ?? 0, count: 256 - start)
    nulls = nulls.intersection(PlaceSet(first: start))
    if absent == nil { nulls.formUnion(PlaceSet(all: true).subtracting(PlaceSet(first: start))) }
  }

  /// Runs a body on room for the words of a cluster.
  func withCluster<Result>(
    _ body: (UnsafeMutablePointer<UInt64>) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 256)
    unsafe words.initialize(repeating: 0, count: 256)
    defer { unsafe words.deallocate() }
    return try unsafe body(words)
  }

  /// The chunk of a property that holds neighbouring objects; `nil` where there are none.
  func state(
    _ classKey: ClassKey,
    _ run: KeyRun,
    _ property: PropertySchema
  ) throws(StorageError) -> ChunkState? {
    guard run.isThere, let cluster = try clusters.cluster(classKey, run.cluster) else { return nil }
    return try clusters.chunk(cluster, property)
  }

  /// Dates and identifiers.
  package func gatherPairs(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema,
    report: ((Double) -> Void)? = nil
  ) throws(StorageError) -> GatheredPairs {
    let turn = property.type.kind.pairOrderMask ?? 0
    var result = GatheredPairs()
    var walk = ColumnWalk(clusters, classKey, property)
    let absent = property.absentValue.pair
    var pace = GatheringPace(keys.count, report)
    for key in keys {
      pace.reach(result.firsts.count)
      let place = key.place
      var pair: (UInt64, UInt64)?
      switch try walk.state(key) {
      case .stored(let view)?:
        pair = unsafe place >= view.count ? absent : view.isNull(place) ? nil : view.pair(place)
      case .decoded(let column, _)?:
        if place >= column.count {
          pair = absent
        } else if !column.isNull(place) {
          pair = unsafe (column.pairs[2 * place], column.pairs[2 * place + 1])
        }
      case .absent?, .unknown?: pair = absent
      case nil: break
      }
      result.firsts.append(pair.map { $0.0 ^ turn } ?? 0)
      result.seconds.append(pair?.1 ?? 0)
      note(isNull: pair == nil, &result.nulls, result.firsts.count)
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
      result.makeRoom(for: keys.count)
      let state = try self.state(classKey, run, property)
      switch state {
      case .stored(let view)? where unsafe view.dictionaryCount == 0 && !view.hasExternals:
        unsafe result.append(view, run, keys, absent)
        continue
      case nil:
        for _ in run.range { result.appendNull() }
        continue
      case .stored?, .decoded?, .absent?, .unknown?: break
      }
      for index in run.range {
        let place = keys[index].place
        switch state {
        case .stored(let view)? where unsafe place < view.count:
          if unsafe view.isNull(place) {
            result.appendNull()
          } else {
            switch unsafe view.cell(place) {
            case .inline(let bytes): unsafe result.append(bytes)
            case .external(let location): result.append(try pieces.bytes(of: location))
            }
          }
        case .decoded(let column, _)? where place < column.count:
          if column.isNull(place) {
            result.appendNull()
          } else {
            switch unsafe column.cells[place] {
            case .inline(let bytes): result.append(bytes)
            case .external(let location): result.append(try pieces.bytes(of: location))
            }
          }
        case .stored?, .decoded?, .absent?, .unknown?, nil:
          if let absent { result.append(absent) } else { result.appendNull() }
        }
      }
    }
    return result.bytes.count <= UInt32.max ? result : nil
  }

  /// Strings and data as numbers that are ordered as they are, where there are few different ones and
  /// none is long; `nil` elsewhere.
  package func gatherRanks(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema,
    report: ((Double) -> Void)? = nil
  ) throws(StorageError) -> GatheredWords? {
    guard let found = try numberTexts(classKey, keys, property, report: report) else { return nil }
    let ranks = found.texts.ranks
    var result = GatheredWords(words: found.values.numbers.map { ranks[Int($0)] })
    if found.values.counts[0] > 0 { result.nulls = found.values.numbers.map { $0 == 0 } }
    return result
  }

  /// Keeps the array of nulls empty until the first one.
  @inline(__always)
  private func note(isNull: Bool, _ nulls: inout [Bool], _ count: Int) {
    if isNull || !nulls.isEmpty {
      while nulls.count < count - 1 { nulls.append(false) }
      nulls.append(isNull)
    }
  }
}

/// The chunk of a property that holds an object, looked up once per run of neighbours.
private struct ColumnWalk {
  private let clusters: ClusterStore
  private let classKey: ClassKey
  private let property: PropertySchema
  private var number = UInt64.max
  private var current: ChunkState?

  init(_ clusters: ClusterStore, _ classKey: ClassKey, _ property: PropertySchema) {
    self.clusters = clusters
    self.classKey = classKey
    self.property = property
  }

  /// The chunk; `nil` where there is no such object.
  @inline(__always)
  mutating func state(_ key: ObjectKey) throws(StorageError) -> ChunkState? {
    if key.cluster == number, key.rawValue != 0 { return current }
    return try move(to: key)
  }

  private mutating func move(to key: ObjectKey) throws(StorageError) -> ChunkState? {
    guard key.rawValue != 0 else { return nil }
    number = key.cluster
    current = nil
    if let cluster = try clusters.cluster(classKey, number) {
      current = try clusters.chunk(cluster, property)
    }
    return current
  }
}
