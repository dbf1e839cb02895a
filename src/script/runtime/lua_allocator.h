/* An allocator for Lua, whose blocks are mostly small. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_LUA_ALLOCATOR_H
#define CAIRN_SRC_SCRIPT_RUNTIME_LUA_ALLOCATOR_H

#include <cairn/base/memory.h>

#define CNI_SCRIPT_LUA_BLOCK_CLASSES 16u /* of 16, 32, ... 256 bytes */

typedef struct CniScriptLuaAllocator {
    void *free[CNI_SCRIPT_LUA_BLOCK_CLASSES]; /* lists; each begins with the address of the next */
    void *slabs;
    char *bootstrap; /* the memory for lua_newstate */
    size_t bootstrap_used;
    bool opening;
    size_t slab_bytes, max_slab_bytes;
} CniScriptLuaAllocator;

/* Call it before lua_newstate, which does not handle failed allocations: it reserves enough
 * memory, or returns false. Free memory in slabs does not count as Lua's memory, hence their
 * limit. */
bool cni_script_lua_allocator_init(CniScriptLuaAllocator *blocks, CnAllocator *allocator,
                                   size_t max_slab_bytes);
/* Call it after lua_newstate. */
void cni_script_lua_allocator_opened(CniScriptLuaAllocator *blocks);

/* Like CnAllocator: allocates without a block, frees without bytes. */
void *cni_script_lua_allocator_resize(CniScriptLuaAllocator *blocks, CnAllocator *allocator,
                                      void *block, size_t old_bytes, size_t new_bytes);
/* Call it when all blocks have been freed. */
void cni_script_lua_allocator_fini(CniScriptLuaAllocator *blocks, CnAllocator *allocator);

#endif
