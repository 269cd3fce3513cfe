import Glibc

/// The memory of a decoded column: 256 places and an arena for what does not fit a place.
///
/// | form | a place holds | the arena holds |
/// |---|---|---|
/// | words | the word | |
/// | pairs | two words | |
/// | cells | offset and number of the bytes | the bytes |
/// | keys | offset of the keys; their number, and above it the room they have | the keys |
/// | a single key | the key; 1, without room | |
///
/// A cell or list of keys that lies outside its chunk has ``externalMark`` in its second word and
/// its location in the arena. The struct is trivial, so that a pointer to it can be followed without
/// reference counting: setting a word takes 1.4 ns where an array in a class took 23. Who has the
/// pointer must call ``deallocate()`` once.
///
/// Safe to use until then: places wrap around at 256, positions in lists of keys are checked, and what the
/// words say of the arena was written here.
@usableFromInline
@safe package struct ColumnStorage {
  @usableFromInline package let form: ColumnForm
  /// The places in use.
  @usableFromInline package internal(set) var count = 0
  /// The places whose value is null; of words, pairs and cells.
  @usableFromInline package var nulls = PlaceSet()
  @usableFromInline package let words: ColumnWords
  var arena: UnsafeMutableRawPointer?
  /// Bytes of the arena in use, and in all.
  var arenaCount = 0
  var arenaCapacity = 0
  /// The most bytes or keys that a place had so far.
  var longest = 0
  /// Whether a place may be external.
  var hasExternals = false
  /// Bytes of the arena that no place holds any more, at least.
  var unusedCount = 0

  static let externalMark = UInt64.max

  init(_ form: ColumnForm) {
    self.form = form
    words = unsafe ColumnWords(.allocate(capacity: 256 * form.wordsPerPlace))
  }

  init(copying other: ColumnStorage) {
    self.init(other.form)
    count = other.count
    nulls = other.nulls
    longest = other.longest
    hasExternals = other.hasExternals
    unsafe words.start.initialize(from: other.words.start, count: form.wordsPerPlace * count)
    if let source = unsafe other.arena, other.arenaCount > 0 {
      reserve(other.arenaCount)
      unsafe arena?.copyMemory(from: source, byteCount: other.arenaCount)
      arenaCount = other.arenaCount
      unusedCount = other.unusedCount
    }
  }

  /// Frees the memory, which nobody may use any more.
  @unsafe func deallocate() {
    unsafe words.start.deallocate()
    unsafe arena?.deallocate()
  }

  @inlinable
  package func isNull(_ place: Int) -> Bool { place >= count || nulls[place] }

  /// Makes room for `newCount` places, at most 256; new ones are null or empty.
  @usableFromInline
  package mutating func grow(to newCount: Int) {
    let newCount = min(newCount, 256)
    guard newCount > count else { return }
    let perPlace = form.wordsPerPlace
    unsafe (words.start + perPlace * count)
      .initialize(repeating: 0, count: perPlace * (newCount - count))
    if form == .words || form == .pairs || form == .cells {
      nulls.insert(count..<newCount)
    }
    count = newCount
  }

  /// Makes room for the place after the last one, whose value is about to be set.
  @inlinable
  @inline(__always)
  mutating func growByOne() {
    let place = count
    if form == .words {
      words[place] = 0
    } else {
      words[first: place] = 0
      words[second: place] = 0
    }
    nulls[place] = form != .keys
    count = place &+ 1
  }

  /// Whether the value of a place lies outside the chunk; of cells and keys.
  @usableFromInline
  func isExternal(_ place: Int) -> Bool { words[second: place] == Self.externalMark }

  /// Where the value of a place lies, if it lies outside the chunk; of cells and keys.
  func external(at place: Int) -> ExternalLocation? {
    guard words[second: place] == Self.externalMark, let arena = unsafe arena else { return nil }
    let start = unsafe arena + Int(words[first: place])
    return unsafe ExternalLocation(
      id: start.loadUnaligned(as: UInt64.self),
      count: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
      revision: start.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
    )
  }

  mutating func setExternal(_ location: ExternalLocation, at place: Int) {
    letGo(place)
    hasExternals = true
    let start = unsafe take(24)
    unsafe start.storeBytes(of: location.id, as: UInt64.self)
    unsafe start.storeBytes(of: location.count, toByteOffset: 8, as: UInt64.self)
    unsafe start.storeBytes(of: location.revision, toByteOffset: 16, as: UInt32.self)
    words[first: place] = UInt64(arenaCount &- 24)
    words[second: place] = Self.externalMark
  }

  // MARK: - The arena

  /// Room at the end of the arena; keys are aligned since everything there has 8 bytes or 24.
  mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if arenaCount &+ byteCount > arenaCapacity { makeRoom(byteCount) }
    defer { arenaCount &+= byteCount }
    return unsafe arena.unsafelyUnwrapped + arenaCount
  }

  mutating func reserve(_ byteCount: Int) {
    guard byteCount > arenaCapacity else { return }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    if let arena = unsafe arena {
      unsafe larger.copyMemory(from: arena, byteCount: arenaCount)
      unsafe arena.deallocate()
    }
    unsafe arena = larger
    arenaCapacity = byteCount
  }

  /// Twice the room, or as much without what no place holds any more.
  @inline(never)
  private mutating func makeRoom(_ byteCount: Int) {
    if unusedCount <= arenaCount / 2 {
      reserve(max(2 * arenaCapacity, arenaCount + byteCount, 2048))
      return
    }
    guard let old = unsafe arena else { return }
    defer { unsafe old.deallocate() }
    let wanted = max(arenaCapacity, 2 * (arenaCount - unusedCount + byteCount))
    unsafe arena = nil
    arenaCapacity = 0
    arenaCount = 0
    unusedCount = 0
    reserve(wanted)
    for place in 0..<count where !isSingleKey(place) {
      let used = usedByteCount(place)
      guard used > 0 else {
        // An emptied list has no room left to grow into.
        words[second: place] = 0
        continue
      }
      let source = unsafe old + Int(words[first: place])
      unsafe take(used).copyMemory(from: source, byteCount: used)
      words[first: place] = UInt64(arenaCount &- used)
      // A list that moved has only the room that it uses.
      if form == .keys, words[second: place] != Self.externalMark {
        let count = UInt64(used >> 3)
        words[second: place] = count | count << 32
      }
    }
  }

  /// Empties a place.
  @inline(__always)
  private mutating func letGo(_ place: Int) {
    let size = words[second: place]
    if size == 0 { return }
    unusedCount &+=
      size == Self.externalMark ? 24 : form == .keys ? Int(size &>> 32) &* 8 : Int(size)
    words[second: place] = 0
  }

  private func isSingleKey(_ place: Int) -> Bool {
    form == .keys && words[second: place] == 1
  }

  private func usedByteCount(_ place: Int) -> Int {
    let size = words[second: place]
    if size == Self.externalMark { return 24 }
    return form == .keys ? Int(size & 0xFFFF_FFFF) &* 8 : Int(size)
  }
}

extension ColumnForm {
  /// How many words each place of a decoded column has.
  var wordsPerPlace: Int {
    switch self {
    case .words: 1
    case .pairs, .cells, .keys: 2
    case .collections: 0
    }
  }
}

// MARK: - Cells

extension ColumnStorage {
  /// The bytes of a place, valid until the column changes; none where it is null or external.
  @usableFromInline
  package func cell(at place: Int) -> StoredBytes {
    let size = words[second: place]
    guard size != 0, size != Self.externalMark, let arena = unsafe arena else { return .empty }
    return unsafe StoredBytes(arena + Int(words[first: place]), count: Int(size))
  }

  /// Gives a place bytes; whether it is null is not touched.
  package mutating func setCell(_ bytes: StoredBytes, at place: Int) {
    // What the place had is free for a compaction, unless it is what is set.
    guard let source = unsafe bytes.start, !bytes.isEmpty else {
      letGo(place)
      return
    }
    if arenaCount &+ bytes.count > arenaCapacity {
      let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 8)
      defer { unsafe copy.deallocate() }
      unsafe copy.copyMemory(from: source, byteCount: bytes.count)
      letGo(place)
      unsafe take(copy, bytes.count, at: place)
    } else {
      letGo(place)
      unsafe take(source, bytes.count, at: place)
    }
  }

  private mutating func take(_ source: UnsafeRawPointer, _ byteCount: Int, at place: Int) {
    unsafe take(byteCount).copyMemory(from: source, byteCount: byteCount)
    if byteCount > longest { longest = byteCount }
    words[first: place] = UInt64(arenaCount &- byteCount)
    words[second: place] = UInt64(byteCount)
  }
}

// MARK: - Keys

extension ColumnStorage {
  /// The keys of a place, valid until the column changes; none where they are external.
  package func keys(at place: Int) -> UnsafeMutableBufferPointer<UInt64> {
    let size = words[second: place]
    guard size & 0xFFFF_FFFF != 0, size != Self.externalMark else {
      return unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeMutableBufferPointer(start: keyStart(place), count: Int(size & 0xFFFF_FFFF))
  }

  /// The number of keys of a place that is not external.
  func keyCount(at place: Int) -> Int { Int(words[second: place] & 0xFFFF_FFFF) }

  mutating func setKeys(_ keys: UnsafeBufferPointer<UInt64>, at place: Int) {
    letGo(place)
    guard let source = keys.baseAddress, !keys.isEmpty else { return }
    unsafe take(8 * keys.count).copyMemory(from: source, byteCount: 8 * keys.count)
    if keys.count > longest { longest = keys.count }
    words[first: place] = UInt64(arenaCount &- 8 * keys.count)
    words[second: place] = UInt64(keys.count) | UInt64(keys.count) << 32
  }

  /// Inserts a key into the list of a place that is not external.
  package mutating func insertKey(_ key: UInt64, at index: Int, place: Int) {
    let size = words[second: place]
    if size == 0 {
      words[first: place] = key
      words[second: place] = 1
      if longest == 0 { longest = 1 }
      return
    }
    let count = Int(size & 0xFFFF_FFFF)
    let index = max(0, min(index, count))
    if size &>> 32 <= UInt64(count) { makeRoomForKey(place) }
    let start = unsafe keyStart(place)
    if index < count { unsafe memmove(start + index + 1, start + index, 8 &* (count &- index)) }
    unsafe start[index] = key
    words[second: place] &+= 1
    if count >= longest { longest = count &+ 1 }
  }

  /// Removes a key from the list of a place that is not external; 0, which no object has, where there is
  /// none at the position.
  package mutating func removeKey(at index: Int, place: Int) -> UInt64 {
    let count = keyCount(at: place)
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0 }
    let start = unsafe keyStart(place)
    let key = unsafe start[index]
    if index < count - 1 {
      unsafe memmove(start + index, start + index + 1, 8 &* (count &- index &- 1))
    }
    words[second: place] &-= 1
    return key
  }

  /// Where the keys of a place that has some are.
  private func keyStart(_ place: Int) -> UnsafeMutablePointer<UInt64> {
    if words[second: place] &>> 32 == 0 { return unsafe words.start + 2 &* place }
    return unsafe (arena.unsafelyUnwrapped + Int(words[first: place])).assumingMemoryBound(
      to: UInt64.self
    )
  }

  /// Gives a list room for more keys: where it is, if it is the last one in the arena, or at the
  /// arena's end, for twice as many.
  private mutating func makeRoomForKey(_ place: Int) {
    let count = keyCount(at: place)
    let room = Int(words[second: place] &>> 32)
    if room > 0, Int(words[first: place]) &+ 8 &* room == arenaCount,
      arenaCount &+ 16 <= arenaCapacity
    {
      arenaCount &+= 16
      words[second: place] &+= 2 << 32
      return
    }
    let larger = max(2 * count, 2)
    let start = unsafe take(8 * larger)
    unsafe start.copyMemory(from: keyStart(place), byteCount: 8 * count)
    unusedCount &+= 8 * room
    words[first: place] = UInt64(arenaCount &- 8 * larger)
    words[second: place] = UInt64(count) | UInt64(larger) << 32
  }
}
