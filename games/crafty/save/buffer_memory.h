/*
 * Memory for large buffers that one thread fills and another frees again and again, as saves do.
 * The system would give the pages back each time, and getting them anew costs a tick more than
 * filling them: about 0.2 ms per megabyte. This allocator keeps some freed blocks for the next
 * time.
 *
 *     CraftyBufferMemory memory;
 *     crafty_buffer_memory_init(&memory);
 *     void *buffer = cn_alloc(&memory.allocator, 1 << 20);
 *
 * Blocks below CRAFTY_BUFFER_MIN_BYTES come from the system allocator as they are; larger ones have
 * a power of two of bytes. Any thread.
 */
#ifndef CRAFTY_SAVE_BUFFER_MEMORY_H
#define CRAFTY_SAVE_BUFFER_MEMORY_H

#include <cairn/base/memory.h>

#include <pthread.h>

#define CRAFTY_BUFFER_MIN_BYTES (64u << 10)
#define CRAFTY_BUFFER_MAX_KEPT_BYTES (16u << 20) /* larger blocks are not kept */
#define CRAFTY_BUFFER_CLASSES 9u                 /* 64 KiB to 16 MiB */
#define CRAFTY_BUFFER_KEPT_BYTES (4u << 20)      /* of each size, but at least two blocks */
#define CRAFTY_BUFFER_KEPT 64u                   /* at most, blocks of each size */

typedef struct CraftyBufferMemory {
    CnAllocator allocator; /* first */
    pthread_mutex_t lock;  /* held for moments */
    void *kept[CRAFTY_BUFFER_CLASSES][CRAFTY_BUFFER_KEPT];
} CraftyBufferMemory;

void crafty_buffer_memory_init(CraftyBufferMemory *memory);
/* Everything that was allocated has been freed. */
void crafty_buffer_memory_fini(CraftyBufferMemory *memory);

#endif
