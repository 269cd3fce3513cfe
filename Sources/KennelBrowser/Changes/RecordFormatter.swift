internal import KennelCore

/// Says what a saved operation of a draft does.
struct RecordFormatter {
  let model: BrowserModel

  func text(of record: DraftRecord) -> String {
    switch record.operation {
    case .create(let classKey, let values):
      let schema = model.schema[classKey]
      let key = schema?.primaryKey.flatMap { values[$0.key] }.map { " \(text($0, classKey, nil))" }
      return "+ \(schema?.name ?? "?")\(key ?? "")"
    case .delete(let objects):
      let first = objects.first.map(model.formerLabel) ?? ""
      return objects.count == 1 ? "- \(first)" : "- \(first) and \(objects.count - 1) more"
    case .change(let slot, let change):
      let object = model.label(slot.object)
      return "~ \(object)  \(name(of: slot)): \(text(of: change, slot))"
    case .schema(let change, _): return "schema: \(change)"
    }
  }

  private func name(of slot: Slot) -> String {
    let name = model.name(of: slot.property, in: slot.object.classKey)
    switch slot.position {
    case .value, .member: return name
    case .index(let index): return "\(name)[\(index)]"
    case .key(let key): return "\(name)[\"\(key)\"]"
    }
  }

  private func text(of change: Draft.Operation.Change, _ slot: Slot) -> String {
    switch change {
    case .set(let value):
      let new = text(value, slot.object.classKey, slot.property)
      return old(at: slot).map { "\($0) → \(new)" } ?? "→ \(new)"
    case .insert(let value): return "+ \(text(value, slot.object.classKey, slot.property))"
    case .add:
      guard case .member(let member) = slot.position else { return "+" }
      return "+ \(text(member, slot.object.classKey, slot.property))"
    case .remove: return "removed"
    case .move(let destination): return "moved to [\(destination)]"
    case .create: return "created"
    }
  }

  /// The present value of a property; `nil` of an object that is not there.
  private func old(at slot: Slot) -> String? {
    guard slot.position == .value, model.contains(slot.object) else { return nil }
    let value = model.value(of: slot.object, slot.property)
    return text(value, slot.object.classKey, slot.property)
  }

  private func text(_ value: Value, _ classKey: ClassKey, _ key: PropertyKey?) -> String {
    let property = key.flatMap { model.schema.property($0, of: classKey) }
    return ValueFormatter(model).text(value, of: property)
  }
}
