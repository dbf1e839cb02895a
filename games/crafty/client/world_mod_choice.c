/* The choice of mods of a new world. */
#include "world_screen_internal.h"

#include <string.h>

uint32_t crafty_world_dialogs_mods(const CraftyWorldScreen *screen, CraftyWorldMods *mods)
{
    mods->count = 0;
    for (uint32_t i = 0; i < screen->mods.count && i < CRAFTY_MAX_MODS; i++) {
        const CraftyInstalledMod *mod = &screen->mods.items[i];
        CraftyWorldMod item = {0};
        if (!screen->is_mod_chosen[i] && !mod->is_extra)
            continue;
        memcpy(item.name, mod->name, sizeof item.name);
        cn_copy_text(item.version, sizeof item.version, cn_text(mod->version));
        crafty_world_mods_set(mods, &item); /* more than a world can have are left out */
    }
    return mods->count;
}

static void dim_text(CnUi *ui, const char *text)
{
    CnUiTheme *theme = cn_ui_theme(ui);
    CnColor color = theme->text;
    theme->text = theme->text_dim;
    cn_ui_text(ui, text);
    theme->text = color;
}

/* What a mod may do is said before it is enabled. */
static void show_mod(CraftyWorldScreen *screen, CnUi *ui, uint32_t index)
{
    const CraftyInstalledMod *mod = &screen->mods.items[index];
    bool is_chosen = screen->is_mod_chosen[index] || mod->is_extra;
    char label[CRAFTY_MOD_TITLE_BYTES + CRAFTY_VERSION_BYTES + 8];
    char permissions[CRAFTY_PERMISSIONS_TEXT_BYTES];
    cn_format(label, sizeof label, "%s %s", mod->title, mod->version);
    cn_ui_push_number(ui, index);
    cn_ui_begin_disabled(ui, mod->is_extra);
    if (!screen->has_dialog_focus && index == 0)
        cn_ui_focus_next(ui);
    if (cn_ui_checkbox(ui, label, &is_chosen))
        screen->is_mod_chosen[index] = is_chosen;
    screen->has_dialog_focus |= index == 0 && cn_ui_is_focused(ui);
    cn_ui_end_disabled(ui);
    if (mod->description[0])
        dim_text(ui, mod->description);
    crafty_permissions_text(mod->permissions, permissions, sizeof permissions);
    dim_text(ui, permissions);
    if (mod->is_extra)
        dim_text(ui, "It runs because the program was started with --mods.");
    cn_ui_space(ui, 4);
    cn_ui_pop_id(ui);
}

bool crafty_world_mods_frame(CraftyWorldScreen *screen, CnUi *ui, float height)
{
    cn_ui_begin_scroll(ui, "mods", height);
    for (uint32_t i = 0; i < screen->mods.count && i < CRAFTY_MAX_MODS; i++)
        show_mod(screen, ui, i);
    cn_ui_end_scroll(ui);
    return cn_ui_button(ui, "Done");
}
