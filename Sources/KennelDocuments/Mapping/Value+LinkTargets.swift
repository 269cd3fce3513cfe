import KennelCore

extension Value {
  /// The value without links to other objects than these.
  func linking(to targets: ObjectSet) -> Value {
    func isKept(_ value: Value) -> Bool {
      if case .link(let target) = value { targets.contains(target) } else { true }
    }
    switch self {
    case .link: return isKept(self) ? self : .null
    case .list(let values): return .list(values.filter(isKept))
    case .set(let values): return .set(values.filter(isKept))
    case .map(let entries): return .map(entries.filter { isKept($0.value) })
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128:
      return self
    }
  }
}
