#include "CMemory.h"

#if defined(__GLIBC__)

#include <malloc.h>

void kennel_give_back_memory(void) { malloc_trim(0); }

#else

void kennel_give_back_memory(void) {}

#endif
