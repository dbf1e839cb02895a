/* Internals of the HUD of mods (hud.h): what a player sees, and reading it from JSON. */
#ifndef CRAFTY_SIM_MOD_HUD_INTERNAL_H
#define CRAFTY_SIM_MOD_HUD_INTERNAL_H

#include "hud.h"

#include "crafty/sim/player.h"

#include <cairn/base/array.h>

/* ---- The state of one player ---- */

/* A text of a mod: an element by its key, or a dialog by its name. */
typedef struct CraftyModHudEntry {
    char *text; /* mod, zero, key, zero, JSON, zero */
    uint32_t mod_bytes, key_bytes, json_bytes;
} CraftyModHudEntry;

typedef struct CraftyModHudScreen {
    CN_ARRAY(CraftyModHudEntry) entries; /* in byte order of mods and keys */
    CraftyModHudEntry dialog;            /* if there is one, with */
    uint32_t dialog_number;              /* 0: none */
    CN_ARRAY(CraftyModHudEntry) waiting; /* dialogs, at most one of a mod, in order of asking */
    uint64_t open_tick;                  /* no dialog opens before it */
    uint64_t revision;                   /* unique; 0: nothing has been shown yet */
    uint32_t player;                     /* its number */
} CraftyModHudScreen;

typedef struct CraftyModHudState {
    CnAllocator *allocator;
    CN_ARRAY(CraftyModHudScreen *) screens; /* by number - 1; NULL: nothing was shown yet */
    uint64_t revision;
    uint64_t hash;            /* sum of those of all elements and open dialogs */
    uint32_t last_dialog;     /* number */
    CraftyModHudView scratch; /* for checking what mods set */
} CraftyModHudState;

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

/* Returns the state of all players; NULL if the world has none. */
CraftyModHudState *crafty_mod_hud_state(const CnWorld *world);
/* Returns the screen of a player; NULL if nothing has been shown to it. */
CraftyModHudScreen *crafty_mod_hud_screen(const CnWorld *world, uint32_t player);
/* The same, but makes the screen. Returns NULL and an error if no player has this number, or when
 * out of memory. */
CraftyModHudScreen *crafty_mod_hud_own_screen(const CnWorld *world, uint32_t player,
                                              CnError *error);
/* Returns the greatest number of a player with a screen. */
uint32_t crafty_mod_hud_screen_count(const CnWorld *world);
/* Adds or removes an element or the open dialog to or from the hash. */
void crafty_mod_hud_count(CnWorld *world, const CraftyModHudScreen *screen,
                          const CraftyModHudEntry *entry, bool is_added);
/* What the player sees is different now. */
void crafty_mod_hud_changed(CnWorld *world, CraftyModHudScreen *screen);

/* Copies the texts. Returns false when out of memory. */
bool crafty_mod_hud_entry_init(const CraftyModHudState *hud, CraftyModHudEntry *entry, CnText mod,
                               CnText key, CnText json);
void crafty_mod_hud_entry_free(const CraftyModHudState *hud, CraftyModHudEntry *entry);
uint64_t crafty_mod_hud_entry_hash(const CraftyModHudEntry *entry, uint64_t seed);
/* Returns whether the key of an element or the name of a dialog (`what`) is valid. */
bool crafty_mod_hud_check_key(CnText key, const char *what, CnError *error);

/* ---- Dialogs (hud_dialog.c) ---- */

/* Removes the open dialog, without an answer. */
void crafty_mod_dialog_remove(CnWorld *world, CraftyModHudScreen *screen);
/* Removes the open and waiting dialogs of mods that `runs` does not know. */
void crafty_mod_dialogs_keep(CnWorld *world, CraftyModHudScreen *screen,
                             bool (*runs)(const void *user, CnText mod), const void *user);
/* Opens a dialog with this number, as it was saved. Returns false if it is not valid. */
bool crafty_mod_dialog_restore(CnWorld *world, uint32_t player, uint32_t number,
                               const CraftyModHudEntry *entry);
/* Appends a waiting dialog, as it was saved. Returns false if it is not valid. */
bool crafty_mod_dialog_restore_waiting(CnWorld *world, uint32_t player,
                                       const CraftyModHudEntry *entry);
void crafty_mod_dialogs_clear(const CraftyModHudState *hud, CraftyModHudScreen *screen);

/* ---- Reading ---- */

/* Appends an element with its children to a view. `mod` and `key` must outlive it. Returns false
 * and an error if the JSON is not valid or when out of memory; the elements before it stay. */
bool crafty_mod_hud_read(CraftyModHudView *view, const char *mod, const char *key, CnText json,
                         CnError *error);
/* Reads title, text and choices of a dialog; the texts are in `memory`. */
bool crafty_mod_dialog_read(CraftyModDialog *dialog, CnArena *memory, CnText json, CnError *error);

#endif
