import KennelCore

/// One object that every other one links to.
enum HubScenario: Scenario {
  static let title = "a hub with as many referrers as the workload has dogs"

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    var hub = try KennelHub(setting.path + ".1")
    try figures.time("insert, one commit") { try hub.insert(setting.objects) }
    let snapshot = try hub.database.snapshot()
    let target = try hub.target()
    let link = hub.link
    let count = try figures.timeEach("count of backlinks", times: 101) {
      try snapshot.backlinkCount(of: link.classKey, property: link.key, to: target)
    }
    try require(count, is: setting.objects, "the count of backlinks")
    try figures.time("walk of all backlinks") {
      var walked = 0
      try snapshot.forEachOrigin(of: target, through: link) { _ in walked += 1 }
      try require(walked, is: setting.objects, "the number of backlinks")
    }
    try figures.time("blast radius of the hub, up to 10,000 links") {
      _ = try snapshot.blastRadius(deleting: [target])
    }
    let radius = try figures.time("blast radius of the hub, all links") {
      try snapshot.blastRadius(deleting: [target], limit: .max)
    }
    try require(radius.nulled.count, is: setting.objects, "the number of links to become null")
    try figures.time("delete all referrers one by one, one commit") {
      try hub.database.write { transaction in
        for referrer in hub.referrers { _ = try transaction.delete([referrer]) }
      }
    }
    hub = try KennelHub(setting.path + ".2")
    try hub.insert(setting.objects)
    try figures.time("delete all referrers at once") {
      try hub.database.write { transaction in _ = try transaction.delete(hub.referrers) }
    }
    hub = try KennelHub(setting.path + ".3")
    try hub.insert(setting.objects)
    try figures.time("delete the hub") {
      try hub.database.write { transaction in _ = try transaction.delete([try hub.target()]) }
    }
    return figures.list
  }

  /// A hub in a file of its own.
  private struct KennelHub {
    let database: Database
    let link: TypedProperty<ObjectIdentity?>
    private let hub: ClassKey
    var referrers: [ObjectIdentity] = []

    init(_ path: String) throws {
      database = try Database.open(path)
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Hub"),
          ClassDefinition("Referrer", properties: [PropertyDefinition("hub", .link("Hub"))]),
        ])
      }
      let schema = try database.snapshot().schema
      link = try schema.property("hub", of: "Referrer")
      guard let key = schema["Hub"]?.key else { throw BenchmarkError("There is no class Hub") }
      hub = key
    }

    mutating func insert(_ count: Int) throws {
      referrers = try database.write { transaction in
        let target = try transaction.create(hub)
        return try (0..<count).map { _ in
          let referrer = try transaction.create(link.classKey)
          try transaction.set(referrer, property: link, to: target)
          return referrer
        }
      }
    }

    func target() throws -> ObjectIdentity {
      guard let target = try database.snapshot().objects(of: hub, limit: 1).first else {
        throw BenchmarkError("There is no hub")
      }
      return target
    }
  }

  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    var database = try sqliteHub(setting.path + ".1")
    try figures.time("insert, one commit") { try insert(setting.objects, into: database) }
    let counted = try database.prepare("SELECT count(*) FROM referrer WHERE hub = 1")
    let count = try figures.timeEach("count of backlinks", times: 11) {
      defer { counted.reset() }
      return try counted.next() ? counted.integer(0) : 0
    }
    try require(count, is: setting.objects, "the count of backlinks")
    let walk = try database.prepare("SELECT id FROM referrer WHERE hub = 1")
    try figures.time("walk of all backlinks") {
      var walked = 0
      while try walk.next() { walked += 1 }
      try require(walked, is: setting.objects, "the number of backlinks")
    }
    walk.reset()
    let delete = try database.prepare("DELETE FROM referrer WHERE id = ?")
    try figures.time("delete all referrers one by one, one commit") {
      try database.write {
        for id in 1...Int64(setting.objects) {
          delete.bind(1, id)
          try delete.run()
        }
      }
    }
    database = try sqliteHub(setting.path + ".2")
    try insert(setting.objects, into: database)
    try figures.time("delete all referrers at once") {
      try database.execute("DELETE FROM referrer WHERE id > 0")
    }
    database = try sqliteHub(setting.path + ".3")
    try insert(setting.objects, into: database)
    try figures.time("delete the hub") { try database.execute("DELETE FROM hub") }
    return figures.list
  }

  private static func sqliteHub(_ path: String) throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path)
    try database.execute(
      """
      CREATE TABLE hub (id INTEGER PRIMARY KEY);
      CREATE TABLE referrer (
        id INTEGER PRIMARY KEY,
        hub INTEGER REFERENCES hub (id) ON DELETE SET NULL
      );
      CREATE INDEX referrer_hub ON referrer (hub);
      """
    )
    return database
  }

  private static func insert(_ count: Int, into database: SQLiteDatabase) throws {
    try database.write {
      try database.execute("INSERT INTO hub VALUES (1)")
      let insert = try database.prepare("INSERT INTO referrer (hub) VALUES (1)")
      for _ in 0..<count { try insert.run() }
    }
  }
}
