#include "failing_system.h"

#include <cairn/base/memory.h>

#include <stdatomic.h>

static void *(*system_resize)(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                              size_t alignment);
static atomic_bool is_counting;
static _Atomic int64_t calls, fails_at, fails_until;

static void *resize(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                    size_t alignment)
{
    if (new_bytes > (block ? old_bytes : 0) && atomic_load(&is_counting)) {
        int64_t call = atomic_fetch_add(&calls, 1);
        if (call >= atomic_load(&fails_at) && call < atomic_load(&fails_until))
            return NULL;
    }
    return system_resize(self, block, old_bytes, new_bytes, alignment);
}

void failing_system_install(void)
{
    system_resize = cn_system_allocator()->resize;
    cn_system_allocator()->resize = resize;
}

void failing_system_begin(int64_t first, int64_t count)
{
    atomic_store(&calls, 0);
    atomic_store(&fails_at, first);
    atomic_store(&fails_until, count > INT64_MAX - first ? INT64_MAX : first + count);
    atomic_store(&is_counting, true);
}

int64_t failing_system_end(void)
{
    atomic_store(&is_counting, false);
    return atomic_load(&calls);
}
