/*
 * An allocator for Lua. Scripts allocate and free very many small blocks, most of them vectors.
 * Free lists of a few sizes are faster than a general heap, and consecutive allocations are
 * adjacent, which helps the garbage collector.
 *
 * A header in front of each block records where it came from, because Lua frees a function whose
 * creation failed with a smaller size. Slabs are kept until the state is closed, so a script could
 * hold memory in each size class in turn; therefore they are limited, and beyond the limit small
 * blocks are treated like large ones.
 */
#include "script/runtime/lua_allocator.h"

#include <cairn/base/assert.h>

#include <string.h>

#define SLAB_BYTES 16384u
#define BOOTSTRAP_BYTES 65536u /* lua_newstate takes 10 KiB */
#define STEP 16u

/* Its blocks begin at STEP. */
typedef struct Slab {
    struct Slab *next;
} Slab;

/* The header of a block: its size, or SMALL and its size class. */
typedef size_t Head;
#define SMALL ((Head)1 << (sizeof(Head) * 8 - 1))

static Head *head_of(void *block)
{
    return (Head *)block - 1;
}

/* With guards, every block comes from the allocator, so that tools can track it. */
static bool is_small(size_t bytes)
{
#ifdef CN_GUARDS
    (void)bytes;
    return false;
#else
    return bytes + sizeof(Head) <= CNI_SCRIPT_LUA_BLOCK_CLASSES * STEP;
#endif
}

static uint32_t class_of(size_t bytes)
{
    return (uint32_t)((bytes + sizeof(Head) + STEP - 1) / STEP) - 1;
}

static bool is_in_bootstrap(const CniScriptLuaAllocator *blocks, const void *block)
{
    return (uintptr_t)block - (uintptr_t)blocks->bootstrap < BOOTSTRAP_BYTES;
}

/* ---- Slabs ---- */

/* A free block holds the address of the next. */
static void put(CniScriptLuaAllocator *blocks, uint32_t size_class, void *block)
{
    memcpy(block, &blocks->free[size_class], sizeof(void *));
    blocks->free[size_class] = block;
}

static bool add_slab(CniScriptLuaAllocator *blocks, CnAllocator *allocator, uint32_t size_class)
{
    if (blocks->slab_bytes + SLAB_BYTES > blocks->max_slab_bytes)
        return false;
    Slab *slab = cn_alloc(allocator, SLAB_BYTES);
    if (!slab)
        return false;
    slab->next = blocks->slabs;
    blocks->slabs = slab;
    blocks->slab_bytes += SLAB_BYTES;
    CN_ASSERT(blocks->slab_bytes <= blocks->max_slab_bytes, "there are too many slabs");
    size_t size = (size_t)(size_class + 1) * STEP;
    for (size_t at = (SLAB_BYTES - STEP) / size; at-- > 0;) { /* the first is taken first */
        Head *head = (Head *)(void *)((char *)slab + STEP + at * size);
        *head = SMALL | size_class;
        put(blocks, size_class, head + 1);
    }
    return true;
}

static void *take_small(CniScriptLuaAllocator *blocks, CnAllocator *allocator, size_t bytes)
{
    uint32_t size_class = class_of(bytes);
    CN_ASSERT(size_class < CNI_SCRIPT_LUA_BLOCK_CLASSES, "size class %u", size_class);
    if (!blocks->free[size_class] && !add_slab(blocks, allocator, size_class))
        return NULL;
    void *block = blocks->free[size_class];
    memcpy(&blocks->free[size_class], block, sizeof(void *));
    return block;
}

/* ---- Large blocks ---- */

static void *resize_large(CnAllocator *allocator, void *block, size_t new_bytes)
{
    Head *head = block ? head_of(block) : NULL;
    size_t old_bytes = head ? *head : 0, whole = new_bytes + sizeof *head;
    head = cn_realloc(allocator, head, old_bytes, whole);
    if (!head)
        return NULL;
    *head = whole;
    return head + 1;
}

static void *take(CniScriptLuaAllocator *blocks, CnAllocator *allocator, size_t bytes)
{
    if (CN_UNLIKELY(blocks->opening) && bytes <= BOOTSTRAP_BYTES - blocks->bootstrap_used) {
        void *block = blocks->bootstrap + blocks->bootstrap_used;
        blocks->bootstrap_used += (bytes + STEP - 1) / STEP * STEP;
        CN_ASSERT(blocks->bootstrap_used <= BOOTSTRAP_BYTES, "the bootstrap block overflows");
        return block;
    }
    void *block = is_small(bytes) ? take_small(blocks, allocator, bytes) : NULL;
    return block ? block : resize_large(allocator, NULL, bytes);
}

static void give(CniScriptLuaAllocator *blocks, CnAllocator *allocator, void *block)
{
    if (CN_UNLIKELY(is_in_bootstrap(blocks, block)))
        return; /* freed with the state */
    Head head = *head_of(block);
    CN_ASSERT(head & SMALL ? (head & ~SMALL) < CNI_SCRIPT_LUA_BLOCK_CLASSES : head > sizeof(Head),
              "the header of a block is damaged: %zx", head);
    if (head & SMALL)
        put(blocks, (uint32_t)(head & ~SMALL), block);
    else
        cn_free(allocator, head_of(block), head);
}

/* Returns whether a block has the right size for `new_bytes`, or can be resized in place. */
static bool fits(const CniScriptLuaAllocator *blocks, void *block, size_t new_bytes)
{
    return !is_in_bootstrap(blocks, block) && is_small(new_bytes) &&
           *head_of(block) == (SMALL | class_of(new_bytes));
}

void *cni_script_lua_allocator_resize(CniScriptLuaAllocator *blocks, CnAllocator *allocator,
                                      void *block, size_t old_bytes, size_t new_bytes)
{
    if (!block)
        return new_bytes ? take(blocks, allocator, new_bytes) : NULL;
    if (!new_bytes) {
        give(blocks, allocator, block);
        return NULL;
    }
    if (fits(blocks, block, new_bytes))
        return block;
    if (!is_in_bootstrap(blocks, block) && !(*head_of(block) & SMALL) && !is_small(new_bytes))
        return resize_large(allocator, block, new_bytes);
    CN_ASSERT(is_in_bootstrap(blocks, block) || (*head_of(block) & SMALL) || is_small(new_bytes),
              "a large block is resized by copying");
    void *result = take(blocks, allocator, new_bytes);
    if (!result)
        return NULL;
    memcpy(result, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    give(blocks, allocator, block);
    return result;
}

bool cni_script_lua_allocator_init(CniScriptLuaAllocator *blocks, CnAllocator *allocator,
                                   size_t max_slab_bytes)
{
    *blocks = (CniScriptLuaAllocator){.bootstrap = cn_alloc(allocator, BOOTSTRAP_BYTES),
                                      .opening = true,
                                      .max_slab_bytes = max_slab_bytes};
    return blocks->bootstrap != NULL;
}

void cni_script_lua_allocator_opened(CniScriptLuaAllocator *blocks)
{
    blocks->opening = false;
}

void cni_script_lua_allocator_fini(CniScriptLuaAllocator *blocks, CnAllocator *allocator)
{
    for (Slab *slab = blocks->slabs, *next; slab; slab = next) {
        next = slab->next;
        cn_free(allocator, slab, SLAB_BYTES);
    }
    cn_free(allocator, blocks->bootstrap, BOOTSTRAP_BYTES);
    *blocks = (CniScriptLuaAllocator){0};
}
