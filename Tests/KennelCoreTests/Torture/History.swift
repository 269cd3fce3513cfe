import Foundation

/// What several processes say that they read and appended, and whether it can be so.
///
/// A history is strictly serializable if its transactions can be put in one order that explains every
/// read and that no transaction precedes one which had ended before it began. The order of the numbers
/// in a list is that of its versions, so this is decided, not searched for: the order exists if the
/// transactions do not precede each other in a circle. Elle, the checker of Jepsen, does it in this way.
struct History {
  struct Transaction {
    let began: Int64
    /// `nil` if it was killed: nobody knows whether it committed, until somebody reads what it appended.
    var ended: Int64?
    var isRolledBack = false
    var reads: [(list: Int, count: Int, sum: UInt64)] = []
    var appends: [(list: Int, number: Int64)] = []
  }

  private(set) var transactions: [Transaction] = []
  private(set) var problems: [String] = []

  /// Adds the lines of one process.
  mutating func add(_ lines: String) {
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ")
      switch words.first {
      case "t": transactions.append(Self.transaction(words))
      case "ok": transactions[transactions.count - 1].ended = words.last.flatMap { Int64($0) }
      case "no": transactions[transactions.count - 1].isRolledBack = true
      default: problems.append(String(line))
      }
    }
  }

  private static func transaction(_ words: [Substring]) -> Transaction {
    var transaction = Transaction(began: Int64(words[1]) ?? 0)
    var index = 2
    while index + 2 < words.count {
      let list = Int(words[index + 1]) ?? 0
      if words[index] == "r", index + 3 < words.count {
        let (count, sum) = (Int(words[index + 2]) ?? 0, UInt64(words[index + 3]) ?? 0)
        transaction.reads.append((list, count, sum))
        index += 4
      } else {
        transaction.appends.append((list, Int64(words[index + 2]) ?? 0))
        index += 3
      }
    }
    return transaction
  }

  static func sum(_ numbers: some Sequence<Int64>) -> UInt64 {
    numbers.reduce(14_695_981_039_346_656_037, step)
  }

  private static func step(_ sum: UInt64, _ number: Int64) -> UInt64 {
    (sum ^ UInt64(bitPattern: number)) &* 1_099_511_628_211
  }

  // MARK: - Checking

  /// Finds what contradicts strict serializability.
  ///
  /// - Parameter lists: The lists at the end.
  /// - Returns: A sentence for each contradiction.
  func check(_ lists: [Int: [Int64]]) -> [String] {
    var found = problems
    // Who appended a number.
    var writers: [Int64: Int] = [:]
    for (index, transaction) in transactions.enumerated() {
      for append in transaction.appends { writers[append.number] = index }
    }
    let numbers = Set(lists.values.joined())
    if numbers.count != lists.values.reduce(0, { $0 + $1.count }) {
      found.append("A number was appended twice")
    }
    for number in numbers {
      guard let writer = writers[number] else {
        found.append("Nobody appended \(number)")
        continue
      }
      if transactions[writer].isRolledBack {
        found.append("\(number) was rolled back, and is read")
      }
    }
    var order = Order(transactions)
    for (index, transaction) in transactions.enumerated() where !transaction.isRolledBack {
      let there = transaction.appends.count { numbers.contains($0.number) }
      if there > 0, there < transaction.appends.count {
        found.append("A part of a transaction is there: \(transaction)")
      }
      if there == 0, !transaction.appends.isEmpty {
        if transaction.ended != nil {
          found.append("What was acknowledged is lost: \(transaction)")
        }
        continue
      }
      // One that was killed and appended nothing read nothing that anybody was told of.
      if transaction.ended != nil || there > 0 { order.add(index) }
    }
    let versions = lists.mapValues { numbers in numbers.compactMap { writers[$0] } }
    for writers in versions.values { order.add(versions: writers) }
    let sums = lists.mapValues { numbers in
      numbers.reduce(into: [Self.sum([])]) { $0.append(Self.step($0[$0.count - 1], $1)) }
    }
    for index in order.members {
      for read in transactions[index].reads {
        guard let sums = sums[read.list] ?? (read.count == 0 ? [Self.sum([])] : nil),
          read.count < sums.count, sums[read.count] == read.sum
        else {
          found.append("List \(read.list) never was as it was read: \(transactions[index])")
          continue
        }
        let versions = versions[read.list] ?? []
        if read.count > 0, read.count < versions.count,
          versions[read.count - 1] == versions[read.count]
        {
          found.append("A part of a transaction was read: \(transactions[index])")
        }
        order.add(read: read.count, of: versions, by: index)
      }
    }
    if let circle = order.circle() {
      let members = circle.map { "\(transactions[$0])" }.joined(separator: "\n")
      found.append("Transactions precede each other: \(members)")
    }
    return found
  }
}

/// Which transaction precedes which.
private struct Order {
  private let transactions: [History.Transaction]
  private(set) var members: [Int] = []
  /// After the transactions come the ends of some of them, one after the other in time.
  private var followers: [[Int]]

  init(_ transactions: [History.Transaction]) {
    self.transactions = transactions
    followers = Array(repeating: [], count: transactions.count)
  }

  mutating func add(_ index: Int) { members.append(index) }

  mutating func add(versions: [Int]) {
    for (one, next) in zip(versions, versions.dropFirst()) where one != next {
      followers[one].append(next)
    }
  }

  /// A read follows who appended the last number that it has, and precedes who appended the next.
  mutating func add(read count: Int, of versions: [Int], by reader: Int) {
    if count > 0, versions[count - 1] != reader { followers[versions[count - 1]].append(reader) }
    if count < versions.count, versions[count] != reader {
      followers[reader].append(versions[count])
    }
  }

  /// Some transactions that precede each other in a circle; `nil` if there are none.
  mutating func circle() -> [Int]? {
    addTimes()
    var counts = Array(repeating: 0, count: followers.count)
    for next in followers.joined() { counts[next] += 1 }
    var ready = counts.indices.filter { counts[$0] == 0 }
    var left = counts.count
    while let index = ready.popLast() {
      left -= 1
      for next in followers[index] {
        counts[next] -= 1
        if counts[next] == 0 { ready.append(next) }
      }
    }
    guard left > 0 else { return nil }
    // From one that is left, back along those that are left, one comes to a circle.
    var leaders: [Int: Int] = [:]
    for index in counts.indices where counts[index] > 0 {
      for next in followers[index] where counts[next] > 0 { leaders[next] = index }
    }
    guard var index = leaders.keys.first else { return [] }
    var seen: Set<Int> = []
    while seen.insert(index).inserted { index = leaders[index] ?? index }
    var circle = [index]
    while let leader = leaders[index], leader != circle[0] {
      circle.append(leader)
      index = leader
    }
    return circle.reversed().filter { $0 < transactions.count }
  }

  /// Who had ended precedes who began later.
  private mutating func addTimes() {
    let ended = members.compactMap { index in transactions[index].ended.map { (index, $0) } }
      .sorted { $0.1 < $1.1 }
    let first = followers.count
    for (place, end) in ended.enumerated() {
      followers[end.0].append(first + place)
      followers.append(place + 1 < ended.count ? [first + place + 1] : [])
    }
    for index in members {
      // The last that ended before it began.
      var (low, high) = (0, ended.count)
      while low < high {
        let middle = (low + high) / 2
        if ended[middle].1 < transactions[index].began { low = middle + 1 } else { high = middle }
      }
      if low > 0 { followers[first + low - 1].append(index) }
    }
  }
}
