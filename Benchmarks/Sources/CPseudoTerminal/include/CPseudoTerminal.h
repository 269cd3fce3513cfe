#pragma once
#include <stddef.h>

// What a pseudo terminal needs of the C library and Swift does not see.

/// Opens a pseudo terminal of a size, on the side of who looks at it, and writes the path of the
/// other side.
/// Returns a descriptor that programs which are started do not get, or -1 with errno.
int pseudo_terminal_open(unsigned short columns, unsigned short rows, char *path, size_t length);

/// The flag of `posix_spawn` with which a process begins a session of its own.
short pseudo_terminal_session_flag(void);
