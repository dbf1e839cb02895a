/*
 * The mods of a world: with which versions it was saved last. World files and recordings contain
 * them as text, such as "bees 2.1.0 00f3a9c2d1e84b75,castle 1.0.0 9d0c35e2b7a1f648".
 *
 *     CraftyWorldMods mods;
 *     if (crafty_world_mods_read(&mods, text, &error))
 *         for (uint32_t i = 0; i < mods.count; i++)
 *             cn_print("%s %s", mods.items[i].name, mods.items[i].version);
 *
 * A mod stays in the list while it is missing: its blocks and items are placeholders then, and
 * nothing of it is lost.
 */
#ifndef CRAFTY_SAVE_WORLD_MODS_H
#define CRAFTY_SAVE_WORLD_MODS_H

#include <cairn/base/error.h>
#include <cairn/base/text.h>

#define CRAFTY_WORLD_MODS_MAX 64u
#define CRAFTY_WORLD_MOD_NAME_BYTES 33u
#define CRAFTY_WORLD_MOD_VERSION_BYTES 64u

typedef struct CraftyWorldMod {
    char name[CRAFTY_WORLD_MOD_NAME_BYTES];       /* [a-z][a-z0-9_]{0,31} */
    char version[CRAFTY_WORLD_MOD_VERSION_BYTES]; /* of 0-9, A-Z, a-z, '.', '-' and '+' */
    uint64_t hash;                                /* of its files; 0: unknown */
} CraftyWorldMod;

typedef struct CraftyWorldMods {
    CraftyWorldMod items[CRAFTY_WORLD_MODS_MAX]; /* in byte order of the names */
    uint32_t count;
} CraftyWorldMods;

/* Reads the text, which may come from anybody. An empty text is an empty list. Returns false and an
 * error if it is malformed; nothing is written then. */
bool crafty_world_mods_read(CraftyWorldMods *mods, CnText text, CnError *error);
/* Appends the text. Returns false when out of memory. */
bool crafty_world_mods_write(const CraftyWorldMods *mods, CnTextBuilder *text);

/* Returns NULL if the list does not contain the mod. */
const CraftyWorldMod *crafty_world_mods_find(const CraftyWorldMods *mods, const char *name);
/* Adds a mod or replaces the one of its name. Returns false if the list is full. */
bool crafty_world_mods_set(CraftyWorldMods *mods, const CraftyWorldMod *mod);
/* Returns false if the list does not contain the mod. */
bool crafty_world_mods_remove(CraftyWorldMods *mods, const char *name);
bool crafty_world_mods_equal(const CraftyWorldMods *a, const CraftyWorldMods *b);

#endif
