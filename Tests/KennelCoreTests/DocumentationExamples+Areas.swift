import KennelCore
import Testing

/// The lines of the function are examples of doc comments; a tidy test compares them.
@Suite struct `The examples of areas` {
  @Test func `run`() throws {
    let area = GeoArea.circle(center: .init(latitude: 55.67, longitude: 12.56), radius: 0.001)
    let isNear = Predicate.Comparison(.path(.init("location")), .geoWithin, area.expression)
    print(Predicate.comparison(isNear))
    print(GeoArea.Position(latitude: 55.67, longitude: 12.56))
    let text = "location GEOWITHIN geoCircle([12.56, 55.67], 0.001)"
    #expect(Predicate.comparison(isNear).description == text)
    let read = try Predicate.read(text, in: Schema())
    #expect(read == .comparison(isNear))
  }

  @Test(arguments: [
    "geoBox([1.0, 2.0], [3.0, 4.0])", "geoCircle([-12.5, 55.67], 1e-05)",
    "geoPolygon({[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]}, {[0.1, 0.1]})",
  ])
  func `are read as they are written`(text: String) {
    #expect(GeoArea(text)?.description == text)
  }

  @Test(arguments: [
    "", "geoBox", "geoBox()", "geoBox([1, 2])", "geoBox([1, 2], [3, 4]) ", "geoBall([1, 2], 3)",
    "geoCircle([1, 2], x)", "geoCircle([1], 2)", "geoCircle([1, 2, x], 2)", "geoPolygon()",
    "geoPolygon({})", "geoPolygon({[1, 2]", "geoCircle([1, 2], 3), 4)",
  ])
  func `are nothing else`(text: String) {
    #expect(GeoArea(text) == nil)
  }

  @Test func `have positions with altitudes, which are ignored`() {
    let area = GeoArea("GEOCIRCLE( [ 1 , 2 , 300 ] , 3 )")
    #expect(area?.description == "geoCircle([1.0, 2.0], 3.0)")
  }
}
