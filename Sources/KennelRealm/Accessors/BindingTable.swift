import KennelCore

/// The bindings of a file by class number, read without counting references.
internal final class BindingTable: @unchecked Sendable {
  private struct Entry {
    let plan: Unmanaged<AccessorPlan>
    let objectClass: ObjectBase.Type
    /// By the number of a property's key: the number of the class that its links point to, or −1.
    let targets: UnsafeMutablePointer<Int32>
    let targetCount: Int
  }

  private let entries: UnsafeMutablePointer<Entry?>
  private let count: Int

  /// - Parameter bindings: By class number; whoever holds the table holds them.
  init(_ bindings: [ClassBinding?]) {
    count = bindings.count
    entries = .allocate(capacity: bindings.count)
    for (number, binding) in bindings.enumerated() {
      let entry = binding.map { binding in
        let targets = UnsafeMutablePointer<Int32>.allocate(capacity: binding.targets.count)
        for (slot, target) in binding.targets.enumerated() {
          (targets + slot).initialize(to: target.map { Int32($0.rawValue) } ?? -1)
        }
        return Entry(
          plan: .passUnretained(binding.plan),
          objectClass: binding.model.objectClass,
          targets: targets,
          targetCount: binding.targets.count
        )
      }
      (entries + number).initialize(to: entry)
    }
  }

  deinit {
    for number in 0..<count { entries[number]?.targets.deallocate() }
    entries.deinitialize(count: count).deallocate()
  }

  /// An accessor of an object, where its class is this very one.
  @inline(__always)
  func accessor(
    _ identity: ObjectIdentity,
    as type: ObjectBase.Type,
    _ context: RealmContext
  ) -> ObjectBase? {
    let number = Int(identity.classKey.rawValue)
    guard number < count, let entry = entries[number], entry.objectClass == type else { return nil }
    return entry.plan._withUnsafeGuaranteedRef { $0.makeAccessor(identity, context) }
  }

  /// Whether an accessor of a class can go on as that of another object.
  func isReusable(_ classKey: ClassKey) -> Bool {
    let number = Int(classKey.rawValue)
    guard number < count, let entry = entries[number] else { return false }
    return entry.plan._withUnsafeGuaranteedRef { $0.isReusable }
  }

  /// Creates the collections that an accessor keeps those of the object that it is of now.
  func renewCollections(
    _ object: ObjectBase,
    _ identity: ObjectIdentity,
    _ age: UInt64,
    isLending: Bool
  ) {
    let number = Int(identity.classKey.rawValue)
    guard number < count, let entry = entries[number] else { return }
    entry.plan._withUnsafeGuaranteedRef {
      $0.renewCollections(of: object, identity.key, age, isLending)
    }
  }

  /// Has the collections lent no more that an accessor keeps, before it goes.
  func stopLending(_ object: ObjectBase, isElsewhere: Bool) {
    let number = Int(object.identity.classKey.rawValue)
    guard number < count, let entry = entries[number] else { return }
    entry.plan._withUnsafeGuaranteedRef { $0.stopLending(of: object, isElsewhere) }
  }

  /// The class that links of a property point to.
  @inline(__always)
  func target(_ classKey: ClassKey, _ key: PropertyKey) -> ClassKey? {
    let number = Int(classKey.rawValue)
    let slot = Int(key.rawValue)
    guard number < count, let entry = entries[number], slot < entry.targetCount,
      entry.targets[slot] >= 0
    else { return nil }
    return ClassKey(rawValue: UInt16(truncatingIfNeeded: entry.targets[slot]))
  }
}
