internal import Glibc

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
  /// Sets a number, or null.
  @inline(__always)
  mutating func set(_ number: Int?, at index: Int) {
    if let number {
      words[index] = UInt64(truncatingIfNeeded: number)
    } else {
      setNull(index..<(index + 1))
    }
  }

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
    starts.append(bytes.count)
  }

  /// Takes the texts of neighbouring places, none of which is null, external or in a dictionary.
  mutating func append(_ view: ChunkView, _ places: Range<Int>) {
    let first = unsafe view.cellOffset(places.lowerBound)
    let begin = bytes.count - first
    let slice = unsafe view.cellBytes[first..<view.cellOffset(places.upperBound)]
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: slice))
    if !nulls.isEmpty { nulls.append(contentsOf: repeatElement(false, count: places.count)) }
    for place in places { unsafe starts.append(begin &+ view.cellOffset(place &+ 1)) }
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

/// The different texts of a column that has few, by number.
struct DistinctTexts {
  private var numbers: [[UInt8]: Int] = [:]
  private var texts: [[UInt8]] = []
  /// The number that the entries of a dictionary had in the one before, which mostly has the same
  /// entries in the same order.
  private var guess = 0

  private static let limit = 4096

  /// The number of a text; `nil` where there are too many.
  mutating func number(of text: UnsafeRawBufferPointer) -> Int? {
    if guess < texts.count, unsafe isGuess(text) {
      defer { guess = guess + 1 < texts.count ? guess + 1 : 0 }
      return guess
    }
    let bytes = unsafe Array(text)
    if let known = numbers[bytes] {
      guess = known + 1 < texts.count ? known + 1 : 0
      return known
    }
    guard texts.count < Self.limit else { return nil }
    numbers[bytes] = texts.count
    texts.append(bytes)
    return texts.count - 1
  }

  private func isGuess(_ text: UnsafeRawBufferPointer) -> Bool {
    let known = texts[guess]
    let count = known.count
    guard count == text.count else { return false }
    return unsafe known.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress, let second = text.baseAddress else { return true }
      return unsafe memcmp(first, second, count) == 0
    }
  }

  /// The place of each text among all in their order.
  var ranks: [UInt64] {
    let order = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
    var ranks = [UInt64](repeating: 0, count: texts.count)
    for (rank, number) in order.enumerated() { ranks[number] = UInt64(rank) }
    return ranks
  }
}
