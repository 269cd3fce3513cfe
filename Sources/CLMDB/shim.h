// LMDB, and what Glibc's module leaves out: `statfs`, which tells on which file system a file is,
// `malloc_trim`, and the system call that takes room on the disk for a file without making it longer.
#include <lmdb.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Takes room for the first bytes of a file; its size stays (`FALLOC_FL_KEEP_SIZE`).
static inline int kennel_reserve(int descriptor, size_t count) {
  return (int)syscall(SYS_fallocate, descriptor, 1, (off_t)0, (off_t)count);
}
