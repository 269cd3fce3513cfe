import Glibc

// Calls of the C library that take a path. Each is safe with a text of Swift's, which ends with a zero
// and lives as long as the call takes; these say so once, for all who call them.

/// Removes a file.
@discardableResult
func unlink(_ path: String) -> Int32 { unsafe Glibc.unlink(path) }

/// Removes a folder that is empty.
@discardableResult
func rmdir(_ path: String) -> Int32 { unsafe Glibc.rmdir(path) }

/// Gives a file another name, in the place of what had it.
func rename(_ path: String, _ name: String) -> Int32 { unsafe Glibc.rename(path, name) }

/// Makes a folder.
func mkdir(_ path: String, _ mode: mode_t) -> Int32 { unsafe Glibc.mkdir(path, mode) }

/// Opens a file; the mode is that of one which it makes.
func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  unsafe Glibc.open(path, flags, mode)
}

/// Gives a file other permissions.
@discardableResult
func chmod(_ path: String, _ mode: mode_t) -> Int32 { unsafe Glibc.chmod(path, mode) }

/// The status of what lies at a path, of a link itself; `nil` if there is nothing.
func linkStatus(of path: String) -> stat? {
  var status = stat()
  return unsafe lstat(path, &status) == 0 ? status : nil
}
