/* crafty mod enable and disable. */
#include "run.h"

#include "crafty/mods/enabled_mods.h"
#include "crafty/mods/session_mods.h"

#include <cairn/base/console.h>

#include <string.h>

static const char *next_name(void *user)
{
    struct {
        const CraftyModSet *set;
        uint32_t next;
    } *names = user;
    return names->next < crafty_mod_set_found_count(names->set)
               ? crafty_mod_set_found(names->set, names->next++)->manifest.name
               : NULL;
}

/* Returns the mod if it runs; otherwise sets the error that says why not. */
static const CraftyMod *need_mod(const CraftyModSet *set, const char *name, CnError *error)
{
    const CraftyMod *mod = crafty_mod_set_find(set, name);
    struct {
        const CraftyModSet *set;
        uint32_t next;
    } names = {set, 0};
    if (mod)
        return mod;
    for (uint32_t i = 0; i < crafty_mod_set_problem_count(set); i++) {
        const CraftyModProblem *problem = crafty_mod_set_problem(set, i);
        if (!problem->is_warning && strcmp(problem->name, name) == 0 &&
            problem->error.code != CN_ERROR_NOT_FOUND) {
            *error = problem->error;
            return NULL;
        }
    }
    for (uint32_t i = 0; i < crafty_mod_set_problem_count(set); i++) {
        const CraftyModProblem *problem = crafty_mod_set_problem(set, i);
        if (!problem->is_warning && strcmp(problem->name, name) == 0 && problem->native[0]) {
            *error = problem->error;
            return NULL;
        }
    }
    const char *similar = cn_text_most_similar(name, next_name, &names);
    cn_error_set(error, CN_ERROR_NOT_FOUND, "no mod \"%s\" is installed%s%s%s", name,
                 similar ? "; did you mean " : ": see crafty mod list", similar ? similar : "",
                 similar ? "?" : "");
    return NULL;
}

static void print_permissions(const CraftyMod *mod)
{
    for (uint32_t i = 0; i < CRAFTY_MOD_PERMISSION_COUNT; i++)
        if (mod->manifest.permissions >> i & 1u)
            cn_print("    %-10s %s", crafty_mod_permission_name((CraftyModPermission)i),
                     crafty_mod_permission_text((CraftyModPermission)i));
}

/* ---- The lists ---- */

static bool change_enabled(const char *name, bool is_enabled, CnError *error)
{
    char path[CN_FILE_PATH_BYTES];
    CraftyEnabledMods enabled;
    if (!crafty_mods_enabled_path(path, error) ||
        !crafty_enabled_mods_load(&enabled, cn_native_files(), path, error))
        return false;
    if (is_enabled && !crafty_enabled_mods_add(&enabled, name))
        return cn_error_set(error, CN_ERROR_LIMIT, "at most %u mods are enabled",
                            CRAFTY_ENABLED_MODS_MAX);
    if (!is_enabled && !crafty_enabled_mods_has(&enabled, name))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "%s is not enabled: see crafty mod list",
                            name);
    if (!is_enabled)
        crafty_enabled_mods_remove(&enabled, name);
    return crafty_enabled_mods_save(&enabled, cn_native_files(), path, error);
}

/* `mod` NULL: removes it. */
static bool change_world(const CraftyModRun *run, const char *name, const CraftyMod *mod,
                         CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    CraftySaveInfo info;
    CraftyWorldMod item = {0};
    if (!crafty_mod_run_world(run, path, error) || !crafty_save_read_info(path, &info, error))
        return false;
    if (!mod && !crafty_world_mods_remove(&info.mods, name))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the world does not have the mod %s", name);
    if (mod) {
        cn_copy_text(item.name, sizeof item.name, cn_text(name));
        cn_copy_text(item.version, sizeof item.version, cn_text(mod->manifest.version_text));
        item.hash = mod->hash;
    }
    if (mod && !crafty_world_mods_set(&info.mods, &item))
        return cn_error_set(error, CN_ERROR_LIMIT, "a world has at most %u mods",
                            CRAFTY_WORLD_MODS_MAX);
    return crafty_save_write_mods(path, &info.mods, error);
}

/* ---- The actions ---- */

bool crafty_mod_enable_action(CraftyModRun *run, CnError *error)
{
    const char *name = run->options->word, *world = run->options->world;
    CraftyModSet *set = crafty_mod_run_find(run, NULL, &name, 1, error);
    const CraftyMod *mod = set ? need_mod(set, name, error) : NULL;
    bool done =
        mod && (world ? change_world(run, name, mod, error) : change_enabled(name, true, error));
    if (done) {
        cn_print("%s %s runs in %s%s", name, mod->manifest.version_text,
                 world ? "the world " : "new worlds", world ? world : "");
        print_permissions(mod);
    }
    crafty_mod_set_destroy(set);
    return done;
}

bool crafty_mod_disable_action(CraftyModRun *run, CnError *error)
{
    const char *name = run->options->word, *world = run->options->world;
    if (!(world ? change_world(run, name, NULL, error) : change_enabled(name, false, error)))
        return false;
    cn_print("%s does not run in %s%s any more%s", name, world ? "the world " : "new worlds",
             world ? world : "", world ? "; what it added becomes placeholders" : "");
    return true;
}
