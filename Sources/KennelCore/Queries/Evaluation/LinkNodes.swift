internal import KennelStorage

/// Remembers, per cluster, for which objects that links lead to a condition holds.
///
/// A condition on `dog.age` is answered once for each cluster of dogs that a link leads into; each
/// link after that is one bit looked up.
final class TargetAnswers {
  private let view: StoreView
  private let classKey: ClassKey
  private let node: ScanNode
  /// Whether a whole cluster is asked at once, not only the objects that links lead to.
  private let asksClusters: Bool
  private var clusters: [UInt64: Answers] = [:]
  private var recent: Answers?
  private var recentNumber = UInt64.max

  private final class Answers {
    var known = PlaceSet()
    var holds = PlaceSet()
    let cluster: Cluster?

    init(_ cluster: Cluster?) { self.cluster = cluster }
  }

  init(_ view: StoreView, _ classKey: ClassKey, _ node: ScanNode) {
    self.view = view
    self.classKey = classKey
    self.node = node
    asksClusters = node.cost < 20
  }

  var cost: Int { node.cost }

  /// Whether the condition holds for the object of a key.
  func holds(_ key: UInt64) throws(StorageError) -> Bool {
    let object = ObjectKey(rawValue: key)
    let answers = try answers(object.cluster)
    let place = object.place
    if answers.known[place] { return answers.holds[place] }
    guard let cluster = answers.cluster else { return false }
    if asksClusters {
      answers.holds = try node.places(cluster, cluster.header.live)
      answers.known = PlaceSet(all: true)
    } else {
      var one = PlaceSet()
      one[place] = true
      answers.holds[place] = try node.places(cluster, one)[place]
      answers.known[place] = true
    }
    return answers.holds[place]
  }

  private func answers(_ number: UInt64) throws(StorageError) -> Answers {
    if number == recentNumber, let recent { return recent }
    let answers: Answers
    if let known = clusters[number] {
      answers = known
    } else {
      answers = Answers(try view.clusters.cluster(classKey, number))
      clusters[number] = answers
    }
    recent = answers
    recentNumber = number
    return answers
  }
}

/// Where the keys of many linked objects lie.
enum LinkSource {
  /// A list or set of links to one class.
  case property(PropertySchema)
  /// The backlinks of a slot.
  case backlinks(UInt16)

  func keys(
    _ view: StoreView,
    _ object: ObjectIdentity
  ) throws(StorageError) -> KeyListAccess {
    switch self {
    case .property(let property): try view.values.keyList(of: object, property)
    case .backlinks(let slot): try view.backlinks.origins(of: object, slot)
    }
  }
}

extension ScanNode {
  /// A condition on what a to-one link leads to.
  static func link(
    _ view: StoreView,
    _ property: PropertySchema,
    _ targets: TargetAnswers,
    answerForNull: Bool
  ) -> ScanNode {
    let scanner = view.scanner
    return ScanNode(cost: 5 + targets.cost) { (cluster, wanted) throws(StorageError) in
      let links = try scanner.words(in: cluster, property)
      return try wanted.places { (place) throws(StorageError) in
        links.nulls[place] ? answerForNull : try targets.holds(links[place])
      }
    }
  }

  /// A condition on any or all of the objects that a list, a set or a backlink leads to.
  static func links(
    _ view: StoreView,
    _ source: LinkSource,
    _ targets: TargetAnswers,
    isAll: Bool
  ) -> ScanNode {
    ScanNode(cost: 15 + targets.cost) { (cluster, wanted) throws(StorageError) in
      try wanted.places { (place) throws(StorageError) in
        let list = try source.keys(view, cluster.object(place))
        var start = 0
        // Long lists are read in windows, so that the first hit ends the reading.
        while start < list.count {
          let end = min(start + 1024, list.count)
          for key in try list.keys(start..<end) where try targets.holds(key) != isAll {
            return !isAll
          }
          start = end
        }
        return isAll
      }
    }
  }

  /// A condition on how many objects a list, a set, a backlink or all of these lead to, or on how
  /// many of them another condition holds for.
  static func count(
    _ view: StoreView,
    _ sources: [LinkSource],
    _ targets: TargetAnswers?,
    _ test: ValueTest
  ) -> ScanNode {
    ScanNode(cost: 10 + (targets.map { 10 + $0.cost } ?? 0)) {
      (cluster, wanted) throws(StorageError) in
      try wanted.places { (place) throws(StorageError) in
        let object = cluster.object(place)
        var count = 0
        for source in sources {
          let list = try source.keys(view, object)
          guard let targets else {
            count += list.count
            continue
          }
          for key in try list.keys(0..<list.count) where try targets.holds(key) { count += 1 }
        }
        return try test.holds(.int(Int64(count)))
      }
    }
  }
}
