import CRealmSupport

/// A reference that does not keep its object, which may go at any moment and on any thread.
///
/// A weak reference would do, but makes every count of references to the object four times as slow.
internal final class QuietReference<Target: AnyObject>: @unchecked Sendable {
  private let address: UnsafeMutableRawPointer

  init(_ target: Target) {
    address = Unmanaged.passUnretained(target).toOpaque()
    kennel_keep_memory(address)
  }

  deinit { kennel_let_go_of_memory(address) }

  /// The object; `nil` if its last reference is gone.
  var target: Target? {
    kennel_try_retain(address).map { Unmanaged<Target>.fromOpaque($0).takeRetainedValue() }
  }
}
