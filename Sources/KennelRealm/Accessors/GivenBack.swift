public import CRealmSupport

/// Gives a reference back, without counting where that is possible; see ``AccessorHost``.
@inlinable
@inline(__always)
internal func giveBack(_ kept: inout AccessorHost?) {
  guard let host = kept.map(Unmanaged.passUnretained) else { return }
  if kennel_give_back(host.toOpaque()) {
    // The reference has found another owner: it is forgotten here.
    withUnsafeMutableBytes(of: &kept) { $0.storeBytes(of: 0, as: UInt.self) }
  } else {
    kept = nil
  }
}
