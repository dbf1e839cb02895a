/* The longest run of used slots of a table with linear probing: the most slots a lookup visits. */
#ifndef CAIRN_TESTS_SUPPORT_BASE_TABLE_RUNS_H
#define CAIRN_TESTS_SUPPORT_BASE_TABLE_RUNS_H

#include <stdint.h>

static inline uint32_t longest_run(const uint32_t *table, uint32_t size)
{
    uint32_t longest = 0, run = 0;
    for (uint32_t i = 0; i < size * 2 && run < size; i++) {
        run = table[i % size] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

#endif
