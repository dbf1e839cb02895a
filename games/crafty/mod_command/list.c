/* crafty mod list. */
#include "run.h"

#include "crafty/mods/enabled_mods.h"
#include "crafty/mods/session_mods.h"

#include <cairn/base/console.h>

#include <string.h>

typedef struct Enabled {
    CraftyEnabledMods own; /* of new worlds */
    CraftyWorldMods world; /* of --world */
    const char *names[CRAFTY_WORLD_MODS_MAX];
    uint32_t count;
} Enabled;

static bool read_enabled(const CraftyModRun *run, Enabled *enabled, CnError *error)
{
    char path[CN_FILE_PATH_BYTES];
    CraftySaveInfo info;
    if (!run->options->world) {
        if (!crafty_mods_enabled_path(path, error) ||
            !crafty_enabled_mods_load(&enabled->own, cn_native_files(), path, error))
            return false;
        for (uint32_t i = 0; i < enabled->own.count; i++)
            enabled->names[enabled->count++] = enabled->own.names[i];
        return true;
    }
    if (!crafty_mod_run_world(run, path, error) || !crafty_save_read_info(path, &info, error))
        return false;
    enabled->world = info.mods;
    for (uint32_t i = 0; i < enabled->world.count; i++)
        enabled->names[enabled->count++] = enabled->world.items[i].name;
    return true;
}

static bool is_named(const Enabled *enabled, const char *name)
{
    for (uint32_t i = 0; i < enabled->count; i++)
        if (strcmp(enabled->names[i], name) == 0)
            return true;
    return false;
}

static void print_mod(const CraftyModSet *set, const CraftyMod *mod, const Enabled *enabled)
{
    const CraftyModManifest *manifest = &mod->manifest;
    bool runs = crafty_mod_set_find(set, manifest->name) != NULL;
    const char *state = is_named(enabled, manifest->name) ? runs ? "enabled" : "does not run"
                        : runs                            ? "needed"
                                                          : "disabled";
    cn_print("%-20s %-10s %-12s %s%s%s", manifest->name, manifest->version_text, state,
             manifest->title, manifest->authors[0] ? ", by " : "", manifest->authors);
    if (manifest->description[0])
        cn_print("    %s", manifest->description);
}

bool crafty_mod_list_action(CraftyModRun *run, CnError *error)
{
    Enabled enabled = {0};
    CraftyModSet *set = read_enabled(run, &enabled, error)
                            ? crafty_mod_run_find(run, NULL, enabled.names, enabled.count, error)
                            : NULL;
    if (!set)
        return false;
    for (uint32_t i = 0; i < crafty_mod_set_found_count(set); i++)
        print_mod(set, crafty_mod_set_found(set, i), &enabled);
    if (crafty_mod_set_found_count(set) == 0)
        cn_print("There are no mods in %s", run->own);
    for (uint32_t i = 0; i < crafty_mod_set_problem_count(set); i++) {
        const CraftyModProblem *problem = crafty_mod_set_problem(set, i);
        crafty_mod_run_print(set, problem->name, problem->native, &problem->error,
                             problem->is_warning);
        run->found_mistakes |= !problem->is_warning;
    }
    crafty_mod_set_destroy(set);
    return true;
}
