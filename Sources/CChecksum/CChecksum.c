#include "CChecksum.h"

#include <string.h>

// The compiler emits these instructions only in functions marked for them, and Swift cannot
// mark functions: hence these few lines of C.

#if defined(__x86_64__)

#include <immintrin.h>

#define KENNEL_TARGET __attribute__((target("sse4.2,pclmul")))

bool kennel_has_crc32c(void) {
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
}

KENNEL_TARGET static inline uint64_t word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

// What a checksum becomes when as many zero bytes follow as the factor stands for.
KENNEL_TARGET static inline uint64_t shifted(uint64_t crc, uint32_t factor) {
  __m128i product = _mm_clmulepi64_si128(
      _mm_cvtsi64_si128((int64_t)crc), _mm_cvtsi64_si128((int64_t)factor), 0);
  return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

// The instruction takes three cycles, but a new one can begin in each: three parts of the bytes
// are summed side by side and put together by multiplication, at three times the speed. A factor
// is x^(8n - 33) modulo the polynomial, for n bytes that follow.
#define KENNEL_SIDE_BY_SIDE(length, factor1, factor2)                     \
  for (; count >= 3 * (length); count -= 3 * (length), next += 3 * (length)) { \
    uint64_t second = 0, third = 0;                                       \
    for (size_t offset = 0; offset < (length); offset += 8) {             \
      wide = _mm_crc32_u64(wide, word(next + offset));                    \
      second = _mm_crc32_u64(second, word(next + (length) + offset));     \
      third = _mm_crc32_u64(third, word(next + 2 * (length) + offset));   \
    }                                                                     \
    wide = shifted(wide, factor2) ^ shifted(second, factor1) ^ third;     \
  }

KENNEL_TARGET uint32_t kennel_crc32c(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint64_t wide = crc;
  KENNEL_SIDE_BY_SIDE(1024, 0x170076fa, 0xa51b6135)
  KENNEL_SIDE_BY_SIDE(320, 0xbac2fd7b, 0x6b749fb2)
  KENNEL_SIDE_BY_SIDE(96, 0x0715ce53, 0xab7aff2a)
  KENNEL_SIDE_BY_SIDE(32, 0xba4fc28e, 0x9e4addf8)
  for (; count >= 8; count -= 8, next += 8) wide = _mm_crc32_u64(wide, word(next));
  crc = (uint32_t)wide;
  if (count & 4) {
    uint32_t four;
    memcpy(&four, next, 4);
    crc = _mm_crc32_u32(crc, four);
    next += 4;
  }
  for (count &= 3; count > 0; count--, next++) crc = _mm_crc32_u8(crc, *next);
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

#if defined(__GLIBC__)

#include <malloc.h>

void kennel_give_back_memory(void) { malloc_trim(0); }

#else

void kennel_give_back_memory(void) {}

#endif
