internal import Glibc
internal import KennelStorage

/// An area whose points can be asked for.
enum GeoRegion {
  case circle(center: SphereVector, chord: Double)
  case polygon(SphereLoop, holes: [SphereLoop])

  /// Prepares an area.
  ///
  /// Quadratic in the number of corners of a polygon, because none of its sides may cross.
  init(_ area: GeoArea, column: Int) throws(PredicateError) {
    do throws(Invalid) {
      switch area {
      case .circle(let center, let radius):
        guard radius >= 0 else {
          throw Invalid("The radius of a circle must be a non-negative number")
        }
        let chord = radius >= .pi ? 3 : 2 * sin(radius / 2)
        self = .circle(center: try Self.vector(center), chord: chord)
      case .box(let low, let high):
        let corners: [GeoArea.Position] = [
          low, .init(latitude: low.latitude, longitude: high.longitude), high,
          .init(latitude: high.latitude, longitude: low.longitude), low,
        ]
        self = .polygon(try Self.loop(corners, 0), holes: [])
      case .polygon(let rings): self = try Self.polygon(rings)
      }
    } catch {
      throw PredicateError(
        "Invalid region in GEOWITHIN query for parameter '\(area)': '\(error.message)'",
        column: column
      )
    }
  }

  private struct Invalid: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  private static func vector(_ position: GeoArea.Position) throws(Invalid) -> SphereVector {
    guard isOnEarth(position) else {
      throw Invalid(
        "Longitude/latitude is out of bounds, lng: \(position.longitude) lat: \(position.latitude)"
      )
    }
    return SphereVector(latitude: position.latitude, longitude: position.longitude)
  }

  private static func isOnEarth(_ position: GeoArea.Position) -> Bool {
    abs(position.latitude) <= 90 && abs(position.longitude) <= 180
  }

  // MARK: - Polygons

  private static func loop(
    _ ring: [GeoArea.Position],
    _ number: Int
  ) throws(Invalid) -> SphereLoop {
    var vertices: [SphereVector] = []
    for position in ring {
      let vertex = try vector(position)
      if vertices.last != vertex { vertices.append(vertex) }
    }
    guard let first = ring.first, let last = ring.last, first == last else {
      throw Invalid("Ring \(number) is not closed: the first vertex does not equal the last one")
    }
    if vertices.count > 1 { vertices.removeLast() }
    let count = Set(vertices).count
    guard count >= 3 else {
      throw Invalid(
        "Ring \(number) must have at least 3 different vertices, "
          + "\(count) unique vertices were provided"
      )
    }
    guard count == vertices.count else {
      throw Invalid("Ring \(number) is not valid: it has a vertex twice")
    }
    for (index, vertex) in vertices.enumerated() {
      let next = vertices[(index + 1) % vertices.count]
      if (vertex + next).length <= SphereVector.tolerance {
        throw Invalid("Ring \(number) is not valid: Edge \(index) leads to the other end of Earth")
      }
    }
    let loop = SphereLoop(vertices)
    if let (first, second) = loop.crossing {
      throw Invalid("Ring \(number) is not valid: 'Edges \(first) and \(second) cross'")
    }
    return loop
  }

  private static func polygon(_ rings: [[GeoArea.Position]]) throws(Invalid) -> GeoRegion {
    var loops: [SphereLoop] = []
    for (number, ring) in rings.enumerated() { loops.append(try loop(ring, number)) }
    guard let outer = loops.first else { throw Invalid("Polygon has no rings.") }
    for number in loops.indices.dropFirst() {
      let hole = loops[number]
      for other in 0..<number {
        guard let (edge, same) = hole.sharedEdge(loops[other]) else { continue }
        throw Invalid(
          "Polygon isn't valid: 'Duplicate edge: ring \(number), edge \(edge) and "
            + "ring \(other), edge \(same)'"
        )
      }
      guard outer.contains(hole) else {
        throw Invalid(
          "Secondary ring \(number) not contained by first exterior ring - "
            + "secondary rings must be holes in the first ring"
        )
      }
      guard outer.sharedVertexCount(hole) < 2 else {
        throw Invalid("Ring \(number) shares more than one vertex with ring 0")
      }
      for other in 1..<number {
        guard !hole.crosses(loops[other]) else {
          throw Invalid("Polygon isn't valid: 'Ring \(number) crosses ring \(other)'")
        }
        guard !loops[other].contains(hole), !hole.contains(loops[other]) else {
          throw Invalid("Polygon interior rings cannot be nested: \(number)")
        }
      }
    }
    return .polygon(outer, holes: Array(loops.dropFirst()))
  }

  // MARK: - Points

  private func contains(_ point: SphereVector) -> Bool {
    switch self {
    case .circle(let center, let chord):
      return center.distance(to: point) <= chord + SphereVector.tolerance
    case .polygon(let outer, let holes):
      return outer.location(of: point) != .outside
        && holes.allSatisfy { $0.location(of: point) != .inside }
    }
  }

  /// Whether the area contains a point in the form of GeoJSON.
  ///
  /// That is a longitude, a latitude, and whatever follows. Anything else is nowhere.
  func contains(_ coordinates: Value) -> Bool {
    guard case .list(let numbers) = coordinates, numbers.count >= 2,
      case .double(let longitude) = numbers[0], case .double(let latitude) = numbers[1]
    else { return false }
    let position = GeoArea.Position(latitude: latitude, longitude: longitude)
    return Self.isOnEarth(position)
      && contains(SphereVector(latitude: latitude, longitude: longitude))
  }
}
