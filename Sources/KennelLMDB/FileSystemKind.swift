import CLMDB
import Glibc

/// The file systems that LMDB does not support, because locks and maps do not work across machines.
package enum FileSystemKind {
  /// The numbers that `statfs` gives (statfs(2), linux/magic.h), and their names.
  private static let networkNames: [UInt32: String] = [
    0x0000_6969: "NFS",
    0x0000_517B: "SMB",
    0xFF53_4D42: "CIFS",
    0xFE53_4D42: "SMB2",
    0x0000_564C: "NCP",
    0x5346_414F: "AFS",
    0x6B41_4653: "AFS",
    0x7375_7245: "Coda",
    0x0102_1997: "9P",
    0x00C3_6400: "Ceph",
    0x0BD0_0BD0: "Lustre",
    0x1983_0326: "BeeGFS",
    0x4750_4653: "GPFS",
    0x7461_636F: "OCFS2",
    0x0116_1970: "GFS2",
  ]

  /// The name of a network file system by its number; `nil` for a local one.
  package static func networkName(number: UInt32) -> String? { networkNames[number] }

  /// The name of the network file system of `path`; `nil` for a local one.
  static func networkName(path: String) -> String? {
    var facts = statfs()
    guard unsafe statfs(path, &facts) == 0 else { return nil }
    return networkName(number: UInt32(truncatingIfNeeded: facts.f_type))
  }
}
