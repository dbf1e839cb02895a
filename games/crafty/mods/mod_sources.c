#include "mod_sources.h"

CraftyModSources *crafty_mod_sources_create(const CraftyModSet *set, CnError *error)
{
    uint32_t count = crafty_mod_set_count(set);
    CraftyModSources *sources = NULL;
    if (count + 1 > CRAFTY_MODS_MAX) {
        cn_error_set(error, CN_ERROR_LIMIT, "at most %u mods run together", CRAFTY_MODS_MAX - 1);
        return NULL;
    }
    sources = cn_alloc_zeroed(cn_system_allocator(), sizeof *sources);
    if (!sources) {
        cn_error_memory(error, "the mods");
        return NULL;
    }
    sources->items[sources->count++] = crafty_mods_base();
    for (uint32_t i = 0; i < count; i++) {
        const CraftyMod *mod = crafty_mod_set_at(set, i);
        CnLuaLibrary *libraries = sources->libraries[i];
        for (uint32_t d = 0; d < mod->dependency_count; d++) {
            const CraftyMod *other = crafty_mod_set_at(set, mod->dependencies[d]);
            libraries[d] = (CnLuaLibrary){other->manifest.name, other->root};
        }
        sources->items[sources->count++] =
            (CraftyModSource){.name = mod->manifest.name,
                              .files = crafty_mod_set_files(set),
                              .folder = mod->root,
                              .libraries = libraries,
                              .permissions = mod->manifest.permissions};
    }
    return sources;
}

void crafty_mod_sources_destroy(CraftyModSources *sources)
{
    cn_free(cn_system_allocator(), sources, sizeof *sources);
}
