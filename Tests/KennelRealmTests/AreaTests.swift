// swift-format-ignore-file: NeverForceUnwrap
// An area that cannot be made should stop the test.

import Foundation
@_spi(Tests) import KennelRealm
import RealmTestSupport
import Testing

class Campsite: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

class Traveler: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var home: Campsite?
  @Persisted var stops: List<Campsite>
  @Persisted var camps: Map<String, Campsite?>
  @Persisted var guide: Traveler?
}

class Flat: EmbeddedObject {
  @Persisted var type = "Point"
}

class Loose: Object {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

class Confused: Object {
  @Persisted var flat: Flat?
  @Persisted var loose: Loose?
  @Persisted var number: Int
  @Persisted var spot: Campsite?
}

extension Results where Element == Traveler {
  fileprivate var names: [String] { map(\.name).sorted() }
}

@Suite struct `Areas` {
  typealias Spots = [String: (Double, Double)]

  /// Asks for travelers at home in an area, in each way in which that can be asked.
  private func expect(
    _ names: [String],
    in area: some RLMGeospatial,
    of spots: Spots,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withRealm([Traveler.self, Campsite.self]) { realm in
      try realm.write {
        for (name, place) in spots {
          realm.add(Traveler(value: ["name": name, "home": Campsite(place.0, place.1)]))
        }
        realm.add(Traveler(value: ["name": "Homeless"]))
      }
      let all = realm.objects(Traveler.self)
      let made = Query<Traveler>._constructForTesting().home.geoWithin(area)._constructPredicate()
      #expect(made.0 == "(home IN %@)", sourceLocation: sourceLocation)
      let found = [
        all.where { $0.home.geoWithin(area) }.names,
        all.filter("home IN %@", area).names,
        all.filter("home GEOWITHIN %@", area).names,
        all.filter("home geoWithin \(area._areaText)").names,
        all.filter(NSPredicate(format: made.0, argumentArray: made.1)).names,
        all.where { !(!$0.home.geoWithin(area)) }.names,
        // Two paths are asked of each object alone, not of whole clusters.
        all.filter("name == name AND SUBQUERY(stops, $s, $s IN %@).@count == 0", area)
          .filter("home IN %@", area).names,
      ]
      for found in found { #expect(found == names.sorted(), sourceLocation: sourceLocation) }
    }
  }

  static let cities: Spots = [
    "Copenhagen": (55.6761, 12.5683), "Roskilde": (55.6416, 12.0803),
    "New York": (40.7128, -74.006),
    "Suva": (-18.1416, 178.4419), "Apia": (-13.8333, -171.7667), "Vostok": (-78.4645, 106.8339),
  ]

  @Test func `of boxes, polygons and circles have the places in them`() throws {
    let box = GeoBox(bottomLeft: (55.6, 12.3), topRight: (55.7, 12.6))!
    try expect(["Copenhagen"], in: box, of: Self.cities)
    let zealand = GeoPolygon(outerRing: [(55, 12), (56, 11), (56, 13), (55, 12)])!
    try expect(["Copenhagen", "Roskilde"], in: zealand, of: Self.cities)
    let near = GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)!
    try expect(["Copenhagen"], in: near, of: Self.cities)
    let far = GeoCircle(center: (55.67, 12.56), radius: .miles(4000)!)!
    try expect(["Copenhagen", "New York", "Roskilde"], in: far, of: Self.cities)
  }

  @Test func `have sides that are the shortest ways between their corners`() throws {
    // In the middle the sides are at tan φ = tan 40° / cos 30° and tan 50° / cos 30°.
    let box = GeoBox(bottomLeft: (40, 0), topRight: (50, 60))!
    try expect(
      ["above 44.09°", "below 53.99°", "corner", "left side"],
      in: box,
      of: [
        "below 44.09°": (44.0950, 30), "above 44.09°": (44.0965, 30), "below 53.99°": (53.9940, 30),
        "above 53.99°": (53.9955, 30), "corner": (40, 0), "left side": (44, 0),
        "left of it": (44, -0.000001),
      ]
    )
  }

  @Test func `cross the antimeridian`() throws {
    let box = GeoBox(bottomLeft: (-20, 170), topRight: (-10, -170))!
    let spots: Spots = ["180": (-15, 180), "-180": (-15, -180), "0": (-15, 0), "169": (-15, 169)]
    try expect(["-180", "180"], in: box, of: spots)
    try expect(["Apia", "Suva"], in: box, of: Self.cities)
    let circle = GeoCircle(center: (-15, 179), radius: .degrees(3)!)!
    try expect(["-180", "180"], in: circle, of: spots)
  }

  @Test func `lie around the poles`() throws {
    let north = [(80.0, 0.0), (80, 90), (80, 180), (80, -90), (80, 0)]
    let spots: Spots = [
      "pole": (90, 0), "pole again": (90, -123), "84": (84, 45), "82.8": (82.8, 45),
      "south": (-90, 0), "82.8 S": (-84, 45),
    ]
    for ring in [north, north.reversed()] {
      try expect(["84", "pole", "pole again"], in: GeoPolygon(outerRing: ring)!, of: spots)
    }
    let circle = GeoCircle(center: (-90, 0), radius: .degrees(6)!)!
    try expect(["82.8 S", "south"], in: circle, of: spots)
    try expect(["Vostok"], in: GeoCircle(center: (-90, 7), radius: .degrees(12)!)!, of: Self.cities)
  }

  @Test func `of polygons leave out the holes, and have the boundaries`() throws {
    let polygon = GeoPolygon(
      outerRing: [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)],
      holes: [(2, 2), (4, 2), (4, 4), (2, 4), (2, 2)],
      [(6, 6), (8, 6), (8, 8), (6, 6)]
    )!
    try expect(
      ["corner", "corner of a hole", "on the equator", "within"],
      in: polygon,
      of: [
        "within": (5, 5), "in a hole": (3, 3), "in the other": (7.5, 6.5), "corner": (10, 10),
        "corner of a hole": (2, 4), "on the equator": (0, 3.7), "south": (-0.0000001, 3.7),
      ]
    )
  }

  @Test func `of circles end where their radius does`() throws {
    let circle = GeoCircle(center: (0, 0), radius: .degrees(1)!)!
    try expect(
      ["center", "east", "north"],
      in: circle,
      of: ["center": (0, 0), "east": (0, 1), "north": (1, 0), "outside": (0, 1.00000001)]
    )
    try expect(
      ["a"],
      in: GeoCircle(center: (3, 4), radius: .radians(0)!)!,
      of: [
        "a": (3, 4), "b": (3, 4.0000001),
      ]
    )
    let all = GeoCircle(center: (0, 0), radiusInRadians: 500)!
    try expect(Array(Self.cities.keys), in: all, of: Self.cities)
  }

  @Test func `have no place that is none`() throws {
    try withRealm([Traveler.self, Campsite.self]) { realm in
      let everywhere = GeoCircle(center: (0, 0), radiusInRadians: 4)!
      let coordinates: [[Double]] = [
        [], [1], [1, 91], [1, -90.0001], [180.0001, 1], [-181, 1], [.nan, 1], [1, .nan],
        [.infinity, 1], [1, 1], [1, 1, 300], [1, 1, 2, 3],
      ]
      try realm.write {
        for (index, numbers) in coordinates.enumerated() {
          realm.add(Traveler(value: ["name": "\(index)", "home": ["coordinates": numbers]]))
        }
        realm.add(
          Traveler(value: ["name": "line", "home": ["type": "LineString", "coordinates": [1, 1]]])
        )
        realm.add(
          Traveler(value: ["name": "lower", "home": ["type": "point", "coordinates": [1, 1]]])
        )
      }
      let found = realm.objects(Traveler.self).where { $0.home.geoWithin(everywhere) }.names
      #expect(found == ["10", "11", "9", "lower"])
      #expect(
        realm.objects(Traveler.self).filter("NOT home IN %@", everywhere).count == coordinates.count
          - 2
      )
    }
  }

  @Test func `are asked of many places`() throws {
    try withRealm([Traveler.self, Campsite.self]) { realm in
      try realm.write {
        let ada = Traveler(value: ["name": "Ada"])
        ada.stops.append(objectsIn: [Campsite(1, 1), Campsite(50, 50)])
        ada.camps["first"] = Campsite(1, 2)
        let bob = Traveler(value: ["name": "Bob", "home": Campsite(1, 1), "guide": ada])
        bob.stops.append(objectsIn: [Campsite(1, 1), Campsite(1, 2)])
        realm.add([ada, bob, Traveler(value: ["name": "Cid", "guide": bob])])
      }
      let all = realm.objects(Traveler.self)
      let box = GeoBox(bottomLeft: (0, 0), topRight: (3, 3))!
      #expect(all.filter("stops IN %@", box).names == ["Ada", "Bob"])
      #expect(all.filter("ALL stops IN %@", box).names == ["Bob", "Cid"])
      #expect(all.filter("NONE stops GEOWITHIN %@", box).names == ["Cid"])
      #expect(all.filter("camps IN %@", box).names == ["Ada"])
      #expect(all.filter("camps['first'] IN %@", box).names == ["Ada"])
      #expect(all.filter("guide.home IN %@", box).names == ["Cid"])
      #expect(all.where { $0.guide.home.geoWithin(box) }.names == ["Cid"])
      #expect(all.filter("SUBQUERY(stops, $s, $s IN %@).@count == 2", box).names == ["Bob"])
      #expect(all.filter("@links.Traveler.guide.home IN %@", box).names == ["Ada"])
    }
  }

  @Test func `follow places that move`() throws {
    try withRealm([Traveler.self, Campsite.self]) { realm in
      let ada = Traveler(value: ["name": "Ada", "home": Campsite(50, 50)])
      try realm.write { realm.add(ada) }
      let box = GeoBox(bottomLeft: (0, 0), topRight: (3, 3))!
      let found = realm.objects(Traveler.self).where { $0.home.geoWithin(box) }
      #expect(found.isEmpty)
      try realm.write { ada.home = Campsite(1, 1) }
      #expect(found.names == ["Ada"])
      try realm.write {
        ada.home?.coordinates[0] = 30
        #expect(found.isEmpty)
      }
    }
  }

  // MARK: - What is refused

  @Test func `are asked of places only`() throws {
    try withRealm([Confused.self, Flat.self, Loose.self, Campsite.self]) { realm in
      nonisolated(unsafe) let all = realm.objects(Confused.self)
      let circle = GeoCircle(center: (0, 0), radiusInRadians: 10)!
      expectMisuse("'flat' links to data in the wrong format for a geoWithin query") {
        _ = unsafe all.where { $0.flat.geoWithin(circle) }
      }
      expectMisuse(
        "can only operate on a link to an embedded class but 'Loose' is at the top level"
      ) {
        _ = unsafe all.filter("loose IN %@", circle)
      }
      expectMisuse("GEOWITHIN asks where an object is, and 'number' is an int") {
        _ = unsafe all.filter("number GEOWITHIN %@", circle)
      }
      expectMisuse("GEOWITHIN needs an area") { _ = unsafe all.filter("spot GEOWITHIN 5") }
      expectMisuse("expected geoCircle([longitude, latitude], radians)") {
        _ = unsafe all.filter("spot GEOWITHIN geoCircle([1, 2])")
      }
      expectMisuse("An area is no value; expected GEOWITHIN before it") {
        _ = unsafe all.filter("spot == geoCircle([1, 2], 3)")
      }
      expectMisuse("ANY needs many values") { _ = unsafe all.filter("ANY spot IN %@", circle) }
    }
  }

  typealias Ring = [(Double, Double)]

  private static let square: Ring = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]
  private static let large: Ring = [(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)]
  private static let kite: Ring = [(50, -80), (60, 20), (20, 20), (-80, -80), (50, -80)]
  private static let notContained = "Secondary ring 1 not contained by first exterior ring"

  private static let contradictions: [(problem: String, rings: [Ring])] = [
    (notContained, [square, [(2, 2), (2, 3), (3, 3), (3, 2), (2, 2)]]),
    (notContained, [square, [(0, 0.1), (0.5, 0.1), (0.5, 0.5), (0, 0.5), (0, 0.1)]]),
    (notContained, [square, [(0.2, 0.5), (0.7, 0.5), (0.7, 1.5), (0.2, 1.5), (0.2, 0.5)]]),
    (
      "Ring 0 is not valid: 'Edges 0 and 2 cross",
      [[(50, -50), (55, 55), (-50, 50), (70, -25), (50, -50)]]
    ),
    (
      "Duplicate edge: ring 1, edge 1 and ring 0, edge 1",
      [kite, [(40, -75), (60, 20), (20, 20), (-75, -75), (40, -75)]]
    ),
    (
      "Polygon interior rings cannot be nested: 2",
      [large, [(1, 1), (1, 8), (8, 8), (1, 1)], [(2, 3), (2, 4), (3, 4), (2, 3)]]
    ),
    (
      "Ring 2 crosses ring 1",
      [large, [(1, 1), (1, 8), (8, 8), (1, 1)], [(0.5, 3), (2, 4), (3, 4), (0.5, 3)]]
    ),
    ("must have at least 3 different vertices, 2 unique", [[(0, 0), (0, 1), (0, 0), (0, 0)]]),
    ("Edge 0 leads to the other end of Earth", [[(0, 0), (0, 180), (9, 9), (0, 0)]]),
    ("it has a vertex twice", [[(0, 0), (0, 1), (1, 1), (0, 1), (0, 0)]]),
  ]

  @Test(arguments: contradictions.indices)
  func `of polygons are without contradiction`(index: Int) throws {
    let (problem, rings) = Self.contradictions[index]
    try withRealm([Traveler.self, Campsite.self]) { realm in
      nonisolated(unsafe) let all = realm.objects(Traveler.self)
      let polygon = GeoPolygon(outerRing: rings[0], holes: Array(rings.dropFirst()))!
      expectMisuse(problem) { _ = unsafe all.where { $0.home.geoWithin(polygon) } }
    }
  }

  @Test func `are made of numbers that are on Earth`() {
    #expect(GeoPoint(latitude: 90, longitude: -180, altitude: 500) != nil)
    let wrong: [(Double, Double, Double)] = [
      (90.000000001, 0, 0), (-91, 0, 0), (0, 180.000000001, 0), (0, -181, 0), (0, 0, -1),
      (.nan, 0, 0), (0, .nan, 0), (0, 0, .nan),
    ]
    for (latitude, longitude, altitude) in wrong {
      #expect(GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude) == nil)
    }
    #expect(GeoBox(bottomLeft: (-91, -181), topRight: (91, 181)) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (3, 3)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (0, 0)], holes: [[(0, 0)]]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (0, 0)]) != nil)
    #expect(GeoCircle(center: (0, 70), radiusInRadians: -1) == nil)
    #expect(GeoCircle(center: (0, 70), radiusInRadians: .nan) == nil)
    #expect(GeoPoint(1, 2)?.hashValue == GeoPoint(latitude: 1, longitude: 2)?.hashValue)
  }

  @Test func `have radii in kilometers, miles, degrees and radians`() throws {
    for make in [Distance.kilometers, Distance.miles, Distance.degrees, Distance.radians] {
      #expect(make(-1) == nil && make(.nan) == nil && make(0)?.radians == 0)
    }
    let radian = try #require(Distance.radians(1))
    #expect(radian.asKilometers() == 6378.1 && abs(radian.asDegrees() - 57.29577951308232) < 1e-12)
    #expect(abs((Distance.miles(10)?.asKilometers() ?? 0) - 16.09344) < 1e-12)
    #expect(Distance.kilometers(5) == Distance.kilometers(5))
  }

  // MARK: - Against a simpler way

  private struct Vector {
    let x, y, z: Double

    init(_ place: (Double, Double)) {
      let (latitude, longitude) = (place.0 * .pi / 180, place.1 * .pi / 180)
      x = cos(latitude) * cos(longitude)
      y = cos(latitude) * sin(longitude)
      z = sin(latitude)
    }

    /// Positive if the other two and this one are in counterclockwise order.
    func side(_ a: Vector, _ b: Vector) -> Double {
      x * (a.y * b.z - a.z * b.y) + y * (a.z * b.x - a.x * b.z) + z * (a.x * b.y - a.y * b.x)
    }
  }

  /// Whether a place is on the side of each side of a triangle where the third corner is.
  private func contains(_ corners: [(Double, Double)], _ place: (Double, Double)) -> Bool {
    let (corners, point) = (corners.map(Vector.init), Vector(place))
    return (0..<3).allSatisfy { index in
      let (start, end) = (corners[index], corners[(index + 1) % 3])
      return point.side(start, end) * corners[(index + 2) % 3].side(start, end) > 0
    }
  }

  @Test func `of any star are the triangles that it is made of`() throws {
    try withRealm([Traveler.self, Campsite.self]) { realm in
      var random = Pseudorandom(state: 7)
      let places = (0..<400).map { _ in
        (asin(random.between(-1, 1)) * 180 / .pi, random.between(-180, 180))
      }
      try realm.write {
        for (index, place) in places.enumerated() {
          realm.add(
            Traveler(value: ["name": "\(1000 + index)", "home": Campsite(place.0, place.1)])
          )
        }
      }
      for _ in 0..<40 {
        let center = (random.between(-90, 90), random.between(-180, 180))
        let corners = (0..<7).map { star(around: center, Double($0) / 7, random.between(5, 75)) }
        let ring = corners + [corners[0]]
        let polygon = GeoPolygon(outerRing: random.between(0, 1) < 0.5 ? ring : ring.reversed())!
        let expected = places.indices.filter { index in
          (0..<7).contains { contains([center, ring[$0], ring[$0 + 1]], places[index]) }
        }
        let found = realm.objects(Traveler.self).where { $0.home.geoWithin(polygon) }.names
        #expect(found == expected.map { "\(1000 + $0)" }, "\(polygon._areaText)")
      }
    }
  }

  /// The place at a part of a turn and a distance in degrees from a center.
  private func star(
    around center: (Double, Double),
    _ turn: Double,
    _ distance: Double
  ) -> (Double, Double) {
    let (latitude, bearing) = (center.0 * .pi / 180, turn * 2 * .pi)
    let angle = distance * .pi / 180
    let height = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
    let east = atan2(
      sin(bearing) * sin(angle) * cos(latitude),
      cos(angle) - sin(latitude) * height
    )
    var longitude = center.1 + east * 180 / .pi
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    return (asin(max(-1, min(1, height))) * 180 / .pi, longitude)
  }
}

/// Numbers that are the same each time.
private struct Pseudorandom {
  var state: UInt64

  mutating func between(_ lower: Double, _ upper: Double) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return lower + (upper - lower) * Double(state >> 11) / Double(UInt64(1) << 53)
  }
}
