#include "base/memory/poison.h"

#include <cairn/base/assert.h>
#include <cairn/base/memory.h>

#define DEFAULT_BLOCK_BYTES ((size_t)64 << 10)

/* The list holds the blocks in use, up to `current`, in order of use, followed by the idle ones.
 * The data follows the header. */
struct CnArenaBlock {
    CnArenaBlock *next;
    size_t capacity, used;
};

_Static_assert(sizeof(CnArenaBlock) <= 32, "the header of an arena block must stay small");
#define HEADER_BYTES ((size_t)32)

static char *block_data(CnArenaBlock *block)
{
    return (char *)block + HEADER_BYTES;
}

/* Returns the offset of the next allocation, or SIZE_MAX when it does not fit. */
static size_t place_in(CnArenaBlock *block, size_t used, size_t bytes, size_t alignment)
{
    uintptr_t address = (uintptr_t)block_data(block) + used;
    size_t start = used + (size_t)(-address & (alignment - 1));
    if (start > block->capacity || bytes > block->capacity - start)
        return SIZE_MAX;
    return start;
}

static CnArenaBlock **first_idle(CnArena *arena)
{
    return arena->current ? &arena->current->next : &arena->first;
}

/* Makes an idle block that has room the current one; returns false when there is none. It moves
 * to the front of the idle blocks, so that the skipped ones stay available. */
static bool take_idle_block(CnArena *arena, size_t bytes, size_t alignment)
{
    CnArenaBlock **idle = first_idle(arena);
    for (CnArenaBlock **link = idle; *link; link = &(*link)->next) {
        CnArenaBlock *block = *link;
        if (place_in(block, 0, bytes, alignment) == SIZE_MAX)
            continue;
        *link = block->next;
        block->next = *idle;
        *idle = block;
        block->used = 0;
        arena->current = block;
        return true;
    }
    return false;
}

static bool add_block(CnArena *arena, size_t bytes, size_t alignment)
{
    size_t slack = alignment > CN_DEFAULT_ALIGNMENT ? alignment : 0;
    size_t needed;
    if (__builtin_add_overflow(bytes, HEADER_BYTES + slack, &needed))
        return false;
    size_t block_bytes = needed > arena->block_bytes ? needed : arena->block_bytes;
    CnArenaBlock *block = cn_alloc(arena->allocator, block_bytes);
    if (!block)
        return false;

    CnArenaBlock **idle = first_idle(arena);
    *block = (CnArenaBlock){.next = *idle, .capacity = block_bytes - HEADER_BYTES};
    *idle = block;
    arena->current = block;
    CNI_BASE_POISON_MEMORY(block_data(block), block->capacity);
    return true;
}

void cn_arena_init(CnArena *arena, CnAllocator *allocator, size_t block_bytes)
{
    if (block_bytes == 0)
        block_bytes = DEFAULT_BLOCK_BYTES;
    *arena = (CnArena){.allocator = allocator, .block_bytes = block_bytes};
}

void cn_arena_fini(CnArena *arena)
{
    for (CnArenaBlock *block = arena->first; block;) {
        CnArenaBlock *next = block->next;
        CNI_BASE_UNPOISON_MEMORY(block_data(block), block->capacity);
        cn_free(arena->allocator, block, block->capacity + HEADER_BYTES);
        block = next;
    }
    cn_arena_init(arena, arena->allocator, arena->block_bytes);
}

void *cn_arena_alloc(CnArena *arena, size_t bytes, size_t alignment)
{
    CN_ASSERT(alignment && (alignment & (alignment - 1)) == 0,
              "alignment %zu is not a power of two", alignment);
    if (bytes == 0)
        bytes = 1; /* NULL must mean only "out of memory" */

    size_t start = SIZE_MAX;
    if (arena->current)
        start = place_in(arena->current, arena->current->used, bytes, alignment);
    if (start == SIZE_MAX) {
        if (!take_idle_block(arena, bytes, alignment) && !add_block(arena, bytes, alignment))
            return NULL;
        start = place_in(arena->current, 0, bytes, alignment);
    }

    char *memory = block_data(arena->current) + start;
    arena->current->used = start + bytes;
    arena->used_bytes += bytes;
    CNI_BASE_UNPOISON_MEMORY(memory, bytes);
    cni_base_fill_memory(memory, CNI_BASE_FRESH_BYTE, bytes);
    return memory;
}

char *cn_arena_copy_text(CnArena *arena, const char *text, size_t size)
{
    if (size == SIZE_MAX)
        return NULL;
    char *copy = cn_arena_alloc(arena, size + 1, 1);
    if (!copy)
        return NULL;
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

/* Poisons the contents of a block from `kept` on. */
static void poison_dead(CnArenaBlock *block, size_t kept)
{
#ifdef CN_GUARDS
    char *dead = block_data(block) + kept;
    size_t dead_bytes = block->used > kept ? block->used - kept : 0;
    CNI_BASE_UNPOISON_MEMORY(dead, dead_bytes);
    cni_base_fill_memory(dead, CNI_BASE_DEAD_BYTE, dead_bytes);
    CNI_BASE_POISON_MEMORY(dead, block->capacity - kept);
#endif
    block->used = kept;
}

void cn_arena_reset(CnArena *arena)
{
    cn_arena_rewind(arena, (CnArenaMark){0});
}

CnArenaMark cn_arena_mark(const CnArena *arena)
{
    return (CnArenaMark){
        .block = arena->current,
        .block_used = arena->current ? arena->current->used : 0,
        .used_bytes = arena->used_bytes,
    };
}

void cn_arena_rewind(CnArena *arena, CnArenaMark mark)
{
    CN_ASSERT(mark.used_bytes <= arena->used_bytes &&
                  (!mark.block || mark.block_used <= mark.block->used),
              "the arena has already been rewound past this mark");
    CnArenaBlock *end = *first_idle(arena);
    for (CnArenaBlock *block = mark.block ? mark.block->next : arena->first; block != end;
         block = block->next)
        poison_dead(block, 0);
    if (mark.block)
        poison_dead(mark.block, mark.block_used);
    arena->current = mark.block;
    arena->used_bytes = mark.used_bytes;
}
