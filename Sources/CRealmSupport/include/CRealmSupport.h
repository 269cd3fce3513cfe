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

/// How many images with Swift code the process has loaded.
size_t kennel_image_count(void);

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

/// What stands first in an object that somebody keeps, and that others borrow from the keeper.
///
/// A borrower that counts its reference takes two locked instructions. Here the last one leaves its
/// reference with the object, counted but nobody's, and the next one takes that: nothing is counted
/// any more. One thread borrows and gives back. The keeper may go on any thread.
typedef struct {
  /// Whether the keeper has a reference; set and read by the borrowers' thread, cleared on any.
  bool is_kept;
  /// Whether a reference is there that is nobody's.
  bool has_spare;
} kennel_loan;

/// Whether objects are lent. Keepers may go on any thread: that takes a system call that makes all
/// threads of the process agree on what lies in memory. To prepare it takes 16 ms in a process with
/// threads, and is done beside the first loops.
enum { kennel_never_lends, kennel_may_lend, kennel_prepares_lending, kennel_lends };
extern int kennel_lending;
/// Once, before any object is lent.
void kennel_allow_lending(void);
void kennel_prepare_lending(void);

static inline kennel_loan *kennel_loan_of(const void *object) {
  return (kennel_loan *)((const uint64_t *)object + 2);
}

/// Begins to lend an object that the caller's thread keeps; false where it is not lent.
static inline bool kennel_lend(void *object) {
  int lending = __atomic_load_n(&kennel_lending, __ATOMIC_ACQUIRE);
  if (lending == kennel_may_lend) kennel_prepare_lending();
  if (lending != kennel_lends) return false;
  __atomic_store_n(&kennel_loan_of(object)->is_kept, true, __ATOMIC_RELAXED);
  return true;
}

/// Whether nobody but the keeper, who asks, refers to an object.
static inline bool kennel_is_only_kept(const void *object) {
  uint64_t count = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_ACQUIRE);
  return count == kennel_sole_count
      || (count == kennel_double_count
          && __atomic_load_n(&kennel_loan_of(object)->has_spare, __ATOMIC_RELAXED));
}

/// Gets a reference to an object from its keeper, who exists as long as this lasts; false where the
/// caller has to count one.
static inline bool kennel_borrow(void *object) {
  kennel_loan *loan = kennel_loan_of(object);
  if (!__atomic_load_n(&loan->has_spare, __ATOMIC_RELAXED)) return kennel_take_sole(object);
  __atomic_store_n(&loan->has_spare, false, __ATOMIC_RELAXED);
  return true;
}

/// Gives a reference back that is the caller's alone; false where the caller has to release it.
static inline bool kennel_give_back(void *object) {
  kennel_loan *loan = kennel_loan_of(object);
  if (!__atomic_load_n(&loan->is_kept, __ATOMIC_RELAXED)) return false;
  // The keeper has the other: who else wants one has to ask the keeper, on this thread.
  uint64_t count = __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED);
  if (count != kennel_double_count) return false;
  __atomic_store_n(&loan->has_spare, true, __ATOMIC_RELAXED);
  // The keeper goes in the other order, with all threads stopped in between: if it is seen here no
  // more, one of both takes the reference back out, else the keeper has seen the reference.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(&loan->is_kept, __ATOMIC_RELAXED)) return true;
  return !__atomic_exchange_n(&loan->has_spare, false, __ATOMIC_ACQ_REL);
}

/// What a keeper does that goes, before it releases its reference.
void kennel_stop_lending(void *object, bool on_another_thread);

/// Runs the two words of a Swift closure of type () -> Void; the message given to kennel_escape, or
/// NULL. What was on the stack is leaked: for tests of misuse only.
const char *kennel_catch(const void *function, const void *context);
bool kennel_can_escape(void);
void kennel_escape(const char *message);

/// Whether the code that runs is isolated to an actor, by the two words of its executor; false,
/// not a crash, where it is not.
bool kennel_is_current_executor(uintptr_t identity, uintptr_t implementation);

#endif
