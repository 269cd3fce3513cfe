public import KennelStorage

/// Whether an object, which has the form of a GeoJSON point, lies in an area.
struct PlaceTest {
  let type: PropertySchema
  let coordinates: PropertySchema
  let region: GeoRegion

  func holds(_ value: Value, _ view: StoreView) throws(StorageError) -> Bool {
    guard case .link(let object) = value,
      case .string(let text) = try view.values.value(of: object, type), text.lowercased() == "point"
    else { return false }
    return region.contains(try view.values.value(of: object, coordinates))
  }

  /// The question for whole clusters of places.
  func node(_ view: StoreView) -> ScanNode {
    let isPoint = ValueTest(.equal, [.string("point")], .caseInsensitive)
    let leaf = ScanLeaf(view, type, isPoint, .caseInsensitive, isAll: false)
    let isInside = ScanNode(cost: 30) { (cluster, wanted) throws(StorageError) in
      try wanted.places { (place) throws(StorageError) in
        region.contains(try view.values.value(in: cluster, place, coordinates))
      }
    }
    return .all([leaf.node, isInside])
  }
}

extension ClassSchema {
  /// The properties of a GeoJSON point: `type`, a string, and `coordinates`, a list of doubles.
  var placeProperties: (type: PropertySchema, coordinates: PropertySchema)? {
    guard let type = self["type"], type.type.kind == .string, !type.isCollection,
      let coordinates = self["coordinates"], coordinates.type.kind == .double,
      coordinates.type.collection == .list
    else { return nil }
    return (type, coordinates)
  }

  /// Whether `GEOWITHIN` can be applied to objects: they are embedded and have the form of a
  /// GeoJSON point.
  @_spi(Faces)
  public var isPlace: Bool { isEmbedded && placeProperties != nil }
}
