// swift-format-ignore-file: NoLeadingUnderscores
//
// A parameter for the isolation of the caller is called `_isolation`, as in the standard library's
// neighbours; programs leave it out.

import Foundation
import KennelCore

extension Realm {
  /// Opens a realm confined to an actor.
  ///
  /// It must be used on the actor only and refreshes there automatically.
  ///
  /// ```swift
  /// actor Harbor {
  ///   var realm: Realm?
  ///   func open() async throws { realm = try await Realm(actor: self) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - actor: The actor.
  ///   - downloadBeforeOpen: Whether the file is migrated and compacted in the background first.
  /// - Throws: ``Realm/Error`` if the file cannot be opened, if `schemaVersion` is lower than the
  ///   version of the file, or if the classes differ from the file and `schemaVersion` is not
  ///   higher.
  public init(
    configuration: Configuration = .defaultConfiguration,
    actor: isolated any Actor,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    let file = try await RealmOpening.prepare(configuration, downloadBeforeOpen)
    // The file stays open until the realm has it.
    defer { _ = file }
    self.init(try RealmOpening.open(configuration, on: RealmHome(actor)))
  }

  /// Opens a realm of the main actor, and prepares the file in the background beforehand.
  ///
  /// Migrating and compacting do not block the main thread, unless `downloadBeforeOpen` is `never`.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - downloadBeforeOpen: Whether the file is prepared in the background.
  /// - Throws: ``Realm/Error`` if the file cannot be opened, if `schemaVersion` is lower than the
  ///   version of the file, or if the classes differ from the file and `schemaVersion` is not
  ///   higher.
  @MainActor public init(
    configuration: Configuration = .defaultConfiguration,
    downloadBeforeOpen: OpenBehavior
  ) async throws {
    try await self.init(
      configuration: configuration,
      actor: MainActor.shared,
      downloadBeforeOpen: downloadBeforeOpen
    )
  }

  /// Opens a realm confined to the actor of the caller; stops the program if there is no actor.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - _isolation: The actor of the caller; omit it.
  ///   - downloadBeforeOpen: Whether the file is migrated and compacted in the background first.
  /// - Returns: The realm.
  /// - Throws: ``Realm/Error`` if the file cannot be opened, if `schemaVersion` is lower than the
  ///   version of the file, or if the classes differ from the file and `schemaVersion` is not
  ///   higher.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    _isolation: isolated (any Actor)? = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    guard let _isolation else {
      throwRealmException(
        "Realm.open is called from an actor, which the realm belongs to; without one, open it with "
          + "Realm(configuration:queue:)"
      )
    }
    let file = try await RealmOpening.prepare(configuration, downloadBeforeOpen)
    defer { _ = file }
    return Realm(try RealmOpening.open(configuration, on: RealmHome(_isolation)))
  }

  /// Runs a block in a write transaction and commits it, on the actor of the realm.
  ///
  /// The task is suspended while it waits for other writers and does not block the actor.
  ///
  /// - Parameters:
  ///   - _isolation: The actor of the caller; omit it.
  ///   - block: Performs the changes.
  /// - Returns: What the block returned.
  /// - Throws: As ``write(withoutNotifying:_:)``, or `CancellationError` if the task was cancelled
  ///   before the block ran.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation: isolated (any Actor)? = #isolation,
    _ block: () throws -> Result
  ) async throws -> Result {
    context.requireTasks("asyncWrite")
    try _Concurrency.Task.checkCancellation()
    context.asyncWrites.turns += 1
    defer { context.asyncWrites.turns -= 1 }
    try await context.asyncWriter.begin(on: _isolation)
    return try finishWrite(block, withoutNotifying: [])
  }

  /// Refreshes the realm to the newest commit.
  ///
  /// - Parameter _isolation: The actor of the caller; omit it.
  /// - Returns: Whether there was a newer commit; false if the task was cancelled.
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
    if case .queue? = home {
      throwRealmException(
        "\(name)() can only be called on main thread or actor-isolated Realms: open it with "
          + "Realm(actor:)"
      )
    }
    requireConfinement()
  }
}

// MARK: - Observing on an actor

extension ObservableObjectType {
  /// Calls a block on an actor after each change of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to observe; `nil` for all of the object's own.
  ///   - actor: The actor. The block receives the object of a realm of that actor.
  ///   - _isolation: The actor of the caller; omit it.
  ///   - block: Receives the changes, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil,
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    observingUnlessCancelled {
      observe(keyPaths: keyPaths, at: RealmHome(actor), handing(to: actor, block))
    }
  }

  /// Calls a block on an actor after each change of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties to observe.
  ///   - actor: The actor. The block receives the object of a realm of that actor.
  ///   - _isolation: The actor of the caller; omit it.
  ///   - block: Receives the changes, on the actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>],
    on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: _isolation, block)
  }
}
