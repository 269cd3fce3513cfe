#ifndef CMEMORY_H
#define CMEMORY_H

// What Swift has no call for.

/// Asks the processor for the memory at an address, which need not be one, before it is read.
static inline void kennel_prefetch(const void *address) { __builtin_prefetch(address); }

/// Gives memory that was freed back to the system, where the allocator would keep it.
void kennel_give_back_memory(void);

#endif
