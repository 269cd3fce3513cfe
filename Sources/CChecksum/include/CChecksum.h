#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the processor has instructions for CRC-32C.
bool kennel_has_crc32c(void);

/// Continues a CRC-32C (in its inverted working form) over bytes with the processor's
/// instructions. Only where kennel_has_crc32c().
uint32_t kennel_crc32c(uint32_t crc, const void *bytes, size_t count);

/// Asks the processor for the memory at an address, which need not be one, before it is read.
static inline void kennel_prefetch(const void *address) { __builtin_prefetch(address); }

/// Gives memory that was freed back to the system, where the allocator would keep it.
void kennel_give_back_memory(void);

#endif
