/// A closed line of arcs on the sphere, which do not cross.
///
/// Each arc is the shortest way between its ends. The inside is the smaller of the two parts that the
/// line divides the sphere into, whichever way it runs.
struct SphereLoop {
  enum Location {
    case inside
    case boundary
    case outside
  }

  /// The arc from one vertex to the next.
  private struct Edge {
    let start: SphereVector
    let end: SphereVector
    /// Perpendicular to the arc's great circle.
    let normal: SphereVector
    let middle: SphereVector
    /// The least product with the middle that a point of the circle has if it is on the arc.
    let least: Double

    init(_ start: SphereVector, _ end: SphereVector) {
      (self.start, self.end) = (start, end)
      middle = start + end
      // The difference is exact where the ends are near each other.
      let normal = (end - start).cross(middle)
      let length = normal.length
      self.normal = SphereVector(
        x: normal.x / length,
        y: normal.y / length,
        z: normal.z / length
      )
      least = min(start.dot(middle), end.dot(middle)) - SphereVector.tolerance
    }

    func contains(_ point: SphereVector) -> Bool {
      abs(normal.dot(point)) <= SphereVector.tolerance && point.dot(middle) >= least
    }
  }

  /// The vertices, each once.
  let vertices: [SphereVector]
  private let edges: [Edge]
  private var isReferenceInside = false

  /// Creates a loop of at least three different vertices, of which no two neighbors are antipodes.
  init(_ vertices: [SphereVector]) {
    self.vertices = vertices
    edges = vertices.indices.map { Edge(vertices[$0], vertices[($0 + 1) % vertices.count]) }
    isReferenceInside = isReferenceOnLeft == isLeftInside
  }

  /// Whether the part on the left of the line is the smaller one.
  private var isLeftInside: Bool {
    var area = 0.0
    for index in 1..<vertices.count - 1 {
      area += SphereVector.area(vertices[0], vertices[index], vertices[index + 1])
    }
    let sphere = 4 * Double.pi
    area = area.truncatingRemainder(dividingBy: sphere)
    return (area < 0 ? area + sphere : area) <= sphere / 2 + 1e-12
  }

  /// Whether the reference point is on the left of the line: whether a way to a vertex comes to it
  /// from the left, and how often it crosses the line before.
  private var isReferenceOnLeft: Bool {
    let reference = SphereVector.reference
    let (before, vertex, after) = (vertices[0], vertices[1], vertices[2])
    var turns = SphereVector.side(reference, vertex, after) >= 0 ? 1 : 0
    turns += SphereVector.side(before, vertex, reference) >= 0 ? 1 : 0
    turns += SphereVector.side(after, vertex, before) > 0 ? 1 : 0
    var isOnLeft = turns >= 2
    for edge in edges.dropFirst(2)
    where SphereVector.crosses(reference, vertex, edge.start, edge.end) {
      isOnLeft.toggle()
    }
    return isOnLeft
  }

  /// Where a point lies; linear in the number of vertices.
  func location(of point: SphereVector) -> Location {
    let reference = SphereVector.reference
    var isInside = isReferenceInside
    var side = SphereVector.side(reference, point, vertices[0]) > 0
    for edge in edges {
      if edge.contains(point) { return .boundary }
      let next = SphereVector.side(reference, point, edge.end) > 0
      if next != side {
        let start = side ? 1 : -1
        if SphereVector.side(edge.start, edge.end, point) == start,
          SphereVector.side(edge.start, edge.end, reference) == -start
        {
          isInside.toggle()
        }
      }
      side = next
    }
    return isInside ? .inside : .outside
  }

  // MARK: - What makes a line no loop

  /// Two arcs of the line that cross or touch, other than neighbors at their vertex.
  var crossing: (Int, Int)? {
    for first in edges.indices {
      for second in edges.indices.dropFirst(first + 2)
      where (second + 1) % edges.count != first && meet(edges[first], edges[second]) {
        return (first, second)
      }
    }
    return nil
  }

  private func meet(_ first: Edge, _ second: Edge) -> Bool {
    SphereVector.crosses(first.start, first.end, second.start, second.end)
      || first.contains(second.start) || first.contains(second.end)
      || second.contains(first.start) || second.contains(first.end)
  }

  /// An arc of this line and the arc of another that has the same ends.
  func sharedEdge(_ other: SphereLoop) -> (Int, Int)? {
    for (index, edge) in edges.enumerated() {
      let found = other.edges.firstIndex {
        $0.start == edge.start && $0.end == edge.end
          || $0.start == edge.end && $0.end == edge.start
      }
      if let found { return (index, found) }
    }
    return nil
  }

  func crosses(_ other: SphereLoop) -> Bool {
    edges.contains { edge in
      other.edges.contains {
        SphereVector.crosses(edge.start, edge.end, $0.start, $0.end)
      }
    }
  }

  /// How many vertices both have.
  func sharedVertexCount(_ other: SphereLoop) -> Int {
    Set(vertices).intersection(other.vertices).count
  }

  /// Whether all of another loop is inside, though some of its vertices may be vertices here.
  func contains(_ other: SphereLoop) -> Bool {
    let known = Set(vertices)
    return !crosses(other)
      && other.vertices.allSatisfy { known.contains($0) || location(of: $0) == .inside }
  }
}
