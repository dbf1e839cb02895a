/*
 * What a mod keeps: values by key, as JSON. Part of the state of a world: saved, restored and
 * hashed.
 *
 *     CraftyModStore store = {.allocator = allocator};
 *     crafty_mod_store_set(&store, cn_text("visits"), cn_text("3"), &error);
 *     CnText visits = crafty_mod_store_get(&store, cn_text("visits"));
 *     crafty_mod_store_fini(&store);
 */
#ifndef CRAFTY_SIM_MOD_MOD_STORAGE_H
#define CRAFTY_SIM_MOD_MOD_STORAGE_H

#include <cairn/base/array.h>
#include <cairn/base/error.h>
#include <cairn/base/text.h>

typedef struct CraftyModEntry {
    char *text; /* key, zero, value, zero */
    uint32_t key_bytes, value_bytes;
} CraftyModEntry;

typedef struct CraftyModStore {
    CnAllocator *allocator;
    CN_ARRAY(CraftyModEntry) entries; /* in byte order of the keys */
    uint64_t bytes;                   /* of keys and values */
    uint64_t hash;                    /* independent of the order of changes */
} CraftyModStore;

void crafty_mod_store_init(CraftyModStore *store, CnAllocator *allocator);
void crafty_mod_store_fini(CraftyModStore *store);
/* Sets a value; an empty text removes it. Returns false and an error if a limit is exceeded or when
 * out of memory; nothing has changed then. */
bool crafty_mod_store_set(CraftyModStore *store, CnText key, CnText value, CnError *error);
/* Returns the value; an empty text if there is none. Valid until the next change. */
CnText crafty_mod_store_get(const CraftyModStore *store, CnText key);
/* Returns the index of the first key that is not less. */
uint32_t crafty_mod_store_find(const CraftyModStore *store, CnText key);
CnText crafty_mod_store_key(const CraftyModStore *store, uint32_t index);

/* Appends all values: u32 count, then u32 size and bytes of each key and value. */
bool crafty_mod_store_write(const CraftyModStore *store, CnU8Array *bytes);
/* Replaces all values by those that were written. Returns false and an error if the bytes are
 * malformed or when out of memory; nothing has changed then. */
bool crafty_mod_store_read(CraftyModStore *store, const uint8_t *bytes, size_t size,
                           CnError *error);

#endif
