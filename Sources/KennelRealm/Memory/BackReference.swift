import CRealmSupport
import Synchronization

/// A reference to an object that does not keep it, which the object ends when it goes.
///
/// A weak reference of Swift moves the counts of its object elsewhere, once and for all: each reference to
/// the object that is counted later takes three times as long. This one leaves them where they are, and
/// asks the runtime the question that weak references ask: is the object there, and may I keep it?
///
/// Safe to use: the object ends the reference in its `deinit`, under the lock, before its memory is given
/// back.
@safe internal final class BackReference<Target: AnyObject>: @unchecked Sendable {
  private let lock = Mutex<UInt>(0)

  /// The object; `nil` before it is set, and from when the object goes.
  var target: Target? {
    lock.withLock { address in
      guard let object = unsafe UnsafeMutableRawPointer(bitPattern: address),
        unsafe kennel_retain_if_alive(object)
      else { return nil }
      return unsafe Unmanaged<Target>.fromOpaque(object).takeRetainedValue()
    }
  }

  /// Whether it refers to an object that has not begun to end it.
  var isSet: Bool { lock.withLock { $0 != 0 } }

  /// Refers to an object, which has to end the reference.
  func set(_ target: Target) {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque())
    lock.withLock { $0 = address }
  }

  /// Refers to nothing any more.
  func end() { lock.withLock { $0 = 0 } }
}
