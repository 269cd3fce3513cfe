#include "CFuzzer.h"

// Weak, so that an ordinary build of the package needs no libFuzzer.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*run)(const uint8_t *, size_t))
    __attribute__((weak));

int fuzz(int count, char **arguments, int (*run)(const uint8_t *, size_t)) {
  return LLVMFuzzerRunDriver ? LLVMFuzzerRunDriver(&count, &arguments, run) : -1;
}
