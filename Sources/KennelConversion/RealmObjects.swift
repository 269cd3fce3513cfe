internal import KennelCore
internal import KennelRealmFile

/// Where the objects of a `.realm` file are in the database.
struct RealmObjects {
  private struct Target {
    let key: ClassKey
    let name: String
  }

  /// A new key may be so much greater than the ones before it.
  private static let greatestKey: Int64 = 1 << 40

  private var classes: [Int: Target] = [:]
  /// The keys of objects that got others, in the order of creation; those of other classes are one more
  /// than in the file, since Kennel's begin at 1.
  private var given: [Int: [Int64: ObjectKey]] = [:]

  init(_ schema: RealmSchema, _ file: RealmFile, _ transaction: WriteTransaction) throws {
    for item in schema.classes {
      let key = try transaction.schema.require(item.name).key
      classes[item.realm.tableKey] = Target(key: key, name: item.name)
      if try item.realm.kind == .embedded || !Self.areNear(item.realm, file) {
        // What a file says of its size need not be true.
        let capacity = min(item.realm.count, 1 << 20)
        given[item.realm.tableKey] = Dictionary(minimumCapacity: capacity)
      }
    }
  }

  /// Whether the keys of a class are near each other: 256 neighbours are stored together, and objects
  /// that have none take much room.
  private static func areNear(_ realm: RealmClass, _ file: RealmFile) throws -> Bool {
    var last: Int64 = 0
    var groups = 0
    try file.forEachCluster(of: realm) { cluster in
      for key in cluster.keys {
        if groups == 0 || key >> 8 != last >> 8 { groups += 1 }
        last = key
      }
    }
    return last < greatestKey && groups <= 4_096 + realm.count / 16
  }

  /// Whether the objects of a class keep their keys.
  func keepsKeys(_ table: Int) -> Bool {
    given[table] == nil
  }

  /// Notes which object of the database one of the file became.
  mutating func add(
    _ object: ObjectIdentity,
    for key: Int64,
    of table: Int
  ) throws(RealmImportError) {
    if given[table]?.updateValue(object.key, forKey: key) != nil {
      let name = classes[table]?.name ?? ""
      throw RealmImportError("The embedded object \(name)/\(key) has two owners")
    }
  }

  /// How many objects of a class were noted.
  func count(of table: Int) -> Int {
    given[table]?.count ?? 0
  }

  /// The object that one of the file became.
  func object(_ table: Int, _ key: Int64) throws(RealmImportError) -> ObjectIdentity {
    guard let found = classes[table] else {
      throw RealmImportError("A link leads to the table \(table), which is not there")
    }
    if let keys = given[table] {
      if let given = keys[key] { return ObjectIdentity(found.key, given) }
    } else if key >= 0, key < Int64(ObjectKey.firstProvisional) - 1 {
      return ObjectIdentity(found.key, ObjectKey(rawValue: UInt64(key) + 1))
    }
    throw RealmImportError("A link leads to \(found.name)/\(key), which is not there")
  }

  /// The value that one of the file becomes.
  func value(_ value: RealmValue) throws(RealmImportError) -> Value {
    switch value {
    case .null: return .null
    case .int(let number): return .int(number)
    case .bool(let truth): return .bool(truth)
    case .string(let text): return .string(text)
    case .data(let bytes): return .data(bytes)
    case .timestamp(let seconds, let nanoseconds): return .date(try date(seconds, nanoseconds))
    case .float(let bits): return .float(Float(bitPattern: bits))
    case .double(let bits): return .double(Double(bitPattern: bits))
    case .decimal(let high, let low): return .decimal128(Decimal128(high: high, low: low))
    case .objectId(let high, let low): return .objectId(ObjectId(high: high, low: low))
    case .uuid(let high, let low): return .uuid(UUIDValue(high: high, low: low))
    case .link(let table, let key): return .link(try object(table, key))
    case .list(let elements): return .list(try values(elements))
    case .set(let members): return .set(try values(members))
    case .dictionary(let entries):
      var values: [MapEntry] = []
      for entry in entries { values.append(MapEntry(entry.key, try self.value(entry.value))) }
      return .map(values)
    }
  }

  private func values(_ elements: [RealmValue]) throws(RealmImportError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(try value(element)) }
    return values
  }

  private func date(_ seconds: Int64, _ nanoseconds: Int32) throws(RealmImportError) -> Timestamp {
    // Realm's nanoseconds have the sign of the seconds, Kennel's are never negative.
    let isBefore = nanoseconds < 0
    let (whole, overflow) = seconds.subtractingReportingOverflow(isBefore ? 1 : 0)
    let rest = Int64(nanoseconds) + (isBefore ? 1_000_000_000 : 0)
    guard !overflow, let part = UInt32(exactly: rest),
      let date = Timestamp(seconds: whole, nanoseconds: part)
    else {
      throw RealmImportError("No date has \(seconds) seconds and \(nanoseconds) nanoseconds")
    }
    return date
  }
}

/// A contradiction between the objects of a `.realm` file.
public struct RealmImportError: Error, CustomStringConvertible {
  /// A sentence without a period.
  public let message: String

  init(_ message: String) { self.message = message }

  /// The sentence, and advice.
  public var description: String {
    "\(message). The Realm file is damaged; 'kennel check' lists what is wrong with it"
  }
}
