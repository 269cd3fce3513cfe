import KennelCore

/// A class of dates, floating point numbers and UUIDs, which the workload has none of.
enum ScalarsScenario: Scenario {
  static let title = "a class of dates, doubles and UUIDs"

  private static let step = 60
  private static let start: Int64 = 1_700_000_000

  /// The values of an object; the dates are in no order.
  private struct Reading {
    var seconds: Int64
    var level: Double
    var uuid: (high: UInt64, low: UInt64)

    init(_ random: inout RandomNumbers, of count: Int) {
      seconds = start + Int64(random.next(below: count) * step)
      level = Double(random.next(below: 1 << 30)) / 1024
      uuid = (random.next(), random.next())
    }
  }

  /// How many are before the middle of time, and the UUID of the one in the middle.
  private static func expectations(_ count: Int) -> (before: Int, uuid: (UInt64, UInt64)) {
    var random = RandomNumbers(seed: 7)
    var before = 0
    var uuid: (UInt64, UInt64) = (0, 0)
    for number in 0..<count {
      let reading = Reading(&random, of: count)
      if reading.seconds < middle(count) { before += 1 }
      if number == count / 2 { uuid = reading.uuid }
    }
    return (before, uuid)
  }

  private static func middle(_ count: Int) -> Int64 { start + Int64(count / 2 * step) }

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let expected = expectations(setting.objects)
    let database = try Database.open(setting.path)
    try database.write { transaction in
      let properties = [
        PropertyDefinition("at", .date), PropertyDefinition("level", .double),
        PropertyDefinition("uuid", .uuid),
      ]
      try transaction.define([ClassDefinition("Reading", properties: properties)])
    }
    let schema = try database.snapshot().schema
    let at = try schema.property("at", of: "Reading", as: Timestamp.self)
    let level = try schema.property("level", of: "Reading", as: Double.self)
    let uuid = try schema.property("uuid", of: "Reading", as: UUIDValue.self)
    try figures.time("insert, one commit") {
      try database.write { transaction in
        var random = RandomNumbers(seed: 7)
        for _ in 0..<setting.objects {
          let reading = Reading(&random, of: setting.objects)
          let object = try transaction.create(at.classKey)
          try transaction.set(object, property: at, to: Timestamp(seconds: reading.seconds))
          try transaction.set(object, property: level, to: reading.level)
          let value = UUIDValue(high: reading.uuid.high, low: reading.uuid.low)
          try transaction.set(object, property: uuid, to: value)
        }
      }
    }
    figures.add("file", Double(Footprint.bytes(of: setting.path)) / 1e6, .megabytes)
    let snapshot = try database.snapshot()
    try figures.time("sum of the doubles") {
      var sum = 0.0
      try snapshot.forEachObject(of: at.classKey) { sum += try snapshot[$0, level] }
      return sum
    }
    func count(_ text: String, _ argument: Value) throws -> Int {
      let predicate = try Predicate.parse(
        text,
        for: at.classKey,
        in: schema,
        arguments: [argument]
      )
      return try snapshot.count(of: at.classKey, where: predicate)
    }
    let before = try figures.time("count of dates before") {
      try count("at < %@", .date(Timestamp(seconds: middle(setting.objects))))
    }
    try require(before, is: expected.before, "the count of dates")
    let wanted = UUIDValue(high: expected.uuid.0, low: expected.uuid.1)
    let found = try figures.time("count of one UUID, no index") {
      try count("uuid == %@", .uuid(wanted))
    }
    try require(found, is: 1, "the count of UUIDs")
    try figures.time("sort by date") {
      let sort = try SortKey.parse("at", for: at.classKey, in: schema)
      return try snapshot.objects(of: at.classKey, sort: sort).keys
    }
    return figures.list
  }

  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let expected = expectations(setting.objects)
    let database = try SQLiteDatabase(setting.path)
    try database.execute(
      "CREATE TABLE reading (id INTEGER PRIMARY KEY, at INTEGER, level REAL, uuid BLOB)"
    )
    try figures.time("insert, one commit") {
      try database.write {
        let insert = try database.prepare(
          "INSERT INTO reading (at, level, uuid) VALUES (?, ?, ?)"
        )
        var random = RandomNumbers(seed: 7)
        for _ in 0..<setting.objects {
          let reading = Reading(&random, of: setting.objects)
          insert.bind(1, reading.seconds)
          insert.bind(2, reading.level)
          try unsafe withUnsafeBytes(of: reading.uuid) { bytes in
            unsafe insert.bind(3, bytes: bytes)
            try insert.run()
          }
        }
      }
    }
    figures.add("file", Double(try database.fileBytes()) / 1e6, .megabytes)
    let total = try database.prepare("SELECT level FROM reading")
    try figures.time("sum of the doubles") {
      var sum = 0.0
      while try total.next() { sum += total.double(0) }
      return sum
    }
    let before = try figures.time("count of dates before") {
      try database.integer(
        "SELECT count(*) FROM reading WHERE at < \(middle(setting.objects))"
      )
    }
    try require(before, is: expected.before, "the count of dates")
    let count = try database.prepare("SELECT count(*) FROM reading WHERE uuid = ?")
    let found = try figures.time("count of one UUID, no index") {
      try unsafe withUnsafeBytes(of: expected.uuid) { bytes in
        unsafe count.bind(1, bytes: bytes)
        return try count.next() ? count.integer(0) : 0
      }
    }
    try require(found, is: 1, "the count of UUIDs")
    let sorted = try database.prepare("SELECT id FROM reading ORDER BY at")
    try figures.time("sort by date") {
      var order: [Int64] = []
      while try sorted.next() { order.append(sorted.integer(0)) }
      return order
    }
    return figures.list
  }
}
