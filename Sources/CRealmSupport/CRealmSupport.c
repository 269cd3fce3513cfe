#include "CRealmSupport.h"

_Thread_local uint64_t kennel_thread_number;

uint64_t kennel_number_thread(void) {
  static uint64_t last;
  return kennel_thread_number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

void kennel_stand_for_thread(uint64_t number) { kennel_thread_number = number; }

/// The sections of an image as the Swift runtime hands them out; more fields follow.
typedef struct {
  const void *unused[8];
  const int32_t *types;
  size_t byte_count;
} metadata_sections;

extern void swift_enumerateAllMetadataSections(bool (*)(const metadata_sections *, void *), void *);

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
  size_t images;
} visitor;

static bool visit_image(const metadata_sections *sections, void *context) {
  visitor *visit = context;
  visit->images += 1;
  const int32_t *record = sections->types;
  size_t left = visit->body == NULL ? 0 : sections->byte_count / sizeof *record;
  for (; left > 0; left--, record++) {
    // The two low bits say how the descriptor is referred to; 0 is directly.
    if (*record == 0 || (*record & 3) != 0) continue;
    const class_descriptor *type = (const void *)((const char *)record + *record);
    if ((type->flags & kind_mask) != kind_class || (type->flags & is_generic) != 0) continue;
    if (type->superclass == 0 || type->accessor == 0) continue;
    const char *accessor = (const char *)&type->accessor + type->accessor;
    visit->body(((metadata_accessor)accessor)(0).metadata, visit->context);
  }
  return true;
}

size_t kennel_each_subclass(void (*body)(const void *, void *), void *context) {
  visitor visit = {body, context, 0};
  swift_enumerateAllMetadataSections(visit_image, &visit);
  return visit.images;
}

extern __attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    kennel_executor executor, uint64_t flags);

bool kennel_is_current_executor(kennel_executor executor) {
  return swift_task_isCurrentExecutorWithFlags(executor, 0);
}
