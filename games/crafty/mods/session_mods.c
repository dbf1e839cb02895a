#include "session_mods.h"

#include "crafty/save/user_paths.h"
#include "enabled_mods.h"
#include "program_mods.h"

#include <cairn/base/log.h>

#include <string.h>

#define MAX_DIFFERENCES (2 * CRAFTY_WORLD_MODS_MAX)

struct CraftySessionMods {
    CraftyModSet *set;
    CraftyModSources *sources;
    CraftyMods *code;
    CraftyWorldMods running, list; /* the list of the world: also what does not run */
    CraftyModDifference differences[MAX_DIFFERENCES];
    uint32_t difference_count;
};

/* ---- Paths ---- */

bool crafty_mods_folder(char path[CN_FILE_PATH_BYTES], CnError *error)
{
    return crafty_data_path("mods", "--mods", path, CN_FILE_PATH_BYTES, error);
}

bool crafty_mods_enabled_path(char path[CN_FILE_PATH_BYTES], CnError *error)
{
    return crafty_config_path(CRAFTY_ENABLED_MODS_FILE, path, CN_FILE_PATH_BYTES) ||
           cn_error_set(error, CN_ERROR_NOT_FOUND,
                        "neither XDG_CONFIG_HOME nor HOME is set: there is no folder for settings");
}

/* ---- Which mods run ---- */

typedef struct Wanted {
    char names[CRAFTY_WORLD_MODS_MAX][CRAFTY_MOD_NAME_BYTES];
    const char *list[CRAFTY_WORLD_MODS_MAX];
    uint32_t count;
} Wanted;

static void want(Wanted *wanted, const char *name)
{
    if (wanted->count == CRAFTY_WORLD_MODS_MAX)
        return;
    cn_copy_text(wanted->names[wanted->count], CRAFTY_MOD_NAME_BYTES, cn_text(name));
    wanted->list[wanted->count] = wanted->names[wanted->count];
    wanted->count++;
}

static void want_listed(Wanted *wanted, const CraftyWorldMods *mods)
{
    for (uint32_t i = 0; i < mods->count; i++)
        want(wanted, mods->items[i].name);
}

/* A damaged file is reported, and nothing is enabled. */
static void want_enabled(Wanted *wanted)
{
    char path[CN_FILE_PATH_BYTES], text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    CraftyEnabledMods enabled;
    CnError error = {0};
    if (!crafty_mods_enabled_path(path, &error))
        return;
    if (!crafty_enabled_mods_load(&enabled, cn_native_files(), path, &error))
        CN_LOG_WARNING("mods", "no mods are enabled: %s", cn_error_text(&error, text, sizeof text));
    for (uint32_t i = 0; i < enabled.count; i++)
        want(wanted, enabled.names[i]);
}

/* A world that was played has the mods of its list, which is empty if it has none. */
static bool is_undecided(const CraftySave *save)
{
    return save && crafty_save_is_new(save) && !crafty_save_has_mods(save);
}

static bool find_mods(CraftySessionMods *mods, const CraftySessionModsDesc *desc, CnError *error)
{
    char own[CN_FILE_PATH_BYTES], program[CN_FILE_PATH_BYTES];
    CraftyModFolder folders[3];
    uint32_t folder_count = 0;
    Wanted wanted = {0};
    CnError ignored = {0};
    if (desc->recorded)
        want_listed(&wanted, desc->recorded);
    else if (is_undecided(desc->save))
        want_enabled(&wanted);
    else if (desc->save)
        want_listed(&wanted, crafty_save_mods(desc->save));
    if (wanted.count > 0 && crafty_program_mods_folder(program))
        folders[folder_count++] = (CraftyModFolder){.path = program};
    if (desc->folder || (wanted.count > 0 && crafty_mods_folder(own, &ignored)))
        folders[folder_count++] = (CraftyModFolder){.path = desc->folder ? desc->folder : own};
    if (desc->extra)
        folders[folder_count++] = (CraftyModFolder){
            .path = desc->extra, .is_enabled = !desc->recorded, .is_required = true};
    if (desc->without)
        folder_count = wanted.count = 0;
    mods->set = crafty_mod_set_create(&(CraftyModSetDesc){.folders = folders,
                                                          .folder_count = folder_count,
                                                          .enabled = wanted.list,
                                                          .enabled_count = wanted.count},
                                      error);
    return mods->set != NULL;
}

/* ---- Differences ---- */

static CraftyModChange compare_versions(const char *listed, const CraftyVersion *running)
{
    CraftyVersion version;
    if (!crafty_version_parse(&version, cn_text(listed), &(CnError){0}))
        return CRAFTY_MOD_IS_DIFFERENT;
    int order = crafty_version_compare(running, &version);
    return order < 0   ? CRAFTY_MOD_IS_OLDER
           : order > 0 ? CRAFTY_MOD_IS_NEWER
                       : CRAFTY_MOD_IS_DIFFERENT;
}

static void note(CraftySessionMods *mods, CraftyModChange change, const char *name,
                 const char *listed, const char *running)
{
    if (mods->difference_count == MAX_DIFFERENCES)
        return;
    CraftyModDifference *difference = &mods->differences[mods->difference_count++];
    *difference = (CraftyModDifference){.change = change};
    cn_copy_text(difference->name, sizeof difference->name, cn_text(name));
    cn_copy_text(difference->listed, sizeof difference->listed, cn_text(listed));
    cn_copy_text(difference->running, sizeof difference->running, cn_text(running));
}

static void note_running(CraftySessionMods *mods, const CraftyWorldMods *listed,
                         const CraftyMod *mod)
{
    const char *name = mod->manifest.name, *version = mod->manifest.version_text;
    const CraftyWorldMod *old = crafty_world_mods_find(listed, name);
    if (!old)
        note(mods, CRAFTY_MOD_IS_ADDED, name, "", version);
    else if (strcmp(old->version, version) != 0)
        note(mods, compare_versions(old->version, &mod->manifest.version), name, old->version,
             version);
    else if (old->hash && mod->hash && old->hash != mod->hash)
        note(mods, CRAFTY_MOD_IS_DIFFERENT, name, old->version, version);
}

static bool too_many(CnError *error)
{
    return cn_error_set(error, CN_ERROR_LIMIT,
                        "a world has at most %u mods, with those that are missing",
                        CRAFTY_WORLD_MODS_MAX);
}

/* The new list: what runs, and what is missing as it was. */
static bool make_list(CraftySessionMods *mods, const CraftyWorldMods *listed, CnError *error)
{
    for (uint32_t i = 0; i < listed->count; i++) {
        const CraftyWorldMod *old = &listed->items[i];
        if (crafty_mod_set_find(mods->set, old->name))
            continue;
        note(mods, CRAFTY_MOD_IS_MISSING, old->name, old->version, "");
        crafty_world_mods_set(&mods->list, old);
    }
    for (uint32_t i = 0; i < crafty_mod_set_count(mods->set); i++) {
        const CraftyMod *mod = crafty_mod_set_at(mods->set, i);
        CraftyWorldMod item = {.hash = mod->hash};
        note_running(mods, listed, mod);
        cn_copy_text(item.name, sizeof item.name, cn_text(mod->manifest.name));
        cn_copy_text(item.version, sizeof item.version, cn_text(mod->manifest.version_text));
        if (!crafty_world_mods_set(&mods->running, &item) ||
            !crafty_world_mods_set(&mods->list, &item))
            return too_many(error);
    }
    return true;
}

/* What is recorded goes on in a world, which keeps its missing mods. */
static bool add_missing(CraftySessionMods *mods, const CraftyWorldMods *saved)
{
    for (uint32_t i = 0; i < saved->count; i++)
        if (!crafty_world_mods_find(&mods->list, saved->items[i].name) &&
            !crafty_world_mods_set(&mods->list, &saved->items[i]))
            return false;
    return true;
}

/* A replay needs the very same mods. */
static bool check_recording(const CraftySessionMods *mods, CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES];
    if (mods->difference_count == 0)
        return true;
    crafty_mod_difference_text(&mods->differences[0], text, sizeof text);
    return cn_error_set(error, CN_ERROR_MISMATCH,
                        "the recording was made with other mods, so it would play differently: %s",
                        text);
}

void crafty_mod_difference_text(const CraftyModDifference *difference, char *text,
                                size_t text_bytes)
{
    const char *name = difference->name, *listed = difference->listed;
    switch (difference->change) {
    case CRAFTY_MOD_IS_MISSING:
        cn_format(text, text_bytes, "%s %s does not run", name, listed);
        break;
    case CRAFTY_MOD_IS_OLDER:
    case CRAFTY_MOD_IS_NEWER:
        cn_format(text, text_bytes, "%s is version %s instead of %s", name, difference->running,
                  listed);
        break;
    case CRAFTY_MOD_IS_DIFFERENT:
        cn_format(text, text_bytes, "%s %s has other files", name, difference->running);
        break;
    case CRAFTY_MOD_IS_ADDED:
    default:
        cn_format(text, text_bytes, "%s %s is added", name, difference->running);
    }
}

static void log_differences(const CraftySessionMods *mods)
{
    char text[CN_ERROR_MESSAGE_BYTES];
    for (uint32_t i = 0; i < mods->difference_count; i++) {
        const CraftyModDifference *difference = &mods->differences[i];
        crafty_mod_difference_text(difference, text, sizeof text);
        if (difference->change == CRAFTY_MOD_IS_MISSING)
            CN_LOG_WARNING("mods",
                           "the mod %s; its blocks and items are placeholders until it is "
                           "back, and nothing of it is lost",
                           text);
        else
            CN_LOG_INFO("mods", "the mod %s", text);
    }
}

/* ---- The whole ---- */

/* A mod whose definitions fail is disabled, and stays in the list. */
static bool run(CraftySessionMods *mods, CnError *error)
{
    mods->sources = crafty_mod_sources_create(mods->set, error);
    if (mods->sources)
        mods->code = crafty_mods_create(&(CraftyModsDesc){.sources = mods->sources->items,
                                                          .source_count = mods->sources->count},
                                        error);
    return mods->code != NULL;
}

static bool create(CraftySessionMods *mods, const CraftySessionModsDesc *desc, CnError *error)
{
    static const CraftyWorldMods none;
    const CraftyWorldMods *listed = desc->recorded ? desc->recorded
                                    : desc->save   ? crafty_save_mods(desc->save)
                                                   : &none;
    if (!find_mods(mods, desc, error))
        return false;
    crafty_mod_set_log(mods->set);
    if (!make_list(mods, listed, error) || (desc->recorded && !check_recording(mods, error)) ||
        !run(mods, error))
        return false;
    if (!desc->save)
        return true;
    if (!add_missing(mods, crafty_save_mods(desc->save)))
        return too_many(error);
    if (!desc->recorded)
        log_differences(mods);
    crafty_save_set_mods(desc->save, &mods->list);
    return true;
}

CraftySessionMods *crafty_session_mods_create(const CraftySessionModsDesc *desc, CnError *error)
{
    CraftySessionMods *mods = cn_alloc_zeroed(cn_system_allocator(), sizeof *mods);
    if (!mods) {
        cn_error_memory(error, "the mods");
        return NULL;
    }
    if (create(mods, desc, error))
        return mods;
    crafty_session_mods_destroy(mods);
    return NULL;
}

void crafty_session_mods_destroy(CraftySessionMods *mods)
{
    if (!mods)
        return;
    crafty_mods_destroy(mods->code);
    if (mods->sources)
        crafty_mod_sources_destroy(mods->sources);
    crafty_mod_set_destroy(mods->set);
    cn_free(cn_system_allocator(), mods, sizeof *mods);
}

CraftyMods *crafty_session_mods_code(CraftySessionMods *mods)
{
    return mods->code;
}

const CraftyModSet *crafty_session_mods_set(const CraftySessionMods *mods)
{
    return mods->set;
}

static bool depends_on(const CraftySessionMods *mods, const CraftyMod *mod, const char *name)
{
    for (uint32_t i = 0; i < mod->dependency_count; i++)
        if (strcmp(crafty_mod_set_at(mods->set, mod->dependencies[i])->manifest.name, name) == 0)
            return true;
    return false;
}

/* Measures the changed files. */
static void list_again(CraftySessionMods *mods, const CraftyMod *mod)
{
    CraftyWorldMod item = {0};
    uint64_t bytes;
    cn_copy_text(item.name, sizeof item.name, cn_text(mod->manifest.name));
    cn_copy_text(item.version, sizeof item.version, cn_text(mod->manifest.version_text));
    if (!crafty_mod_measure(mods->set, mod, &bytes, &item.hash, &(CnError){0}))
        item.hash = 0; /* unknown */
    crafty_world_mods_set(&mods->running, &item);
    crafty_world_mods_set(&mods->list, &item);
}

bool crafty_session_mods_reload(CraftySessionMods *mods, CraftySave *save, const char *name,
                                bool *changes_content, CnError *error)
{
    *changes_content = false;
    for (uint32_t i = 0; i < crafty_mod_set_count(mods->set); i++) {
        const CraftyMod *mod = crafty_mod_set_at(mods->set, i);
        bool changes = false;
        bool is_same = strcmp(mod->manifest.name, name) == 0;
        if (!is_same && !depends_on(mods, mod, name))
            continue;
        if (!crafty_mods_reload(mods->code, mod->manifest.name, &changes, error))
            return false;
        *changes_content |= changes;
        if (is_same)
            list_again(mods, mod);
    }
    if (save)
        crafty_save_set_mods(save, &mods->list);
    return true;
}

const CraftyWorldMods *crafty_session_mods_running(const CraftySessionMods *mods)
{
    return &mods->running;
}

uint32_t crafty_session_mods_difference_count(const CraftySessionMods *mods)
{
    return mods->difference_count;
}

const CraftyModDifference *crafty_session_mods_difference(const CraftySessionMods *mods,
                                                          uint32_t number)
{
    return number < mods->difference_count ? &mods->differences[number] : NULL;
}

uint32_t crafty_session_mods_missing(const CraftySessionMods *mods, char *text, size_t text_bytes)
{
    uint32_t count = 0;
    cn_copy_text(text, text_bytes, cn_text(""));
    for (uint32_t i = 0; i < mods->difference_count; i++) {
        const CraftyModDifference *difference = &mods->differences[i];
        size_t size = strlen(text);
        if (difference->change == CRAFTY_MOD_IS_MISSING)
            cn_format(text + size, text_bytes - size, "%s%s %s", count++ ? ", " : "",
                      difference->name, difference->listed);
    }
    return count;
}
