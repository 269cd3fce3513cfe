import KennelCore

/// What a deletion or an unlinking takes with it.
extension Twin {
  struct Denial: Hashable {
    let object: ObjectIdentity
    let property: PropertyKey
    let target: ObjectIdentity
    let isOfTarget: Bool
  }

  struct Plan {
    var dead: Set<ObjectIdentity> = []
    var nulled: [Slot] = []
    var removed: [Slot] = []
    var orphaned: Set<ObjectIdentity> = []
    var denied: Set<Denial> = []
  }

  /// The plan of deleting objects and of having cut links.
  ///
  /// The cut links are not in the objects any more, or are named by their slot and overlooked.
  ///
  /// 1. What was asked for dies, and the embedded targets of cut links; with each of them its
  ///    embedded objects, the targets of its `cascade` links, and what links to it with the target rule
  ///    `cascade`, to a fixpoint.
  /// 2. Candidates are all targets of `cascadeIfLast` links that are cut or whose source dies, and
  ///    all that these own or hold strongly.
  /// 3. A candidate to which a strong link leads from outside, or whose owner is outside, is
  ///    rescued, to a fixpoint.
  /// 4. The others die; with what their `cascade` links take along, again from 1 until nothing is
  ///    new.
  ///
  /// A `deny` rule forbids all of it if one end of its link dies and the other does not: the holder, by
  /// its delete rule; the target, by its target rule.
  func plan(deleting marked: [ObjectIdentity], cut: [Link]) -> Plan {
    let links = allLinks.filter { link in
      !cut.contains { $0.slot == link.slot && $0.target == link.target }
    }
    let byOrigin = Dictionary(grouping: links, by: \.slot.object)
    var dead = Set(marked).union(cut.filter(\.property.holdsEmbedded).map(\.target))
    while true {
      dead = doomed(dead, links, byOrigin)
      let severed = cut + dead.flatMap { byOrigin[$0] ?? [] }
      let released = severed.filter { $0.property.rule == .cascadeIfLast }.map(\.target)
      var candidates = closure(Set(released), byOrigin) { holds($0) }.subtracting(dead)
      var isSettled = false
      while !isSettled {
        isSettled = true
        for link in links where holds(link) && candidates.contains(link.target) {
          if dead.contains(link.slot.object) || candidates.contains(link.slot.object) { continue }
          candidates.remove(link.target)
          isSettled = false
        }
      }
      if candidates.isEmpty { break }
      dead.formUnion(candidates)
    }
    return describe(dead, links, cut)
  }

  private func holds(_ link: Link) -> Bool {
    link.property.holdsEmbedded || link.property.rule == .cascade
      || link.property.rule == .cascadeIfLast
  }

  private func doomed(
    _ start: Set<ObjectIdentity>,
    _ links: [Link],
    _ byOrigin: [ObjectIdentity: [Link]]
  ) -> Set<ObjectIdentity> {
    var dead = start
    while true {
      dead = closure(dead, byOrigin) { $0.property.holdsEmbedded || $0.property.rule == .cascade }
      let holders = links.filter {
        $0.property.targetRule == .cascade && dead.contains($0.target)
      }
      .map(\.slot.object)
      if dead.isSuperset(of: holders) { return dead }
      dead.formUnion(holders)
    }
  }

  private func closure(
    _ start: Set<ObjectIdentity>,
    _ byOrigin: [ObjectIdentity: [Link]],
    _ follows: (Link) -> Bool
  ) -> Set<ObjectIdentity> {
    var reached = start
    var open = Array(start)
    while let object = open.popLast() {
      for link in byOrigin[object] ?? [] where follows(link) {
        if reached.insert(link.target).inserted { open.append(link.target) }
      }
    }
    return reached
  }

  private func describe(_ dead: Set<ObjectIdentity>, _ links: [Link], _ cut: [Link]) -> Plan {
    var plan = Plan()
    plan.dead = dead
    var lost: Set<ObjectIdentity> = Set(cut.map(\.target))
    var linked: Set<ObjectIdentity> = []
    var met: Set<Link> = []
    for link in links {
      let object = link.slot.object
      switch (dead.contains(object), dead.contains(link.target)) {
      case (true, false):
        lost.insert(link.target)
        if link.property.rule == .deny {
          plan.denied.insert(
            Denial(
              object: object,
              property: link.property.key,
              target: link.target,
              isOfTarget: false
            )
          )
        }
      case (false, true) where link.property.targetRule == .deny:
        plan.denied.insert(
          Denial(
            object: object,
            property: link.property.key,
            target: link.target,
            isOfTarget: true
          )
        )
      case (false, true):
        switch link.slot.position {
        case _ where link.isNested:
          // One slot, however often the object stands in it.
          if met.insert(link).inserted { plan.nulled.append(link.slot) }
        case .value, .key: plan.nulled.append(link.slot)
        case .index, .member: plan.removed.append(link.slot)
        }
      case (false, false): linked.insert(link.target)
      case (true, true): break
      }
    }
    plan.orphaned = lost.subtracting(dead).subtracting(linked)
    return plan
  }
}
