@_spi(Faces) public import KennelCore
public import KennelRealmFile

/// Imports the objects of a `.realm` file into an empty database.
///
/// ```swift
/// let file = try RealmFile(path: "app.realm")
/// try database.write { transaction in
///   let summary = try RealmImporter(file).run(in: transaction)
///   print(summary.objectCount)
/// }
/// ```
///
/// Classes, properties, optionality, primary keys and indexes become Kennel's. Values are the same to
/// the last bit. An object with key *n* gets key *n* + 1, because Kennel's keys begin at 1, unless the
/// keys of its class are too large or too far apart: then the objects are numbered in their order. Embedded objects
/// belong to the same owners. Realm's own tables are left out, but for the version of the schema.
public struct RealmImporter {
  /// The counts of an import.
  public struct Summary: Sendable {
    /// The number of classes.
    public var classCount = 0
    /// The number of objects, without embedded ones.
    public var objectCount = 0
  }

  private let file: RealmFile
  private let schema: RealmSchema

  /// Looks at the classes of a file.
  public init(_ file: RealmFile) {
    self.file = file
    schema = RealmSchema(file)
  }

  /// The parts of the file that the database cannot represent.
  public var losses: RealmLosses { schema.losses }

  /// What is lost of a damaged file that was opened by `RealmFile.salvaging`, with the keys that objects get
  /// unless theirs are too large or too far apart.
  public var damages: [RecoveryReport.Loss] {
    var gatherer = LossGatherer()
    let names = Dictionary(schema.classes.map { ($0.realm.title, $0.name) }) { first, _ in first }
    for loss in file.losses {
      let name = loss.className.map { names[$0] ?? $0 }
      var target = loss.targetClass.map { names[$0] ?? $0 }
      if let key = loss.targetKey { target? += "/\((key...key).given.lowerBound.rawValue)" }
      gatherer.add(loss.kind.kind, name, loss.property, loss.keys?.given, target: target)
    }
    return gatherer.losses
  }

  /// Creates the classes and the objects.
  ///
  /// Linear in the size of the file; takes memory in proportion to the number of embedded objects.
  ///
  /// - Parameters:
  ///   - transaction: A transaction of a database without classes. If the import throws, roll it back.
  ///   - progress: Called every few hundred objects with the part that is done, from 0 to 1. What it
  ///     throws ends the import.
  /// - Returns: The counts.
  /// - Throws: `RealmFileError` if the file is damaged or has changed, `DatabaseError` if the
  ///   database refuses something, and what `progress` throws.
  public func run(
    in transaction: WriteTransaction,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> Summary {
    guard transaction.schema.classes.isEmpty else {
      throw DatabaseError(
        .schemaMismatch,
        "A .realm file is imported into a new database, and this one has classes"
      )
    }
    try transaction.define(schema.classes.map(\.definition))
    if let version = try schemaVersion() { try transaction.setSchemaVersion(version) }
    var objects = try RealmObjects(schema, file, transaction)
    let ownership = try RealmOwnership(schema, file, transaction)
    let owned = ownership.tables
    // Every object is met twice: links are set when there is something to link to.
    let total = max(2 * schema.classes.reduce(0.0) { $0 + Double($1.realm.count) }, 1)
    var done = 0
    for item in schema.classes where item.realm.kind != .embedded {
      let writer = try RealmClassWriter(item, transaction, owned: owned)
      let keepsKeys = objects.keepsKeys(item.realm.tableKey)
      try file.forEachCluster(of: item.realm) { cluster in
        let made = try writer.create(cluster, objects)
        if !keepsKeys {
          for (object, key) in zip(made, cluster.keys) {
            try objects.add(object, for: key, of: item.realm.tableKey)
          }
        }
        try ownership.create(in: made, of: cluster, &objects)
        done += cluster.keys.count
        try progress(Double(done) / total)
      }
    }
    try ownership.requireOwners(objects)
    for item in schema.classes {
      let writer = try RealmClassWriter(item, transaction, owned: owned)
      if item.realm.kind == .embedded { done += item.realm.count }
      guard writer.hasLinks || item.realm.kind == .embedded else {
        done += item.realm.count
        continue
      }
      try file.forEachCluster(of: item.realm) { cluster in
        try writer.fill(cluster, objects)
        done += cluster.keys.count
        try progress(Double(done) / total)
      }
    }
    if try file.changedUnderneath() { throw RealmFileError.changedWhileReading }
    let alone = schema.classes.filter { $0.realm.kind != .embedded }
    let count = alone.reduce(0) { $0 + $1.realm.count }
    return Summary(classCount: schema.classes.count, objectCount: count)
  }

  /// The version that the program gave its schema.
  private func schemaVersion() throws -> UInt64? {
    guard
      let table = file.classes.first(where: { $0.name == "metadata" && $0.className == nil }),
      let property = table.properties.first(where: { $0.name == "version" && $0.kind == .int })
    else { return nil }
    var version: UInt64?
    try file.forEachCluster(of: table) { cluster in
      guard case .int(let number)? = try cluster.values(of: property).first else { return }
      // The largest number is how Realm says that there is none.
      version = number < 0 ? nil : UInt64(number)
    }
    return version
  }
}

extension ClosedRange<Int64> {
  /// The keys that objects get in the database.
  fileprivate var given: ClosedRange<ObjectKey> {
    let most = Int64(ObjectKey.firstProvisional - 1)
    func key(_ old: Int64) -> ObjectKey {
      ObjectKey(rawValue: UInt64(Swift.min(Swift.max(0, old), most - 1)) + 1)
    }
    return key(lowerBound)...key(upperBound)
  }
}

extension RealmLoss.Kind {
  fileprivate var kind: RecoveryReport.Loss.Kind {
    switch self {
    case .uncertainCommit: .uncertainCommit
    case .olderClasses: .olderClasses
    case .possibleObjects: .possibleObjects
    case .objects: .objects
    case .olderObjects: .olderObjects
    case .values: .values
    case .links: .links
    case .property: .property
    }
  }
}
