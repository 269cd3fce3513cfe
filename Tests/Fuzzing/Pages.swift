import CraftedPages
import Foundation
import KennelCore
import KennelDocuments
import KennelPages

/// Pages with right checksums and any content: what they say of themselves is checked before it is
/// used to read and to write.
///
/// An input is a list of changes to a small file. The first byte of a change says where it is made,
/// and how many bytes it has.
///
/// | bytes | what |
/// |---|---|
/// | 1 | the place (below), and the byte count: 1, 2, 4 or 8 |
/// | 1 | the number of a page |
/// | 2 | an offset |
/// | 1–8 | the bytes |
enum Pages: FuzzTarget {
  /// What the offset of a change is counted from.
  private enum Place: Int, CaseIterable {
    case page
    case header
    case slot
    case value
    case metaPage
  }

  private static let path = Scratch.path("pages")

  private static let base: CraftedFile = {
    do {
      try SmallDatabase.make(path)
      return CraftedFile([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    } catch {
      fatalError("The file that is changed cannot be made: \(error)")
    }
  }()

  /// No change, and one of each kind for each tree.
  static var seeds: [[UInt8]] {
    let trees = (0...Format.treeLimit).filter { base[base.root(of: $0) + 8, UInt32.self] > 0 }
    let leaves = trees.map { UInt8(truncatingIfNeeded: base.firstLeaf(of: $0) / 4096) }
    var seeds: [[UInt8]] = [[]]
    for place in Place.allCases {
      for leaf in leaves { seeds.append([UInt8(place.rawValue << 2 | 1), leaf, 20, 0, 255, 0]) }
    }
    return seeds
  }

  static func run(_ input: [UInt8]) {
    var file = base
    change(&file, input[...])
    file.seal()
    write(file)
    do {
      try PageTrial.run(path)
    } catch is PageStoreError {
    } catch {
      fatalError("\(error)")
    }
    write(file)
    do {
      try DatabaseTrial.run(path)
    } catch is DatabaseError {
    } catch {
      fatalError("\(error)")
    }
  }

  private static func write(_ file: CraftedFile) {
    unsafe unlink(path)
    unsafe unlink(path + "-lock")
    _ = FileManager.default.createFile(atPath: path, contents: Data(file.bytes))
  }

  private static func change(_ file: inout CraftedFile, _ input: ArraySlice<UInt8>) {
    var rest = input
    while rest.count > 4 {
      let head = Array(rest.prefix(4))
      rest = rest.dropFirst(4)
      let page = Int(head[1]) % file.pageCount * CraftedFile.pageSize
      let offset = Int(head[2]) | Int(head[3]) << 8
      let entry = (offset >> 6) % max(1, min(file.entryCount(of: page), 680))
      let start =
        switch Place(rawValue: Int(head[0] >> 2) % Place.allCases.count) ?? .page {
        case .page: page + offset % CraftedFile.pageSize
        case .header: page + offset % CraftedFile.headerByteCount
        case .slot: file.slot(entry, of: page) + offset % 12
        case .value: file.value(entry, of: page) + offset & 63
        case .metaPage: Int(head[1] & 1) * CraftedFile.pageSize + offset % 456
        }
      for (index, byte) in rest.prefix(1 << Int(head[0] & 3)).enumerated() {
        file[start + index] = byte
      }
      rest = rest.dropFirst(1 << Int(head[0] & 3))
    }
  }
}

/// Changes the trees of a file without a look at what they hold.
private enum PageTrial {
  static func run(_ path: String) throws {
    let store = try PageStore.open(path: path)
    defer { store.close() }
    let isSound = (try? PageStoreCheck.run(store.snapshot())) != nil
    let writer = try store.beginWrite()
    defer { writer.abort() }
    for number in 0..<6 {
      // A tree that cannot be changed must not keep the others from it, but ends the writer.
      try change(Tree(number, keys: number == 5 ? .bytes : .numbers), writer)
    }
    try writer.commit()
    if isSound {
      do {
        _ = try PageStoreCheck.run(store.snapshot())
      } catch {
        fatalError("The check found nothing before a write, and after it: \(error)")
      }
    }
  }

  /// Removes half of the entries, and stores short and long values in place of others.
  private static func change(_ tree: Tree, _ writer: Writer) throws {
    var keys: [(number: UInt64, bytes: [UInt8])] = []
    var cursor = try writer.cursor(tree)
    var isThere = try cursor.first()
    while isThere, keys.count < 2000 {
      let bytes = tree.keys == .bytes ? unsafe Array(cursor.bytes) : []
      keys.append((tree.keys == .bytes ? 0 : cursor.number, bytes))
      isThere = try cursor.next()
    }
    for (index, key) in keys.enumerated() {
      let value = [UInt8](repeating: 7, count: [0, 20, 900, 5000][index / 2 % 4])
      switch (tree.keys, index % 2) {
      case (.numbers, 0): try writer.delete(tree, key.number)
      case (.numbers, _):
        try unsafe value.withUnsafeBytes { try unsafe writer.put(tree, key.number, $0) }
      case (.bytes, 0):
        try unsafe key.bytes.withUnsafeBytes { _ = try unsafe writer.delete(tree, key: $0) }
      case (.bytes, _):
        try unsafe key.bytes.withUnsafeBytes { key in
          try unsafe value.withUnsafeBytes { try unsafe writer.put(tree, key: key, $0) }
        }
      }
    }
  }
}

/// Reads everything in a database, and changes some of it.
private enum DatabaseTrial {
  static func run(_ path: String) throws {
    let database = try Database.open(path)
    let isSound = try database.check().isEmpty
    _ = try? database.space()
    let snapshot = try database.snapshot()
    read(snapshot)
    var exporter = DocumentExporter(snapshot)
    try? exporter.write { _ in }
    for classSchema in snapshot.schema.classes {
      do {
        try database.write { try change(classSchema, $0) }
      } catch {}
    }
    if isSound {
      let findings = try database.check()
      if let finding = findings.first {
        fatalError("The check found nothing before a write, and after it: \(finding)")
      }
    }
  }

  /// What cannot be read keeps nothing else from being read.
  private static func read(_ snapshot: DatabaseReader) {
    for classSchema in snapshot.schema.classes {
      let objects = (try? snapshot.objects(of: classSchema.key, from: nil, limit: 1000)).map(
        Array.init
      )
      // The first have values of all kinds; the others tell where objects lie.
      for (index, object) in (objects ?? []).enumerated() where index < 20 || index % 32 == 0 {
        read(object, classSchema, snapshot)
      }
      _ = try? snapshot.objects(of: classSchema.key, before: nil, limit: 1000)
      _ = try? snapshot.object(of: classSchema.key, at: 7)
      for property in classSchema.properties { query(property, classSchema, snapshot) }
      if let first = objects?.first {
        _ = try? snapshot.closure(of: [first], along: Set(LinkEdge.all(in: snapshot.schema)))
        _ = try? snapshot.position(of: first)
      }
    }
  }

  private static func read(
    _ object: ObjectIdentity,
    _ classSchema: ClassSchema,
    _ snapshot: DatabaseReader
  ) {
    for property in classSchema.properties.map(\.key) {
      _ = try? snapshot.value(of: object, property: property)
      _ = try? snapshot.preview(of: object, property: property, limit: 5)
      _ = try? snapshot.elements(of: object, property: property, in: 1..<3)
      _ = try? snapshot.bytes(of: object, property: property, in: 1..<3)
    }
    for group in (try? snapshot.backlinks(to: object)) ?? [] {
      _ = try? snapshot.origins(of: group, to: object, in: 0..<group.count)
    }
    _ = try? snapshot.displayName(of: object)
    if classSchema.isEmbedded { _ = try? snapshot.owner(of: object) }
  }

  private static func query(
    _ property: PropertySchema,
    _ classSchema: ClassSchema,
    _ snapshot: DatabaseReader
  ) {
    let schema = snapshot.schema
    for text in [
      "\(property.name) != NULL", "\(property.name) > 3", "\(property.name) CONTAINS[c] 'b'",
    ] {
      guard let predicate = try? Predicate.parse(text, for: classSchema.key, in: schema) else {
        continue
      }
      _ = try? snapshot.count(of: classSchema.key, where: predicate)
    }
    guard let sort = try? SortKey.parse(property.name, for: classSchema.key, in: schema) else {
      return
    }
    _ = try? snapshot.objects(of: classSchema.key, sort: sort, limit: 10)
  }

  /// Copies values from one object to others, makes objects, and deletes some.
  private static func change(_ classSchema: ClassSchema, _ transaction: WriteTransaction) throws {
    let objects = Array(try transaction.objects(of: classSchema.key, from: nil, limit: 300))
    guard let model = objects.first else { return }
    var values: [PropertyKey: Value] = [:]
    for property in classSchema.properties where !property.isPrimaryKey && !property.isEmbedded {
      values[property.key] = try? transaction.value(of: model, property: property.key)
    }
    for (index, object) in objects.enumerated() where index % 3 == 1 {
      for (property, value) in values {
        do { try transaction.set(object, property: property, to: value) } catch {}
      }
    }
    if !classSchema.isEmbedded {
      for _ in 0..<20 { try transaction.create(classSchema.key, values) }
    }
    for (index, object) in objects.enumerated() where index % 2 == 0 {
      do { _ = try transaction.delete([object]) } catch {}
    }
  }
}
