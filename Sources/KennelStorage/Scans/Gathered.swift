/// Neighbours among the keys that are gathered: their positions, and the cluster they share.
struct KeyRun {
  var range: Range<Int>
  var cluster: UInt64
  /// False for a key of 0, which no object has.
  var isThere: Bool
}

/// The runs of neighbours among keys.
struct KeyRuns {
  private let keys: [ObjectKey]
  private var position = 0
  private var pace: GatheringPace

  init(_ keys: [ObjectKey], _ report: ((Double) -> Void)?) {
    self.keys = keys
    pace = GatheringPace(keys.count, report)
  }

  mutating func next() -> KeyRun? {
    guard position < keys.count else { return nil }
    pace.reach(position)
    let start = position
    let first = keys[start]
    position += 1
    if first.rawValue == 0 { return KeyRun(range: start..<position, cluster: 0, isThere: false) }
    while position < keys.count, keys[position].cluster == first.cluster,
      keys[position].rawValue != 0
    {
      position += 1
    }
    return KeyRun(range: start..<position, cluster: first.cluster, isThere: true)
  }
}

/// Tells now and then how many of the keys are gathered.
package struct GatheringPace {
  private static let step = 1 << 14

  private let count: Int
  private let report: ((Double) -> Void)?
  private var next: Int

  package init(_ count: Int, _ report: ((Double) -> Void)?) {
    self.count = count
    self.report = report
    next = report == nil ? .max : Self.step
  }

  @inline(__always)
  package mutating func reach(_ position: Int) {
    if position >= next { tell(position) }
  }

  private mutating func tell(_ position: Int) {
    next = position + Self.step
    report?(Double(position) / Double(count))
  }
}

extension GatheredWords {
  /// Takes the words of some objects from all those of their cluster.
  @inline(__always)
  mutating func take(
    _ words: UnsafeMutablePointer<UInt64>,
    _ nullPlaces: PlaceSet,
    _ keys: [ObjectKey],
    _ range: Range<Int>,
    _ order: WordOrder
  ) {
    if order.kind == .int {
      for index in range {
        self.words[index] = unsafe words[keys[index].place] ^ 1 &<< 63
      }
    } else {
      for index in range {
        self.words[index] = unsafe order.rank(of: words[keys[index].place])
      }
    }
    if nullPlaces.isEmpty { return }
    for index in range where nullPlaces[keys[index].place] {
      setNull(index..<(index + 1))
    }
  }

  mutating func setNull(_ range: Range<Int>) {
    if nulls.isEmpty { nulls = Array(repeating: false, count: words.count) }
    for index in range {
      nulls[index] = true
      words[index] = 0
    }
  }
}

extension GatheredText {
  /// Makes room for the texts of so many objects once some are known, twice as much as they need if
  /// the others are as long: what is never written takes no memory, but to move the texts does.
  mutating func makeRoom(for count: Int) {
    guard bytes.capacity < bytes.count + bytes.count / 8, starts.count > 4096 else { return }
    let average = bytes.count / starts.count + 1
    bytes.reserveCapacity(bytes.count + 2 * average * Swift.max(count - starts.count, 4096))
  }

  mutating func append(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
    endText(isNull: false)
  }

  mutating func appendNull() { endText(isNull: true) }

  private mutating func endText(isNull: Bool) {
    if isNull || !nulls.isEmpty {
      while nulls.count < starts.count - 1 { nulls.append(false) }
      nulls.append(isNull)
    }
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Takes the texts of the objects of a run, neighbours at once; none is external or in a dictionary.
  mutating func append(_ view: ChunkView, _ run: KeyRun, _ keys: [ObjectKey], _ absent: [UInt8]?) {
    let nulls = unsafe view.hasNulls ? view.nullBits() : PlaceSet()
    var position = run.range.lowerBound
    while position < run.range.upperBound {
      let end = keys.endOfNeighbors(from: position, before: run.range.upperBound)
      let first = keys[position].place
      let places = first..<(first + end - position)
      position = end
      if unsafe places.upperBound <= view.count, nulls.isEmpty(in: places) {
        unsafe append(view, places)
        continue
      }
      for place in places {
        if unsafe place < view.count, !nulls[place] {
          unsafe append(view, place..<(place + 1))
        } else if let absent, unsafe place >= view.count {
          append(absent)
        } else {
          appendNull()
        }
      }
    }
  }

  /// Takes the texts of neighbouring places, none of which is null, external or in a dictionary.
  mutating func append(_ view: ChunkView, _ places: Range<Int>) {
    let first = unsafe view.cellOffset(places.lowerBound)
    let begin = bytes.count - first
    let slice = unsafe view.cellBytes[first..<view.cellOffset(places.upperBound)]
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: slice))
    if !nulls.isEmpty { nulls.append(contentsOf: repeatElement(false, count: places.count)) }
    for place in places {
      unsafe starts.append(UInt32(truncatingIfNeeded: begin &+ view.cellOffset(place &+ 1)))
    }
  }
}

extension [ObjectKey] {
  /// Where the keys that begin at a position stop to follow each other one by one.
  func endOfNeighbors(from start: Int, before end: Int) -> Int {
    var position = start + 1
    while position < end, self[position].rawValue == self[position - 1].rawValue &+ 1 {
      position += 1
    }
    return position
  }
}
