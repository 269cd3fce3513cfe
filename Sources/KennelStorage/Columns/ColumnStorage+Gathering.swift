/// Gathers the arena of a decoded column in the order of the places, as a chunk has it.
extension ColumnStorage {
  /// Copies the bytes of the places that are full to `target`, `total` of them; where each place's
  /// part begins, and the end.
  ///
  /// Cells that were set one after the other lie in the arena as they are to lie in the chunk.
  func gatherCells(
    _ full: PlaceSet,
    _ count: Int,
    into target: UnsafeMutableRawPointer?,
    _ total: inout Int
  ) -> [UInt64] {
    var used = 0
    var isOrdered = true
    let offsets = unsafe [UInt64](unsafeUninitializedCapacity: count + 1) { offsets, initialized in
      unsafe offsets.initializeElement(at: 0, to: 0)
      for place in 0..<count {
        let size = full[place] ? cellSize(place) : 0
        if size > 0, words[first: place] != UInt64(truncatingIfNeeded: used) {
          isOrdered = false
        }
        used &+= size
        unsafe offsets.initializeElement(at: place &+ 1, to: UInt64(truncatingIfNeeded: used))
      }
      initialized = count + 1
    }
    total = used
    guard let target = unsafe target, let arena = unsafe arena, used > 0 else { return offsets }
    if isOrdered {
      unsafe target.copyMemory(from: arena, byteCount: used)
      return offsets
    }
    for place in 0..<count {
      let size = Int(truncatingIfNeeded: offsets[place &+ 1] &- offsets[place])
      guard size > 0 else { continue }
      let source = unsafe arena + Int(truncatingIfNeeded: words[first: place])
      unsafe (target + Int(truncatingIfNeeded: offsets[place])).copyMemory(
        from: source,
        byteCount: size
      )
    }
    return offsets
  }

  private func cellSize(_ place: Int) -> Int {
    let size = words[second: place]
    return size == Self.externalMark ? 0 : Int(truncatingIfNeeded: size)
  }

  /// Copies the keys of the places that are full to `target`, `total` of them; where each place's
  /// part begins, and the end.
  func gatherKeys(
    _ full: PlaceSet,
    _ count: Int,
    into target: UnsafeMutablePointer<UInt64>?,
    _ total: inout Int
  ) -> [UInt64] {
    var used = 0
    let offsets = unsafe [UInt64](unsafeUninitializedCapacity: count + 1) { offsets, initialized in
      unsafe offsets.initializeElement(at: 0, to: 0)
      for place in 0..<count {
        if full[place], let target = unsafe target {
          let keys = unsafe keys(at: place)
          for position in 0..<keys.count { unsafe target[used &+ position] = unsafe keys[position] }
          used &+= keys.count
        }
        unsafe offsets.initializeElement(at: place &+ 1, to: UInt64(truncatingIfNeeded: used))
      }
      initialized = count + 1
    }
    total = used
    return offsets
  }
}
