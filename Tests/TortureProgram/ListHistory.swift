import Glibc
import KennelCore

/// Appends numbers to lists, or reads lists, and notes in a file what it did and when; killed at any
/// moment.
///
/// Each number is appended once, so that a list tells the order of its versions. There is a line for
/// each transaction, and one when it has ended:
///
/// | line | meaning |
/// |---|---|
/// | `t TIME r LIST COUNT SUM … a LIST NUMBER …` | begun then; what was read and appended |
/// | `ok TIME` | ended then; what it appended was acknowledged |
/// | `no` | rolled back |
/// | `bad TEXT` | something that must not be |
///
/// A sum tells the first COUNT numbers of a list from all others.
struct ListHistory {
  /// Full lists are followed by new ones, so that no commit gets large.
  private static let most = 200
  private static let openLists: Int64 = 6

  private let database: Database
  private let descriptor: Int32
  private let number: Int64
  private var dice: Dice

  init(path: String, history: String, number: Int64) throws {
    descriptor = unsafe open(history, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    self.number = number
    dice = Dice(state: UInt64(number))
    database = try Database.open(path)
  }

  static func sum(_ numbers: some Sequence<Int64>) -> UInt64 {
    numbers.reduce(14_695_981_039_346_656_037) {
      ($0 ^ UInt64(bitPattern: $1)) &* 1_099_511_628_211
    }
  }

  private static var time: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private func note(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  // MARK: - Writing

  private struct Aborted: Error {}

  mutating func append() throws {
    try database.write { transaction in
      guard transaction.schema["List"] == nil else { return }
      let id = PropertyDefinition("id", .int, isPrimaryKey: true)
      let numbers = PropertyDefinition("numbers", .list(.int))
      try transaction.define([ClassDefinition("List", properties: [id, numbers])])
    }
    var next = number * 1_000_000
    while true {
      let time = Self.time
      do {
        try database.write { transaction in
          let line = try step(&next, transaction)
          note("t \(time) \(line)")
          if Int.random(in: 0..<10, using: &dice) == 0 { throw Aborted() }
        }
        note("ok \(Self.time)")
      } catch is Aborted {
        note("no")
      }
    }
  }

  /// Reads some of the newest lists, and appends a number or two to some of them, or to a new one.
  private mutating func step(_ next: inout Int64, _ transaction: WriteTransaction) throws -> String
  {
    let list = try transaction.schema.require("List")
    let property = try list.require("numbers").key
    let newest = Int64(transaction.count(of: list.key))
    let open = max(1, newest - Self.openLists + 1)..<newest + 1
    var ids = Set((0..<3).compactMap { _ in open.randomElement(using: &dice) })
    if newest < Self.openLists { ids.insert(newest + 1) }
    var (reads, appends) = ("", "")
    for id in ids.sorted() {
      let object = try transaction.find(list.key, primaryKey: .int(id))
      var numbers = try object.map { try Self.numbers(transaction, $0, property) } ?? []
      reads += " r \(id) \(numbers.count) \(Self.sum(numbers))"
      if numbers.count >= Self.most {
        _ = try transaction.create(
          list.key,
          [list.require("id").key: .int(Int64(transaction.count(of: list.key)) + 1)]
        )
        continue
      }
      guard Bool.random(using: &dice) else { continue }
      for _ in 0..<Int.random(in: 1...2, using: &dice) {
        next += 1
        numbers.append(next)
        appends += " a \(id) \(next)"
      }
      let changed = try object ?? transaction.create(list.key, [list.require("id").key: .int(id)])
      try transaction.set(changed, property: property, to: .list(numbers.map(Value.int)))
    }
    return String((reads + appends).dropFirst())
  }

  // MARK: - Reading

  mutating func read() throws {
    var older: [(snapshot: DatabaseReader, line: String)] = []
    while true {
      let time = Self.time
      let snapshot = try database.snapshot()
      guard let list = snapshot.schema["List"] else { continue }
      let newest = Int64(snapshot.count(of: list.key))
      let line = try line(snapshot, list, Array(max(1, newest - 3)..<newest + 1))
      note("t \(time) \(line)")
      note("ok \(Self.time)")
      older.append((snapshot, line))
      // A snapshot stays as it is.
      if older.count > 4 {
        let (old, line) = older.remove(at: Int.random(in: 0..<older.count, using: &dice))
        let ids = line.split(separator: "r ").compactMap { Int64($0.prefix { $0 != " " }) }
        if try self.line(old, list, ids) != line { note("bad A snapshot changed: \(line)") }
      }
      usleep(UInt32.random(in: 0..<20_000, using: &dice))
    }
  }

  private func line(
    _ snapshot: DatabaseReader,
    _ list: ClassSchema,
    _ ids: [Int64]
  ) throws -> String {
    let property = try list.require("numbers").key
    return try ids.map { id in
      let object = try snapshot.find(list.key, primaryKey: .int(id))
      let numbers = try object.map { try Self.numbers(snapshot, $0, property) } ?? []
      return "r \(id) \(numbers.count) \(Self.sum(numbers))"
    }.joined(separator: " ")
  }

  private static func numbers(
    _ reader: DatabaseReader,
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws -> [Int64] {
    guard case .list(let values) = try reader.value(of: object, property: property) else {
      return []
    }
    return values.compactMap { if case .int(let number) = $0 { number } else { nil } }
  }
}
