/* Memory for Lua's blocks, most of which are small. */
#ifndef CAIRN_SCRIPT_LUA_BLOCKS_H
#define CAIRN_SCRIPT_LUA_BLOCKS_H

#include <cairn/base/memory.h>

#define CNI_LUA_BLOCK_CLASSES 16u /* of 16, 32, ... 256 bytes */

typedef struct CniLuaBlocks {
    void *free[CNI_LUA_BLOCK_CLASSES]; /* lists; each begins with the address of the next */
    void *slabs;
    char *nursery; /* where lua_newstate gets its blocks from */
    size_t nursery_used;
    bool opening;
    size_t slab_bytes, max_slab_bytes;
} CniLuaBlocks;

/* Before lua_newstate, which does not survive to be refused memory: there is enough for it now, or
 * false. What lies free in slabs does not count as Lua's memory, hence their limit. */
bool cni_lua_blocks_init(CniLuaBlocks *blocks, CnAllocator *allocator, size_t max_slab_bytes);
/* After it. */
void cni_lua_blocks_opened(CniLuaBlocks *blocks);

/* As of a CnAllocator: no block, or no bytes, for making and freeing. */
void *cni_lua_blocks_resize(CniLuaBlocks *blocks, CnAllocator *allocator, void *block,
                            size_t old_bytes, size_t new_bytes);
/* When all blocks have been given back. */
void cni_lua_blocks_fini(CniLuaBlocks *blocks, CnAllocator *allocator);

#endif
