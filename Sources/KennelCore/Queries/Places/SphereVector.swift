internal import Glibc

/// A point on the unit sphere.
struct SphereVector: Hashable {
  let x: Double
  let y: Double
  let z: Double

  init(x: Double, y: Double, z: Double) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// Creates the point of a place on Earth, in degrees.
  ///
  /// The longitudes −180 and 180 give the same point, and all longitudes the same pole.
  init(latitude: Double, longitude: Double) {
    let (height, radius) = Self.sineAndCosine(latitude)
    let (sine, cosine) = Self.sineAndCosine(longitude)
    self.init(x: radius * cosine, y: radius * sine, z: height)
  }

  /// The sine and cosine of an angle in degrees, exact at the multiples of 90.
  private static func sineAndCosine(_ degrees: Double) -> (Double, Double) {
    let quarter = (degrees / 90).rounded()
    let rest = (degrees - quarter * 90) * (.pi / 180)
    switch Int(quarter) & 3 {
    case 0: return (sin(rest), cos(rest))
    case 1: return (cos(rest), -sin(rest))
    case 2: return (-sin(rest), -cos(rest))
    default: return (-cos(rest), sin(rest))
    }
  }

  /// Points that are no farther apart than this, in radians, are the same: six nanometers on Earth,
  /// a few times what rounding moves a point.
  static let tolerance = 1e-15

  /// A point that lies on no great circle through two places that anybody writes down.
  static let reference = SphereVector(latitude: 41.7361948201, longitude: -158.2846173905)

  static func + (left: SphereVector, right: SphereVector) -> SphereVector {
    SphereVector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  static func - (left: SphereVector, right: SphereVector) -> SphereVector {
    SphereVector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
  }

  func dot(_ other: SphereVector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: SphereVector) -> SphereVector {
    SphereVector(
      x: y * other.z - z * other.y,
      y: z * other.x - x * other.z,
      z: x * other.y - y * other.x
    )
  }

  var length: Double { dot(self).squareRoot() }

  func distance(to other: SphereVector) -> Double { (self - other).length }

  /// The area of a spherical triangle: positive if its corners are in counterclockwise order.
  static func area(_ a: SphereVector, _ b: SphereVector, _ c: SphereVector) -> Double {
    // The differences are exact where the corners are near each other, so a tiny area is, too.
    let volume = a.dot((b - a).cross(c - a))
    return 2 * atan2(volume, 1 + a.dot(b) + b.dot(c) + c.dot(a))
  }

  /// On which side of the great circle from one point to another a third one lies: 1 on the left, −1
  /// on the right, 0 on it.
  static func side(_ a: SphereVector, _ b: SphereVector, _ c: SphereVector) -> Int {
    let volume = a.dot(b.cross(c))
    // The rounding errors of the nine products are less than this.
    if abs(volume) > 4e-15 { return volume < 0 ? -1 : 1 }
    if a == b || b == c || c == a { return 0 }
    var sum = ExactSum()
    sum.add(a.x, b.y, c.z)
    sum.add(a.y, b.z, c.x)
    sum.add(a.z, b.x, c.y)
    sum.add(-a.x, b.z, c.y)
    sum.add(-a.y, b.x, c.z)
    sum.add(-a.z, b.y, c.x)
    return abs(sum.value) < 1e-30 ? 0 : sum.value < 0 ? -1 : 1
  }

  /// Whether the arc from one point to another crosses the arc between two more, and not only
  /// touches it.
  static func crosses(
    _ a: SphereVector,
    _ b: SphereVector,
    _ c: SphereVector,
    _ d: SphereVector
  ) -> Bool {
    let start = side(c, d, a)
    return start != 0 && side(c, d, b) == -start && side(a, b, d) == start
      && side(a, b, c) == -start
  }
}

/// A sum of products with twice the digits of a double.
private struct ExactSum {
  private var high = 0.0
  private var low = 0.0

  var value: Double { high + low }

  mutating func add(_ first: Double, _ second: Double, _ third: Double) {
    let product = first * second
    let rest = (-product).addingProduct(first, second)
    let whole = product * third
    add(whole, (-whole).addingProduct(product, third) + rest * third)
  }

  private mutating func add(_ number: Double, _ rest: Double) {
    let sum = high + number
    let part = sum - high
    low += (high - (sum - part)) + (number - part) + rest
    high = sum
  }
}
