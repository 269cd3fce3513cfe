// memmem is no part of C, nor of POSIX.
#define _GNU_SOURCE

#include "CMemory.h"

#include <string.h>

#if defined(__GLIBC__)

#include <malloc.h>

void kennel_give_back_memory(void) { malloc_trim(0); }

#else

void kennel_give_back_memory(void) {}

#endif

const void *kennel_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
  return memmem(bytes, count, wanted, wanted_count);
}
