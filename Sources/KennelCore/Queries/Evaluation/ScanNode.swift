internal import KennelStorage

/// A condition that whole clusters are asked at once.
protocol ScanNode: AnyObject {
  /// The places of `wanted` for which the condition holds; `wanted` has only living objects.
  func places(in cluster: Cluster, among wanted: PlaceSet) throws(StorageError) -> PlaceSet

  /// Has what the answer for a cluster will take fetched from memory.
  func prefetch(_ classKey: ClassKey, _ number: UInt64)

  /// How long an answer takes, roughly, compared with others; cheap ones are asked first.
  var cost: Int { get }
}

extension ScanNode {
  func prefetch(_ classKey: ClassKey, _ number: UInt64) {}
}

final class ConstantNode: ScanNode {
  private let holds: Bool
  let cost = 0

  init(_ holds: Bool) { self.holds = holds }

  func places(in cluster: Cluster, among wanted: PlaceSet) throws(StorageError) -> PlaceSet {
    holds ? wanted : PlaceSet()
  }
}

/// Two conditions that both have to hold.
///
/// Two and not an array: what an array hands out is counted for every cluster.
final class AndNode: ScanNode {
  private let first: any ScanNode
  private let second: any ScanNode
  let cost: Int

  private init(_ first: any ScanNode, _ second: any ScanNode) {
    (self.first, self.second) = (first, second)
    cost = first.cost + second.cost
  }

  /// A condition that holds where all the others do, which are asked from the cheapest on.
  static func all(_ parts: [any ScanNode]) -> any ScanNode {
    balanced(parts.sorted { $0.cost < $1.cost }[...])
  }

  /// In halves, so that thousands of conditions are a tree of a dozen levels and not a chain that
  /// overflows the stack.
  private static func balanced(_ parts: ArraySlice<any ScanNode>) -> any ScanNode {
    guard let first = parts.first else { return ConstantNode(true) }
    if parts.count == 1 { return first }
    let middle = parts.startIndex + (parts.count + 1) / 2
    return AndNode(balanced(parts[..<middle]), balanced(parts[middle...]))
  }

  func prefetch(_ classKey: ClassKey, _ number: UInt64) {
    first.prefetch(classKey, number)
    second.prefetch(classKey, number)
  }

  func places(in cluster: Cluster, among wanted: PlaceSet) throws(StorageError) -> PlaceSet {
    let rest = try first.places(in: cluster, among: wanted)
    return rest.isEmpty ? rest : try second.places(in: cluster, among: rest)
  }
}

final class OrNode: ScanNode {
  private let parts: [any ScanNode]
  let cost: Int

  init(_ parts: [any ScanNode]) {
    self.parts = parts.sorted { $0.cost < $1.cost }
    cost = parts.reduce(0) { $0 + $1.cost }
  }

  func places(in cluster: Cluster, among wanted: PlaceSet) throws(StorageError) -> PlaceSet {
    var found = PlaceSet()
    var rest = wanted
    for part in parts {
      if rest.isEmpty { break }
      let places = try part.places(in: cluster, among: rest)
      found = found.union(places)
      rest = rest.subtracting(places)
    }
    return found
  }
}

final class NotNode: ScanNode {
  private let part: any ScanNode
  var cost: Int { part.cost }

  init(_ part: any ScanNode) { self.part = part }

  func places(in cluster: Cluster, among wanted: PlaceSet) throws(StorageError) -> PlaceSet {
    wanted.subtracting(try part.places(in: cluster, among: wanted))
  }
}

/// A property whose column is asked as a whole.
final class ColumnNode<Test: ColumnTest>: ScanNode {
  private let scanner: ColumnScanner
  private let property: PropertySchema
  private let test: Test
  let cost: Int

  init(_ view: StoreView, _ property: PropertySchema, _ test: Test, cost: Int) {
    scanner = view.scanner
    self.property = property
    self.test = test
    self.cost = cost
  }

  func prefetch(_ classKey: ClassKey, _ number: UInt64) {
    scanner.clusters.prefetch(classKey, number, property.key)
  }

  func places(in cluster: Cluster, among wanted: PlaceSet) throws(StorageError) -> PlaceSet {
    try scanner.places(in: cluster, property, among: wanted, where: test)
  }
}

/// Any property that leads to its values in one step: mixed values, decimals, the elements of a
/// collection.
final class ValueNode: ScanNode {
  private let view: StoreView
  private let property: PropertySchema
  private let test: ValueTest
  /// Whether the test has to hold for all elements instead of any.
  private let isAll: Bool
  let cost = 20

  init(_ view: StoreView, _ property: PropertySchema, _ test: ValueTest, isAll: Bool) {
    self.view = view
    self.property = property
    self.test = test
    self.isAll = isAll
  }

  func places(in cluster: Cluster, among wanted: PlaceSet) throws(StorageError) -> PlaceSet {
    try wanted.places { (place) throws(StorageError) in
      let elements = try view.values.value(in: cluster, place, property).elements(of: property)
      for element in elements where try test.holds(element.value) != isAll { return !isAll }
      return isAll
    }
  }
}

/// Any condition, asked of each object alone.
final class ObjectNode: ScanNode {
  private let interpreter: Interpreter
  private let condition: ResolvedPredicate
  /// The variable that the objects are called by; `nil` if they are those of the query.
  private let variable: String?
  let cost = 50

  init(_ interpreter: Interpreter, _ condition: ResolvedPredicate, variable: String?) {
    self.interpreter = interpreter
    self.condition = condition
    self.variable = variable
  }

  func places(in cluster: Cluster, among wanted: PlaceSet) throws(StorageError) -> PlaceSet {
    try wanted.places { (place) throws(StorageError) in
      let object = cluster.object(place)
      var scope = Interpreter.Scope(object: object)
      if let variable { scope.variables[variable] = .link(object) }
      return try interpreter.holds(condition, scope)
    }
  }
}
