import COpenSSL

/// The core dumps of this process.
package enum CoreDumps {
  /// Has the system write none: what was decrypted would be in it, and the keys.
  package static func forbid() { kennel_forbid_core_dumps() }
}
