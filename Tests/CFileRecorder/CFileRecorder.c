#define _GNU_SOURCE
#include "CFileRecorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int record_descriptor = -1;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void put(const void *bytes, size_t count) {
  const char *rest = bytes;
  while (count > 0) {
    long written = syscall(SYS_write, record_descriptor, rest, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    rest += written;
    count -= (size_t)written;
  }
}

static void record(char kind, uint64_t file, int64_t offset, const void *bytes, size_t count) {
  char head[25];
  uint64_t length = count;
  head[0] = kind;
  memcpy(head + 1, &file, 8);
  memcpy(head + 9, &offset, 8);
  memcpy(head + 17, &length, 8);
  put(head, sizeof head);
  put(bytes, count);
}

/// The inode of a file or folder; 0 for what is neither, and while nothing is recorded.
static uint64_t file_of(int descriptor) {
  if (record_descriptor < 0) return 0;
  int error = errno;
  struct stat status;
  int is_file = fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  errno = error;
  return is_file ? status.st_ino : 0;
}

static void record_write(uint64_t file, int64_t offset, const void *bytes, ssize_t count) {
  if (file == 0 || count <= 0) return;
  int error = errno;
  record('w', file, offset, bytes, (size_t)count);
  errno = error;
}

/// As much of some parts as was written.
static void record_parts(uint64_t file, off_t offset, const struct iovec *parts, int part_count,
                         ssize_t written) {
  for (int i = 0; i < part_count && written > 0; i++) {
    ssize_t count = written < (ssize_t)parts[i].iov_len ? written : (ssize_t)parts[i].iov_len;
    record_write(file, offset, parts[i].iov_base, count);
    offset += count;
    written -= count;
  }
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  uint64_t file = file_of(descriptor);
  pthread_mutex_lock(&turn);
  ssize_t written = REAL(pwrite)(descriptor, bytes, count, offset);
  record_write(file, offset, bytes, written);
  pthread_mutex_unlock(&turn);
  return written;
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int part_count, off_t offset) {
  uint64_t file = file_of(descriptor);
  if (file == 0) return REAL(pwritev)(descriptor, parts, part_count, offset);
  pthread_mutex_lock(&turn);
  ssize_t written = REAL(pwritev)(descriptor, parts, part_count, offset);
  record_parts(file, offset, parts, part_count, written);
  pthread_mutex_unlock(&turn);
  return written;
}

/// A write at the file's own position, which is asked for before.
static ssize_t recorded_at_position(int descriptor, const struct iovec *parts, int part_count) {
  uint64_t file = file_of(descriptor);
  if (file == 0) return REAL(writev)(descriptor, parts, part_count);
  pthread_mutex_lock(&turn);
  off_t offset = lseek(descriptor, 0, SEEK_CUR);
  ssize_t written = REAL(writev)(descriptor, parts, part_count);
  record_parts(file, offset, parts, part_count, written);
  pthread_mutex_unlock(&turn);
  return written;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  struct iovec part = {(void *)bytes, count};
  return recorded_at_position(descriptor, &part, 1);
}

ssize_t writev(int descriptor, const struct iovec *parts, int part_count) {
  return recorded_at_position(descriptor, parts, part_count);
}

int ftruncate(int descriptor, off_t length) {
  uint64_t file = file_of(descriptor);
  pthread_mutex_lock(&turn);
  int result = REAL(ftruncate)(descriptor, length);
  if (file != 0 && result == 0) record('t', file, length, NULL, 0);
  pthread_mutex_unlock(&turn);
  return result;
}

static int recorded_sync(int descriptor, int (*sync)(int)) {
  uint64_t file = file_of(descriptor);
  if (file == 0) return sync(descriptor);
  pthread_mutex_lock(&turn);
  record('s', file, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  int result = sync(descriptor);
  int error = errno;
  pthread_mutex_lock(&turn);
  record(result == 0 ? 'S' : 'F', file, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  errno = error;
  return result;
}

int fsync(int descriptor) { return recorded_sync(descriptor, REAL(fsync)); }

int fdatasync(int descriptor) { return recorded_sync(descriptor, REAL(fdatasync)); }

int file_recorder_begin(const char *path) {
  record_descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  return record_descriptor < 0 ? -1 : 0;
}

void file_recorder_note(const char *text) {
  pthread_mutex_lock(&turn);
  if (record_descriptor >= 0) record('n', 0, 0, text, strlen(text));
  pthread_mutex_unlock(&turn);
}
