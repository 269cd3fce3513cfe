/// An area on Earth, for `GEOWITHIN`.
///
/// ```swift
/// let area = GeoArea.circle(center: .init(latitude: 55.67, longitude: 12.56), radius: 0.001)
/// let isNear = Predicate.Comparison(.path(.init("location")), .geoWithin, area.expression)
/// print(Predicate.comparison(isNear))
/// ```
///
/// Earth is a sphere. The sides of boxes and polygons are the shortest paths between their corners:
/// in the northern hemisphere, the upper side of a box runs further north than its corners. Points
/// on the boundary belong to the area. Altitudes do not count.
public enum GeoArea: Hashable, Sendable {
  /// The polygon of the four corners of a box.
  ///
  /// A box is less than 180° wide, and may cross the antimeridian.
  case box(bottomLeft: Position, topRight: Position)
  /// An outer ring, and rings of holes in it.
  ///
  /// A ring has at least three different corners, and ends with the corner that it begins with. Its
  /// inside is the smaller of the two parts that it divides the sphere into.
  case polygon([[Position]])
  /// The points whose distance from the center, in radians, is at most the radius.
  case circle(center: Position, radius: Double)

  /// A place on Earth.
  ///
  /// ```swift
  /// print(GeoArea.Position(latitude: 55.67, longitude: 12.56))
  /// ```
  public struct Position: Hashable, Sendable {
    /// The latitude in degrees, from −90 to 90.
    public var latitude: Double
    /// The longitude in degrees, from −180 to 180.
    public var longitude: Double

    /// Creates a position.
    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  /// The right side of a comparison with the area: its text.
  public var expression: Predicate.Expression { .literal(.string(description)) }

  /// Reads an area; `nil` if the text is not an area.
  ///
  /// Whether it encloses anything is checked by the query.
  ///
  /// - Parameter text: The area, as ``description`` writes it. A position may have an altitude, which
  ///   is ignored.
  public init?(_ text: String) {
    guard let start = text.firstIndex(of: "("), text.last == ")" else { return nil }
    let body = text[text.index(after: start)...].dropLast()
    try? self.init(String(text[..<start]), String(body), column: 0)
  }
}

extension GeoArea: CustomStringConvertible {
  /// The area in the predicate language.
  public var description: String {
    switch self {
    case .box(let bottomLeft, let topRight): "geoBox(\(bottomLeft), \(topRight))"
    case .polygon(let rings):
      "geoPolygon("
        + rings.map { ring in "{" + ring.map(\.description).joined(separator: ", ") + "}" }
        .joined(separator: ", ") + ")"
    case .circle(let center, let radius): "geoCircle(\(center), \(radius))"
    }
  }
}

extension GeoArea.Position: CustomStringConvertible {
  /// The longitude and the latitude, in the order of GeoJSON.
  public var description: String { "[\(longitude), \(latitude)]" }
}

// MARK: - The text

extension GeoArea {
  /// The names of areas, with what stands in their parentheses.
  static let forms = [
    "geobox": "geoBox([longitude, latitude], [longitude, latitude])",
    "geocircle": "geoCircle([longitude, latitude], radians)",
    "geopolygon": "geoPolygon({[longitude, latitude], …})",
  ]

  /// The area of a name and what stands in its parentheses.
  init(_ name: String, _ body: String, column: Int) throws(PredicateError) {
    guard let form = Self.forms[name.lowercased()] else {
      throw PredicateError("'\(name)' is not an area", column: column)
    }
    var reader = AreaReader(rest: body[...])
    guard let area = reader.area(name.lowercased()), reader.isAtEnd else {
      throw PredicateError("'\(name)(\(body))' is not an area", column: column, expected: form)
    }
    self = area
  }
}

/// Reads what stands in the parentheses of an area; each part is `nil` if it is not there.
private struct AreaReader {
  var rest: Substring

  var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

  mutating func area(_ name: String) -> GeoArea? {
    switch name {
    case "geobox":
      guard let bottomLeft = position(), take(","), let topRight = position() else { return nil }
      return .box(bottomLeft: bottomLeft, topRight: topRight)
    case "geocircle":
      guard let center = position(), take(","), let radius = number() else { return nil }
      return .circle(center: center, radius: radius)
    default:
      var rings: [[GeoArea.Position]] = []
      repeat {
        guard let ring = ring() else { return nil }
        rings.append(ring)
      } while take(",")
      return .polygon(rings)
    }
  }

  private mutating func take(_ mark: Character) -> Bool {
    rest = rest.drop(while: \.isWhitespace)
    guard rest.first == mark else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func number() -> Double? {
    rest = rest.drop(while: \.isWhitespace)
    let text = rest.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    rest.removeFirst(text.count)
    return Double(text)
  }

  private mutating func position() -> GeoArea.Position? {
    guard take("["), let longitude = number(), take(","), let latitude = number() else {
      return nil
    }
    if take(","), number() == nil { return nil }
    guard take("]") else { return nil }
    return GeoArea.Position(latitude: latitude, longitude: longitude)
  }

  private mutating func ring() -> [GeoArea.Position]? {
    guard take("{") else { return nil }
    var positions: [GeoArea.Position] = []
    repeat {
      guard let position = position() else { return nil }
      positions.append(position)
    } while take(",")
    return take("}") ? positions : nil
  }
}
