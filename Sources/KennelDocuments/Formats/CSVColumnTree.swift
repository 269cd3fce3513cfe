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

  /// Creates a tree of the paths of the columns, which differ; `nil` for those that are left out.
  init(_ paths: [[String]?], line: Int) throws(DocumentError) {
    for (column, path) in paths.enumerated() {
      guard let path else { continue }
      guard path.count <= DocumentLimits.depth else {
        throw DocumentError(line: line, DocumentLimits.isTooDeep.message)
      }
      Self.insert(column, at: path[...], in: &root)
    }
  }

  /// The paths of the columns that a header names, and what of it is not as it is written.
  ///
  /// A dot leads into a nested document where names stand at both sides. A column without a name is
  /// called after its position, and a second one of a name gets a number.
  static func paths(
    of header: [String],
    _ className: String,
    _ changes: FieldChanges
  ) -> (paths: [[String]?], apply: () -> Void) {
    var taken = Set(header.map(ExactName.init))
    var used: Set<ExactName> = []
    var notes: [() -> Void] = []
    let paths = header.enumerated().map { column, name -> [String]? in
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let isPath = parts.allSatisfy { ClassDefinition.problem(ofName: $0) == nil }
      var path = isPath ? parts : [name]
      let whole = changes.rules.change(at: [className, name])
      if whole != nil { path = [name] }
      switch whole ?? changes.rules.change(at: [className] + path) {
      case .skipped:
        notes.append { changes.noteSkipped([className, name]) }
        return nil
      case .renamed(let new): path[path.count - 1] = new
      case nil: break
      }
      if path == [""] { path = [taken.add(unlike: "column\(column + 1)")] }
      if !used.insert(ExactName(path.joined(separator: "."))).inserted {
        path[path.count - 1] = taken.add(unlike: path[path.count - 1])
        used.insert(ExactName(path.joined(separator: ".")))
      }
      let new = path.joined(separator: ".")
      if !new.hasSameBytes(as: name) { notes.append { changes.note([className, name], to: new) } }
      return path
    }
    return (paths, { for note in notes { note() } })
  }

  private static func insert(
    _ column: Int,
    at path: ArraySlice<String>,
    in node: inout Node
  ) {
    guard let name = path.first else {
      node.column = column
      return
    }
    let known = node.children.firstIndex { $0.name.hasSameBytes(as: name) }
    let position = known ?? node.children.count
    if known == nil { node.children.append(Node(name: name)) }
    insert(column, at: path.dropFirst(), in: &node.children[position])
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
