internal import KennelCore
internal import KennelReports

/// How many objects of each class are created, changed and deleted.
struct DraftCounts: Equatable {
  private(set) var created: [ClassKey: Int] = [:]
  private(set) var changed: [ClassKey: Int] = [:]
  var deleted: [ClassKey: Int] = [:]
  /// How many changes of the schema there are.
  var schemaChangeCount = 0

  init(_ kinds: [ObjectIdentity: DraftChange.Kind]) {
    for (object, kind) in kinds {
      switch kind {
      case .created: created[object.classKey, default: 0] += 1
      case .changed: changed[object.classKey, default: 0] += 1
      case .deleted: deleted[object.classKey, default: 0] += 1
      }
    }
  }

  /// Counts what saved operations do; what they do to objects that are new is not counted apart.
  init(_ records: [DraftRecord]) {
    var kinds: [ObjectIdentity: DraftChange.Kind] = [:]
    for record in records {
      switch record.operation {
      case .create(let classKey, _): created[classKey, default: 0] += 1
      case .delete(let objects):
        for object in objects { kinds[object] = .deleted }
      case .change(let slot, _):
        guard !slot.object.key.isProvisional, kinds[slot.object] == nil else { break }
        kinds[slot.object] = .changed
      case .schema: schemaChangeCount += 1
      }
    }
    let others = DraftCounts(kinds)
    changed = others.changed
    deleted = others.deleted
  }

  var isEmpty: Bool {
    created.isEmpty && changed.isEmpty && deleted.isEmpty && schemaChangeCount == 0
  }

  /// A line for each kind of change, as in `create  1 Person, 2 Address`.
  func lines(in model: BrowserModel) -> [String] {
    let ofSchema =
      schemaChangeCount == 0
      ? [] : ["schema  \(counted(schemaChangeCount, "change"))"]
    return ofSchema
      + [("create", created), ("change", changed), ("delete", deleted)].compactMap { verb, counts in
        guard !counts.isEmpty else { return nil }
        let texts = counts.sorted { $0.key.rawValue < $1.key.rawValue }
          .map { "\($0.value) \(model.name(of: $0.key))" }
        return "\(verb)  \(texts.joined(separator: ", "))"
      }
  }
}
