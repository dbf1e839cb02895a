#include "faulty_allocator.h"

static void *faulty_resize(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                           size_t alignment)
{
    FaultyAllocator *faulty = (FaultyAllocator *)(void *)self;
    if (new_bytes > old_bytes || !block) {
        uint64_t call = faulty->calls++;
        bool by_chance = faulty->percent && test_random_chance(&faulty->random, faulty->percent);
        if (by_chance || call == faulty->fail_at || (faulty->lasting && call > faulty->fail_at)) {
            faulty->failures++;
            return NULL;
        }
    }
    return faulty->under->resize(faulty->under, block, old_bytes, new_bytes, alignment);
}

FaultyAllocator faulty_allocator(CnAllocator *under)
{
    return (FaultyAllocator){.base = {faulty_resize}, .under = under, .fail_at = UINT64_MAX};
}
