/*
 * The blocks around creatures in one tick, for several threads at once.
 *
 *     crafty_window_begin(window, voxels);
 *     crafty_window_add_around(window, cn_chunk_of(cell)); // generates chunks if needed
 *     CraftyWindowView view = crafty_window_view(window);  // one for each thread
 *     CnBlock block = crafty_window_get(&view, cell);
 *
 * The window refers to the chunks of the world. It is valid until blocks change or the world
 * streams: systems read it first and change blocks afterwards. Which chunks it has depends only on
 * what was added, so results never depend on what is loaded.
 */
#ifndef CRAFTY_SIM_CREATURE_BLOCK_WINDOW_H
#define CRAFTY_SIM_CREATURE_BLOCK_WINDOW_H

#include <cairn/voxel/voxels.h>

typedef struct CraftyBlockWindow {
    CnAllocator *allocator;
    CnVoxels *voxels;
    const CnBlockTable *blocks;
    struct CraftyWindowSlot *slots;
    uint32_t *used; /* slots in use */
    uint32_t capacity, count;
} CraftyBlockWindow;

/* What one thread reads through; remembers the last chunk. */
typedef struct CraftyWindowView {
    const CraftyBlockWindow *window;
    uint64_t key;
    const CnChunk *chunk;
    bool is_known;
} CraftyWindowView;

void crafty_window_init(CraftyBlockWindow *window, CnAllocator *allocator);
void crafty_window_fini(CraftyBlockWindow *window);
/* Forgets all chunks. */
void crafty_window_begin(CraftyBlockWindow *window, CnVoxels *voxels);
/* Add a chunk, and a chunk with its 26 neighbors. Return false when out of memory. */
bool crafty_window_add(CraftyBlockWindow *window, CnChunkPos position);
bool crafty_window_add_around(CraftyBlockWindow *window, CnChunkPos position);

CraftyWindowView crafty_window_view(const CraftyBlockWindow *window);
/* Returns the block in a cell; CN_BLOCK_NONE in chunks that were not added. */
CnBlock crafty_window_get(CraftyWindowView *view, CnCell cell);
/* A reader for moving boxes; `view` must outlive it. */
CnBlockReader crafty_window_reader(CraftyWindowView *view);

#endif
