/*
 * Dialogs of mods. A player has one open at a time; those of other mods wait in the order in which
 * they were asked, at most one of each mod. When the open one is closed, the next one opens at the
 * end of the tick, so a mod that asks again and again cannot keep others from asking.
 */
#include "hud_internal.h"

#include "mods.h"

#include "crafty/sim/connection.h"

#include <cairn/sim/loop.h>

#include <string.h>

static uint64_t now(const CnWorld *world)
{
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    return info ? info->tick : 0;
}

static bool is_paused(const CnWorld *world, const CraftyModHudScreen *screen)
{
    uint64_t tick = now(world);
    return screen->open_tick > tick && screen->open_tick - tick <= CRAFTY_MOD_DIALOG_PAUSE_TICKS;
}

static bool is_of(const CraftyModHudEntry *entry, CnText mod)
{
    return cn_text_equal(crafty_mod_hud_mod(entry), mod);
}

static bool has_open(const CraftyModHudScreen *screen, CnText mod)
{
    return screen->dialog_number && is_of(&screen->dialog, mod);
}

/* ---- Waiting ---- */

static uint32_t find_waiting(const CraftyModHudScreen *screen, CnText mod)
{
    uint32_t i = 0;
    while (i < screen->waiting.count && !is_of(&screen->waiting.items[i], mod))
        i++;
    return i;
}

/* Returns the entry without freeing it. */
static CraftyModHudEntry take_waiting(CraftyModHudScreen *screen, uint32_t index)
{
    CraftyModHudEntry *items = screen->waiting.items, taken = items[index];
    screen->waiting.count--;
    memmove(&items[index], &items[index + 1], (screen->waiting.count - index) * sizeof *items);
    return taken;
}

static void remove_waiting(const CraftyModHudState *hud, CraftyModHudScreen *screen, uint32_t index)
{
    CraftyModHudEntry entry = take_waiting(screen, index);
    crafty_mod_hud_entry_free(hud, &entry);
}

/* Appends an entry, or replaces that of the same mod, and takes it over. */
static bool put_waiting(const CraftyModHudState *hud, CraftyModHudScreen *screen,
                        const CraftyModHudEntry *entry)
{
    uint32_t index = find_waiting(screen, crafty_mod_hud_mod(entry));
    if (index == screen->waiting.count)
        return screen->waiting.count < CRAFTY_MODS_MAX && cn_array_push(&screen->waiting, *entry);
    crafty_mod_hud_entry_free(hud, &screen->waiting.items[index]);
    screen->waiting.items[index] = *entry;
    return true;
}

/* ---- Opening and closing ---- */

void crafty_mod_dialog_remove(CnWorld *world, CraftyModHudScreen *screen)
{
    if (!screen->dialog_number)
        return;
    crafty_mod_hud_count(world, screen, &screen->dialog, false);
    crafty_mod_hud_entry_free(crafty_mod_hud_state(world), &screen->dialog);
    screen->dialog_number = 0;
    crafty_mod_hud_changed(world, screen);
}

static void open_with(CnWorld *world, CraftyModHudScreen *screen, CraftyModHudEntry entry,
                      uint32_t number)
{
    crafty_mod_dialog_remove(world, screen);
    screen->dialog = entry;
    screen->dialog_number = number;
    crafty_mod_hud_count(world, screen, &screen->dialog, true);
    crafty_mod_hud_changed(world, screen);
}

static void open_dialog(CnWorld *world, CraftyModHudScreen *screen, CraftyModHudEntry entry)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    hud->last_dialog = hud->last_dialog == INT32_MAX ? 1 : hud->last_dialog + 1;
    open_with(world, screen, entry, hud->last_dialog);
}

static void open_next(CnWorld *world, CraftyModHudScreen *screen)
{
    if (is_paused(world, screen))
        return;
    screen->open_tick = 0;
    if (!screen->dialog_number && screen->waiting.count)
        open_dialog(world, screen, take_waiting(screen, 0));
}

void crafty_mod_dialogs_tick(CnWorld *world)
{
    for (uint32_t player = CRAFTY_FIRST_PLAYER; player <= crafty_mod_hud_screen_count(world);
         player++) {
        CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
        if (screen && (screen->open_tick || screen->waiting.count))
            open_next(world, screen);
    }
}

void crafty_mod_dialogs_clear(const CraftyModHudState *hud, CraftyModHudScreen *screen)
{
    crafty_mod_hud_entry_free(hud, &screen->dialog);
    screen->dialog_number = 0;
    screen->open_tick = 0;
    while (screen->waiting.count)
        remove_waiting(hud, screen, screen->waiting.count - 1);
}

void crafty_mod_dialogs_keep(CnWorld *world, CraftyModHudScreen *screen,
                             bool (*runs)(const void *user, CnText mod), const void *user)
{
    for (uint32_t i = screen->waiting.count; i-- > 0;)
        if (!runs(user, crafty_mod_hud_mod(&screen->waiting.items[i])))
            remove_waiting(crafty_mod_hud_state(world), screen, i);
    if (screen->dialog_number && !runs(user, crafty_mod_hud_mod(&screen->dialog)))
        crafty_mod_dialog_remove(world, screen);
}

/* ---- What mods and players do ---- */

static bool check_dialog(CraftyModHudState *hud, CnText json, CnError *error)
{
    CraftyModDialog dialog = {0};
    cn_arena_reset(&hud->scratch.memory);
    if (json.size > CRAFTY_MOD_HUD_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "a dialog has more than %u KiB",
                            CRAFTY_MOD_HUD_BYTES / 1024);
    return crafty_mod_dialog_read(&dialog, &hud->scratch.memory, json, error);
}

bool crafty_mod_dialog_ask(CnWorld *world, uint32_t player, const char *mod, CnText name,
                           CnText json, bool *opened, CnError *error)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    CraftyModHudScreen *screen = crafty_mod_hud_own_screen(world, player, error);
    CraftyModHudEntry entry;
    *opened = false;
    if (!screen)
        return false;
    if (!crafty_mod_hud_check_key(name, "the name of a dialog", error) ||
        !check_dialog(hud, json, error))
        return false;
    if (!crafty_mod_hud_entry_init(hud, &entry, cn_text(mod), name, json))
        return cn_error_memory(error, "a dialog");
    bool is_free = !screen->dialog_number && !screen->waiting.count && !is_paused(world, screen);
    if (is_free || has_open(screen, cn_text(mod))) {
        open_dialog(world, screen, entry);
        *opened = true;
        return true;
    }
    if (put_waiting(hud, screen, &entry))
        return true;
    crafty_mod_hud_entry_free(hud, &entry);
    return cn_error_memory(error, "a dialog");
}

bool crafty_mod_dialog_close(CnWorld *world, uint32_t player, const char *mod)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    if (!screen)
        return false;
    uint32_t waiting = find_waiting(screen, cn_text(mod));
    if (waiting < screen->waiting.count) {
        remove_waiting(crafty_mod_hud_state(world), screen, waiting);
        return true;
    }
    bool has = has_open(screen, cn_text(mod));
    if (has)
        crafty_mod_dialog_remove(world, screen);
    return has;
}

bool crafty_mod_dialog_choose(CnWorld *world, uint32_t player, uint32_t number, uint32_t choice,
                              CraftyModChoice *answer)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    CraftyModDialog dialog = {0};
    if (!screen || !screen->dialog_number || !number || (choice && number != screen->dialog_number))
        return false;
    cn_arena_reset(&hud->scratch.memory);
    if (!crafty_mod_dialog_read(&dialog, &hud->scratch.memory, crafty_mod_hud_json(&screen->dialog),
                                NULL) ||
        choice > dialog.choice_count)
        return false;
    *answer = (CraftyModChoice){.player = player, .choice = choice};
    cn_copy_text(answer->mod, sizeof answer->mod, crafty_mod_hud_mod(&screen->dialog));
    cn_copy_text(answer->dialog, sizeof answer->dialog, crafty_mod_hud_key(&screen->dialog));
    crafty_mod_dialog_remove(world, screen);
    if (!choice)
        screen->open_tick = now(world) + CRAFTY_MOD_DIALOG_PAUSE_TICKS;
    return true;
}

/* ---- Restoring ---- */

static bool make_checked(CnWorld *world, const CraftyModHudEntry *saved, CraftyModHudEntry *entry)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    CnText mod = crafty_mod_hud_mod(saved), name = crafty_mod_hud_key(saved),
           json = crafty_mod_hud_json(saved);
    return crafty_mod_hud_check_key(name, "the name of a dialog", NULL) &&
           check_dialog(hud, json, NULL) && crafty_mod_hud_entry_init(hud, entry, mod, name, json);
}

bool crafty_mod_dialog_restore(CnWorld *world, uint32_t player, uint32_t number,
                               const CraftyModHudEntry *entry)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    CraftyModHudEntry own;
    if (screen->dialog_number || !make_checked(world, entry, &own))
        return false;
    open_with(world, screen, own, number);
    return true;
}

bool crafty_mod_dialog_restore_waiting(CnWorld *world, uint32_t player,
                                       const CraftyModHudEntry *entry)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    CraftyModHudEntry own;
    CnText mod = crafty_mod_hud_mod(entry);
    if (has_open(screen, mod) || find_waiting(screen, mod) < screen->waiting.count ||
        !make_checked(world, entry, &own))
        return false;
    if (put_waiting(crafty_mod_hud_state(world), screen, &own))
        return true;
    crafty_mod_hud_entry_free(crafty_mod_hud_state(world), &own);
    return false;
}
