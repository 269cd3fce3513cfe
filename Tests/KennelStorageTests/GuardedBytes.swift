import Glibc
import KennelStorage

/// Calls `body` with a copy of bytes that ends where an unreadable page begins.
///
/// Reading one byte past the end stops the process, so that no test passes that does.
func withGuardedBytes<Result>(
  _ bytes: [UInt8],
  _ body: (StoredBytes) throws -> Result
) throws -> Result {
  let pageSize = Int(getpagesize())
  let size = (bytes.count + pageSize - 1) / pageSize * pageSize
  let start = unsafe mmap(
    nil,
    size + pageSize,
    PROT_READ | PROT_WRITE,
    MAP_PRIVATE | MAP_ANONYMOUS,
    -1,
    0
  )
  guard let start = unsafe start, unsafe start != MAP_FAILED else { throw GuardError() }
  defer { unsafe munmap(start, size + pageSize) }
  guard unsafe mprotect(start + size, pageSize, PROT_NONE) == 0 else { throw GuardError() }
  let target = unsafe start + size - bytes.count
  unsafe UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyBytes(from: bytes)
  return try unsafe body(StoredBytes(target, count: bytes.count))
}

private struct GuardError: Error {}
