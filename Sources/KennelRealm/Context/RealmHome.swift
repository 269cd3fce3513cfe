import Foundation

/// The queue or actor that a realm belongs to, where it is not the thread that opened it.
internal enum RealmHome: Sendable {
  case queue(DispatchQueue)
  case actor(ActorHome)

  /// Tells homes apart.
  var identifier: ObjectIdentifier {
    switch self {
    case .queue(let queue): ObjectIdentifier(queue)
    case .actor(let actor): actor.identifier
    }
  }

  /// Whether the code that runs is there.
  var isHere: Bool { isCurrent || MistakeCatcher.current?.isHere(self) == true }

  private var isCurrent: Bool {
    switch self {
    case .queue(let queue):
      if queue === DispatchQueue.main { return Thread.isMainThread }
      return DispatchQueue.getSpecific(key: queueKey) == ObjectIdentifier(queue)
    case .actor(let actor): return actor.isCurrent
    }
  }

  /// Runs a body there, soon.
  ///
  /// - Parameters:
  ///   - isLater: Whether it may only be run in a millisecond.
  ///   - body: What to run.
  func run(isLater: Bool = false, _ body: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue):
      let delay = DispatchTimeInterval.milliseconds(isLater ? 1 : 0)
      queue.asyncAfter(deadline: .now() + delay, execute: body)
    case .actor(let actor): actor.run(isLater: isLater, body)
    }
  }
}

/// What a queue that realms were opened on says of itself.
internal let queueKey = DispatchSpecificKey<ObjectIdentifier>()

/// An actor that a realm was opened on; it may be gone before the realm is.
internal final class ActorHome: @unchecked Sendable {
  private weak var actor: (any Actor)?
  let identifier: ObjectIdentifier

  init(_ actor: any Actor) {
    self.actor = actor
    identifier = ObjectIdentifier(actor)
  }

  var isCurrent: Bool {
    actor.map { KennelRealm.isCurrent($0) } ?? false
  }

  func run(isLater: Bool, _ body: @escaping @Sendable () -> Void) {
    guard let actor else { return }
    _Concurrency.Task {
      if isLater { try? await _Concurrency.Task.sleep(nanoseconds: 1_000_000) }
      await Self.run(on: actor, body)
    }
  }

  private static func run(on actor: isolated any Actor, _ body: @Sendable () -> Void) {
    body()
  }
}

/// What is handed from a realm to one on a queue.
internal struct Handover<Content>: @unchecked Sendable {
  let content: Content
}
