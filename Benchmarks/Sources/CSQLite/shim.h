#include <sqlite3.h>

// Swift does not see functions with a variable number of arguments.

/// Stops SQLite from counting its memory, as its makers recommend for speed.
static inline int sqlite3_stop_counting_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
