import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// Three writers and eight readers of one file, killed at random, whose histories are compared.
@Suite("The history of many processes")
struct HistoryTests {
  /// Two seconds; `KENNEL_LONG=5` makes a minute of it, `KENNEL_LONG=50` ten.
  private static let seconds =
    ProcessInfo.processInfo.environment["KENNEL_LONG"].map { 12 * (Int($0) ?? 1) } ?? 2

  @Test func `is strictly serializable, and the file does not grow without need`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lists.kennel")
    let (names, kills) = try run(path, in: folder)
    var history = History()
    for name in names {
      guard let lines = try? String(contentsOfFile: name, encoding: .utf8) else { continue }
      history.add(lines)
    }
    let database = try Database.open(path)
    expectSound(database)
    let problems = history.check(try lists(try database.snapshot()))
    #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(3).joined(separator: "\n"))")
    let writing = history.transactions.count { !$0.appends.isEmpty }
    let reading = history.transactions.count { $0.appends.isEmpty && $0.ended != nil }
    let uncertain = history.transactions.count { $0.ended == nil && !$0.isRolledBack }
    #expect(writing > 10 && reading > 10)
    say(
      history.transactions.count,
      "transactions of many processes, in an order that explains them"
    )
    say(writing, "… that wrote")
    say(reading, "… that only read")
    say(uncertain, "… that nobody knows the end of")
    say(kills, "… killed writers and readers of them")
    try checkSize(path)
  }

  private func say(_ count: Int, _ what: String) {
    let number = String(count)
    print(String(repeating: " ", count: max(0, 9 - number.count)) + number, what)
  }

  /// Runs the processes, and returns the files with what they noted, and how many were killed.
  private func run(_ path: String, in folder: TemporaryFolder) throws -> ([String], Int) {
    var names: [String] = []
    func start(_ isWriter: Bool) throws -> TortureChild {
      let number = names.count + 1
      names.append(folder.file("history-\(number)"))
      return try TortureChild([isWriter ? "append" : "read", path, names[number - 1], "\(number)"])
    }
    var children = try (0..<11).map { try start($0 < 3) }
    let end = ContinuousClock.now + .seconds(Self.seconds)
    var kills = 0
    while ContinuousClock.now < end {
      usleep(UInt32.random(in: 20_000..<400_000))
      let index = Int.random(in: 0..<children.count)
      stop(children[index])
      children[index] = try start(index < 3)
      kills += 1
    }
    for child in children { stop(child) }
    return (names, kills + children.count)
  }

  private func stop(_ child: TortureChild) {
    child.kill()
    #expect(child.end() == SIGKILL, "a process ended by itself: \(child.line() ?? "")")
  }

  private func lists(_ snapshot: DatabaseReader) throws -> [Int: [Int64]] {
    let list = try snapshot.schema.require("List")
    let (id, numbers) = (try list.require("id").key, try list.require("numbers").key)
    var lists: [Int: [Int64]] = [:]
    for object in try snapshot.objects(of: list.key) {
      guard case .int(let id) = try snapshot.value(of: object, property: id),
        case .list(let values) = try snapshot.value(of: object, property: numbers)
      else { continue }
      lists[Int(id)] = values.compactMap { if case .int(let number) = $0 { number } else { nil } }
    }
    return lists
  }

  /// A file with so little in it has room for some commits that were read, and for no more.
  private func checkSize(_ path: String) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path)).count
    try FileManager.default.copyItem(atPath: path, toPath: path + "-small")
    #expect(try Database.compact(path + "-small"))
    let least = try Data(contentsOf: URL(fileURLWithPath: path + "-small")).count
    say(before / 1024, "kilobytes that the file has, \(least / 1024) without room for more")
    #expect(before < 4 * least + 4 << 20)
  }

  // MARK: - The checker

  private func problems(_ processes: [String], _ lists: [Int: [Int64]]) -> [String] {
    var history = History()
    for lines in processes { history.add(lines) }
    return history.check(lists).map { String($0.prefix { $0 != ":" }) }
  }

  private func read(_ list: Int, _ numbers: Int64...) -> String {
    "r \(list) \(numbers.count) \(History.sum(numbers))"
  }

  @Test func `is found sound if it is`() {
    let writer = "t 1 \(read(1)) a 1 10\nok 2\nt 3 \(read(1, 10)) a 1 11 a 2 12\nno\nt 8 a 1 13"
    let reader = "t 4 \(read(1, 10)) \(read(2))\nok 6\nt 9 \(read(1, 10, 13))\nok 11"
    #expect(problems([writer, reader], [1: [10, 13]]) == [])
    #expect(problems([writer], [1: [10]]) == [])
  }

  @Test
  func `is not sound if something is lost, read too late, in parts, or after it was rolled back`() {
    let one = "t 1 \(read(1)) a 1 10\nok 2"
    #expect(problems([one], [1: []]) == ["What was acknowledged is lost"])
    // The second did not see what the first had committed.
    let late = problems([one, "t 3 \(read(1))\nok 4"], [1: [10]])
    #expect(late == ["Transactions precede each other"])
    let rolledBack = problems(["t 1 a 1 10\nno"], [1: [10]])
    #expect(rolledBack == ["10 was rolled back, and is read"])
    let part = problems(["t 1 a 1 10 a 1 11\nok 3", "t 1 \(read(1, 10))\nok 2"], [1: [10, 11]])
    #expect(part.contains("A part of a transaction was read"))
    let other = problems([one, "t 3 \(read(1, 12))\nok 4"], [1: [10]])
    #expect(other == ["List 1 never was as it was read"])
    // Two who each read before the other appended.
    let skew = ["t 1 \(read(1)) a 2 20\nok 9", "t 1 \(read(2)) a 1 10\nok 9"]
    #expect(problems(skew, [1: [10], 2: [20]]) == ["Transactions precede each other"])
  }
}
