import KennelCore

/// A value that can be made again in another realm of its file, which keeps nothing of its own realm.
internal protocol ReferableConfined {
  func recipe() -> (RealmContext) -> Any?
}

extension ObjectBase: ReferableConfined {
  func recipe() -> (RealmContext) -> Any? {
    let (identity, type) = (identity, type(of: self))
    return { context in
      guard context.attempt({ try context.view.contains(identity) }) else { return nil }
      return context.accessors.make(identity, as: type)
    }
  }
}

extension ResultsSource {
  internal func recipe() -> (RealmContext) -> ResultsSource? {
    let base: (RealmContext) -> Base?
    switch self.base {
    case .all(let classKey): base = { _ in .all(classKey) }
    case .collection(let place):
      let recipe = place.recipe()
      base = { recipe($0).map(Base.collection) }
    case .origins(let origin, let target, _):
      base = { .origins(origin, to: target, age: $0.age) }
    }
    let (filters, descriptors) = (filters, descriptors)
    return { context in
      base(context).map { base in
        ResultsSource(context, base).changed {
          $0.filters = filters
          $0.descriptors = descriptors
        }
      }
    }
  }
}

extension Results: ReferableConfined {
  func recipe() -> (RealmContext) -> Any? {
    let recipe = source.recipe()
    return { recipe($0).map { Results($0) } }
  }
}

extension ReferableConfined where Self: _StoredCollection {
  func recipe() -> (RealmContext) -> Any? {
    let recipe = place?.recipe()
    return { recipe?($0).map(Self.at) }
  }
}

extension List: ReferableConfined {}
extension MutableSet: ReferableConfined {}
extension Map: ReferableConfined {}

extension AnyRealmCollection: ReferableConfined {
  func recipe() -> (RealmContext) -> Any? {
    let recipe = (base as? any ReferableConfined)?.recipe()
    func wrapped(_ base: any RealmCollection<Element>) -> AnyRealmCollection {
      AnyRealmCollection(base)
    }
    return { (recipe?($0) as? any RealmCollection<Element>).map(wrapped) }
  }
}

extension LinkingObjects: ReferableConfined {
  func recipe() -> (RealmContext) -> Any? {
    let (target, name) = (target.map { ($0.identity, $0.origin) }, originName)
    return { (context: RealmContext) -> Any? in
      guard let (identity, origin) = target,
        context.attempt({ try context.view.contains(identity) })
      else { return nil }
      let inverse = LinkingObjects(fromType: Element.self, property: name)
      inverse.connection?.target = InverseTarget(
        context: context,
        identity: identity,
        age: context.age,
        origin: origin
      )
      return inverse
    }
  }
}
