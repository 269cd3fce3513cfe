#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with its own arguments; -1 where the program was linked without it.
int fuzz(int count, char **arguments, int (*run)(const uint8_t *, size_t));

#endif
