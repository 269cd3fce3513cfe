internal import KennelStorage

/// To-one links that are followed from many objects at once.
struct LinkSteps {
  private var steps: [(classKey: ClassKey, property: PropertySchema)] = []
  /// The class that the last link leads to; the class of the objects where there is none.
  private(set) var end: ClassKey

  /// The links of a path; `nil` if one of its steps is something else.
  init?(_ hops: some Sequence<Condition.Hop>, from classKey: ClassKey) {
    end = classKey
    for hop in hops {
      guard let property = Self.directProperty(hop), let target = property.target else {
        return nil
      }
      steps.append((end, property))
      end = target
    }
  }

  /// The property that a step reads, unless that is a collection.
  static func directProperty(_ hop: Condition.Hop?) -> PropertySchema? {
    guard case .property(let property)? = hop, !property.isCollection else { return nil }
    return property
  }

  /// The target of each object; 0 where a link is null.
  func targets(
    of objects: [ObjectKey],
    _ scanner: ColumnScanner
  ) throws(StorageError) -> [ObjectKey] {
    var keys = objects
    for step in steps {
      keys = try scanner.gatherWords(step.classKey, keys, step.property).words
        .map(ObjectKey.init(rawValue:))
    }
    return keys
  }
}
