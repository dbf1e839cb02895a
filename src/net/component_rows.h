/* Rows: the words of one component in one state. States share the rows of components that did not
 * change; a row is freed with the last state that contains it. */
#ifndef CAIRN_NET_COMPONENT_ROWS_H
#define CAIRN_NET_COMPONENT_ROWS_H

#include <cairn/base/memory.h>

typedef struct CniNetRows {
    CnAllocator *allocator;
    uint32_t word_count; /* of a row */
    uint32_t *words;
    uint32_t *references; /* of a row that is not used: the next one of these */
    uint32_t count, capacity;
    uint32_t first_free, free_count;
} CniNetRows;

void cni_net_rows_init(CniNetRows *rows, CnAllocator *allocator, uint32_t word_count);
void cni_net_rows_fini(CniNetRows *rows);
/* Makes room for more rows. Returns false when out of memory. */
bool cni_net_rows_reserve(CniNetRows *rows, uint32_t more);
/* Returns a row with one reference and the given words; never 0. There must be room. */
uint32_t cni_net_rows_add(CniNetRows *rows, const uint32_t *words);
/* Releases a reference; 0 is ignored. */
void cni_net_rows_release(CniNetRows *rows, uint32_t row);

/* Adds a reference and returns the row; 0 is allowed. */
static inline uint32_t cni_net_rows_share(CniNetRows *rows, uint32_t row)
{
    if (row)
        rows->references[row - 1]++;
    return row;
}

/* Returns the words, valid until the next call of cni_net_rows_reserve. */
static inline const uint32_t *cni_net_row(const CniNetRows *rows, uint32_t row)
{
    return rows->words + (size_t)(row - 1) * rows->word_count;
}

#endif
