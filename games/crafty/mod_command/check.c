/* crafty mod check: mod.json, what it needs, and the definitions in Lua. */
#include "run.h"

#include "crafty/mods/mod_sources.h"

#include <cairn/base/console.h>

#include <string.h>

static void print_problems(CraftyModRun *run, const CraftyModSet *set)
{
    for (uint32_t i = 0; i < crafty_mod_set_problem_count(set); i++) {
        const CraftyModProblem *problem = crafty_mod_set_problem(set, i);
        crafty_mod_run_print(set, problem->name, problem->native, &problem->error,
                             problem->is_warning);
        run->found_mistakes |= !problem->is_warning;
    }
}

static void print_status(CraftyModRun *run, const CraftyModSet *set, const CraftyModStatus *status)
{
    const CraftyMod *mod = crafty_mod_set_find(set, status->name);
    if (status->is_disabled) {
        crafty_mod_run_print(set, status->name, mod ? mod->native : "", &status->error, false);
        run->found_mistakes = true;
    } else if (mod)
        cn_print("%s %s: no mistakes found, %u bytes of Lua memory", status->name,
                 mod->manifest.version_text, (uint32_t)status->lua.peak_bytes);
}

static bool define(CraftyModRun *run, const CraftyModSet *set, CnError *error)
{
    CraftyModSources *sources = crafty_mod_sources_create(set, error);
    CraftyMods *mods = NULL;
    if (sources)
        mods = crafty_mods_create(
            &(CraftyModsDesc){.sources = sources->items, .source_count = sources->count}, error);
    for (uint32_t i = 0; mods && i < crafty_mods_count(mods); i++) {
        CraftyModStatus status = crafty_mods_status(mods, i);
        print_status(run, set, &status);
    }
    bool done = mods != NULL;
    crafty_mods_destroy(mods);
    crafty_mod_sources_destroy(sources);
    return done;
}

bool crafty_mod_check_action(CraftyModRun *run, CnError *error)
{
    const char *folder = run->options->word;
    CraftyModSet *set = crafty_mod_run_find(run, folder, NULL, 0, error);
    if (!set)
        return false;
    print_problems(run, set);
    bool done = define(run, set, error);
    if (done && crafty_mod_set_count(set) == 0 && !run->found_mistakes)
        done = cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "there is no mod in %s: a mod has the files " CRAFTY_MOD_FILE
                            " and " CRAFTY_MOD_ENTRY,
                            folder);
    crafty_mod_set_destroy(set);
    return done;
}
