/*
 * Checking a world completely: the structure of the file, the checksum of every row, every row's
 * content, the palettes, the chunks against the log, the picture, and last the hash of the blocks
 * and the state, by opening the world like a game does, without a window.
 *
 *     CraftyWorldCheck check;
 *     if (crafty_world_check(path, NULL, NULL, &check, &error) && check.damage_count > 0)
 *         puts(check.items[0].message);
 *     crafty_world_check_free(&check);
 */
#ifndef CRAFTY_WORLD_COMMAND_CHECK_H
#define CRAFTY_WORLD_COMMAND_CHECK_H

#include "crafty/save/save_internal.h"

#include <cairn/store/maintenance.h>

#define CRAFTY_CHECK_MAX_ITEMS 1000u

typedef enum CraftyDamagePart {
    CRAFTY_DAMAGE_FILE,
    CRAFTY_DAMAGE_DESCRIPTION,
    CRAFTY_DAMAGE_CHUNK,
    CRAFTY_DAMAGE_LOG,
    CRAFTY_DAMAGE_STATE,
    CRAFTY_DAMAGE_COPY,
    CRAFTY_DAMAGE_DATA,   /* block data, such as the contents of crates */
    CRAFTY_DAMAGE_BLOCKS, /* the world as a whole */
    CRAFTY_DAMAGE_PART_COUNT
} CraftyDamagePart;

typedef struct CraftyWorldDamage {
    CraftyDamagePart part;
    bool has_chunk;
    CnChunkPos chunk;
    char message[CN_ERROR_MESSAGE_BYTES];
} CraftyWorldDamage;

typedef struct CraftyWorldCheck {
    CraftyWorldDamage *items; /* the first CRAFTY_CHECK_MAX_ITEMS */
    uint32_t item_count;
    uint64_t damage_count;
    uint64_t rows, chunks, edits; /* undamaged ones */
} CraftyWorldCheck;

/* Returns true if the check ran, whatever it found. Returns false and an error if the world is
 * open, of a newer version or not a world, if the disk fails, or if `progress` cancels. Free the
 * check in either case. The content of the world does not change. */
bool crafty_world_check(const char *path, CnStoreProgress progress, void *user,
                        CraftyWorldCheck *check, CnError *error);
void crafty_world_check_free(CraftyWorldCheck *check);
/* Returns the name of a part, such as "chunk". */
const char *crafty_damage_part_name(CraftyDamagePart part);

/* Checks that the bytes are a JPEG of 160 x 90 pixels that can be decoded. */
bool crafty_thumbnail_check(const uint8_t *bytes, size_t size, CnError *error);

#endif
