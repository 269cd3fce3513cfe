import KennelCore

/// An area for `geoWithin`: a box, a polygon or a circle.
///
/// ```swift
/// let areas: [any RLMGeospatial] = [oslo, harbor, strait]
/// print(areas.count)
/// ```
///
/// No other type conforms to it.
public protocol RLMGeospatial: Sendable {
  // swift-format-ignore: NoLeadingUnderscores
  /// The text of the area in the predicate language.
  var _areaText: String { get }
}

/// A place on Earth, from which areas are made.
///
/// ```swift
/// if let point = GeoPoint(latitude: 59.91, longitude: 10.75) { print(point.latitude) }
/// ```
///
/// It cannot be stored. A place is stored as an embedded object in the form of a GeoJSON point: a
/// property `type` with the text `Point`, and a list `coordinates` with the longitude and the latitude.
public struct GeoPoint: Hashable, Sendable {
  /// The latitude in degrees.
  public let latitude: Double
  /// The longitude in degrees.
  public let longitude: Double
  /// The altitude, which no query uses.
  public let altitude: Double

  /// Creates a point; `nil` if a number is out of range or NaN.
  ///
  /// - Parameters:
  ///   - latitude: The latitude, from −90 to 90 degrees.
  ///   - longitude: The longitude, from −180 to 180 degrees.
  ///   - altitude: The altitude, which is not negative.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Creates a point; `nil` if a number is out of range or NaN.
  ///
  /// - Parameters:
  ///   - latitude: The latitude, from −90 to 90 degrees.
  ///   - longitude: The longitude, from −180 to 180 degrees.
  ///   - altitude: The altitude, which is not negative.
  public init?(_ latitude: Double, _ longitude: Double, _ altitude: Double = 0) {
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
  }

  internal init?(_ pair: (Double, Double)) {
    self.init(latitude: pair.0, longitude: pair.1)
  }

  internal var position: GeoArea.Position {
    GeoArea.Position(latitude: latitude, longitude: longitude)
  }
}

/// A distance on the surface of Earth, taken as a sphere with a radius of 6378.1 kilometers.
///
/// ```swift
/// if let distance = Distance.kilometers(20) { print(distance.radians, distance.asMiles()) }
/// ```
public struct Distance: Hashable, Sendable {
  /// The distance in radians.
  public let radians: Double

  private static let kilometersPerRadian = 6378.1
  private static let kilometersPerMile = 1.609344

  private init?(checking radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// Creates a distance; `nil` if it is negative or NaN.
  public static func kilometers(_ kilometers: Double) -> Distance? {
    Distance(checking: kilometers / kilometersPerRadian)
  }

  /// Creates a distance; `nil` if it is negative or NaN.
  public static func miles(_ miles: Double) -> Distance? {
    Distance(checking: miles * kilometersPerMile / kilometersPerRadian)
  }

  /// Creates a distance; `nil` if it is negative or NaN.
  public static func degrees(_ degrees: Double) -> Distance? {
    Distance(checking: degrees * .pi / 180)
  }

  /// Creates a distance; `nil` if it is negative or NaN.
  public static func radians(_ radians: Double) -> Distance? {
    Distance(checking: radians)
  }

  /// Returns the distance in kilometers.
  public func asKilometers() -> Double { radians * Self.kilometersPerRadian }

  /// Returns the distance in miles.
  public func asMiles() -> Double {
    radians * Self.kilometersPerRadian / Self.kilometersPerMile
  }

  /// Returns the distance in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
}

/// The polygon of the four corners of a box.
///
/// ```swift
/// let oslo = GeoBox(bottomLeft: (59.8, 10.5), topRight: (60.0, 11.0))!
/// print(realm.objects(Pier.self).where { $0.place.geoWithin(oslo) }.count)
/// ```
///
/// Its sides are great circles, like those of a polygon: the upper side of a box in the northern
/// hemisphere runs further north than its corners. It is less than 180° wide, and may cross the
/// antimeridian.
public struct GeoBox: RLMGeospatial, Hashable {
  /// The corner at the bottom left.
  public let bottomLeft: GeoPoint
  /// The corner at the top right.
  public let topRight: GeoPoint

  /// Creates a box.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Creates a box of latitudes and longitudes; `nil` if a number is out of range.
  ///
  /// - Parameters:
  ///   - bottomLeft: The latitude and longitude of the corner at the bottom left.
  ///   - topRight: Those of the corner at the top right.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
      return nil
    }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// The text of the area in the predicate language.
  public var _areaText: String {
    GeoArea.box(bottomLeft: bottomLeft.position, topRight: topRight.position).description
  }
}

/// An area with an outer ring, and holes in it.
///
/// ```swift
/// let harbor = GeoPolygon(
///   outerRing: [(59.90, 10.72), (59.90, 10.77), (59.92, 10.75), (59.90, 10.72)]
/// )!
/// print(realm.objects(Pier.self).filter("place IN %@", harbor).count)
/// ```
///
/// The sides are great circles. Whichever way a ring runs, its inside is the smaller part of the sphere.
/// Sides that cross, and holes that overlap or do not lie in the outer ring, are reported by the
/// query.
public struct GeoPolygon: RLMGeospatial, Hashable {
  /// The outer ring, which ends with its first point.
  public let outerRing: [GeoPoint]
  /// The holes.
  public let holes: [[GeoPoint]]?

  /// Creates a polygon; `nil` if a ring is not closed or has fewer than four points.
  ///
  /// - Parameters:
  ///   - outerRing: At least four points, the last equal to the first.
  ///   - holes: The holes, rings of the same form.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]? = nil) {
    for ring in [outerRing] + (holes ?? []) {
      guard ring.count > 3, ring.first?.position == ring.last?.position else { return nil }
    }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Creates a polygon of latitudes and longitudes; `nil` if a ring is not closed or has fewer than
  /// four points, or if a number is out of range.
  ///
  /// - Parameters:
  ///   - outerRing: At least four points, the last equal to the first.
  ///   - holes: The holes, rings of the same form.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]]? = nil) {
    let outer = outerRing.compactMap { GeoPoint($0) }
    let inner = holes.map { $0.map { ring in ring.compactMap { GeoPoint($0) } } }
    guard outer.count == outerRing.count, inner?.map(\.count) == holes?.map(\.count) else {
      return nil
    }
    self.init(outerRing: outer, holes: inner)
  }

  /// Creates a polygon of latitudes and longitudes; `nil` if a ring is not closed or has fewer than
  /// four points, or if a number is out of range.
  ///
  /// - Parameters:
  ///   - outerRing: At least four points, the last equal to the first.
  ///   - holes: The holes, rings of the same form.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes as [[(Double, Double)]]?)
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// The text of the area in the predicate language.
  public var _areaText: String {
    GeoArea.polygon(([outerRing] + (holes ?? [])).map { $0.map(\.position) }).description
  }
}

/// The points whose distance from a center is at most a radius.
///
/// ```swift
/// let strait = GeoCircle(center: (59.9, 10.6), radius: .kilometers(8)!)!
/// print(realm.objects(Pier.self).where { $0.place.geoWithin(strait) }.count)
/// ```
public struct GeoCircle: RLMGeospatial, Hashable {
  /// The center.
  public let center: GeoPoint
  /// The distance in radians.
  public let radians: Double

  /// Creates a circle; `nil` if the radius is negative or NaN.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard radiusInRadians >= 0 else { return nil }
    self.center = center
    radians = radiusInRadians
  }

  /// Creates a circle.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radians = radius.radians
  }

  /// Creates a circle around a latitude and longitude; `nil` if a number is out of range.
  ///
  /// - Parameters:
  ///   - center: The latitude and longitude of the center.
  ///   - radiusInRadians: The distance in radians.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  /// Creates a circle around a latitude and longitude; `nil` if a number is out of range.
  ///
  /// - Parameters:
  ///   - center: The latitude and longitude of the center.
  ///   - radius: The distance.
  public init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// The text of the area in the predicate language.
  public var _areaText: String {
    GeoArea.circle(center: center.position, radius: radians).description
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// True if the object is a place in an area.
  ///
  /// Its class has the properties of a GeoJSON point, `type` and `coordinates`; any other class
  /// stops the program. The time is linear in the number of corners of a polygon. Places whose
  /// `type` is not `Point`, or whose coordinates are not on Earth, are in no area.
  ///
  /// - Parameter area: The area.
  /// - Returns: The condition.
  public func geoWithin<Area: RLMGeospatial>(_ area: Area) -> Query<Bool> {
    compared(.geoWithin, area)
  }
}
