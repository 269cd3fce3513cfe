import CRealmSupport

/// Whether the code that runs is isolated to an actor, by its executor.
internal func isCurrent(_ actor: any Actor) -> Bool {
  unsafe kennel_is_current_executor(unsafeBitCast(actor.unownedExecutor, to: kennel_executor.self))
}
