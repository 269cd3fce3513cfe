import KennelPages

/// The bytes of a file with pages of 4,096 bytes, into which a test writes what no program would.
///
/// `seal` makes the checksums right, so that nothing but the content is wrong.
package struct CraftedFile {
  package static let pageSize = 4096
  package static let headerByteCount = 24
  private static let metaSumOffset = 456

  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var pageCount: Int { bytes.count / Self.pageSize }

  /// A little-endian number; 0 where the file has ended.
  package subscript<Number: FixedWidthInteger>(offset: Int, type: Number.Type = Number.self)
    -> Number
  {
    get {
      let size = MemoryLayout<Number>.size
      guard offset >= 0, offset <= bytes.count - size else { return 0 }
      return (0..<size).reduce(0) {
        $0 | Number(truncatingIfNeeded: bytes[offset + $1]) << (8 * $1)
      }
    }
    set {
      let size = MemoryLayout<Number>.size
      guard offset >= 0, offset <= bytes.count - size else { return }
      for index in 0..<size {
        bytes[offset + index] = UInt8(truncatingIfNeeded: newValue >> (8 * index))
      }
    }
  }

  // MARK: - Places

  /// Where the meta page of the newest commit begins.
  package var newestMeta: Int {
    self[32, UInt64.self] > self[Self.pageSize + 32, UInt64.self] ? 0 : Self.pageSize
  }

  /// Where the newest root of a tree is described: pointer, entries, level, keys.
  package func root(of tree: Int) -> Int { newestMeta + 52 + 32 * tree }

  /// Where the page begins that a pointer leads to.
  package func page(at pointer: Int) -> Int { Int(self[pointer + 8, UInt32.self]) * Self.pageSize }

  /// Where the first leaf of a tree begins.
  package func firstLeaf(of tree: Int) -> Int {
    var page = page(at: root(of: tree))
    while level(of: page) > 0 { page = self.page(at: value(0, of: page)) }
    return page
  }

  package func level(of page: Int) -> Int { Int(self[page + 14, UInt8.self]) }
  package func entryCount(of page: Int) -> Int { Int(self[page + 12, UInt16.self]) }

  private func hasNumbers(_ page: Int) -> Bool { self[page + 15, UInt8.self] == 1 }

  /// Where the slot of an entry begins.
  package func slot(_ entry: Int, of page: Int) -> Int {
    page + Self.headerByteCount + entry * (hasNumbers(page) ? 12 : 6)
  }

  /// Where the value of an entry begins: bytes, or a pointer.
  package func value(_ entry: Int, of page: Int) -> Int {
    let slot = slot(entry, of: page)
    if hasNumbers(page) { return page + Int(self[slot + 8, UInt16.self]) }
    return page + Int(self[slot, UInt16.self]) + Int(self[slot + 2, UInt16.self])
  }

  /// Whether the value of an entry is in a run.
  package func isLong(_ entry: Int, of page: Int) -> Bool {
    self[slot(entry, of: page) + (hasNumbers(page) ? 10 : 4), UInt16.self] == 0xFFFF
  }

  // MARK: - Checksums

  /// Gives each page that the meta pages lead to the number and the commit of its pointer, and all
  /// pointers and meta pages their checksums.
  package mutating func seal() {
    for meta in [0, Self.pageSize] where meta + Self.pageSize <= bytes.count {
      var sealed: Set<Int> = []
      for tree in 0...Format.treeLimit { seal(pointer: meta + 52 + 32 * tree, &sealed) }
      let content = Array(bytes[meta..<meta + Self.metaSumOffset])
      self[meta + Self.metaSumOffset] = PageSum.of(content, seed: self[meta, UInt64.self])
    }
  }

  private mutating func seal(pointer: Int, _ sealed: inout Set<Int>) {
    let commit = self[pointer, UInt64.self]
    let number = self[pointer + 8, UInt32.self]
    let start = page(at: pointer)
    guard number > 1, start + Self.pageSize <= bytes.count else { return }
    if sealed.insert(start).inserted {
      self[start] = commit
      self[start + 8] = number
      for entry in 0..<min(entryCount(of: start), Self.pageSize / 6) {
        let value = value(entry, of: start)
        let end = start + Self.pageSize
        if level(of: start) > 0, value + 16 <= end {
          seal(pointer: value, &sealed)
        } else if isLong(entry, of: start), value + 24 <= end {
          seal(longValue: value)
        }
      }
    }
    setChecksum(of: start..<start + Self.pageSize, in: pointer)
  }

  private mutating func seal(longValue pointer: Int) {
    let start = page(at: pointer)
    let count = self[pointer + 16, UInt64.self]
    guard start < bytes.count, count <= UInt64(bytes.count - start) else { return }
    setChecksum(of: start..<start + Int(count), in: pointer)
  }

  private mutating func setChecksum(of range: Range<Int>, in pointer: Int) {
    let (commit, number) = (self[pointer, UInt64.self], self[pointer + 8, UInt32.self])
    self[pointer + 12] = unsafe bytes.withUnsafeBytes {
      unsafe PageSum.pointer(
        UnsafeRawBufferPointer(rebasing: $0[range]),
        number: number,
        commit: commit
      )
    }
  }
}
