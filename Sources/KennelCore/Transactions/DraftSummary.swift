import KennelStorage

/// What the operations of a draft do together, counted in one pass.
///
/// ```swift
/// let summary = draft.summary
/// print(summary.changeCount, summary.kinds.count)
/// ```
public struct DraftSummary: Sendable {
  /// The number of changes that a commit would make.
  ///
  /// Several values set for one property count once, and not at all if the last value equals the
  /// value before the first change. An object that is created counts once with all its values and
  /// embedded objects; each object that is deleted by itself, not through a rule, counts
  /// once.
  public private(set) var changeCount = 0
  /// The kind of change to each object, without cascaded deletions.
  public private(set) var kinds: [ObjectIdentity: DraftChange.Kind] = [:]
  /// What is done to the properties of objects, each as a slot of its whole value.
  private var properties: [Slot: Settings] = [:]

  /// The first and the last request that set a place as a whole; none where only elements are changed.
  private struct Settings {
    var first: DraftRequest?
    var last: DraftRequest?

    mutating func note(_ request: DraftRequest) {
      if first == nil { first = request }
      last = request
    }

    /// Whether the last value is another one than the value before the first.
    var isChange: Bool { first != nil && first?.seen.shownValue != last?.leftValue }
  }

  /// Makes the summary of no operation.
  public init() {}

  /// Linear in the number of requests.
  internal init(_ requests: [DraftRequest]) {
    kinds.reserveCapacity(requests.count)
    properties.reserveCapacity(requests.count)
    // The entries of maps that are set.
    var entries: [Slot: Settings] = [:]
    for request in requests {
      switch request.operation {
      case .create, .schema: changeCount += 1
      case .delete(let objects):
        changeCount += objects.count
        kinds.reserveCapacity(requests.count + objects.count)
        for object in objects { kinds[object] = .deleted }
      case .change(let slot, _):
        let isOfNew = note(.changed, slot.object) == .created
        let place = isOfNew ? nil : request.operation.settingSlot
        let property = Slot(slot.object, slot.property)
        if place == property {
          properties[property, default: Settings()].note(request)
        } else {
          if properties[property] == nil { properties[property] = Settings() }
          if let place { entries[place, default: Settings()].note(request) }
          if place == nil, !isOfNew { changeCount += 1 }
        }
      }
      if let object = request.created { note(.created, object) }
    }
    changeCount += properties.values.count(where: \.isChange)
    changeCount += entries.values.count(where: \.isChange)
  }

  /// Notes a kind, unless there is one; the kind that is noted then.
  ///
  /// Looks for the object once, as a rule.
  @discardableResult
  private mutating func note(
    _ kind: DraftChange.Kind,
    _ object: ObjectIdentity
  ) -> DraftChange.Kind {
    let former = kinds.updateValue(kind, forKey: object)
    guard let earlier = former, earlier != kind else { return kind }
    kinds[object] = earlier
    return earlier
  }

  /// Whether the draft sets a property or changes elements of it; of a new object, too.
  public func hasChanged(_ property: PropertyKey, of object: ObjectIdentity) -> Bool {
    properties[Slot(object, property)] != nil
  }
}

extension DraftRequest {
  /// The value in its place when it is done.
  fileprivate var leftValue: Value? { created.map(Value.link) ?? operation.shownValue }
}

extension Draft {
  /// What the operations do together.
  ///
  /// Linear in the number of operations.
  public var summary: DraftSummary { DraftSummary(entries.map(\.request)) }

  /// The number of changes: a new object counts once with all its values, and a value that was set
  /// back to what it was does not count.
  public var changeCount: Int { summary.changeCount }
}

extension [DraftRecord] {
  /// The number of changes that a commit of the operations would make, as in ``DraftSummary``.
  public var changeCount: Int { DraftSummary(map(\.request)).changeCount }
}
