import KennelCore

/// Changes of a list or map, wherever it is stored.
///
/// A collection inside a mixed value is a part of that value, which is stored anew as a whole.
extension ManagedPlace {
  /// Notes a write for those who observe the property; one inside a mixed value assigns that.
  func note(_ write: @autoclosure () -> LoggedWrite) {
    if context.writes == nil { return }
    context.note(path == nil ? write() : .assign, LoggedPlace(object: identity, property: key))
  }

  /// Replaces all elements.
  func setAll(_ value: StoredValue) {
    if path != nil { return changeNested { _ in value } }
    context.change { try $0.set(identity, property: key, to: value) }
  }

  func insert(_ value: StoredValue, at index: Int) {
    if path != nil { return changeElements { $0.insert(value, at: index) } }
    context.change { try $0.insert(value, at: index, of: identity, property: key) }
  }

  func replace(at index: Int, with value: StoredValue) {
    if path != nil { return changeElements { $0[index] = value } }
    context.change { try $0.replace(at: index, with: value, of: identity, property: key) }
  }

  func removeElement(at index: Int) {
    if path != nil { return changeElements { $0.remove(at: index) } }
    context.change { try $0.removeElement(at: index, of: identity, property: key) }
  }

  func moveElement(from source: Int, to destination: Int) {
    if path != nil {
      return changeElements { $0.insert($0.remove(at: source), at: destination) }
    }
    context.change {
      try $0.moveElement(from: source, to: destination, of: identity, property: key)
    }
  }

  /// Sets the value under a key; `nil` removes the entry.
  func setEntry(_ name: String, _ value: StoredValue?) {
    note(.entry(name))
    guard path != nil else {
      return context.change { try $0.setEntry(name, to: value, of: identity, property: key) }
    }
    changeNested { old in
      guard case .map(let entries) = old else { return nil }
      let others = entries.filter { !$0.key.hasSameBytes(as: name) }
      return .map(others + (value.map { [MapEntry(name, $0)] } ?? []))
    }
  }

  private func changeElements(_ change: (inout [StoredValue]) -> Void) {
    changeNested { old in
      guard case .list(var elements) = old else { return nil }
      change(&elements)
      return .list(elements)
    }
  }

  private func changeNested(_ change: (StoredValue) -> StoredValue?) {
    guard let path, let whole = path.replacing(in: self, change) else { throwInvalidated() }
    context.change { try $0.set(identity, property: key, to: whole) }
    path.stays(in: self)
  }
}
