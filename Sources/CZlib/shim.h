// zlib, and its two macros that Swift does not import: they pass the size of the stream, which tells
// zlib's version of it.
#include <zlib.h>

/// Begins to decompress a gzip file.
static inline int kennel_begin_inflating(z_stream *stream) {
  return inflateInit2(stream, 15 + 16);
}

/// Begins to compress to a gzip file.
static inline int kennel_begin_deflating(z_stream *stream) {
  return deflateInit2(stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
