/* Rows with reference counts. */
#include "net/component_rows.h"

#include <string.h>

void cni_net_rows_init(CniNetRows *rows, CnAllocator *allocator, uint32_t word_count)
{
    *rows = (CniNetRows){.allocator = allocator, .word_count = word_count};
}

void cni_net_rows_fini(CniNetRows *rows)
{
    cn_free(rows->allocator, rows->words,
            (size_t)rows->capacity * rows->word_count * sizeof *rows->words);
    cn_free(rows->allocator, rows->references, rows->capacity * sizeof *rows->references);
    *rows = (CniNetRows){0};
}

static bool grow(CniNetRows *rows, uint32_t capacity)
{
    const size_t row_bytes = rows->word_count * sizeof *rows->words;
    if (row_bytes) {
        void *words = cn_realloc(rows->allocator, rows->words, rows->capacity * row_bytes,
                                 capacity * row_bytes);
        if (!words)
            return false;
        rows->words = words;
    }
    uint32_t *references =
        cn_realloc(rows->allocator, rows->references, rows->capacity * sizeof *references,
                   capacity * sizeof *references);
    if (references) {
        rows->references = references;
        rows->capacity = capacity;
        return true;
    }
    if (row_bytes && !rows->capacity) {
        cn_free(rows->allocator, rows->words, capacity * row_bytes);
        rows->words = NULL;
    } else if (row_bytes) { /* shrinking does not fail */
        rows->words = cn_realloc(rows->allocator, rows->words, capacity * row_bytes,
                                 rows->capacity * row_bytes);
    }
    return false;
}

bool cni_net_rows_reserve(CniNetRows *rows, uint32_t more)
{
    const uint64_t room = (uint64_t)rows->capacity - rows->count + rows->free_count;
    if (more <= room)
        return true;
    uint64_t capacity = rows->capacity + (more - room);
    if (capacity < rows->capacity + (uint64_t)rows->capacity / 2)
        capacity = rows->capacity + (uint64_t)rows->capacity / 2;
    if (capacity < 16)
        capacity = 16;
    return capacity < UINT32_MAX && grow(rows, (uint32_t)capacity);
}

uint32_t cni_net_rows_add(CniNetRows *rows, const uint32_t *words)
{
    uint32_t row = rows->first_free;
    if (row) {
        rows->first_free = rows->references[row - 1];
        rows->free_count--;
    } else {
        row = ++rows->count;
    }
    rows->references[row - 1] = 1;
    if (rows->word_count)
        memcpy(rows->words + (size_t)(row - 1) * rows->word_count, words,
               rows->word_count * sizeof *words);
    return row;
}

void cni_net_rows_release(CniNetRows *rows, uint32_t row)
{
    if (!row || --rows->references[row - 1])
        return;
    rows->references[row - 1] = rows->first_free;
    rows->first_free = row;
    rows->free_count++;
}
