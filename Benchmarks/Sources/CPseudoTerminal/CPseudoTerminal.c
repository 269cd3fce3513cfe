#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int pseudo_terminal_open(unsigned short columns, unsigned short rows, char *path, size_t length) {
  int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  int failure = ptsname_r(descriptor, path, length);
  if (failure != 0) {
    errno = failure;
  } else if (grantpt(descriptor) == 0 && unlockpt(descriptor) == 0 &&
             ioctl(descriptor, TIOCSWINSZ, &size) == 0) {
    return descriptor;
  }
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

short pseudo_terminal_session_flag(void) { return POSIX_SPAWN_SETSID; }
