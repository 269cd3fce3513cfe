#ifndef CTOML_H
#define CTOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What stands behind an equals sign.
enum kennel_toml_kind {
  KENNEL_TOML_STRING,
  KENNEL_TOML_INTEGER,
  KENNEL_TOML_BOOLEAN,
  /// The values of a list follow it, with the same keys.
  KENNEL_TOML_LIST,
  /// A table without entries.
  KENNEL_TOML_TABLE,
  /// A number with a fraction, a date or a time.
  KENNEL_TOML_OTHER,
};

/// The entries of a file, or the mistake that made it unreadable.
typedef struct kennel_toml kennel_toml;

/// Reads a text; never NULL.
kennel_toml *kennel_toml_read(const char *text, size_t count);
void kennel_toml_free(kennel_toml *file);

/// What is wrong with the syntax; NULL where nothing is. The number is that of the line.
const char *kennel_toml_mistake(const kennel_toml *file, int64_t *line);

/// How many entries there are. An entry has an index below it.
size_t kennel_toml_count(const kennel_toml *file);
size_t kennel_toml_line(const kennel_toml *file, size_t index);
enum kennel_toml_kind kennel_toml_kind_at(const kennel_toml *file, size_t index);

/// The keys that lead to an entry: those of its tables, then its own.
size_t kennel_toml_key_count(const kennel_toml *file, size_t index);
const char *kennel_toml_key(const kennel_toml *file, size_t index, size_t place);

/// The text of a string, or the digits of an integer, or true or false.
const char *kennel_toml_text(const kennel_toml *file, size_t index);

#ifdef __cplusplus
}
#endif

#endif
