/* Copies of what players see, for clients. */
#include "hud_internal.h"

void crafty_mod_hud_view_init(CraftyModHudView *view, CnAllocator *allocator)
{
    *view = (CraftyModHudView){.allocator = allocator};
    cn_arena_init(&view->memory, allocator, 0);
}

void crafty_mod_hud_view_fini(CraftyModHudView *view)
{
    cn_free(view->allocator, view->elements, view->element_capacity * sizeof *view->elements);
    cn_arena_fini(&view->memory);
    *view = (CraftyModHudView){.allocator = view->allocator};
}

static bool copy_elements(CraftyModHudView *view, const CraftyModHudScreen *screen)
{
    CnArena *memory = &view->memory;
    for (uint32_t i = 0; i < screen->entries.count; i++) {
        const CraftyModHudEntry *entry = &screen->entries.items[i];
        CnText mod = crafty_mod_hud_mod(entry), key = crafty_mod_hud_key(entry);
        const char *mod_copy = cn_arena_copy_text(memory, mod.data, mod.size);
        const char *key_copy = cn_arena_copy_text(memory, key.data, key.size);
        if (!mod_copy || !key_copy ||
            !crafty_mod_hud_read(view, mod_copy, key_copy, crafty_mod_hud_json(entry), NULL))
            return false;
    }
    return true;
}

static bool copy_dialog(CraftyModHudView *view, const CraftyModHudScreen *screen)
{
    CnText mod = crafty_mod_hud_mod(&screen->dialog), name = crafty_mod_hud_key(&screen->dialog);
    CraftyModDialog *dialog = &view->dialog;
    if (!screen->dialog_number)
        return true;
    dialog->number = screen->dialog_number;
    dialog->mod = cn_arena_copy_text(&view->memory, mod.data, mod.size);
    dialog->name = cn_arena_copy_text(&view->memory, name.data, name.size);
    return dialog->mod && dialog->name &&
           crafty_mod_dialog_read(dialog, &view->memory, crafty_mod_hud_json(&screen->dialog),
                                  NULL);
}

bool crafty_mod_hud_view_update(CraftyModHudView *view, const CnWorld *world, uint32_t player)
{
    const CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    uint64_t revision = screen ? screen->revision : 0;
    CraftyModHudView fresh;
    if (revision == view->revision)
        return false;
    crafty_mod_hud_view_init(&fresh, view->allocator);
    if (screen && (!copy_elements(&fresh, screen) || !copy_dialog(&fresh, screen))) {
        crafty_mod_hud_view_fini(&fresh);
        return false;
    }
    crafty_mod_hud_view_fini(view);
    fresh.revision = revision;
    *view = fresh;
    return true;
}
