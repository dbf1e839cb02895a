#include "run.h"

#include "crafty/mods/program_mods.h"
#include "crafty/mods/session_mods.h"
#include "mod_command.h"

#include <cairn/base/console.h>
#include <cairn/base/log.h>

#include <stdio.h>
#include <string.h>

/* ---- Finding ---- */

CraftyModSet *crafty_mod_run_find(const CraftyModRun *run, const char *extra,
                                  const char *const *enabled, uint32_t enabled_count,
                                  CnError *error)
{
    CraftyModFolder folders[3];
    uint32_t count = 0;
    if (run->program[0])
        folders[count++] = (CraftyModFolder){.path = run->program};
    folders[count++] = (CraftyModFolder){.path = run->own, .is_required = run->options->mods};
    if (extra)
        folders[count++] =
            (CraftyModFolder){.path = extra, .is_enabled = true, .is_required = true};
    return crafty_mod_set_create(&(CraftyModSetDesc){.folders = folders,
                                                     .folder_count = count,
                                                     .enabled = enabled,
                                                     .enabled_count = enabled_count},
                                 error);
}

bool crafty_mod_run_world(const CraftyModRun *run, char path[CN_STORE_PATH_BYTES], CnError *error)
{
    char folder[CN_STORE_PATH_BYTES];
    const char *worlds = run->options->worlds;
    if (worlds ? !cn_copy_text(folder, sizeof folder, cn_text(worlds))
               : !crafty_worlds_folder(folder, error))
        return !worlds ? false
                       : cn_error_set(error, CN_ERROR_LIMIT, "the path of --worlds is too long");
    return crafty_worlds_find(folder, run->options->world, path, error);
}

/* ---- Printing ---- */

/* "mods://castle/main.lua" becomes "bees/castle.zip/main.lua". */
static const char *native_file(const CraftyModSet *set, const char *file, char *text, size_t bytes)
{
    for (uint32_t i = 0; set && i < crafty_mod_set_found_count(set); i++) {
        const CraftyMod *mod = crafty_mod_set_found(set, i);
        size_t size = strlen(mod->root);
        if (strncmp(file, mod->root, size) == 0 && file[size] == '/') {
            cn_format(text, bytes, "%s%s", mod->native, file + size);
            return text;
        }
    }
    return file;
}

void crafty_mod_run_print(const CraftyModSet *set, const char *name, const char *native,
                          const CnError *problem, bool is_warning)
{
    char file[CN_FILE_PATH_BYTES], place[CN_FILE_PATH_BYTES + 32] = "";
    if (problem->file[0] && problem->line > 0)
        cn_format(place, sizeof place,
                  "%s:%d: ", native_file(set, problem->file, file, sizeof file), problem->line);
    else if (problem->file[0] || native[0])
        cn_format(place, sizeof place, "%s: ",
                  problem->file[0] ? native_file(set, problem->file, file, sizeof file) : native);
    cn_print("%s%s%s%s%s", name, name[0] ? ": " : "", is_warning ? "warning: " : "", place,
             problem->message);
}

/* ---- The whole ---- */

static bool (*const actions[CRAFTY_MOD_ACTION_COUNT])(CraftyModRun *run, CnError *error) = {
    [CRAFTY_MOD_LIST] = crafty_mod_list_action,
    [CRAFTY_MOD_NEW] = crafty_mod_new_action,
    [CRAFTY_MOD_CHECK] = crafty_mod_check_action,
    [CRAFTY_MOD_ENABLE] = crafty_mod_enable_action,
    [CRAFTY_MOD_DISABLE] = crafty_mod_disable_action,
    [CRAFTY_MOD_PACK] = crafty_mod_pack_action,
    [CRAFTY_MOD_ANNOTATIONS] = crafty_mod_annotations_action,
};

/* `new`, `check`, `pack` and `annotations` work without a folder of data. */
static bool set_folders(CraftyModRun *run, CnError *error)
{
    const CraftyModOptions *options = run->options;
    bool needs_own = options->action == CRAFTY_MOD_LIST || options->action == CRAFTY_MOD_ENABLE ||
                     options->action == CRAFTY_MOD_DISABLE;
    crafty_program_mods_folder(run->program);
    if (options->mods)
        return cn_copy_text(run->own, sizeof run->own, cn_text(options->mods)) ||
               cn_error_set(error, CN_ERROR_LIMIT, "the path of --mods is too long");
    CnError own = {0};
    if (crafty_mods_folder(run->own, &own))
        return true;
    run->own[0] = '\0';
    return !needs_own || cn_error_set(error, own.code, "%s", own.message);
}

int crafty_mod_command(int count, char **arguments)
{
    CraftyModOptions options;
    CraftyModParse parsed = crafty_mod_options_read(&options, count, arguments);
    if (parsed != CRAFTY_MOD_RUNS)
        return parsed == CRAFTY_MOD_HELPED ? 0 : 2;
    CnError error = {0};
    CraftyModRun run = {.options = &options};
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* problems are printed once, by the actions */
    bool done = set_folders(&run, &error) && actions[options.action](&run, &error);
    if (!done) {
        char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
        cn_print_error("crafty mod %s: %s", crafty_mod_action_name(options.action),
                       cn_error_text(&error, text, sizeof text));
    }
    bool printed = fflush(stdout) == 0;
    return done && printed && !run.found_mistakes ? 0 : 1;
}
