import KennelCore

/// The columns of CSV by the paths in their names: `address.city` leads into a nested document.
struct CSVColumnTree {
  private struct Node {
    let name: String
    /// The position of the column; `nil` for a nested document.
    var column: Int?
    var children: [Node] = []
  }

  private var root = Node(name: "")

  /// Creates a tree of the names of the columns, which must differ.
  init(_ names: [String], line: Int) throws(DocumentError) {
    for (column, name) in names.enumerated() {
      let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard !name.isEmpty else {
        throw DocumentError(line: line, "column \(column + 1) has no name")
      }
      guard path.count <= DocumentLimits.depth else {
        throw DocumentError(line: line, DocumentLimits.isTooDeep.message)
      }
      guard Self.insert(column, at: path[...], in: &root) else {
        throw DocumentError(line: line, "the column \"\(name)\" occurs twice")
      }
    }
  }

  private static func insert(
    _ column: Int,
    at path: ArraySlice<String>,
    in node: inout Node
  ) -> Bool {
    guard let name = path.first else {
      defer { node.column = column }
      return node.column == nil
    }
    let known = node.children.firstIndex { $0.name.hasSameBytes(as: name) }
    let position = known ?? node.children.count
    if known == nil { node.children.append(Node(name: name)) }
    return insert(column, at: path.dropFirst(), in: &node.children[position])
  }

  /// The document of a line's cells.
  func document(_ cells: [String?]) -> Document {
    Self.document(root, cells) ?? Document()
  }

  private static func document(_ node: Node, _ cells: [String?]) -> Document? {
    var members: [Document.Member] = []
    for child in node.children {
      if let column = child.column, let text = cells[column] {
        members.append(.init(child.name, .string(text)))
      } else if let nested = document(child, cells) {
        members.append(.init(child.name, .document(nested)))
      }
    }
    return members.isEmpty ? nil : Document(members)
  }
}
