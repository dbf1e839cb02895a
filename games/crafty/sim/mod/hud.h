/*
 * What mods show on the screens of players: elements of the HUD and dialogs. Part of the state:
 * saved, restored and hashed.
 *
 *     crafty_mod_hud_set(world, 1, "quest", cn_text("goal"),
 *                        cn_text("{\"kind\":\"text\",\"text\":\"Find the bell\"}"), &error);
 *
 *     CraftyModHudView view; // of a client
 *     crafty_mod_hud_view_init(&view, allocator);
 *     if (crafty_mod_hud_view_update(&view, world, player)) // between ticks; true: it has changed
 *         for (uint32_t i = 0; i < view.element_count; i++)
 *             draw(&view.elements[i]);
 *     crafty_mod_hud_view_fini(&view);
 *
 * Each mod has elements of its own for each player, by key. Lengths are in points of the interface.
 * An element comes from Lua as a table; docs/mods_reference.md describes its fields. The client
 * answers a dialog with CRAFTY_COMMAND_CHOOSE.
 */
#ifndef CRAFTY_SIM_MOD_HUD_H
#define CRAFTY_SIM_MOD_HUD_H

#include <cairn/base/text.h>
#include <cairn/base/vector.h>
#include <cairn/ecs/world.h>

/* Limits of each mod and player. */
#define CRAFTY_MOD_HUD_ELEMENTS 64u
#define CRAFTY_MOD_HUD_BYTES (64u << 10) /* of all elements as JSON */
/* Limits of one element. */
#define CRAFTY_MOD_HUD_PARTS 64u /* with all children */
#define CRAFTY_MOD_HUD_DEPTH 4u
#define CRAFTY_MOD_HUD_CELLS 64u /* columns and rows of a grid */
#define CRAFTY_MOD_HUD_TEXT_BYTES 256u
#define CRAFTY_MOD_HUD_TILE_BYTES 64u
#define CRAFTY_MOD_HUD_SIZE 4096.0f /* of lengths and offsets, in points */
/* Limits of dialogs. */
#define CRAFTY_MOD_DIALOG_CHOICES 8u
#define CRAFTY_MOD_DIALOG_TITLE_BYTES 64u
#define CRAFTY_MOD_DIALOG_TEXT_BYTES 1024u
#define CRAFTY_MOD_DIALOG_CHOICE_BYTES 96u
#define CRAFTY_MOD_HUD_MOD_BYTES 33u /* names of mods have up to 32 bytes */
#define CRAFTY_MOD_DIALOG_NAME_BYTES 64u
#define CRAFTY_MOD_DIALOG_PAUSE_TICKS 60u /* after a player closed one without a choice */

/* ---- What a client draws ---- */

typedef enum CraftyModHudKind {
    CRAFTY_MOD_HUD_TEXT,   /* "text": `text` in `color`, on `background`; lines end with '\n' */
    CRAFTY_MOD_HUD_BAR,    /* "bar": filled from the left by `value`, with `text` above it */
    CRAFTY_MOD_HUD_IMAGE,  /* "image": `tile` */
    CRAFTY_MOD_HUD_GRID,   /* "grid": `columns` x `rows` cells of equal size, colored by `cells` */
    CRAFTY_MOD_HUD_PANEL,  /* "panel": a box in `background` with children */
    CRAFTY_MOD_HUD_MARKER, /* "marker": `text` and `tile` where `position` is on the screen, or at
                              its edge in that direction, with the distance */
    CRAFTY_MOD_HUD_KIND_COUNT
} CraftyModHudKind;

/* Which point of the screen `x` and `y` count from; the same point of the element lies there. */
typedef enum CraftyModHudAnchor {
    CRAFTY_MOD_HUD_TOP_LEFT,
    CRAFTY_MOD_HUD_TOP,
    CRAFTY_MOD_HUD_TOP_RIGHT,
    CRAFTY_MOD_HUD_LEFT,
    CRAFTY_MOD_HUD_CENTER,
    CRAFTY_MOD_HUD_RIGHT,
    CRAFTY_MOD_HUD_BOTTOM_LEFT,
    CRAFTY_MOD_HUD_BOTTOM,
    CRAFTY_MOD_HUD_BOTTOM_RIGHT,
    CRAFTY_MOD_HUD_ANCHOR_COUNT
} CraftyModHudAnchor;

#define CRAFTY_MOD_HUD_NO_PARENT UINT32_MAX

/* Texts and cells are valid as long as the view does not change. Colors are 0xRRGGBBAA. */
typedef struct CraftyModHudElement {
    CraftyModHudKind kind;
    CraftyModHudAnchor anchor; /* of children: within the parent */
    uint32_t parent;           /* index of a panel before it; CRAFTY_MOD_HUD_NO_PARENT: none */
    const char *mod;           /* whose element it is */
    const char *key;           /* of the element or of the panel that contains it */
    float x, y;                /* right and down */
    float width, height;       /* 0: as large as the content */
    float size;                /* of the text, as a multiple of the normal size: 0.5 to 4 */
    float value;               /* 0 to 1 */
    uint32_t color, background;
    const char *text; /* "": none */
    const char *tile; /* an item, a block or a picture of the mod; "": none */
    uint32_t columns, rows;
    const uint32_t *cells; /* row by row from the top left corner; NULL unless it is a grid */
    CnVec3 position;       /* of a marker, in the world */
} CraftyModHudElement;

/* A dialog: a title, a text and buttons. */
typedef struct CraftyModDialog {
    uint32_t number;  /* unique; 0: no dialog is open */
    const char *mod;  /* whose dialog it is */
    const char *name; /* by which the mod recognizes the choice */
    const char *title, *text;
    const char *choices[CRAFTY_MOD_DIALOG_CHOICES];
    uint32_t choice_count; /* at least 1 */
} CraftyModDialog;

/* A copy of what one player sees. */
typedef struct CraftyModHudView {
    uint64_t revision;
    CraftyModHudElement *elements; /* in the order of drawing: by mod and key, parents first */
    uint32_t element_count, element_capacity;
    CraftyModDialog dialog;
    CnArena memory;
    CnAllocator *allocator;
} CraftyModHudView;

void crafty_mod_hud_view_init(CraftyModHudView *view, CnAllocator *allocator);
void crafty_mod_hud_view_fini(CraftyModHudView *view);
/* Copies what the player with this number sees, if it has changed since the last call. Returns
 * whether the view has changed. Without memory, the view stays as it is until a later call. */
bool crafty_mod_hud_view_update(CraftyModHudView *view, const CnWorld *world, uint32_t player);

/* ---- What mods change ---- */

/* Adds the state to a world with mods, whose state sections contain it. Calling it again is
 * harmless. */
/* Removes everything that a player sees, who leaves. */
void crafty_mod_hud_leave(CnWorld *world, uint32_t player);
bool crafty_mod_hud_add(CnWorld *world, CnError *error);
/* Frees the state, before the world is destroyed. */
void crafty_mod_hud_remove(CnWorld *world);
/* Appends the state; nothing if it is empty. Returns false and an error when out of memory. */
bool crafty_mod_hud_write(const CnWorld *world, CnU8Array *bytes, CnError *error);
/* Replaces the state. Returns false and an error if the bytes are malformed; it is empty then. */
bool crafty_mod_hud_restore(CnWorld *world, const uint8_t *bytes, size_t size, CnError *error);
uint64_t crafty_mod_hud_hash(const CnWorld *world);

/* Sets an element from a JSON object. Returns false and an error that names the field if it is not
 * valid or exceeds a limit, or when out of memory; nothing has changed then. */
bool crafty_mod_hud_set(CnWorld *world, uint32_t player, const char *mod, CnText key, CnText json,
                        CnError *error);
/* Returns whether there was an element with the key. */
bool crafty_mod_hud_erase(CnWorld *world, uint32_t player, const char *mod, CnText key);
/* Removes all elements of a mod. */
void crafty_mod_hud_clear(CnWorld *world, uint32_t player, const char *mod);
/* Removes elements and dialogs of a mod from all players: it does not run any more. */
void crafty_mod_hud_forget(CnWorld *world, const char *mod);

/* The same for all mods that `runs` does not know. */
void crafty_mod_hud_keep(CnWorld *world, bool (*runs)(const void *user, CnText mod),
                         const void *user);

/* Opens a dialog from a JSON object with `title`, `text` and `choices`, instead of an open one of
 * the same mod. `name` comes back with the choice. If the player has a dialog of another mod open,
 * or has just closed one, it waits, instead of a waiting one of the same mod, and false is stored
 * in `opened`. Returns false and an error if it is not valid or when out of memory. */
bool crafty_mod_dialog_ask(CnWorld *world, uint32_t player, const char *mod, CnText name,
                           CnText json, bool *opened, CnError *error);
/* Closes the dialog of a mod, open or waiting. Returns whether there was one. */
bool crafty_mod_dialog_close(CnWorld *world, uint32_t player, const char *mod);
/* Opens waiting dialogs of players who have none open, one of each; at the end of a tick. */
void crafty_mod_dialogs_tick(CnWorld *world);

/* A player's answer. */
typedef struct CraftyModChoice {
    uint32_t player;
    char mod[CRAFTY_MOD_HUD_MOD_BYTES];
    char dialog[CRAFTY_MOD_DIALOG_NAME_BYTES];
    uint32_t choice; /* from 1; 0: the dialog was closed without a choice */
} CraftyModChoice;

/* Closes the dialog with this number by a choice, 1 to choice_count, or any open dialog by 0, which
 * a mod that replaces its own in each tick does not prevent; then none opens for a while. Returns
 * false if it is not open, or has no such choice. */
bool crafty_mod_dialog_choose(CnWorld *world, uint32_t player, uint32_t number, uint32_t choice,
                              CraftyModChoice *answer);
/* Forgets what mods show to a player, who leaves. */
void crafty_mods_leave(CnWorld *world, uint32_t player);
/* The same, and notifies the mod by the event "choice". */
bool crafty_mods_choose(CnWorld *world, uint32_t player, uint32_t number, uint32_t choice);

#endif
