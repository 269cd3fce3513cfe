internal import KennelCore

/// Where a person is in the diagram of the schema.
struct DiagramState {
  /// What a line is about.
  enum LineID: Hashable {
    case title(ClassKey)
    case link(SchemaGraph.Line.Kind, in: ClassKey, origin: ClassKey, PropertyKey)
  }

  var cursor: LineID?
  var top = 0
  /// The lines from which the cursor went to another class, the newest last.
  private var trail: [LineID] = []

  /// The classes and their links, with a blank line between two classes.
  static func lines(in model: BrowserModel) -> [SchemaGraph.Line] {
    let schema = model.schema
    let graph = SchemaGraph(schema)
    return schema.classes.flatMap { classSchema in
      graph.lines(of: classSchema, count: model.count(of: classSchema.key), .names) + [
        SchemaGraph.Line(kind: .values, classKey: classSchema.key, text: "")
      ]
    }
  }

  init(classKey: ClassKey) {
    cursor = .title(classKey)
  }

  /// The class that the cursor is at.
  var classKey: ClassKey {
    switch cursor {
    case .title(let classKey), .link(_, in: let classKey, origin: _, _): classKey
    case nil: ClassKey(rawValue: 0)
    }
  }

  func cursorIndex(in lines: [SchemaGraph.Line]) -> Int? {
    lines.firstIndex { $0.id == cursor } ?? lines.firstIndex { $0.id != nil }
  }

  mutating func move(by distance: Int, in lines: [SchemaGraph.Line]) {
    let places = lines.indices.filter { lines[$0].id != nil }
    guard let index = cursorIndex(in: lines), let place = places.firstIndex(of: index) else {
      return
    }
    let (next, isOver) = place.addingReportingOverflow(distance)
    cursor = lines[places[isOver ? 0 : min(max(0, next), places.count - 1)]].id
  }

  /// Goes to the class at the other end of the link under the cursor; false where there is none.
  mutating func follow(in lines: [SchemaGraph.Line]) -> Bool {
    guard let index = cursorIndex(in: lines), let id = lines[index].id,
      let other = lines[index].other
    else { return false }
    trail.append(id)
    cursor = .title(other)
    return true
  }

  /// Goes back to the link that the cursor followed last, else to the class of its line.
  mutating func goBack(in lines: [SchemaGraph.Line]) {
    if let last = trail.popLast() {
      cursor = last
    } else if let index = cursorIndex(in: lines) {
      cursor = .title(lines[index].classKey)
    }
  }
}

extension SchemaGraph.Line {
  /// What the cursor finds the line by; `nil` where it is never on it.
  var id: DiagramState.LineID? {
    if kind == .title { return .title(classKey) }
    return edge.map { .link(kind, in: classKey, origin: $0.origin, $0.property) }
  }
}
