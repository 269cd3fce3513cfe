// swift-format-ignore-file: NoLeadingUnderscores
//
// A parameter for the isolation of the caller is called `_isolation`, as in the standard library's
// neighbours; programs leave it out.

import Foundation
import KennelCore

extension Realm {
  /// Opens a realm that belongs to an actor.
  ///
  /// It is used on the actor only, and advances there by itself.
  ///
  /// ```swift
  /// actor Kennels {
  ///   var realm: Realm?
  ///   func open() async throws { realm = try await Realm(actor: self) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: Which file, and how.
  ///   - actor: The actor.
  /// - Throws: ``Realm/Error`` if the file cannot be opened, or needs a migration.
  public init(
    configuration: Configuration = .defaultConfiguration,
    actor: isolated any Actor
  ) async throws {
    self.init(try RealmOpening.open(configuration, on: .actor(ActorHome(actor))))
  }

  /// Opens a realm that belongs to the actor of the caller, or to its thread where there is none.
  ///
  /// - Parameters:
  ///   - configuration: Which file, and how.
  ///   - _isolation: The actor of the caller; to be left out.
  /// - Returns: The realm.
  /// - Throws: ``Realm/Error`` if the file cannot be opened, or needs a migration.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    _isolation: isolated (any Actor)? = #isolation
  ) async throws -> Realm {
    guard let _isolation else {
      throwRealmException(
        "Realm.open is called from an actor, which the realm belongs to; without one, open it with "
          + "Realm(configuration:queue:)"
      )
    }
    return Realm(try RealmOpening.open(configuration, on: .actor(ActorHome(_isolation))))
  }

  /// Runs a body in a write transaction and commits it, on the actor of the realm.
  ///
  /// The task is suspended while it waits for other writers; the actor goes on.
  ///
  /// - Parameters:
  ///   - _isolation: The actor of the caller; to be left out.
  ///   - block: What to do.
  /// - Returns: What the body returned.
  /// - Throws: As ``write(withoutNotifying:_:)`` does; `CancellationError` where the task was cancelled
  ///   before the body ran.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation: isolated (any Actor)? = #isolation,
    _ block: () throws -> Result
  ) async throws -> Result {
    context.requireTasks("asyncWrite")
    try _Concurrency.Task.checkCancellation()
    context.asyncWrites.turns += 1
    defer { context.asyncWrites.turns -= 1 }
    try await context.beginWrite(on: _isolation)
    return try finishWrite(block, withoutNotifying: [])
  }

  /// Advances to the newest commit.
  ///
  /// - Parameter _isolation: The actor of the caller; to be left out.
  /// - Returns: Whether there was one that the realm had not seen; false where the task was cancelled.
  @discardableResult
  public func asyncRefresh(
    _isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    context.requireTasks("asyncRefresh")
    return _Concurrency.Task.isCancelled ? false : refresh()
  }
}

extension RealmContext {
  /// Stops the program where a realm belongs to a queue, which no task can wait for.
  internal func requireTasks(_ name: String) {
    if case .queue(let queue)? = home, queue !== DispatchQueue.main {
      throwRealmException(
        "\(name)() can only be called on main thread or actor-isolated Realms: open it with "
          + "Realm(actor:)"
      )
    }
    requireConfinement()
  }
}

// MARK: - Observing on an actor

/// What a body observes; nothing in a task that was cancelled.
internal func observingUnlessCancelled(_ body: () -> NotificationToken) -> NotificationToken {
  _Concurrency.Task.isCancelled ? NotificationToken() : body()
}

extension RealmCollection {
  /// Tells an actor what the collection is, and from then on what changes in it.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of which a change counts as a modification; `nil` for all.
  ///   - actor: The actor; the collection that the block gets is one of a realm of it.
  ///   - _isolation: The actor of the caller; to be left out.
  ///   - block: What is told, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil,
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    observingUnlessCancelled {
      observe(keyPaths: keyPaths, at: .actor(ActorHome(actor)), handing(to: actor, block))
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Tells an actor what the collection is, and from then on what changes in it.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of which a change counts as a modification.
  ///   - actor: The actor.
  ///   - _isolation: The actor of the caller; to be left out.
  ///   - block: What is told, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>],
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: keyPaths.map { _name(for: $0) },
      on: actor,
      _isolation: _isolation,
      block
    )
  }
}

extension ObservableObjectType {
  /// Tells an actor what changes in the object.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties that count; `nil` for all of the object's own.
  ///   - actor: The actor; the object that the block gets is one of a realm of it.
  ///   - _isolation: The actor of the caller; to be left out.
  ///   - block: What is told, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil,
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    observingUnlessCancelled {
      observe(keyPaths: keyPaths, at: .actor(ActorHome(actor)), handing(to: actor, block))
    }
  }
}
