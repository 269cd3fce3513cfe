public import Foundation
import KennelCore
import Synchronization

extension Realm {
  /// Opens a realm in the background, so that a migration or compaction blocks no queue.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - callbackQueue: The queue of the realm.
  ///   - callback: Receives the realm or the error, on that queue.
  /// - Returns: A task that can be cancelled.
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
          return try Realm(configuration: configuration, queue: callbackQueue)
        }
        handover.content(result)
      }
    }
    return task
  }
}

extension Realm {
  /// Whether a file is prepared in the background before a realm of an actor opens it.
  ///
  /// The names are Realm Swift's, where they control the download of a synchronized realm. Here,
  /// ``once`` and ``always`` have the same effect: the file is migrated and compacted in the
  /// background if necessary.
  ///
  /// ```swift
  /// @MainActor func openPrepared(_ configuration: Realm.Configuration) async throws -> Realm {
  ///   try await Realm(configuration: configuration, downloadBeforeOpen: .once)
  /// }
  /// ```
  public enum OpenBehavior: Sendable {
    /// The file is prepared by opening it, on the actor.
    case never
    /// The file is prepared in the background.
    case once
    /// The file is prepared in the background.
    case always
  }
}

extension RealmOpening {
  /// Opens a file in the background where that is wanted.
  static func prepare(
    _ configuration: Realm.Configuration,
    _ behavior: Realm.OpenBehavior
  ) async throws -> OpenFile? {
    guard behavior != .never else { return nil }
    let handover = Handover(content: configuration)
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Swift.Result { try openFile(handover.content) })
      }
    }
  }
}

/// A realm that is being opened in the background.
///
/// ```swift
/// let task = Realm.asyncOpen(configuration: configuration) { result in
///   if case .failure(let error) = result { print(error) }
/// }
/// task.cancel()
/// ```
public final class AsyncOpenTask: Sendable {
  private let cancelled = Atomic(false)

  internal init() {}

  /// Cancels opening.
  ///
  /// If the callback was not called yet, it receives a `CancellationError`, or the error if opening
  /// failed. A migration that has begun runs to its end.
  public func cancel() { cancelled.store(true, ordering: .releasing) }

  internal var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
}
