// LMDB, and what Glibc's module leaves out: `statfs`, which tells on which file system a file is,
// `malloc_trim`, and system calls: `fallocate` with a flag, `statx`, `sync_file_range`.
#include <linux/stat.h>
#include <lmdb.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Takes room for the first bytes of a file; its size stays (`FALLOC_FL_KEEP_SIZE`).
static inline int kennel_reserve(int descriptor, size_t count) {
  return (int)syscall(SYS_fallocate, descriptor, 1, (off_t)0, (off_t)count);
}

/// Begins to write a file's changed pages to the disk, from an offset on, and waits for nothing
/// (`SYNC_FILE_RANGE_WRITE`).
static inline void kennel_begin_writing(int descriptor, off_t offset) {
  (void)syscall(SYS_sync_file_range, descriptor, offset, (off_t)0, 2);
}

/// A file's device, number, size in bytes and mode.
struct kennel_file_facts {
  uint64_t device, inode, size;
  uint32_t mode;
};

/// Asks for those and nothing else; -1 and `errno` where it fails.
static inline int kennel_file_facts(int folder, const char *path, int flags,
                                    struct kennel_file_facts *facts) {
  struct statx status;
  unsigned mask = STATX_TYPE | STATX_INO | STATX_SIZE;
  if (syscall(SYS_statx, folder, path, flags, mask, &status) != 0) return -1;
  facts->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
  facts->inode = status.stx_ino;
  facts->size = status.stx_size;
  facts->mode = status.stx_mode;
  return 0;
}
