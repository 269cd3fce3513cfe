import CRealmSupport

/// Whether the code that runs is isolated to an actor, by its executor.
internal func isCurrent(_ executor: UnownedSerialExecutor) -> Bool {
  kennel_is_current_executor(unsafeBitCast(executor, to: kennel_executor.self))
}
