// libbson, below the folder of its major version, so that no search path is needed.
#include <libbson-1.0/bson/bson.h>

#include <stdlib.h>

// Swift knows no types that are aligned as widely as libbson's documents and iterators: it sees them
// as pointers, and these lie in rows, one for each level of nesting.

/// Memory for documents.
static inline bson_t *kennel_bson_row(int count) {
  return (bson_t *)aligned_alloc(128, sizeof(bson_t) * (size_t)count);
}

/// One of them.
static inline bson_t *kennel_bson_at(bson_t *row, int level) { return row + level; }

/// The bytes of a document.
static inline int kennel_bson_length(const bson_t *document) { return (int)document->len; }

/// A document that is walked, and a row of iterators behind it, each as far apart as it is aligned.
typedef struct {
  bson_t document;
} kennel_bson_walk_t;

static inline kennel_bson_walk_t *kennel_bson_walk(int count) {
  return (kennel_bson_walk_t *)aligned_alloc(128, 128 * ((size_t)count + 1));
}

/// The iterator of a level.
static inline bson_iter_t *kennel_bson_iterator(kennel_bson_walk_t *walk, int level) {
  return (bson_iter_t *)((char *)walk + 128 * (level + 1));
}

/// Begins to walk the document that some bytes are; `false` where they are none.
static inline bool kennel_bson_begin(kennel_bson_walk_t *walk, const uint8_t *bytes, size_t count) {
  return bson_init_static(&walk->document, bytes, count) &&
         bson_iter_init(kennel_bson_iterator(walk, 0), &walk->document);
}

/// Whether an iterator came to its end, not to something that is no BSON.
static inline bool kennel_bson_ended(const bson_iter_t *iterator) { return iterator->err_off == 0; }

/// The value of an iterator, as canonical Extended JSON of a document with the member `v`, to be freed
/// by `bson_free`; null where it cannot be written.
static inline char *kennel_bson_value_json(const bson_iter_t *iterator, size_t *length) {
  bson_t document = BSON_INITIALIZER;
  char *text = bson_append_iter(&document, "v", 1, iterator)
                   ? bson_as_canonical_extended_json(&document, length)
                   : NULL;
  bson_destroy(&document);
  return text;
}

/// A document as Extended JSON, to be freed by `bson_free`; null where its bytes are no document.
static inline char *kennel_bson_json(const uint8_t *bytes, size_t count, bool is_relaxed,
                                     size_t *length) {
  bson_t document;
  if (!bson_init_static(&document, bytes, count)) return NULL;
  return is_relaxed ? bson_as_relaxed_extended_json(&document, length)
                    : bson_as_canonical_extended_json(&document, length);
}
