/*
 * The pictures of worlds as textures. They are read and decoded on the thread of a
 * CraftyWorldTask, one after the other; at most one becomes a texture in a frame. The least
 * recently drawn ones are dropped.
 *
 *     crafty_thumbnails_frame(thumbnails, task, engine);            // after drawing
 *     CnTexture texture = crafty_thumbnails_get(thumbnails, entry); // null until it is there
 */
#ifndef CRAFTY_CLIENT_THUMBNAILS_H
#define CRAFTY_CLIENT_THUMBNAILS_H

#include "world_task.h"

#include <cairn/engine.h>

#define CRAFTY_THUMBNAILS 64u /* kept; more than a window shows at once */

typedef struct CraftyThumbnails CraftyThumbnails;

/* `allocator` may be NULL: the system allocator. Returns NULL and an error when out of memory. */
CraftyThumbnails *crafty_thumbnails_create(CnAllocator *allocator, CnError *error);
/* `engine` owns the textures. NULL is ignored. */
void crafty_thumbnails_destroy(CraftyThumbnails *thumbnails, CnEngine *engine);

/* Returns the picture of a world in its last saved state. Null while it is not read, and if the
 * world has none; it is requested then. */
CnTexture crafty_thumbnails_get(CraftyThumbnails *thumbnails, const CraftyWorldEntry *entry);
/* Takes a picture that was read, and reads the next one that was requested in the last frame. */
void crafty_thumbnails_frame(CraftyThumbnails *thumbnails, CraftyWorldTask *task, CnEngine *engine);

#endif
