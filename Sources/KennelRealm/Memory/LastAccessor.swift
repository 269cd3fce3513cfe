import Foundation
import Synchronization

// An accessor that a program reads and lets go of is the most frequent object of all, and to make one
// costs ten times as much as to read a property of it. What hands accessors out keeps the last one,
// and where nobody else refers to that, in whatever way, it becomes the accessor of another object:
// nobody can tell it from a new one.
//
// Swift tells whether a strong reference is the only one, but not whether there are weak or unowned
// ones. The runtime has all three counts in the second word of an object, and moves them elsewhere,
// once and for all, where a weak reference is made. `soleCount` is that word where there is one strong
// reference and nothing else.
//
// Where the runtime counts in another way, which is found out once in a process, or the environment
// has KENNEL_NEW_ACCESSORS, each accessor is a new one: no class is reusable.

/// The accessor that was handed out last, for one more object of its class.
internal struct LastAccessor<Accessor: AnyObject> {
  private var accessor: Accessor?

  /// The accessor, if nobody else refers to it.
  @inline(__always)
  mutating func unshared() -> Accessor? { isSole(&accessor) ? accessor : nil }

  /// Keeps another accessor.
  mutating func keep(_ accessor: Accessor) { self.accessor = accessor }
}

/// Whether accessors are reused in this process.
internal let areAccessorsReused: Bool = {
  if ProcessInfo.processInfo.environment["KENNEL_NEW_ACCESSORS"] != nil { return false }
  var probe: Probe? = Probe.made()
  guard isSole(&probe) else { return false }
  return Probe.Reference.allCases.allSatisfy { kind in
    let other = probe.map { Probe.reference(kind, to: $0) }
    return withExtendedLifetime(other) { !isSole(&probe) }
  }
}()

/// Whether a reference is the only one to its object, of whatever kind.
@inline(__always)
internal func isSole<Target: AnyObject>(_ reference: inout Target?) -> Bool {
  count(&reference) == soleCount
}

/// How the runtime counts the references to the object of one; `nil` where there is none.
@inline(__always)
private func count<Target: AnyObject>(_ reference: inout Target?) -> UInt64? {
  unsafe withUnsafeMutablePointer(to: &reference) { reference in
    let object = unsafe UnsafeRawPointer(reference).load(as: UnsafeRawPointer?.self)
    // Who let go of the object last may be on another thread.
    return unsafe object.map {
      unsafe ($0 + 8).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(
        ordering: .acquiring
      )
    }
  }
}

/// How the runtime counts one strong reference and no other.
private let soleCount: UInt64 = 3

/// An object to learn from how the runtime counts.
///
/// Nothing is inlined, or the compiler would leave out what is not used.
private final class Probe {
  enum Reference: CaseIterable {
    case strong, unowned, weak
  }

  @inline(never)
  @_optimize(none)
  static func made() -> Probe { Probe() }

  @inline(never)
  @_optimize(none)
  static func reference(_ kind: Reference, to probe: Probe) -> Any {
    switch kind {
    case .strong: probe
    case .unowned: UnownedProbe(probe: probe)
    case .weak: WeakProbe(probe: probe)
    }
  }
}

private struct UnownedProbe {
  unowned let probe: Probe
}

private struct WeakProbe {
  weak var probe: Probe?
}
