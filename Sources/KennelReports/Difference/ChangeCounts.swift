/// The number of changes of each kind.
package struct ChangeCounts: Sendable {
  private var schema = 0
  private var objects: [ObjectDifference.Kind: Int] = [:]

  package init() {}

  package mutating func add(_ change: ReportedChange) {
    switch change {
    case .schema: schema += 1
    case .object(let change): objects[change.kind, default: 0] += 1
    }
  }

  package var total: Int { schema + objects.values.reduce(0, +) }

  /// As in `1 difference of the schema, 2 objects created, 1 changed`.
  package var text: String {
    var parts: [String] = []
    if schema > 0 {
      parts.append("\(counted(schema, "difference")) of the schema")
    }
    for kind in ObjectDifference.Kind.allCases {
      guard let count = objects[kind] else { continue }
      let isFirst = parts.isEmpty || parts.count == 1 && schema > 0
      parts.append("\(isFirst ? counted(count, "object") : "\(count)") \(kind.rawValue)")
    }
    return parts.isEmpty ? "No difference" : parts.joined(separator: ", ")
  }
}
