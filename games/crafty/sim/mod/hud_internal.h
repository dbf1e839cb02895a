/* Internals of the HUD of mods (hud.h): what a player sees, and reading it from JSON. */
#ifndef CRAFTY_SIM_MOD_HUD_INTERNAL_H
#define CRAFTY_SIM_MOD_HUD_INTERNAL_H

#include "hud.h"

#include <cairn/base/array.h>

/* ---- The state of one player ---- */

/* A text of a mod: an element by its key, or a dialog by its name. */
typedef struct CraftyModHudEntry {
    char *text; /* mod, zero, key, zero, JSON, zero */
    uint32_t mod_bytes, key_bytes, json_bytes;
} CraftyModHudEntry;

typedef struct CraftyModHudScreen {
    uint32_t player;
    CN_ARRAY(CraftyModHudEntry) entries; /* in byte order of mods and keys */
    CraftyModHudEntry dialog;            /* if there is one, with */
    uint32_t dialog_number;              /* 0: none */
    uint64_t revision;                   /* unique; 0: nothing has been shown yet */
} CraftyModHudScreen;

static inline CnText crafty_mod_hud_mod(const CraftyModHudEntry *entry)
{
    return (CnText){entry->text, entry->mod_bytes};
}

static inline CnText crafty_mod_hud_key(const CraftyModHudEntry *entry)
{
    return (CnText){entry->text + entry->mod_bytes + 1, entry->key_bytes};
}

static inline CnText crafty_mod_hud_json(const CraftyModHudEntry *entry)
{
    return (CnText){entry->text + entry->mod_bytes + entry->key_bytes + 2, entry->json_bytes};
}

static inline size_t crafty_mod_hud_bytes(const CraftyModHudEntry *entry)
{
    return (size_t)entry->mod_bytes + entry->key_bytes + entry->json_bytes + 3;
}

/* Returns the screen of a player; NULL if nothing has been shown to it. */
CraftyModHudScreen *crafty_mod_hud_screen(const CnWorld *world, uint32_t player);

/* ---- Reading ---- */

/* Appends an element with its children to a view. `mod` and `key` must outlive it. Returns false
 * and an error if the JSON is not valid or when out of memory; the elements before it stay. */
bool crafty_mod_hud_read(CraftyModHudView *view, const char *mod, const char *key, CnText json,
                         CnError *error);
/* Reads title, text and choices of a dialog; the texts are in `memory`. */
bool crafty_mod_dialog_read(CraftyModDialog *dialog, CnArena *memory, CnText json, CnError *error);

#endif
