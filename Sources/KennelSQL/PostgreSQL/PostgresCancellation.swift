internal import CPostgreSQL
internal import Glibc
internal import Synchronization

/// A request to a server to cancel what a connection runs.
///
/// libpq sends it over a connection of its own, and waits for it as long as the network does: so a thread
/// of its own sends it, for which nobody waits long.
@safe final class PostgresCancellation: Sendable {
  private nonisolated(unsafe) let request: OpaquePointer
  private let isSent = Atomic(false)

  private init(_ request: OpaquePointer) {
    unsafe self.request = request
  }

  deinit { unsafe PQfreeCancel(request) }

  /// Sends the request, and waits for that for at most a second.
  static func send(to connection: OpaquePointer) {
    guard let request = unsafe PQgetCancel(connection) else { return }
    let cancellation = unsafe PostgresCancellation(request)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread,
      nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<PostgresCancellation>.fromOpaque(pointer).takeRetainedValue().send()
        return nil
      },
      Unmanaged.passRetained(cancellation).toOpaque()
    )
    guard result == 0 else {
      return unsafe Unmanaged.passUnretained(cancellation).release()
    }
    pthread_detach(thread)
    for _ in 0..<100 where !cancellation.isSent.load(ordering: .acquiring) { usleep(10_000) }
  }

  private func send() {
    var message = [CChar](repeating: 0, count: 256)
    _ = unsafe PQcancel(request, &message, CInt(message.count))
    isSent.store(true, ordering: .releasing)
  }
}
