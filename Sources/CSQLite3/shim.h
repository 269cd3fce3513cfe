#include <sqlite3.h>

// What Swift does not see of SQLite: functions of any number of arguments, and macros that are casts.

/// Has a connection distrust its file: a schema cannot call functions that reach beyond it, and nothing
/// can be written to what SQLite keeps for itself.
static inline int kennel_sqlite_distrust(sqlite3 *connection) {
  int is_on = 0;
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, &is_on);
  if (code == SQLITE_OK) {
    code = sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &is_on);
  }
  return code;
}

/// Binds text, which SQLite copies.
static inline int kennel_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                          int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/// Whether an error says that a program was interrupted while it wrote, so that a reader cannot go on.
static inline int kennel_sqlite_needs_recovery(int code) {
  return code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY ||
         code == SQLITE_READONLY_CANTINIT;
}

/// Binds bytes, which SQLite copies; none are an empty blob and not null.
static inline int kennel_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                          int count) {
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Whether an error says that a row would contradict a constraint, or a trigger refuses it.
static inline int kennel_sqlite_is_refusal(int code) { return (code & 0xFF) == SQLITE_CONSTRAINT; }
