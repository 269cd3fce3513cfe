/// A Realm file in memory, whose nodes a test changes.
struct EditedRealm {
  var bytes: [UInt8]

  init(_ bytes: [UInt8] = RecordedFiles.sample) {
    self.bytes = bytes
  }

  /// The place of a node.
  struct Node: Equatable {
    let offset: Int
    var flags: UInt8
    var count: Int

    var hasRefs: Bool { flags & 0x40 != 0 }
    var isInner: Bool { flags & 0x80 != 0 }
    var width: Int { (1 << Int(flags & 7)) >> 1 }
    var packing: Int { Int(flags >> 3) & 3 }
    var byteCount: Int {
      switch packing {
      case 0: (count * width + 7) / 8
      case 1: count * width
      default: count
      }
    }
  }

  var slot: Int { Int(bytes[23] & 1) }
  var top: Node { node(word(slot * 8)) }

  func node(_ offset: Int) -> Node {
    let count = bytes[offset + 5...offset + 7].reduce(0) { $0 << 8 | Int($1) }
    return Node(offset: offset, flags: bytes[offset + 4], count: count)
  }

  func word(_ offset: Int, size: Int = 8) -> Int {
    var word: UInt64 = 0
    for index in 0..<size { word |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    return Int(Int64(bitPattern: word))
  }

  mutating func setWord(_ offset: Int, _ value: Int, size: Int = 8) {
    for index in 0..<size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  /// Element `index`, if elements are whole bytes.
  func element(_ index: Int, of node: Node) -> Int {
    let size = node.width / 8
    return size == 0 ? 0 : word(node.offset + 8 + index * size, size: size)
  }

  mutating func setElement(_ index: Int, of node: Node, to value: Int) {
    let size = node.width / 8
    setWord(node.offset + 8 + index * size, value, size: size)
  }

  func child(_ index: Int, of node: Node) -> Node {
    self.node(element(index, of: node))
  }

  mutating func setHeader(of node: Node, flags: UInt8? = nil, count: Int? = nil) {
    if let flags { bytes[node.offset + 4] = flags }
    if let count {
      for index in 0..<3 {
        bytes[node.offset + 5 + index] = UInt8(truncatingIfNeeded: count >> (16 - 8 * index))
      }
    }
  }

  /// Adds a node of 64-bit integers at the end and returns its offset.
  mutating func append(_ elements: [Int], hasRefs: Bool = false, isInner: Bool = false) -> Int {
    append(
      flags: 7 | (hasRefs ? 0x40 : 0) | (isInner ? 0x80 : 0),
      count: elements.count,
      elements.flatMap { element in
        (0..<8).map { UInt8(truncatingIfNeeded: element >> (8 * $0)) }
      }
    )
  }

  /// Adds a node at the end and returns its offset.
  mutating func append(flags: UInt8, count: Int, _ content: [UInt8]) -> Int {
    bytes += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    let offset = bytes.count
    bytes += Array("AAAA".utf8) + [0, 0, 0, 0] + content
    setHeader(of: Node(offset: offset, flags: 0, count: 0), flags: flags, count: count)
    bytes += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    return offset
  }

  /// The top node of the table with a name, of 63 bytes at most.
  func table(_ name: String) -> Node {
    let names = child(0, of: top)
    let tables = child(1, of: top)
    for index in 0..<names.count {
      let start = names.offset + 8 + index * names.width
      let slot = bytes[start..<start + names.width]
      if slot.prefix(names.width - 1 - Int(slot.last ?? 0)).elementsEqual(name.utf8) {
        return child(index, of: tables)
      }
    }
    return top
  }

  /// Gives a table another name, which is not longer.
  mutating func rename(_ table: String, to name: String) {
    let names = child(0, of: top)
    for index in 0..<names.count {
      let start = names.offset + 8 + index * names.width
      let slot = bytes[start..<start + names.width]
      guard slot.prefix(names.width - 1 - Int(slot.last ?? 0)).elementsEqual(table.utf8) else {
        continue
      }
      let unused = names.width - 1 - name.utf8.count
      let new = Array(name.utf8) + [UInt8](repeating: 0, count: unused) + [UInt8(unused)]
      bytes.replaceSubrange(slot.indices, with: new)
    }
  }

  func spec(_ table: String) -> Node { child(0, of: self.table(table)) }

  func clusters(_ table: String) -> Node { child(2, of: self.table(table)) }

  /// The leaf of a column in a table of one cluster.
  func column(_ index: Int, of table: String) -> Node {
    child(index + 1, of: clusters(table))
  }

  /// Changes the reference of an object, in a column of 64 bits that takes the place of the old one.
  mutating func setReference(ofRow row: Int, _ index: Int, of table: String, to ref: Int) {
    let old = column(index, of: table)
    var refs = (0..<old.count).map { element($0, of: old) }
    refs[row] = ref
    widen(table)
    setElement(index + 1, of: clusters(table), to: append(refs, hasRefs: true))
  }

  /// Copies the top and the only cluster of a table, so that their references have 64 bits.
  mutating func widen(_ table: String) {
    let tables = child(1, of: top)
    let old = self.table(table)
    guard let place = (0..<tables.count).first(where: { element($0, of: tables) == old.offset })
    else { return }
    let cluster = copy(clusters(table))
    let wide = copy(old)
    setElement(2, of: node(wide), to: cluster)
    setElement(place, of: tables, to: wide)
  }

  private mutating func copy(_ node: Node) -> Int {
    append((0..<node.count).map { element($0, of: node) }, hasRefs: true, isInner: node.isInner)
  }

  /// The offsets of all nodes that a node refers to, and its own.
  func nodes(from start: Node) -> [Node] {
    var found = [start]
    var seen: Set<Int> = [start.offset]
    var next = 0
    while next < found.count {
      let node = found[next]
      next += 1
      guard node.hasRefs, node.width >= 8 else { continue }
      for index in 0..<node.count {
        let ref = element(index, of: node)
        if ref != 0, ref & 1 == 0, seen.insert(ref).inserted { found.append(self.node(ref)) }
      }
    }
    return found
  }
}
