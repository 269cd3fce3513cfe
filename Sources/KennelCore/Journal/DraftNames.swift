import KennelStorage

/// Names by which a saved draft finds its objects again in a database that is made anew each time it is
/// opened, such as a copy in memory of a database on a server.
///
/// There, the keys of the objects may be others the next time. A journal with names keeps a name beside
/// each object that an operation refers to. When the draft is restored, an object whose name is not found
/// is one that was deleted, and what was confirmed of deletions is asked for again.
///
/// ```swift
/// let names = DraftNames(path: "postgres://db.example.com/shop", id: id, name: name, find: find)
/// let journal = DraftJournal(for: database, in: folder, named: names)
/// print(journal.folder)
/// ```
public struct DraftNames: Sendable {
  /// The path of the original, which is listed instead of the database's.
  public let path: String
  /// Identifies the original and its classes.
  ///
  /// Drafts of another id at the same path are told of, and not restored.
  public let id: UUIDValue
  internal let name: @Sendable (ObjectIdentity) -> String?
  internal let find: @Sendable (String) -> ObjectIdentity?

  /// Creates names.
  ///
  /// - Parameters:
  ///   - path: The path of the original.
  ///   - id: Identifies the original and its classes.
  ///   - name: Returns the name of an object; `nil` if it has none.
  ///   - find: Returns the object of a name; `nil` if there is none.
  public init(
    path: String,
    id: UUIDValue,
    name: @escaping @Sendable (ObjectIdentity) -> String?,
    find: @escaping @Sendable (String) -> ObjectIdentity?
  ) {
    self.path = path
    self.id = id
    self.name = name
    self.find = find
  }

  /// Writes the names of the objects that a record refers to.
  internal func write(_ objects: [ObjectIdentity], to writer: inout JournalBodyWriter) {
    let named = objects.compactMap { object in name(object).map { (object, $0) } }
    writer.append(UInt64(named.count))
    for (object, name) in named {
      writer.append(object)
      writer.append(name)
    }
  }

  /// Reads names, and finds the objects.
  ///
  /// - Returns: The objects by those that they were.
  internal static func read(
    _ reader: inout JournalBodyReader,
    by names: DraftNames?
  ) throws(JournalFault) -> [ObjectIdentity: ObjectIdentity] {
    let count: UInt64 = try reader.number()
    guard count <= UInt64(reader.byteCount) else { throw .damaged("it has too many names") }
    var found: [ObjectIdentity: ObjectIdentity] = [:]
    for _ in 0..<count {
      let object = try reader.object()
      let name = try reader.text()
      if let there = names?.find(name), there.classKey == object.classKey { found[object] = there }
    }
    return found
  }
}

extension DraftRequest {
  /// The objects that the operation refers to, without those of its draft.
  internal var objects: [ObjectIdentity] {
    Array(Set(operation.objects + seen.links)).filter { !$0.key.isProvisional }.sorted()
  }
}

extension ObjectIdentity {
  /// An object of the class that is never there.
  internal var neverThere: ObjectIdentity {
    ObjectIdentity(classKey, ObjectKey(rawValue: ObjectKey.firstProvisional - 1))
  }
}

extension Draft.Operation {
  fileprivate var objects: [ObjectIdentity] {
    switch self {
    case .create(_, let values): values.values.flatMap(\.links)
    case .delete(let objects): objects
    case .schema: []
    case .change(let slot, _):
      if case .member(let member) = slot.position {
        [slot.object] + member.links
      } else {
        [slot.object] + (shownValue?.links ?? [])
      }
    }
  }
}

extension Precondition {
  fileprivate var links: [ObjectIdentity] {
    switch self {
    case .nothing, .end, .schema: []
    case .value(let value): value.links
    case .entry(let value): value?.links ?? []
    case .gap(let gap): gap.links
    case .element(let element, let place): element.links + place.links
    case .move(let element, let place, let gap): element.links + place.links + gap.links
    }
  }
}

extension Precondition.Neighbors {
  fileprivate var links: [ObjectIdentity] { (before?.links ?? []) + (after?.links ?? []) }
}
