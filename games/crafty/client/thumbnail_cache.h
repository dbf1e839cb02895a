/*
 * The pictures of worlds as textures. They are read and decoded on the thread of a
 * CraftyWorldTask, one after the other; at most one becomes a texture in a frame. The least
 * recently drawn ones are dropped.
 *
 *     crafty_thumbnail_cache_frame(cache, task, engine);            // after drawing
 *     CnTexture texture = crafty_thumbnail_cache_get(cache, entry); // null until it is there
 */
#ifndef CRAFTY_CLIENT_THUMBNAIL_CACHE_H
#define CRAFTY_CLIENT_THUMBNAIL_CACHE_H

#include "world_task.h"

#include <cairn/engine.h>

#define CRAFTY_THUMBNAIL_CACHE 64u /* kept; more than a window shows at once */

typedef struct CraftyThumbnailCache CraftyThumbnailCache;

/* `allocator` may be NULL: the system allocator. Returns NULL and an error when out of memory. */
CraftyThumbnailCache *crafty_thumbnail_cache_create(CnAllocator *allocator, CnError *error);
/* `engine` owns the textures. NULL is ignored. */
void crafty_thumbnail_cache_destroy(CraftyThumbnailCache *cache, CnEngine *engine);

/* Returns the picture of a world in its last saved state. Null while it is not read, and if the
 * world has none; it is requested then. */
CnTexture crafty_thumbnail_cache_get(CraftyThumbnailCache *cache, const CraftyWorldEntry *entry);
/* Takes a picture that was read, and reads the next one that was requested in the last frame. */
void crafty_thumbnail_cache_frame(CraftyThumbnailCache *cache, CraftyWorldTask *task,
                                  CnEngine *engine);

#endif
