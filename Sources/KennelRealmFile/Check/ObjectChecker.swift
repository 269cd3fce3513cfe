/// Reads all objects and compares links with objects and backlinks.
struct ObjectChecker {
  let file: RealmFile
  private(set) var findings: [RealmDamage]
  private let limit: Int
  /// The keys of each class that could be read, which ascend.
  private var keys: [Int: [Int64]] = [:]
  private var links: [Route: LinkSum] = [:]
  private var backlinks: [Route: LinkSum] = [:]

  /// Where links begin and end.
  private struct Route: Hashable {
    let source: Int
    let column: Int64
    let target: Int
  }

  init(file: RealmFile, findings: [RealmDamage], limit: Int) {
    self.file = file
    self.findings = findings
    self.limit = limit
  }

  mutating func check() throws(RealmFileError) {
    for realmClass in file.classes { try collectKeys(of: realmClass) }
    for realmClass in file.classes where keys[realmClass.tableKey] != nil {
      try check(realmClass)
    }
    try compareBacklinks()
  }

  /// Where a value is.
  private struct Place {
    let realmClass: RealmClass
    var property: RealmFileProperty?
    var key: Int64?
  }

  private mutating func add(_ what: String, _ place: Place) {
    var damage = RealmDamage(what, at: place.realmClass.top)
    damage.className = place.realmClass.title
    damage.property = place.property?.name
    damage.objectKey = place.key
    add(damage)
  }

  private mutating func add(_ damage: RealmDamage) {
    if findings.count < limit && !findings.contains(damage) { findings.append(damage) }
  }

  /// Performs a reading; what is damaged becomes a finding.
  private mutating func attempt(_ body: (inout Self) throws -> Void) throws(RealmFileError) {
    do {
      try body(&self)
    } catch let error as RealmFileError {
      guard case .damaged(let damage) = error else { throw error }
      add(damage)
    } catch {
      // Only this reader's functions are called.
    }
  }

  private mutating func collectKeys(of realmClass: RealmClass) throws(RealmFileError) {
    try attempt { checker in
      var all: [Int64] = []
      try checker.file.forEachCluster(of: realmClass) { all += $0.keys }
      checker.keys[realmClass.tableKey] = all
    }
  }

  private mutating func check(_ realmClass: RealmClass) throws(RealmFileError) {
    var primaryKeys: Set<RealmValue> = []
    try attempt { checker in
      try checker.file.forEachCluster(of: realmClass) { cluster in
        for property in realmClass.properties where checker.findings.count < checker.limit {
          try checker.attempt { checker in
            for (key, value) in zip(cluster.keys, try cluster.values(of: property)) {
              let place = Place(realmClass: realmClass, property: property, key: key)
              checker.check(value, of: property, place)
              if property == realmClass.primaryKey, !primaryKeys.insert(value).inserted {
                checker.add("a primary key that another object has", place)
              }
            }
          }
        }
        try checker.checkBacklinks(cluster)
      }
    }
  }

  private mutating func check(
    _ value: RealmValue,
    of property: RealmFileProperty,
    _ place: Place
  ) {
    switch value {
    case .null:
      if !property.isOptional && property.kind != .mixed {
        add("null in a property that is not optional", place)
      }
    case .link(let table, let target): checkLink(to: table, target, of: property, place)
    case .list(let values), .set(let values):
      for value in values { check(value, of: property, place) }
    case .dictionary(let entries):
      for entry in entries { check(entry.value, of: property, place) }
    case .int, .bool, .string, .data, .timestamp, .float, .double, .decimal, .objectId, .uuid:
      break
    }
  }

  private mutating func checkLink(
    to table: Int,
    _ target: Int64,
    of property: RealmFileProperty,
    _ place: Place
  ) {
    guard let found = file.realmClass(withKey: table) else {
      return add("a link to a table that the file does not have", place)
    }
    // A class that could not be read has a finding already.
    guard let keys = keys[table], let source = place.key else { return }
    guard keys.containsSorted(target) else {
      return add("a link to \(found.title) \(target), which does not exist", place)
    }
    let route = Route(
      source: place.realmClass.tableKey,
      column: property.columnKey,
      target: table
    )
    links[route, default: LinkSum()].add(source: source, target: target)
  }

  private mutating func checkBacklinks(_ cluster: RealmCluster) throws(RealmFileError) {
    let realmClass = cluster.realmClass
    var owners = [Int](repeating: 0, count: cluster.keys.count)
    for backlink in realmClass.backlinks {
      let route = Route(
        source: backlink.source,
        column: backlink.sourceColumn,
        target: realmClass.tableKey
      )
      try attempt { checker in
        for (row, sources) in try cluster.backlinks(of: backlink).enumerated() {
          owners[row] += sources.count
          for source in sources {
            checker.backlinks[route, default: LinkSum()].add(
              source: source,
              target: cluster.keys[row]
            )
          }
        }
      }
    }
    guard realmClass.kind == .embedded else { return }
    for (key, count) in zip(cluster.keys, owners) where count != 1 {
      add("an embedded object with \(count) owners", Place(realmClass: realmClass, key: key))
    }
  }

  private mutating func compareBacklinks() throws(RealmFileError) {
    // What was not read cannot agree.
    guard findings.count < limit else { return }
    for route in Set(links.keys).union(backlinks.keys)
    where links[route] != backlinks[route] && keys[route.target] != nil {
      try findDifference(on: route)
    }
  }

  /// Finds the links without a backlink and the backlinks without a link.
  private mutating func findDifference(on route: Route) throws(RealmFileError) {
    guard let target = file.realmClass(withKey: route.target) else { return }
    let source = file.realmClass(withKey: route.source)
    let property = source?.properties.first { $0.columnKey == route.column }
    var counts: [LinkSum.Pair: Int] = [:]
    if let source, let property {
      try attempt { checker in
        try checker.file.forEachCluster(of: source) { cluster in
          for (key, value) in zip(cluster.keys, try cluster.values(of: property)) {
            value.forEachLink { table, to in
              if table == route.target {
                counts[LinkSum.Pair(source: key, target: to), default: 0] += 1
              }
            }
          }
        }
      }
    }
    try attempt { checker in
      try checker.file.forEachCluster(of: target) { cluster in
        for backlink in target.backlinks
        where backlink.source == route.source && backlink.sourceColumn == route.column {
          for (row, sources) in try cluster.backlinks(of: backlink).enumerated() {
            for key in sources {
              counts[LinkSum.Pair(source: key, target: cluster.keys[row]), default: 0] -= 1
            }
          }
        }
      }
    }
    report(counts, from: source, property, to: target)
  }

  private mutating func report(
    _ counts: [LinkSum.Pair: Int],
    from source: RealmClass?,
    _ property: RealmFileProperty?,
    to target: RealmClass
  ) {
    let pairs = counts.filter { $0.value != 0 }.keys.sorted {
      ($0.source, $0.target) < ($1.source, $1.target)
    }
    for pair in pairs where findings.count < limit {
      if counts[pair] ?? 0 > 0, let source, let property {
        let place = Place(realmClass: source, property: property, key: pair.source)
        add("a link to \(target.title) \(pair.target) without its backlink", place)
      } else {
        let name = source?.title ?? "a table that the file does not have"
        let place = "\(name)\(property.map { ".\($0.name)" } ?? "")"
        let what = "a backlink from \(place), object \(pair.source), which has no such link"
        add(what, Place(realmClass: target, key: pair.target))
      }
    }
  }
}

/// A sum of links that does not depend on their order.
struct LinkSum: Equatable {
  /// A link.
  struct Pair: Hashable {
    let source: Int64
    let target: Int64
  }

  private var count = 0
  private var sum: UInt64 = 0

  mutating func add(source: Int64, target: Int64) {
    count += 1
    sum &+= Self.mix(UInt64(bitPattern: source) &+ Self.mix(UInt64(bitPattern: target)))
  }

  /// Spreads the bits of a number.
  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

extension RealmValue {
  /// Hands the links of the value to `body`, those in collections, too.
  func forEachLink(_ body: (_ table: Int, _ key: Int64) -> Void) {
    switch self {
    case .link(let table, let key): body(table, key)
    case .list(let values), .set(let values):
      for value in values { value.forEachLink(body) }
    case .dictionary(let entries):
      for entry in entries { entry.value.forEachLink(body) }
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal, .objectId,
      .uuid:
      break
    }
  }
}

extension [Int64] {
  /// Whether an array that ascends has an element.
  func containsSorted(_ element: Int64) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == element
  }
}
