import KennelCore
import Testing

/// All objects of a database, with those that are embedded in them.
struct Contents {
  typealias Values = [String: Value]
  var objects: [String: [ObjectKey: Values]] = [:]

  init(_ reader: DatabaseReader) throws {
    for schema in reader.schema.classes {
      for object in try reader.objects(of: schema.key) {
        for property in schema.properties {
          objects[schema.name, default: [:]][object.key, default: [:]][property.name] =
            try reader.value(of: object, property: property.key)
        }
      }
    }
  }
}

/// What a report says of each object and property.
struct ReportedLosses {
  private var keys: [String: [ClosedRange<ObjectKey>]] = [:]
  let isUncertain: Bool

  init(_ report: RecoveryReport) {
    isUncertain = report.losses.contains { $0.kind == .uncertainCommit }
    for loss in report.losses {
      keys[Self.name(loss.kind, loss.className, loss.propertyName), default: []] += loss.keys
    }
    for name in keys.keys { keys[name]?.sort { $0.lowerBound < $1.lowerBound } }
  }

  private static func name(
    _ kind: RecoveryReport.Loss.Kind,
    _ className: String?,
    _ property: String?
  ) -> String {
    "\(kind) \(className ?? "") \(property ?? "")"
  }

  func has(
    _ kind: RecoveryReport.Loss.Kind,
    _ className: String,
    _ property: String? = nil,
    at key: ObjectKey
  ) -> Bool {
    keys[Self.name(kind, className, property)]?.contains { $0.contains(key) } ?? false
  }
}

/// Compares what was saved with what there was.
struct RecoveryComparison {
  let world: RecoveryWorld
  let losses: ReportedLosses
  let saved: Contents
  let zeroed: Set<Int>
  private(set) var faults: [String] = []
  private(set) var savedValueCount = 0

  init(_ world: RecoveryWorld, _ report: RecoveryReport, _ saved: Contents, zeroed: Set<Int>) {
    self.world = world
    losses = ReportedLosses(report)
    self.saved = saved
    self.zeroed = zeroed
  }

  mutating func run() {
    for (className, objects) in world.contents.objects where className != "Home" {
      for (key, values) in objects {
        guard let found = saved.objects[className]?[key] else {
          checkLost(className, key, values)
          continue
        }
        for (property, value) in values {
          compare(className, property, key, value, found[property] ?? .null)
        }
      }
    }
    for (className, objects) in saved.objects where className != "Home" {
      for key in objects.keys where world.contents.objects[className]?[key] == nil {
        // Without roots nobody knows that an older header was taken for one that is gone.
        let isTold =
          losses.has(.possiblyDeleted, className, at: key)
          || losses.has(.olderObjects, className, at: key)
          || losses.isUncertain && !isWhole(className, nil, key)
        if !isTold { faults.append("\(className)/\(key.rawValue) was not there") }
      }
    }
  }

  /// An object is lost only if all its chunks are, or if nothing tells that it lived.
  private mutating func checkLost(
    _ className: String,
    _ key: ObjectKey,
    _ values: Contents.Values
  ) {
    let name = "\(className)/\(key.rawValue)"
    let isTold =
      losses.has(.objects, className, at: key) || losses.has(.possibleObjects, className, at: key)
    if !isTold { faults.append("\(name) is gone without a word") }
    let left = values.filter { isWhole(className, $0.key, key) && !Self.isBlank($0.value) }
    if !left.isEmpty { faults.append("\(name) is gone, and \(left.keys.sorted()) is not") }
  }

  private static func isBlank(_ value: Value) -> Bool {
    switch value {
    case .null, .list([]), .set([]), .string(""), .int(0): true
    default: false
    }
  }

  private func isWhole(_ className: String, _ property: String?, _ key: ObjectKey) -> Bool {
    let pages = world.pages(className, property, key)
    return !pages.isEmpty && pages.isDisjoint(with: zeroed)
  }

  private mutating func compare(
    _ className: String,
    _ property: String,
    _ key: ObjectKey,
    _ value: Value,
    _ found: Value
  ) {
    let name = "\(className)/\(key.rawValue).\(property)"
    let hasLostLinks = losses.has(.links, className, property, at: key)
    if losses.has(.values, className, property, at: key) {
      if !Self.isBlank(found) { faults.append("\(name) is lost, and \(found)") }
      if isWhole(className, property, key), !Self.mayBeOutside(value) {
        faults.append("\(name) is lost, and its page is not")
      }
      return
    }
    if losses.has(.olderValues, className, property, at: key) { return }
    if losses.isUncertain, !isWhole(className, property, key) { return }
    if ["home", "huts"].contains(property) {
      compareEmbedded(name, value.links, found.links, mayLack: hasLostLinks)
    } else if hasLostLinks {
      let left = value.links.filter { found.links.contains($0) }
      if left.count != found.links.count || left.count == value.links.count {
        faults.append("\(name) has other links than it had")
      }
    } else if value != found {
      faults.append("\(name) was \(value) and is \(found)")
    }
    savedValueCount += 1
  }

  private static func mayBeOutside(_ value: Value) -> Bool {
    (value.textByteCount ?? 0) > 100
  }

  private mutating func compareEmbedded(
    _ name: String,
    _ old: [ObjectIdentity],
    _ new: [ObjectIdentity],
    mayLack: Bool
  ) {
    if mayLack {
      if new.count >= old.count { faults.append("\(name) has lost nothing") }
      return
    }
    guard old.count == new.count else {
      faults.append("\(name) has \(new.count) objects, not \(old.count)")
      return
    }
    for (old, new) in zip(old, new) {
      let values = world.contents.objects["Home"]?[old.key] ?? [:]
      for (property, value) in values {
        let found = saved.objects["Home"]?[new.key]?[property] ?? .null
        compare("Home", property, old.key, value, found)
      }
    }
  }
}
