/// Reads the texts or bytes of a leaf, which has one of four forms.
struct TextReader {
  private enum Form {
    /// Elements of one width, whose last byte tells how much of it is unused.
    case short(Node)
    /// The ends of the elements in one blob.
    case small(ends: [Int64], blob: Node, nulls: Node?)
    /// A node for each element.
    case big(Node)
    /// Positions in a list of texts.
    case enumerated(Node, [String?])
  }

  private let form: Form
  private let bytes: FileBytes
  private let isOptional: Bool
  private let budget: Budget
  /// 1 if a zero follows each element that is not short.
  private let terminator: Int
  let count: Int

  /// A leaf of texts, or of bytes if they are not terminated.
  ///
  /// The nodes below the leaf are taken from the budget.
  init(
    node: Node,
    bytes: FileBytes,
    isOptional: Bool = false,
    isTerminated: Bool = true,
    enumeration: [String?]? = nil,
    budget: Budget = .ofColumn()
  ) throws(RealmFileError) {
    self.bytes = bytes
    self.isOptional = isOptional
    self.budget = budget
    terminator = isTerminated ? 1 : 0
    if !node.hasRefs {
      count = node.count
      if node.packing == .bytes, isTerminated {
        form = .short(node)
      } else if node.packing == .bits, let enumeration {
        form = .enumerated(node, enumeration)
      } else {
        throw damaged("a node of other values where texts are expected", at: node.offset)
      }
    } else if node.flag {
      count = node.count
      form = .big(node)
    } else {
      guard node.count >= 2 else { throw damaged("texts without their bytes", at: node.offset) }
      let ends = try node.child(0, in: bytes)
      let blob = try node.child(1, in: bytes)
      let nulls = node.count > 2 ? try node.child(2, in: bytes) : nil
      guard blob.packing == .blob, nulls.map({ $0.count == ends.count }) ?? true else {
        throw damaged("texts whose parts do not fit", at: node.offset)
      }
      try budget.visit(ends)
      try budget.visit(blob)
      count = ends.count
      form = .small(ends: try TextReader.ascending(ends, in: blob), blob: blob, nulls: nulls)
    }
  }

  /// The ends of texts in a blob, none of which is in another.
  private static func ascending(_ ends: Node, in blob: Node) throws(RealmFileError) -> [Int64] {
    let all = try ends.integers()
    var last: Int64 = 0
    for (index, end) in all.enumerated() {
      guard end >= last, end <= blob.count else {
        throw damaged("a text beyond the bytes of its leaf", at: ends.offset, element: index)
      }
      last = end
    }
    return all
  }

  /// The bytes of an element.
  private enum Content {
    case null
    /// In one piece.
    case piece(Node, start: Int, count: Int)
    /// In several pieces, which are put together here.
    case pieces([UInt8])
  }

  /// The text at `index`, `nil` for null.
  func text(_ index: Int) throws(RealmFileError) -> String? {
    if case .enumerated(let node, let texts) = form {
      let position = try node.integer(index)
      guard position >= 0, position < texts.count else {
        throw damaged("a text that its list does not have", at: node.offset, element: index)
      }
      return texts[Int(position)]
    }
    let text: String?
    switch try content(index) {
    case .null: return nil
    case .piece(let node, let start, let count): text = try node.text(from: start, count: count)
    case .pieces(let bytes): text = String(validating: bytes, as: UTF8.self)
    }
    guard let text else { throw damaged("text that is not UTF-8", at: offset, element: index) }
    return text
  }

  /// The bytes at `index`, `nil` for null.
  func data(_ index: Int) throws(RealmFileError) -> [UInt8]? {
    switch try content(index) {
    case .null: return nil
    case .piece(let node, let start, let count): return try node.bytes(from: start, count: count)
    case .pieces(let bytes): return bytes
    }
  }

  /// The offset of the leaf.
  var offset: Int {
    switch form {
    case .short(let node), .big(let node), .enumerated(let node, _): node.offset
    case .small(_, let blob, _): blob.offset
    }
  }

  private func content(_ index: Int) throws(RealmFileError) -> Content {
    guard index >= 0, index < count else {
      throw damaged("\(count) texts without number \(index)", at: offset)
    }
    switch form {
    case .short(let node): return try short(node, index)
    case .small(let ends, let blob, let nulls):
      if let nulls, try nulls.integer(index) != 0 { return .null }
      let start = index == 0 ? 0 : Int(ends[index - 1])
      let size = Int(ends[index]) - start - terminator
      guard size >= 0 else {
        throw damaged("a text without an end", at: blob.offset, element: index)
      }
      return .piece(blob, start: start, count: size)
    case .big(let node):
      guard let blob = try node.optionalChild(index, in: bytes) else { return .null }
      return try big(blob, index)
    case .enumerated(let node, _):
      throw damaged("texts where bytes are expected", at: node.offset, element: index)
    }
  }

  private func short(_ node: Node, _ index: Int) throws(RealmFileError) -> Content {
    let empty = isOptional ? Content.null : .piece(node, start: 0, count: 0)
    let width = node.width
    guard width > 0 else { return empty }
    let unused = Int(try node.byte((index + 1) * width - 1))
    if unused == width { return empty }
    guard unused < width else {
      throw damaged("a text longer than its place", at: node.offset, element: index)
    }
    return .piece(node, start: index * width, count: width - 1 - unused)
  }

  private func big(_ blob: Node, _ index: Int) throws(RealmFileError) -> Content {
    let pieces = blob.hasRefs && blob.flag
    var whole: [UInt8] = []
    if pieces {
      try budget.visit(blob)
      for position in 0..<blob.count {
        let piece = try blob.child(position, in: bytes)
        try expectBytes(piece)
        whole += try piece.bytes(from: 0, count: piece.count)
      }
    } else {
      try expectBytes(blob)
    }
    let size = (pieces ? whole.count : blob.count) - terminator
    guard size >= 0 else { throw damaged("a text without an end", at: blob.offset, element: index) }
    return pieces ? .pieces(Array(whole.prefix(size))) : .piece(blob, start: 0, count: size)
  }

  private func expectBytes(_ node: Node) throws(RealmFileError) {
    guard node.packing == .blob, !node.hasRefs else {
      throw damaged("a node of other values where bytes are expected", at: node.offset)
    }
    try budget.visit(node)
  }
}
