#ifndef CREALMSUPPORT_H
#define CREALMSUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A number that no other thread of the process has or had.
extern _Thread_local uint64_t kennel_thread_number;
uint64_t kennel_number_thread(void);

// What is pure releases nothing, which the Swift compiler wants to know.
__attribute__((pure)) static inline uint64_t kennel_this_thread(void) {
  uint64_t number = kennel_thread_number;
  return number != 0 ? number : kennel_number_thread();
}

/// Calls the body with the metadata of every class of the process that has a superclass and is not
/// generic, as the images' lists of types name them.
void kennel_each_subclass(void (*body)(const void *metadata, void *context), void *context);

/// Where a field lies in an object, counted from the root class on.
intptr_t kennel_field_offset(const void *metadata, intptr_t index);
intptr_t kennel_field_count(const void *metadata);

/// Allocates an object of a class whose fields the caller fills.
void *kennel_allocate_object(const void *metadata, size_t size, size_t alignment_mask);

/// Keeps an object's memory, but not the object; kennel_try_retain gives a strong reference to it, or
/// NULL where its last one is gone, on whatever thread that happens.
void kennel_keep_memory(void *object);
void kennel_let_go_of_memory(void *object);
void *kennel_try_retain(void *object);

/// The second word of an object that has one strong reference, no unowned one and never had a weak
/// one, and that of one with two strong references; as this process's runtime counts.
extern uint64_t kennel_sole_count, kennel_double_count;
/// Finds both with an object of a class without fields; false where the runtime counts elsewhere.
bool kennel_learn_counts(const void *metadata);

/// Whether nobody but the caller refers to an object, in whatever way is counted.
static inline bool kennel_is_sole(const void *object) {
  return __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_ACQUIRE) == kennel_sole_count;
}

/// What `type(of:)` gives, without a look at anything else.
static inline const void *kennel_class_of(const void *object) { return *(const void *const *)object; }

/// Adds a reference to an object that nobody but the caller refers to; false for another. Nobody else
/// can count meanwhile, so that it takes no locked instruction.
static inline bool kennel_take_sole(void *object) {
  if (!kennel_is_sole(object)) return false;
  __atomic_store_n((uint64_t *)object + 1, kennel_double_count, __ATOMIC_RELAXED);
  return true;
}

/// Runs the two words of a Swift closure of type () -> Void; the message given to kennel_escape, or
/// NULL. What was on the stack is leaked: for tests of misuse only.
const char *kennel_catch(const void *function, const void *context);
bool kennel_can_escape(void);
void kennel_escape(const char *message);

/// Whether the code that runs is isolated to an actor, by the two words of its executor; false,
/// not a crash, where it is not.
bool kennel_is_current_executor(uintptr_t identity, uintptr_t implementation);

#endif
