import ArgumentParser
import KennelCore
import KennelDocuments
import KennelReports
import KennelSQL

/// `kennel blast`: what a deletion would do.
struct Blast: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write what the deletion of objects would do, without doing it.",
    discussion: """
      First what is deleted, each object with its reason below the object that it goes with; then \
      the links that become null or leave their list or set, the objects that no link leads to any \
      more, and the rules that forbid the deletion. A trigger of an SQLite database can do more \
      than that; those of the tables that lose or change rows are named.

      The exit code is 0 where the deletion is possible, 1 where a rule forbids it, and 2 where the \
      file cannot be read or there is no such object.

      With --json there is one object: 'possible'; 'objects', those named; 'deleted', the number of \
      deleted objects of each class; 'deletions', each with 'object', 'primaryKey', 'name', \
      'depth', 'reason' (asked, embedded, cascade, cascadeIfLast, targetDeleted), and the link that \
      is the reason in 'from', 'property' and 'target'; 'nulled' and 'removed', links of objects \
      that stay, each with 'object', 'property' and 'index' or 'key'; 'orphaned'; 'denied', each \
      with 'object', 'property', 'target', 'rule' (deleteRule, targetRule) and 'remaining', what \
      would have to be deleted, too; 'triggers', each with 'table' and 'name'. 'deletionCount', \
      'nulledCount', 'removedCount', 'orphanedCount' and 'deniedCount' count what --limit leaves out.

      Examples:
        kennel blast family.kennel Person 7
        kennel blast family.kennel Dog 1 2 3 --limit 100
        kennel blast shop.sqlite customer 1 --json
      """
  )

  @OptionGroup var source: SourceArguments

  @Argument(help: "The class.")
  var className: String

  @Argument(
    help: """
      The objects: their primary keys, or their keys in a class that has none. Dog/42 is the object \
      with the key 42 in any class.
      """
  )
  var keys: [String]

  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: "The most lines of each kind to write.",
    transform: wholeNumber(from: 0)
  )
  var limit = 20

  @Flag(help: "Write an object of JSON.")
  var json = false

  func run() throws {
    let file = source.file
    try reporting {
      let opened = try source.open()
      let snapshot = try opened.database.snapshot()
      let classSchema = try findClass(className, in: snapshot.schema, of: file)
      let objects = try keys.map { try object($0, of: classSchema, in: snapshot) }
      let mapping = try opened.original?.mapping?()
      try requireDeletable(classSchema, mapping)
      let output = ReportOutput("Finding out what goes with it")
      defer { try? output.finish() }
      let radius = try snapshot.blastRadius(
        deleting: objects,
        limit: .max,
        progress: output.progress
      )
      output.removeBar()
      let triggers = triggers(of: radius, mapping, snapshot.schema)
      if json {
        let document = Document(radius, of: objects, snapshot, triggers, limit: limit)
        try output.write(document.jsonLine)
      } else {
        let report = DeletionReport(radius, SnapshotTexts(snapshot), most: limit)
        for line in report.lines { try output.writeText(line.text) }
        if !triggers.isEmpty { try output.writeText("Only the database knows what triggers do:") }
        for trigger in triggers { try output.writeText("  \(trigger.name) of \(trigger.table)") }
      }
      try output.finish()
      guard !radius.denied.isEmpty else { return printNote("\(file): the deletion is possible") }
      let links =
        radius.denied.count == 1 ? "a link forbids" : "\(radius.denied.count) links forbid"
      printNote("\(file): the deletion is not possible: \(links) it")
      throw ExitCode(1)
    }
  }

  /// The object that an argument names.
  private func object(
    _ text: String,
    of classSchema: ClassSchema,
    in snapshot: Snapshot
  ) throws -> ObjectIdentity {
    let name = classSchema.name
    var problem = ""
    if let primaryKey = classSchema.primaryKey {
      let isText = primaryKey.type.kind == .string
      do {
        let value = isText ? Value.string(text) : try ValueText.parse(text, as: primaryKey.type)
        if let object = try snapshot.find(classSchema.key, primaryKey: value) { return object }
      } catch let error as ValueTextError {
        problem = ": \(error.message)"
      }
    }
    let prefix = "\(name)/"
    let digits = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
    if classSchema.primaryKey == nil || digits.count < text.count, let number = UInt64(digits),
      number < ObjectKey.limit
    {
      let object = ObjectIdentity(classSchema.key, ObjectKey(rawValue: number))
      if try snapshot.contains(object) { return object }
    }
    let key = classSchema.primaryKey.map { "whose \($0.name) is" } ?? "with the key"
    throw CommandError("There is no \(name) in \(source.file) \(key) \(text)\(problem)")
  }

  /// Refuses rows that no statement can name.
  private func requireDeletable(_ classSchema: ClassSchema, _ mapping: SQLMapping?) throws {
    let table = mapping?.tables.first { $0.className.hasSameBytes(as: classSchema.name) }
    guard let reason = table?.readOnlyReason else { return }
    throw CommandError("Cannot delete from \(source.file): \(reason)")
  }

  /// The triggers of the tables of an SQL database that lose or change rows.
  private func triggers(
    of radius: BlastRadius,
    _ mapping: SQLMapping?,
    _ schema: Schema
  ) -> [SQLTrigger] {
    let changed = Set(radius.deletions.map(\.object.classKey))
      .union(radius.nulled.map(\.object.classKey))
    let tables = mapping?.tables.filter { table in
      schema[table.className].map { changed.contains($0.key) } ?? false
    }
    return (tables ?? []).flatMap { table in
      table.table.triggers.map { SQLTrigger(table: table.table.name, name: $0) }
    }
  }
}

/// A trigger that a deletion runs.
private struct SQLTrigger {
  let table: String
  let name: String
}

extension Document {
  fileprivate init(
    _ radius: BlastRadius,
    of objects: [ObjectIdentity],
    _ snapshot: Snapshot,
    _ triggers: [SQLTrigger],
    limit: Int
  ) {
    func name(_ object: ObjectIdentity) -> DocumentValue { .string(snapshot.describe(object)) }
    func count(_ number: Int) -> DocumentValue { .int64(Int64(number)) }
    func list<Item>(_ items: [Item], _ document: (Item) -> Document) -> DocumentValue {
      .array(items.prefix(limit).map { .document(document($0)) })
    }
    let counts = radius.counts.sorted { $0.key < $1.key }
    self = [
      "possible": .bool(radius.denied.isEmpty), "objects": .array(objects.map(name)),
      "deletionCount": count(radius.deletionCount),
      "deleted": .document(
        Document(counts.map { .init(snapshot.schema[$0.key]?.name ?? "?", count($0.value)) })
      ),
      "deletions": list(radius.deletions) { Document($0, snapshot) },
      "nulledCount": count(radius.nulled.count),
      "nulled": list(radius.nulled) { Document($0, snapshot) },
      "removedCount": count(radius.removed.count),
      "removed": list(radius.removed) { Document($0, snapshot) },
      "orphanedCount": count(radius.orphaned.count),
      "orphaned": list(radius.orphaned) { Document(object: $0, snapshot) },
      "deniedCount": count(radius.denied.count),
      "denied": list(radius.denied) { Document($0, snapshot) },
      "triggers": .array(
        triggers.map { .document(["table": .string($0.table), "name": .string($0.name)]) }
      ),
    ]
  }

  /// An object with its primary key and what a person calls it.
  private init(object: ObjectIdentity, _ snapshot: Snapshot) {
    let primaryKey = snapshot.schema[object.classKey]?.primaryKey.flatMap {
      try? snapshot.value(of: object, property: $0.key)
    }
    self = [
      "object": .string(snapshot.describe(object)),
      "primaryKey": primaryKey.map { DocumentValue($0) },
      "name": (try? snapshot.displayName(of: object, limit: 60)).map { .string($0) },
    ]
  }

  private init(_ deletion: BlastRadius.Deletion, _ snapshot: Snapshot) {
    func link(_ from: ObjectIdentity, _ property: PropertyKey) -> Document {
      [
        "from": .string(snapshot.describe(from)),
        "property": Self.name(of: property, of: from, snapshot),
      ]
    }
    let (reason, cause): (String, Document) =
      switch deletion.reason {
      case .asked: ("asked", [:])
      case .embedded(let slot): ("embedded", link(slot.object, slot.property))
      case .cascade(let from, let property): ("cascade", link(from, property))
      case .cascadeIfLast(let from, let property): ("cascadeIfLast", link(from, property))
      case .targetDeleted(let target, let property):
        (
          "targetDeleted",
          [
            "property": Self.name(of: property, of: deletion.object, snapshot),
            "target": .string(snapshot.describe(target)),
          ]
        )
      }
    let place: Document = [
      "depth": .int64(Int64(deletion.depth)), "reason": .string(reason),
    ]
    let object = Document(object: deletion.object, snapshot)
    self.init(object.members + place.members + cause.members)
  }

  /// A link of an object that stays.
  private init(_ edge: Edge, _ snapshot: Snapshot) {
    let place: Document =
      switch edge.position {
      case .value, .member: [:]
      case .index(let index): ["index": .int64(Int64(index))]
      case .key(let key): ["key": .string(key)]
      }
    let link: Document = [
      "object": .string(snapshot.describe(edge.object)),
      "property": Self.name(of: edge.property, of: edge.object, snapshot),
    ]
    self.init(link.members + place.members)
  }

  private init(_ denial: BlastRadius.Denial, _ snapshot: Snapshot) {
    self = [
      "object": .string(snapshot.describe(denial.object)),
      "property": Self.name(of: denial.property, of: denial.object, snapshot),
      "target": .string(snapshot.describe(denial.target)), "rule": .string("\(denial.rule)"),
      "remaining": .string(snapshot.describe(denial.remaining)),
    ]
  }

  private static func name(
    of property: PropertyKey,
    of object: ObjectIdentity,
    _ snapshot: Snapshot
  ) -> DocumentValue? {
    snapshot.schema.property(property, of: object.classKey).map { .string($0.name) }
  }
}
