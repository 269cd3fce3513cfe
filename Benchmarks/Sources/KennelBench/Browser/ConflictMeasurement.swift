import KennelCore

/// Measures decisions in the browser on the changes of 10,000 objects that another program has changed,
/// too.
struct ConflictMeasurement {
  let kennel: String
  /// A file of so many dogs, which is changed.
  let file: String
  let columns: Int
  let rows: Int
  /// A folder for what the browser keeps, emptied before.
  let home: String

  static let dogs = 10_000
  private static let target = 50.0

  func figures() throws -> [BrowserFigure] {
    let session = try BrowserSession([kennel, file], columns: columns, rows: rows, home: home)
    _ = try session.firstScreen(with: "Person")
    try session.press("\r")
    try session.press(":")
    try session.press("set age = age + 1")
    _ = try session.press("\r", until: "y sets them")
    _ = try session.press("y", until: "\(Self.dogs)")
    try session.rest()
    try changeAll()
    _ = try session.press("4", until: "\(Self.dogs) conflicts")
    try session.rest()
    var left = Self.dogs
    func decide(_ key: String) throws -> [Double] {
      try (0..<20).map { _ in
        left -= 1
        let time = try session.press(key, until: "\(left) conflicts left")
        try session.rest()
        return time
      }
    }
    let mine = try decide("m")
    let theirs = try decide("t")
    return [
      figure("keep mine in one of \(Self.dogs) conflicts", mine),
      figure("take theirs in one of \(Self.dogs) conflicts", theirs),
    ]
  }

  private func figure(_ name: String, _ times: [Double]) -> BrowserFigure {
    BrowserFigure(name, .milliseconds, times, target: Self.target, isOfMedian: true)
  }

  /// Changes the age of each dog, as another program would.
  private func changeAll() throws {
    let database = try Database.open(file)
    try database.write { transaction in
      let dog = try transaction.schema.require("Dog")
      let age = try dog.require("age").key
      for object in try transaction.objects(of: dog.key) {
        try transaction.set(object, property: age, to: .int(99))
      }
    }
  }
}
