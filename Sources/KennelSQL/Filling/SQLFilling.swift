internal import KennelCore

/// Reads the rows of a database, and makes objects of them.
final class SQLFilling<Session: SQLSession> {
  private let session: Session
  private let transaction: WriteTransaction
  private let progress: ReadingProgress
  private var danglingValues: [DanglingValues] = []

  init(_ session: Session, _ transaction: WriteTransaction, _ progress: ReadingProgress) {
    self.session = session
    self.transaction = transaction
    self.progress = progress
  }

  /// The links with values that lead nowhere, each with their number.
  var danglingLinks: [String] {
    danglingValues.filter { $0.count > 0 }.map {
      "\($0.className).\($0.link.property) (\($0.count))"
    }
  }

  // MARK: - Making objects

  /// Makes the classes and the objects.
  func fill(_ mapping: SQLMapping, _ evidence: [TableEvidence]) throws {
    try transaction.define(mapping.definitions)
    var made: Set<Int> = []
    for index in Self.order(of: mapping) {
      let table = mapping.tables[index]
      let direct = try directLinks(of: table, mapping, evidence[index], made: made)
      var writer = try RowWriter(table, links: direct, transaction)
      let query = RowOrder(table.table, session).everything(table.columns.map(\.form))
      let row = try session.rows(query)
      while try progress.next(row, of: table.table) { try writer.write(row) }
      made.insert(index)
      for link in table.links where link.column.flatMap({ direct[$0] }) == nil {
        pendingLinks.append((index, link))
      }
    }
    for (index, link) in pendingLinks { try set(link, of: mapping.tables[index], mapping) }
    for table in mapping.tables {
      for set in table.sets { try fill(set, of: table, mapping) }
    }
  }

  /// The links that are set when all objects exist.
  private var pendingLinks: [(table: Int, link: LinkMapping)] = []

  /// The tables, each after those that it refers to where that is possible.
  private static func order(of mapping: SQLMapping) -> [Int] {
    var order: [Int] = []
    var seen: Set<Int> = []
    for first in mapping.tables.indices where seen.insert(first).inserted {
      // A table stands below those that it refers to, which come first.
      var stack = [(table: first, next: 0)]
      while let (table, next) = stack.last {
        let links = mapping.tables[table].links
        if next == links.count {
          order.append(table)
          stack.removeLast()
        } else {
          stack[stack.count - 1].next += 1
          if seen.insert(links[next].target).inserted { stack.append((links[next].target, 0)) }
        }
      }
    }
    return order
  }

  /// The links whose values are the keys of objects that exist, by column.
  private func directLinks(
    of table: TableMapping,
    _ mapping: SQLMapping,
    _ evidence: TableEvidence,
    made: Set<Int>
  ) throws -> [Int: DirectLink] {
    var found: [Int: DirectLink] = [:]
    for link in table.links {
      let target = mapping.tables[link.target]
      guard let column = link.column, made.contains(link.target), target.keepsNumbers,
        target.table.hasNumberKey,
        target.table.primaryKey[0].hasSameBytes(as: link.targetColumns[0]),
        evidence.columns[column].areInts
      else { continue }
      let dangling = DanglingValues(link, of: table)
      danglingValues.append(dangling)
      found[column] = DirectLink(
        try transaction.schema.property(link.property, of: table.className),
        to: try transaction.schema.require(target.className).key,
        dangling
      )
    }
    return found
  }

  /// Sets a link of all objects, which the engine finds the targets of.
  private func set(
    _ link: LinkMapping,
    of table: TableMapping,
    _ mapping: SQLMapping
  ) throws {
    let target = mapping.tables[link.target]
    let classKey = try transaction.schema.require(table.className).key
    let targetKey = try transaction.schema.require(target.className).key
    let property: TypedProperty<ObjectIdentity?> = try transaction.schema.property(
      link.property,
      of: table.className
    )
    let dangling = DanglingValues(link, of: table)
    danglingValues.append(dangling)
    var number: UInt64 = 0
    let columns = link.key.columns.compactMap { name in
      table.columns.first { $0.column.name.hasSameBytes(as: name) }
    }
    let query = RowOrder(table.table, session).targets(of: link, columns, in: target)
    let row = try session.rows(query)
    while try progress.next(row, of: table.table) {
      number = table.keepsNumbers ? UInt64(exactly: row.integer(0)) ?? 0 : number + 1
      let object = ObjectIdentity(classKey, ObjectKey(rawValue: number))
      if !row.isNull(1), let key = UInt64(exactly: row.integer(1)) {
        let found = ObjectIdentity(targetKey, ObjectKey(rawValue: key))
        try transaction.set(object, property: property, to: found)
        continue
      }
      let values = link.key.columns.indices.map { row.value($0 + 2) }
      if values.allSatisfy({ !$0.isNull }) {
        try dangling.keep(values, of: object, in: transaction)
      }
    }
  }

  /// Fills a set of links.
  private func fill(
    _ set: SetMapping,
    of table: TableMapping,
    _ mapping: SQLMapping
  ) throws {
    let through = mapping.tables[set.through]
    let member = mapping.tables[set.other.target]
    let ownerKey = try transaction.schema.require(table.className).key
    let memberKey = try transaction.schema.require(member.className).key
    let property: TypedProperty<[ObjectIdentity]> = try transaction.schema.property(
      set.property,
      of: table.className
    )
    let query = RowOrder(through.table, session).pairs(set, table, member)
    let row = try session.rows(query)
    while try progress.next(row, of: through.table) {
      guard let owner = UInt64(exactly: row.integer(0)), let key = UInt64(exactly: row.integer(1))
      else { continue }
      try transaction.insertMember(
        .link(ObjectIdentity(memberKey, ObjectKey(rawValue: key))),
        of: ObjectIdentity(ownerKey, ObjectKey(rawValue: owner)),
        property: property.key
      )
    }
  }
}
