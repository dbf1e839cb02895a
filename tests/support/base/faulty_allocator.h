/*
 * An allocator that refuses one allocation, all from a given one on, or some at random, and counts
 * them.
 *
 *     FaultyAllocator faulty = faulty_allocator(under);
 *     faulty.fail_at = 17;   // the 17th from now fails, counted from 0
 *     faulty.lasting = true; // and so do all after it
 *     cn_world_create(&(CnWorldDesc){.allocator = &faulty.base}, NULL);
 *
 * Freeing and shrinking never fail.
 */
#ifndef CAIRN_TESTS_SUPPORT_BASE_FAULTY_ALLOCATOR_H
#define CAIRN_TESTS_SUPPORT_BASE_FAULTY_ALLOCATOR_H

#include "random.h"

#include <cairn/base/memory.h>

typedef struct FaultyAllocator {
    CnAllocator base;
    CnAllocator *under;
    uint64_t calls;
    uint64_t fail_at; /* UINT64_MAX: never */
    bool lasting;
    uint32_t percent; /* of allocations that also fail, at random */
    TestRandom random;
    uint64_t failures; /* so far */
} FaultyAllocator;

FaultyAllocator faulty_allocator(CnAllocator *under);

#endif
