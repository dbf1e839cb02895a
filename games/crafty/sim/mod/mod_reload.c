/* Replaces the code of a mod in a running world. */
#include "mods_internal.h"

#include <string.h>

static CraftyModState *find(const CraftyMods *mods, const char *name)
{
    for (uint32_t i = 0; i < mods->count; i++)
        if (strcmp(mods->list[i].source->name, name) == 0)
            return &mods->list[i];
    return NULL;
}

/* A mod that failed while it ran gets another chance with its new code. */
static bool start(CraftyModState *mod, bool *changes_content, CnError *error)
{
    uint64_t before = mod->hooks.definitions;
    mod->mods->phase = CRAFTY_MODS_REDEFINE;
    bool good = crafty_mod_start(mod, error);
    mod->mods->phase = CRAFTY_MODS_IDLE;
    if (!good)
        return false;
    *changes_content |= mod->hooks.definitions != before;
    mod->is_disabled = false;
    mod->error = (CnError){0};
    return true;
}

bool crafty_mods_reload(CraftyMods *mods, const char *name, bool *changes_content, CnError *error)
{
    CraftyModState *mod = find(mods, name);
    *changes_content = false;
    if (!mod || mod->source->is_standard)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no mod %s to load again", name);
    if (mod->is_broken)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "the mod %s has no content in this world: open the world again", name);
    if (mods->phase != CRAFTY_MODS_IDLE)
        return cn_error_set(error, CN_ERROR_PERMISSION, "mods are loaded again between ticks");
    if (!start(mod, changes_content, error)) {
        mod->error = *error; /* shown until code runs that is good */
        return false;
    }
    return !mods->run || crafty_mods_index(mods->run, error);
}
