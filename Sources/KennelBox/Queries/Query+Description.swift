import KennelCore
import Synchronization

extension Query: CustomDebugStringConvertible {
  /// The entity and the conditions with their values.
  public var debugDescription: String {
    let tree = condition.withLock { $0.tree }
    let count = tree.testCount
    let conditions = tree.description(of: E.entityInfo)
    return "<KennelBox.Query<\(E.self)> with \(count) condition\(count == 1 ? "" : "s")"
      + "\(conditions.isEmpty ? "" : ": \(conditions)")>"
  }
}

extension ConditionTree {
  fileprivate var testCount: Int {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.testCount }
    case .test: 1
    case .link(_, _, _, let part): part.testCount
    }
  }

  fileprivate func description(of info: EntityInfo) -> String {
    switch self {
    case .all(let parts): joined(parts, " && ", info)
    case .any(let parts): joined(parts, " || ", info)
    case .test(let test): test.description(of: info.properties[test.number].name)
    case .link(let number, let target, _, let part):
      "\(info.properties[number].name) { \(part.description(of: target)) }"
    }
  }

  private func joined(_ parts: [ConditionTree], _ separator: String, _ info: EntityInfo) -> String {
    let text = parts.map { $0.description(of: info) }.joined(separator: separator)
    return parts.count > 1 ? "(\(text))" : text
  }
}

extension ConditionTree.Test {
  fileprivate func description(of name: String) -> String {
    let label = alias.map { "\"\($0)\" .= " } ?? ""
    let list = values.map(\.shortDescription).joined(separator: ", ")
    return "\(label)\(name) \(comparison.rawValue)\(list.isEmpty ? "" : " \(list)")"
  }
}

extension Value {
  fileprivate var shortDescription: String {
    if case .string(let text) = self { text.debugDescription } else { ValueText.describe(self) }
  }
}
