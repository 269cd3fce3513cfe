/// A set of places of a cluster: a bit for each of the 256.
@usableFromInline
package struct PlaceSet: Hashable, Sendable {
  @usableFromInline package var words: [4 of UInt64] = [0, 0, 0, 0]

  @inlinable
  package init() {}

  /// The first `count` bits of a bitmap, perhaps with others of its last byte; none without one.
  init(bitmap: ChunkBitmap, count: Int) {
    guard let bitmap = unsafe bitmap.start else { return }
    let bytes = Swift.min(ChunkLayout.bitmapByteCount(count), 32)
    unsafe withUnsafeMutableBytes(of: &words) { target in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: bitmap, count: bytes))
    }
    for index in 0..<4 { words[index] = UInt64(littleEndian: words[index]) }
  }

  /// The first `count` places.
  package init(first count: Int) {
    for index in 0..<4 {
      let rest = count - index * 64
      words[index] = rest >= 64 ? .max : rest <= 0 ? 0 : (1 << UInt64(rest)) - 1
    }
  }

  @usableFromInline
  package static func == (left: Self, right: Self) -> Bool {
    (0..<4).allSatisfy { left.words[$0] == right.words[$0] }
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    for index in 0..<4 { hasher.combine(words[index]) }
  }

  @inlinable
  package subscript(place: Int) -> Bool {
    get { words[place &>> 6] & (1 &<< UInt64(place & 63)) != 0 }
    set {
      let bit: UInt64 = 1 &<< UInt64(place & 63)
      words[place &>> 6] = newValue ? words[place &>> 6] | bit : words[place &>> 6] & ~bit
    }
  }

  /// Inserts all places of a range.
  mutating func insert(_ places: Range<Int>) {
    let (before, all) = (PlaceSet(first: places.lowerBound), PlaceSet(first: places.upperBound))
    for index in 0..<4 { words[index] |= all.words[index] & ~before.words[index] }
  }

  package var count: Int {
    (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount }
  }

  package var isEmpty: Bool { isEmpty(from: 0) }

  /// Whether no place at or past `start` is in the set.
  package func isEmpty(from start: Int) -> Bool {
    next(from: start) == nil
  }

  /// The first place of the set at or past `start`.
  package func next(from start: Int) -> Int? {
    guard start < 256 else { return nil }
    var index = start >> 6
    var word = words[index] & (UInt64.max << UInt64(start & 63))
    while word == 0 {
      index += 1
      guard index < 4 else { return nil }
      word = words[index]
    }
    return index << 6 + word.trailingZeroBitCount
  }

  /// The last place of the set before `end`.
  package func previous(before end: Int) -> Int? {
    guard end > 0 else { return nil }
    var index = (end - 1) >> 6
    let keep = UInt64(end - index * 64)
    var word = words[index] & (keep >= 64 ? .max : (1 << keep) - 1)
    while word == 0 {
      index -= 1
      guard index >= 0 else { return nil }
      word = words[index]
    }
    return index << 6 + 63 - word.leadingZeroBitCount
  }

  /// Appends the keys of the places in a cluster.
  package func appendKeys(of cluster: UInt64, to keys: inout [ObjectKey]) {
    for index in 0..<4 {
      var word = words[index]
      if word == .max {
        let first = ObjectKey(cluster: cluster, place: 64 * index).rawValue
        keys.append(contentsOf: (first..<first + 64).lazy.map(ObjectKey.init(rawValue:)))
        continue
      }
      while word != 0 {
        let place = 64 * index + word.trailingZeroBitCount
        keys.append(ObjectKey(cluster: cluster, place: place))
        word &= word &- 1
      }
    }
  }

  /// How many places of the set lie before `end`.
  package func count(before end: Int) -> Int {
    var total = 0
    for index in 0..<4 {
      let keep = end - index * 64
      guard keep > 0 else { break }
      total +=
        (keep >= 64 ? words[index] : words[index] & ((1 << UInt64(keep)) - 1)).nonzeroBitCount
    }
    return total
  }

  /// Every place, or none.
  package init(all isEvery: Bool) {
    self.init(first: isEvery ? 256 : 0)
  }

  /// The places that are not in it.
  var inverted: PlaceSet { PlaceSet(all: true).subtracting(self) }

  /// The places that are in both.
  package func intersection(_ other: PlaceSet) -> PlaceSet {
    var result = self
    for index in 0..<4 { result.words[index] &= other.words[index] }
    return result
  }

  /// Adds the places of another.
  package mutating func formUnion(_ other: PlaceSet) {
    for index in 0..<4 { words[index] |= other.words[index] }
  }

  /// The places that are in either.
  package func union(_ other: PlaceSet) -> PlaceSet {
    var result = self
    for index in 0..<4 { result.words[index] |= other.words[index] }
    return result
  }

  /// The places that are not in the other.
  package func subtracting(_ other: PlaceSet) -> PlaceSet {
    var result = self
    for index in 0..<4 { result.words[index] &= ~other.words[index] }
    return result
  }
}

extension PlaceSet: Sequence, IteratorProtocol {
  /// Takes the first place out: as a sequence, the places ascend.
  @usableFromInline
  package mutating func next() -> Int? {
    guard let place = next(from: 0) else { return nil }
    self[place] = false
    return place
  }

  /// The places for which a condition holds.
  package func places<Failure: Error>(
    _ isIncluded: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> PlaceSet {
    var result = PlaceSet()
    for place in self where try isIncluded(place) { result[place] = true }
    return result
  }
}
