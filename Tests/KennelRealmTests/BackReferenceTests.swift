import CRealmSupport
import Testing

/// An object that asks, while it goes, whether it may be kept.
private final class Guest {
  let note: (Bool) -> Void

  init(_ note: @escaping (Bool) -> Void) { self.note = note }

  deinit { note(isKept(self)) }
}

/// Whether one more reference to an object is counted; it is given back.
private func isKept(_ guest: Guest) -> Bool {
  let reference = unsafe Unmanaged.passUnretained(guest)
  guard unsafe kennel_retain_if_alive(reference.toOpaque()) else { return false }
  unsafe reference.release()
  return true
}

@Suite struct `What finds a realm without keeping it` {
  @Test func `may keep what somebody keeps, and not what is going`() {
    var wasKept: Bool?
    var guest: Guest? = Guest { wasKept = $0 }
    #expect(guest.map(isKept) == true)
    #expect(wasKept == nil)
    guest = nil
    #expect(wasKept == false)
  }
}
