internal import KennelCore

/// A copy with its types, beside the text that went to the clipboard.
enum Copied {
  case values([Value])
  case objects([ObjectIdentity])

  /// The same with the keys that a commit gave to new objects.
  func replaced(_ keys: [ObjectIdentity: ObjectIdentity]) -> Copied {
    switch self {
    case .values(let values):
      .values(
        values.map { value in
          if case .link(let target) = value { .link(keys[target] ?? target) } else { value }
        }
      )
    case .objects(let objects): .objects(objects.map { keys[$0] ?? $0 })
    }
  }
}
