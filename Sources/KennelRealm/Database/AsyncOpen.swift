public import Foundation
import KennelCore
import Synchronization

extension Realm {
  /// Opens a realm elsewhere first, so that a migration or a compaction keeps no queue waiting.
  ///
  /// - Parameters:
  ///   - configuration: Which file, and how.
  ///   - callbackQueue: The queue that the realm belongs to.
  ///   - callback: Gets the realm, or why it could not be opened, on that queue.
  /// - Returns: A task to cancel it with.
  @discardableResult
  public static func asyncOpen(
    configuration: Realm.Configuration = .defaultConfiguration,
    callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    let handover = Handover(content: callback)
    DispatchQueue.global().async {
      let prepared = Swift.Result { try RealmOpening.openFile(configuration) }
      let opened = Handover(content: prepared)
      callbackQueue.async {
        // The file stays open until the realm has it.
        let prepared = opened.content
        let result = Swift.Result {
          _ = try prepared.get()
          if task.isCancelled { throw CancellationError() }
          return try Realm(
            configuration: configuration,
            queue: callbackQueue === DispatchQueue.main ? nil : callbackQueue
          )
        }
        handover.content(result)
      }
    }
    return task
  }
}

/// A realm that is being opened.
public final class AsyncOpenTask: Sendable {
  private let cancelled = Atomic(false)

  internal init() {}

  /// Gives it up; the callback gets a `CancellationError` where it has not been called yet.
  public func cancel() { cancelled.store(true, ordering: .releasing) }

  internal var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
}
