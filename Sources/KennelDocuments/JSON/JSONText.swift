/// A text of JSON, read into a flat list of nodes.
///
/// Nothing is converted before it is asked for: numbers keep their digits and strings their
/// escapes, so that what a property's type makes of them is exact. A node is followed by
/// everything inside it; `next` leads past that. There is no recursion, so that hostile nesting
/// costs memory and nothing else.
struct JSONText {
  enum Kind: UInt8 {
    case null
    case yes
    case no
    /// Digits, with a minus at most.
    case integer
    /// A number with a fraction or an exponent.
    case number
    case string
    /// A string with backslashes.
    case escapedString
    case array
    case object
  }

  /// A value or a name; 16 bytes, since a line of single digits has one for every other byte.
  struct Node {
    var kind: Kind
    private var bounds: (start: UInt32, end: UInt32, next: UInt32)

    init(kind: Kind, start: Int, end: Int, next: Int) {
      self.kind = kind
      bounds = (UInt32(start), UInt32(end), UInt32(next))
    }

    /// The bytes of a number or, without its quotes, of a string; the whole for the others.
    var start: Int { Int(bounds.start) }
    var end: Int {
      get { Int(bounds.end) }
      set { bounds.end = UInt32(newValue) }
    }
    /// The node after this one and all that it contains.
    var next: Int {
      get { Int(bounds.next) }
      set { bounds.next = UInt32(newValue) }
    }
  }

  let bytes: [UInt8]
  private(set) var nodes: [Node] = []

  /// Reads one value that makes up the whole text.
  init(_ bytes: [UInt8]) throws(JSONProblem) {
    self.bytes = bytes
    var scanner = JSONScanner(bytes)
    try scanner.scan()
    nodes = scanner.nodes
  }

  subscript(node: Int) -> Node { nodes[node] }

  /// The text of a number or of a literal.
  func text(_ node: Int) -> String {
    String(decoding: bytes[nodes[node].start..<nodes[node].end], as: UTF8.self)
  }

  /// A value as a text of its own, so that the rest can be forgotten.
  func part(_ node: Int) -> JSONText {
    let first = nodes[node]
    // The quotes of a string stay outside its bounds.
    let start = max(first.start - 1, 0)
    let part = nodes[node..<first.next].map { inner in
      Node(
        kind: inner.kind,
        start: inner.start - start,
        end: inner.end - start,
        next: inner.next - node
      )
    }
    return JSONText(bytes: Array(bytes[start..<min(first.end + 1, bytes.count)]), nodes: part)
  }

  private init(bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// The elements of an array.
  func elements(_ node: Int) -> Children { Children(text: self, parent: node, step: 1) }

  /// The keys of an object's members; each value is the node after its key.
  func keys(_ node: Int) -> Children { Children(text: self, parent: node, step: 2) }

  /// The string of a node; `nil` if it is not text: not UTF-8, or half a surrogate pair.
  func string(_ node: Int) -> String? {
    let node = nodes[node]
    let slice = bytes[node.start..<node.end]
    if node.kind == .string { return String(validating: slice, as: UTF8.self) }
    guard node.kind == .escapedString else { return nil }
    var units: [UInt8] = []
    units.reserveCapacity(slice.count)
    var index = slice.startIndex
    while index < slice.endIndex {
      guard slice[index] == UInt8(ascii: "\\") else {
        units.append(slice[index])
        index += 1
        continue
      }
      guard let scalar = escape(at: &index) else { return nil }
      units.append(contentsOf: String(scalar).utf8)
    }
    return String(validating: units, as: UTF8.self)
  }

  /// The character that an escape means, with the index behind it.
  private func escape(at index: inout Int) -> Unicode.Scalar? {
    let letter = bytes[index + 1]
    index += 2
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: return Unicode.Scalar(letter)
    }
    let first = hexadecimal(at: index)
    index += 4
    guard first & 0xFC00 == 0xD800 else { return Unicode.Scalar(first) }
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    let second = hexadecimal(at: index + 2)
    guard second & 0xFC00 == 0xDC00 else { return nil }
    index += 6
    return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
  }

  /// Four digits, which the scanner has seen to be there.
  private func hexadecimal(at index: Int) -> UInt32 {
    guard index + 4 <= bytes.count else { return 0xD800 }
    return bytes[index..<index + 4].reduce(0) { sum, byte in
      sum << 4 | UInt32(JSONScanner.hexadecimalDigit(byte) ?? 0)
    }
  }
}

extension JSONText {
  /// The nodes directly inside an array or an object.
  struct Children: Sequence, IteratorProtocol {
    private let text: JSONText
    private let step: Int
    private let end: Int
    private var position: Int

    fileprivate init(text: JSONText, parent: Int, step: Int) {
      self.text = text
      self.step = step
      position = parent + 1
      end = text[parent].next
    }

    mutating func next() -> Int? {
      guard position < end else { return nil }
      defer { position = text[position + step - 1].next }
      return position
    }
  }
}
