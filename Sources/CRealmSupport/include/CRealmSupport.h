#ifndef CREALMSUPPORT_H
#define CREALMSUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern _Thread_local uint64_t kennel_thread_number;
uint64_t kennel_number_thread(void);

/// A number that no other thread of the process has or had.
static inline uint64_t kennel_this_thread(void) {
  return kennel_thread_number != 0 ? kennel_thread_number : kennel_number_thread();
}

/// Makes the running thread count as another from here on.
void kennel_stand_for_thread(uint64_t number);

/// Calls the body with the metadata of every class of the process that has a superclass and is not
/// generic, as the images' lists of types name them. Returns how many images with Swift code there are;
/// without a body it only counts those.
size_t kennel_each_subclass(void (*body)(const void *metadata, void *context), void *context);

/// What `UnownedSerialExecutor` is made of.
typedef struct { uintptr_t identity, implementation; } kennel_executor;

/// Whether the code that runs is isolated to an actor; false, not a crash, where it is not.
bool kennel_is_current_executor(kennel_executor executor);

#endif
