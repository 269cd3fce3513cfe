/// Reads the texts or bytes of a leaf, which has one of four forms.
struct TextReader {
  private enum Form {
    /// Elements of one width, whose last byte tells how much of it is unused.
    case short(Node)
    /// The ends of the elements in one blob.
    case small(ends: Node, blob: Node, nulls: Node?)
    /// A node for each element.
    case big(Node)
    /// Positions in a list of texts.
    case enumerated(Node, [String?])
  }

  private let form: Form
  private let bytes: FileBytes
  private let isOptional: Bool
  /// 1 if a zero follows each element that is not short.
  private let terminator: Int
  let count: Int

  /// A leaf of texts, or of bytes if they are not terminated.
  init(
    node: Node,
    bytes: FileBytes,
    isOptional: Bool,
    isTerminated: Bool = true,
    enumeration: [String?]? = nil
  ) throws(RealmFileError) {
    self.bytes = bytes
    self.isOptional = isOptional
    terminator = isTerminated ? 1 : 0
    if !node.hasRefs {
      count = node.count
      switch (node.packing, enumeration) {
      case (.bytes, _) where isTerminated: form = .short(node)
      case (.bits, let texts?): form = .enumerated(node, texts)
      default: throw damaged("a node of other values where texts are expected", at: node.offset)
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
      count = ends.count
      form = .small(ends: ends, blob: blob, nulls: nulls)
    }
  }

  /// A run of bytes in a node.
  private struct Place {
    let node: Node
    let start: Int
    let count: Int
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
    if let place = try place(index) {
      if let text = try place.node.text(from: place.start, count: place.count) { return text }
      throw damaged("text that is not UTF-8", at: place.node.offset, element: index)
    }
    guard let parts = try parts(index) else { return nil }
    var valid: String?
    if parts.last == 0 { valid = String(validating: parts.dropLast(terminator), as: UTF8.self) }
    guard let valid else { throw damaged("text that is not UTF-8", at: offset, element: index) }
    return valid
  }

  /// The bytes at `index`, `nil` for null.
  func data(_ index: Int) throws(RealmFileError) -> [UInt8]? {
    if case .enumerated(let node, _) = form {
      throw damaged("texts where bytes are expected", at: node.offset, element: index)
    }
    if let place = try place(index) {
      return try place.node.bytes(from: place.start, count: place.count)
    }
    return try parts(index).map { Array($0.dropLast(terminator)) }
  }

  /// The bytes that an element takes in memory beside the element itself.
  func size(_ index: Int) throws(RealmFileError) -> Int {
    switch form {
    case .short, .enumerated: 0
    case .small(let ends, _, _):
      Int(truncatingIfNeeded: try ends.integer(index) - (index == 0 ? 0 : ends.integer(index - 1)))
    case .big(let node):
      if let blob = try blob(node, index) { try totalSize(blob) } else { 0 }
    }
  }

  var offset: Int {
    switch form {
    case .short(let node), .big(let node), .enumerated(let node, _): node.offset
    case .small(let ends, _, _): ends.offset
    }
  }

  /// Where an element is, if it is in one piece; `nil` for null, too.
  private func place(_ index: Int) throws(RealmFileError) -> Place? {
    switch form {
    case .enumerated: return nil
    case .short(let node):
      guard index >= 0, index < count else {
        throw damaged("\(count) texts without number \(index)", at: node.offset)
      }
      let empty = isOptional ? nil : Place(node: node, start: 0, count: 0)
      let width = node.width
      guard width > 0 else { return empty }
      let unused = Int(try node.byte((index + 1) * width - 1))
      if unused == width { return empty }
      guard unused < width else {
        throw damaged("a text longer than its place", at: node.offset, element: index)
      }
      return Place(node: node, start: index * width, count: width - 1 - unused)
    case .small(let ends, let blob, let nulls):
      let start = index == 0 ? 0 : try ends.integer(index - 1)
      let end = try ends.integer(index)
      guard start >= 0, end >= start, end <= blob.count else {
        throw damaged("a text beyond the bytes of its leaf", at: ends.offset, element: index)
      }
      if let nulls, try nulls.integer(index) != 0 { return nil }
      guard end - start >= terminator else {
        throw damaged("a text without an end", at: ends.offset, element: index)
      }
      return Place(node: blob, start: Int(start), count: Int(end - start) - terminator)
    case .big(let node):
      guard let blob = try blob(node, index), !blob.hasRefs else { return nil }
      guard blob.count >= terminator else {
        throw damaged("a text without an end", at: blob.offset, element: index)
      }
      return Place(node: blob, start: 0, count: blob.count - terminator)
    }
  }

  /// The bytes of an element that is in several pieces, with their terminator; `nil` for null.
  private func parts(_ index: Int) throws(RealmFileError) -> [UInt8]? {
    guard case .big(let node) = form, let blob = try blob(node, index), blob.hasRefs else {
      return nil
    }
    var parts: [UInt8] = []
    parts.reserveCapacity(try totalSize(blob))
    for position in 0..<blob.count {
      let part = try self.part(position, of: blob)
      parts += try part.bytes(from: 0, count: part.count)
    }
    guard parts.count >= terminator else {
      throw damaged("a text without an end", at: blob.offset, element: index)
    }
    return parts
  }

  private func totalSize(_ blob: Node) throws(RealmFileError) -> Int {
    guard blob.hasRefs else { return blob.count }
    var size = 0
    for position in 0..<blob.count { size += try part(position, of: blob).count }
    return size
  }

  private func blob(_ node: Node, _ index: Int) throws(RealmFileError) -> Node? {
    guard let blob = try node.optionalChild(index, in: bytes) else { return nil }
    guard blob.hasRefs ? blob.flag : blob.packing == .blob else {
      throw damaged("a node of other values where bytes are expected", at: blob.offset)
    }
    return blob
  }

  private func part(_ position: Int, of blob: Node) throws(RealmFileError) -> Node {
    let part = try blob.child(position, in: bytes)
    guard part.packing == .blob, !part.hasRefs else {
      throw damaged("a node of other values where bytes are expected", at: part.offset)
    }
    return part
  }
}
