import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

@MainActor func openPrepared(_ configuration: Realm.Configuration) async throws -> Realm {
  try await Realm(configuration: configuration, downloadBeforeOpen: .once)
}

/// The lines of each function are examples of doc comments; a tidy test compares them.
@Suite(.serialized) struct `The examples of loggers` {
  @Test func `run`() {
    let (logger, level) = (Logger.shared, Logger.logLevel(for: Category.realm))
    defer {
      Logger.shared = logger
      Logger.setLogLevel(level)
    }
    levels()
    categories()
    sharedLogger()
    #expect(Logger.logLevel(for: Category.Storage.all) == .debug)
    #expect(Logger.logLevel(for: Category.Storage.query) == .off)
  }

  private func levels() {
    Logger.setLogLevel(.warn)
    print(Logger.logLevel(for: Category.realm) == .warn)
  }

  private func categories() {
    let categories: [any LogCategory] = [Category.realm, Category.sdk, Category.Storage.query]
    print(categories.map(\.rawValue))
    Logger.setLogLevel(.debug, for: Category.Storage.all)
    Logger.setLogLevel(.off, for: Category.Storage.query)
  }

  private func sharedLogger() {
    Logger.shared = Logger { level, category, message in
      print(level, category.rawValue, message)
    }
  }
}

class GeoPlace: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

class Pier: Object {
  @Persisted var place: GeoPlace?
}

/// The lines of the function are examples of doc comments; a tidy test compares them.
@Suite struct `The examples of areas` {
  @Test func `run`() throws {
    try withRealm([Pier.self, GeoPlace.self]) { realm in
      try realm.write {
        realm.add(Pier(value: ["place": ["coordinates": [10.75, 59.91]]]))
      }
      // swift-format-ignore: NeverForceUnwrap
      do {
        let oslo = GeoBox(bottomLeft: (59.8, 10.5), topRight: (60.0, 11.0))!
        print(realm.objects(Pier.self).where { $0.place.geoWithin(oslo) }.count)
        let harbor = GeoPolygon(
          outerRing: [(59.90, 10.72), (59.90, 10.77), (59.92, 10.75), (59.90, 10.72)]
        )!
        print(realm.objects(Pier.self).filter("place IN %@", harbor).count)
        let strait = GeoCircle(center: (59.9, 10.6), radius: .kilometers(8)!)!
        print(realm.objects(Pier.self).where { $0.place.geoWithin(strait) }.count)
        let areas: [any RLMGeospatial] = [oslo, harbor, strait]
        print(areas.count)
      }
      if let point = GeoPoint(latitude: 59.91, longitude: 10.75) { print(point.latitude) }
      if let distance = Distance.kilometers(20) { print(distance.radians, distance.asMiles()) }
    }
  }
}
