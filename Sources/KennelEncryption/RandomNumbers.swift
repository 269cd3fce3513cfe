import COpenSSL
import Glibc
package import KennelPages

/// Where random numbers come from; a test lets them fail.
package protocol RandomNumbers: Sendable {
  func fill(_ memory: UnsafeMutableRawBufferPointer) throws(CipherFailure)
}

/// getrandom(2), which never returns predictable bytes: it waits until there are others.
package struct SystemRandomNumbers: RandomNumbers {
  package init() {}

  package func fill(_ memory: UnsafeMutableRawBufferPointer) throws(CipherFailure) {
    var filled = 0
    while filled < memory.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
      let count = unsafe getrandom(rest.baseAddress, rest.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .noRandomNumbers(code: errno) }
      filled += count
    }
  }
}
