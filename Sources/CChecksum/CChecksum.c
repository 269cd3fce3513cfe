#include "CChecksum.h"

#include <string.h>

// The compiler emits these instructions only in functions marked for them, and Swift cannot
// mark functions: hence these few lines of C.

#if defined(__x86_64__)

bool kennel_has_crc32c(void) { return __builtin_cpu_supports("sse4.2"); }

__attribute__((target("sse4.2"))) uint32_t kennel_crc32c(
    uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint64_t wide = crc;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  crc = (uint32_t)wide;
  for (; count > 0; count--, next++) crc = __builtin_ia32_crc32qi(crc, *next);
  return crc;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

bool kennel_has_crc32c(void) { return true; }

uint32_t kennel_crc32c(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = __builtin_arm_crc32cd(crc, word);
  }
  for (; count > 0; count--, next++) crc = __builtin_arm_crc32cb(crc, *next);
  return crc;
}

#else

bool kennel_has_crc32c(void) { return false; }

uint32_t kennel_crc32c(uint32_t crc, const void *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return crc;
}

#endif
