#include "installed_mods.h"

#include "enabled_mods.h"
#include "program_mods.h"
#include "session_mods.h"

#include <string.h>

/* ---- The list ---- */

static void describe(CraftyInstalledMod *installed, const CraftyMod *mod,
                     const CraftyEnabledMods *enabled, const char *extra)
{
    const CraftyModManifest *manifest = &mod->manifest;
    memcpy(installed->name, manifest->name, sizeof installed->name);
    memcpy(installed->title, manifest->title, sizeof installed->title);
    memcpy(installed->description, manifest->description, sizeof installed->description);
    cn_copy_text(installed->version, sizeof installed->version, cn_text(manifest->version_text));
    installed->permissions = manifest->permissions;
    installed->is_enabled = crafty_enabled_mods_has(enabled, manifest->name);
    installed->is_extra = extra && strncmp(mod->native, extra, strlen(extra)) == 0;
}

static void load_enabled(CraftyEnabledMods *enabled)
{
    char path[CN_FILE_PATH_BYTES];
    CnError ignored = {0}; /* of the file of choices: then nothing is enabled */
    *enabled = (CraftyEnabledMods){0};
    if (crafty_mods_enabled_path(path, &ignored))
        crafty_enabled_mods_load(enabled, cn_native_files(), path, &ignored);
}

static bool copy(CraftyInstalledMods *mods, const CraftyModSet *set, const char *extra,
                 CnError *error)
{
    CraftyEnabledMods enabled;
    uint32_t count = crafty_mod_set_found_count(set);
    if (count == 0)
        return true;
    mods->items = cn_alloc_zeroed(cn_system_allocator(), count * sizeof *mods->items);
    if (!mods->items)
        return cn_error_memory(error, "the list of mods");
    mods->count = count;
    load_enabled(&enabled);
    for (uint32_t i = 0; i < count; i++)
        describe(&mods->items[i], crafty_mod_set_found(set, i), &enabled, extra);
    return true;
}

bool crafty_installed_mods_list(CraftyInstalledMods *mods, const char *folder, const char *extra,
                                CnError *error)
{
    char program[CN_FILE_PATH_BYTES];
    CraftyModFolder folders[3];
    uint32_t count = 0;
    *mods = (CraftyInstalledMods){0};
    if (crafty_program_mods_folder(program))
        folders[count++] = (CraftyModFolder){.path = program};
    if (folder)
        folders[count++] = (CraftyModFolder){.path = folder};
    if (extra)
        folders[count++] = (CraftyModFolder){.path = extra};
    if (count == 0)
        return true;
    CraftyModSet *set = crafty_mod_set_create(
        &(CraftyModSetDesc){.folders = folders, .folder_count = count}, error);
    bool done = set && copy(mods, set, extra, error);
    crafty_mod_set_destroy(set);
    return done;
}

void crafty_installed_mods_free(CraftyInstalledMods *mods)
{
    cn_free(cn_system_allocator(), mods->items, mods->count * sizeof *mods->items);
    *mods = (CraftyInstalledMods){0};
}

const CraftyInstalledMod *crafty_installed_mods_find(const CraftyInstalledMods *mods,
                                                     const char *name)
{
    for (uint32_t i = 0; i < mods->count; i++)
        if (strcmp(mods->items[i].name, name) == 0)
            return &mods->items[i];
    return NULL;
}

/* ---- Texts ---- */

static void append(char *text, size_t text_bytes, const char *first, const char *second)
{
    size_t size = strlen(text);
    cn_format(text + size, text_bytes - size, "%s%s", first, second);
}

void crafty_permissions_text(uint32_t permissions, char *text, size_t text_bytes)
{
    uint32_t count = 0;
    cn_copy_text(text, text_bytes, cn_text("It adds blocks, items and the like"));
    for (uint32_t i = 0; i < CRAFTY_MOD_PERMISSION_COUNT; i++)
        if (permissions >> i & 1u)
            append(text, text_bytes, count++ ? "; " : ", and it ",
                   crafty_mod_permission_text((CraftyModPermission)i));
    append(text, text_bytes, ".", count ? "" : " It changes nothing else.");
}

void crafty_world_mods_text(const CraftyWorldMods *mods, char *text, size_t text_bytes)
{
    cn_copy_text(text, text_bytes, cn_text(""));
    for (uint32_t i = 0; i < mods->count; i++) {
        if (strlen(text) > text_bytes / 2) {
            size_t size = strlen(text);
            cn_format(text + size, text_bytes - size, " and %u more", mods->count - i);
            return;
        }
        append(text, text_bytes, i ? ", " : "", mods->items[i].name);
    }
}

uint32_t crafty_world_mods_missing(const CraftyWorldMods *mods,
                                   const CraftyInstalledMods *installed, char *text,
                                   size_t text_bytes)
{
    uint32_t count = 0;
    cn_copy_text(text, text_bytes, cn_text(""));
    for (uint32_t i = 0; i < mods->count; i++) {
        if (crafty_installed_mods_find(installed, mods->items[i].name))
            continue;
        append(text, text_bytes, count++ ? ", " : "", mods->items[i].name);
        append(text, text_bytes, " ", mods->items[i].version);
    }
    return count;
}
