internal import KennelStorage

/// Comparisons that ask whether a place lies in an area.
extension PredicateChecker {
  func placeComparison(
    _ comparison: Predicate.Comparison
  ) throws(PredicateError) -> ResolvedPredicate.Comparison {
    let column = comparison.source.column
    guard case .path(let path) = comparison.left else {
      throw PredicateError(
        "GEOWITHIN needs a property on its left side",
        column: column,
        expected: "a link to embedded objects that are places"
      )
    }
    let place = try self.path(path)
    if let quantifier = comparison.quantifier, !place.end.isMany {
      throw PredicateError(
        "\(quantifier.rawValue) needs many values, and '\(path)' has one",
        column: path.columns.start,
        expected: "a path over a collection or a backlink"
      )
    }
    let (type, coordinates) = try properties(of: place, path)
    return ResolvedPredicate.Comparison(
      quantifier: comparison.quantifier ?? .any,
      left: .path(place),
      comparator: .geoWithin,
      options: [],
      right: .place(
        PlaceTest(
          type: type,
          coordinates: coordinates,
          region: try region(comparison.right, column)
        )
      )
    )
  }

  private func properties(
    of place: ResolvedPredicate.Path,
    _ path: Predicate.Path
  ) throws(PredicateError) -> (PropertySchema, PropertySchema) {
    guard place.aggregate == nil, place.end.kind == .link,
      let target = place.end.classKey.flatMap({ schema[$0] })
    else {
      throw PredicateError(
        "GEOWITHIN asks where an object is, and '\(path)' is "
          + Self.phrase(Self.kind(of: place)),
        column: path.columns.start,
        expected: "a link to embedded objects that are places"
      )
    }
    guard target.isEmbedded else {
      throw PredicateError(
        "A GEOWITHIN query can only operate on a link to an embedded class but "
          + "'\(target.name)' is at the top level",
        column: path.columns.start
      )
    }
    guard let properties = target.placeProperties else {
      throw PredicateError(
        "'\(path)' links to data in the wrong format for a geoWithin query",
        column: path.columns.start,
        expected: "in \(target.name) a string 'type' and a list of double 'coordinates'"
      )
    }
    return properties
  }

  private func region(
    _ expression: Predicate.Expression,
    _ column: Int
  ) throws(PredicateError) -> GeoRegion {
    guard case .literal(.string(let text), let source) = expression, let area = GeoArea(text) else {
      throw PredicateError(
        "GEOWITHIN needs an area",
        column: column,
        expected: GeoArea.forms.values.sorted().alternatives
      )
    }
    return try GeoRegion(area, column: source.column)
  }
}
