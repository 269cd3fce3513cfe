import Foundation
import Synchronization

/// The queue or actor that a realm belongs to, where it is not the thread that opened it.
///
/// The main thread, the main queue and the main actor are one: ``main``. Without a run loop, as in a
/// program whose `main` is asynchronous, the main queue leaves the main thread at the first suspension.
internal enum RealmHome: Sendable {
  case main
  case queue(DispatchQueue)
  case actor(ActorHome)

  /// The value that marks the main queue: there are several instances of `DispatchQueue` for it.
  private static let mainIdentifier: ObjectIdentifier = {
    let identifier = ObjectIdentifier(MainActor.shared)
    DispatchQueue.main.setSpecific(key: queueKey, value: identifier)
    return identifier
  }()

  init(_ queue: DispatchQueue) {
    let main = Self.mainIdentifier
    if queue.getSpecific(key: queueKey) == main {
      self = .main
    } else {
      queue.setSpecific(key: queueKey, value: ObjectIdentifier(queue))
      self = .queue(queue)
    }
  }

  init(_ actor: any Actor) {
    self = actor === MainActor.shared ? .main : .actor(ActorHome(actor))
  }

  /// Tells homes apart.
  var identifier: ObjectIdentifier {
    switch self {
    case .main: Self.mainIdentifier
    case .queue(let queue): ObjectIdentifier(queue)
    case .actor(let actor): actor.identifier
    }
  }

  /// Whether the code that runs is there.
  var isHere: Bool { isCurrent || MistakeCatcher.current?.isHere(self) == true }

  private var isCurrent: Bool {
    // The identifier comes first: asking for it marks the main queue.
    switch self {
    case .main:
      Thread.isMainThread || identifier == DispatchQueue.getSpecific(key: queueKey)
    case .queue: identifier == DispatchQueue.getSpecific(key: queueKey)
    case .actor(let actor): actor.isCurrent
    }
  }

  /// Runs a body there, soon.
  ///
  /// - Parameters:
  ///   - isLater: Whether it may only be run in a millisecond.
  ///   - body: What to run.
  func run(isLater: Bool = false, _ body: @escaping @Sendable () -> Void) {
    let delay = DispatchTimeInterval.milliseconds(isLater ? 1 : 0)
    switch self {
    case .main:
      let once = Self.runningOnce(body)
      DispatchQueue.main.asyncAfter(deadline: .now() + delay, execute: once)
      // A run loop inside a block of the main queue does not serve that queue.
      guard RunLoop.main.currentMode != nil else { return }
      let timer = Timer(timeInterval: isLater ? 0.001 : 0, repeats: false) { _ in once() }
      RunLoop.main.add(timer, forMode: .common)
    case .queue(let queue): queue.asyncAfter(deadline: .now() + delay, execute: body)
    case .actor(let actor): actor.run(isLater: isLater, body)
    }
  }
}

extension RealmHome {
  private static func runningOnce(
    _ body: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let isDone = Mutex(false)
    return {
      let isFirst = isDone.withLock { isDone in
        defer { isDone = true }
        return !isDone
      }
      if isFirst { body() }
    }
  }
}

/// The key of the value that marks a queue on which realms were opened.
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

/// A value that is handed from a realm to one on a queue.
internal struct Handover<Content>: @unchecked Sendable {
  let content: Content
}
