#include "CRealmSupport.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Threads

_Thread_local uint64_t kennel_thread_number;

uint64_t kennel_number_thread(void) {
  static _Atomic uint64_t last;
  kennel_thread_number = atomic_fetch_add(&last, 1) + 1;
  return kennel_thread_number;
}

// MARK: The types of the process

/// The sections of an image as the Swift runtime hands them out; more fields follow.
typedef struct {
  uintptr_t version;
  const void *base;
  void *unused[2];
  struct {
    uintptr_t start;
    size_t length;
  } protocols, conformances, types;
} metadata_sections;

extern void swift_enumerateAllMetadataSections(
    bool (*body)(const metadata_sections *, void *), void *context);

/// A nominal type's descriptor; all but the flags are offsets from where they stand.
typedef struct {
  uint32_t flags;
  int32_t parent, name, accessor, fields, superclass;
} class_descriptor;

typedef struct {
  const void *metadata;
  size_t state;
} metadata_response;
typedef __attribute__((swiftcall)) metadata_response (*metadata_accessor)(size_t request);

enum { kind_mask = 0x1F, kind_class = 16, is_generic = 0x80 };

typedef struct {
  void (*body)(const void *, void *);
  void *context;
} visitor;

static bool visit_image(const metadata_sections *sections, void *context) {
  const visitor *visit = context;
  const int32_t *records = (const int32_t *)sections->types.start;
  size_t count = sections->types.length / sizeof(int32_t);
  for (size_t i = 0; i < count; i++) {
    // The two low bits say how the descriptor is referred to; 0 is directly.
    if (records[i] == 0 || (records[i] & 3) != 0) continue;
    const class_descriptor *type =
        (const class_descriptor *)((const char *)&records[i] + records[i]);
    if ((type->flags & kind_mask) != kind_class || (type->flags & is_generic) != 0) continue;
    if (type->superclass == 0 || type->accessor == 0) continue;
    metadata_accessor accessor =
        (metadata_accessor)((const char *)&type->accessor + type->accessor);
    visit->body(accessor(0).metadata, visit->context);
  }
  return true;
}

void kennel_each_subclass(void (*body)(const void *metadata, void *context), void *context) {
  visitor visit = {body, context};
  swift_enumerateAllMetadataSections(visit_image, &visit);
}

static bool count_image(const metadata_sections *sections, void *context) {
  (void)sections;
  *(size_t *)context += 1;
  return true;
}

size_t kennel_image_count(void) {
  size_t count = 0;
  swift_enumerateAllMetadataSections(count_image, &count);
  return count;
}

// MARK: Objects

extern void *swift_unownedRetain(void *);
extern void swift_unownedRelease(void *);
extern void *swift_tryRetain(void *);

void kennel_keep_memory(void *object) { swift_unownedRetain(object); }

void kennel_let_go_of_memory(void *object) { swift_unownedRelease(object); }

void *kennel_try_retain(void *object) { return swift_tryRetain(object); }

extern __attribute__((swiftcall)) intptr_t swift_reflectionMirror_recursiveCount(const void *);
extern __attribute__((swiftcall)) intptr_t swift_reflectionMirror_recursiveChildOffset(
    const void *, intptr_t);
extern void *swift_allocObject(const void *, size_t, size_t);
extern void *swift_retain(void *);
extern void swift_release(void *);

intptr_t kennel_field_count(const void *metadata) {
  return swift_reflectionMirror_recursiveCount(metadata);
}

intptr_t kennel_field_offset(const void *metadata, intptr_t index) {
  return swift_reflectionMirror_recursiveChildOffset(metadata, index);
}

void *kennel_allocate_object(const void *metadata, size_t size, size_t alignment_mask) {
  return swift_allocObject(metadata, size, alignment_mask);
}

// MARK: Counts of references

// No object counts so, until they are learnt.
uint64_t kennel_sole_count = UINT64_MAX, kennel_double_count = UINT64_MAX;

bool kennel_learn_counts(const void *metadata) {
  uint64_t *object = swift_allocObject(metadata, 2 * sizeof(uint64_t), 15);
  uint64_t sole = __atomic_load_n(object + 1, __ATOMIC_RELAXED);
  swift_retain(object);
  uint64_t twice = __atomic_load_n(object + 1, __ATOMIC_RELAXED);
  swift_release(object);
  bool are_here = sole != twice && __atomic_load_n(object + 1, __ATOMIC_RELAXED) == sole;
  swift_release(object);
  if (!are_here) return false;
  kennel_double_count = twice;
  kennel_sole_count = sole;
  return true;
}

// MARK: References that are lent

int kennel_lending = kennel_never_lends;

// As <linux/membarrier.h> has them, which not every system has installed.
enum { membarrier_private_expedited = 1 << 3, membarrier_register_private_expedited = 1 << 4 };

void kennel_allow_lending(void) { kennel_lending = kennel_may_lend; }

static void *prepare_lending(void *unused) {
  if (syscall(SYS_membarrier, membarrier_register_private_expedited, 0, 0) == 0)
    __atomic_store_n(&kennel_lending, kennel_lends, __ATOMIC_RELEASE);
  return unused;
}

void kennel_prepare_lending(void) {
  int expected = kennel_may_lend;
  if (!__atomic_compare_exchange_n(&kennel_lending, &expected, kennel_prepares_lending, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  // The program's signals are none of the thread's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, prepare_lending, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void kennel_stop_lending(void *object, bool on_another_thread) {
  kennel_loan *loan = kennel_loan_of(object);
  if (!__atomic_load_n(&loan->is_kept, __ATOMIC_RELAXED)) return;
  __atomic_store_n(&loan->is_kept, false, __ATOMIC_SEQ_CST);
  // It cannot fail once it is registered, and a child of a fork has one thread.
  if (on_another_thread) syscall(SYS_membarrier, membarrier_private_expedited, 0, 0);
  if (__atomic_exchange_n(&loan->has_spare, false, __ATOMIC_ACQ_REL)) swift_release(object);
}

// MARK: Escaping from misuse in tests

// A jump over an open access would leave a dead entry in the runtime's set of accesses.
extern bool _swift_disableExclusivityChecking;

static _Thread_local jmp_buf *escape_point;
static _Thread_local const char *escape_message;

typedef __attribute__((swiftcall)) void (*swift_function)(
    __attribute__((swift_context)) const void *context);

const char *kennel_catch(const void *function, const void *context) {
  _swift_disableExclusivityChecking = true;
  jmp_buf here;
  jmp_buf *volatile outer = escape_point;
  if (setjmp(here) == 0) {
    escape_point = &here;
    ((swift_function)function)(context);
    escape_point = outer;
    return NULL;
  }
  escape_point = outer;
  return escape_message;
}

bool kennel_can_escape(void) { return escape_point != NULL; }

void kennel_escape(const char *message) {
  escape_message = strdup(message);
  longjmp(*escape_point, 1);
}

// MARK: Actors

/// What `UnownedSerialExecutor` is made of.
typedef struct {
  uintptr_t identity, implementation;
} serial_executor;

extern __attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    serial_executor executor, uint64_t flags);

bool kennel_is_current_executor(uintptr_t identity, uintptr_t implementation) {
  serial_executor executor = {identity, implementation};
  return swift_task_isCurrentExecutorWithFlags(executor, 0);
}
