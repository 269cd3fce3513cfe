// swift-format-ignore-file: NoLeadingUnderscores
//
// A parameter for the isolation of the caller is called `_isolation`, as in the standard library's
// neighbours; programs leave it out.

public import Foundation

extension _Observable {
  /// Calls a block with the collection, and again after each change.
  ///
  /// The block is called asynchronously on the realm's queue, or on the main queue for a realm of
  /// the main thread. `refresh` and `beginWrite` call it, too, before they return.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count as modifications, such as `age` or `dogs.name`;
  ///     `nil` for all. If empty, only insertions and deletions are reported.
  ///   - queue: A serial queue to call the block on, with the collection of a realm of that queue.
  ///   - block: Receives the changes.
  /// - Returns: A token that keeps the notifications coming.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    _observe(_Observation(keyPaths: keyPaths, home: queue.map { RealmHome($0) }), block)
  }

  /// Calls a block with the collection, and again after each change.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count as modifications.
  ///   - queue: A serial queue to call the block on, with the collection of a realm of that queue.
  ///   - block: Receives the changes.
  /// - Returns: A token that keeps the notifications coming.
  public func observe(
    keyPaths: [PartialKeyPath<_Observed>],
    on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken where _Observed: KeypathSortable {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the collection, and again after each change.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count as modifications; `nil` for all.
  ///   - actor: The actor. The block receives the collection of a realm of that actor.
  ///   - _isolation: The actor of the caller; omit it.
  ///   - block: Receives the changes, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil,
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    observingUnlessCancelled {
      let observation = _Observation(keyPaths: keyPaths, home: RealmHome(actor))
      return _observe(observation, handing(to: actor, block))
    }
  }

  /// Calls a block on an actor with the collection, and again after each change.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count as modifications.
  ///   - actor: The actor. The block receives the collection of a realm of that actor.
  ///   - _isolation: The actor of the caller; omit it.
  ///   - block: Receives the changes, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<_Observed>],
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, _Change) -> Void
  ) async -> NotificationToken where _Observed: KeypathSortable {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: _isolation, block)
  }
}

/// Registers an observer; a token that is invalid already, where the task was cancelled.
internal func observingUnlessCancelled(_ body: () -> NotificationToken) -> NotificationToken {
  guard _Concurrency.Task.isCancelled else { return body() }
  let token = NotificationToken()
  token.invalidate()
  return token
}
