/* crafty mod annotations. */
#include "example.h"
#include "run.h"

#include "crafty/sim/mod/mods.h"

#include <cairn/base/console.h>

#include <string.h>

#define ANNOTATIONS ".annotations/crafty.lua" /* hidden: not part of what `pack` writes */
#define SETTINGS ".luarc.json"

bool crafty_mod_write_annotations(const char *folder, CnError *error)
{
    char path[CN_FILE_PATH_BYTES];
    CnTextBuilder text;
    if (!cn_format(path, sizeof path, "%s/" ANNOTATIONS, folder))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the folder is too long");
    cn_array_init(&text, NULL);
    bool done = (cn_lua_write_annotations(crafty_mods_tables(), &text) ||
                 cn_error_memory(error, "the annotations")) &&
                cn_file_make_folder_of(cn_native_files(), path, error) &&
                cn_file_write_all(cn_native_files(), path, text.items, text.count, error);
    cn_array_fini(&text);
    return done;
}

/* Where editors find the annotations. Settings that exist belong to the author. */
static bool write_settings(const char *folder, CnError *error)
{
    char path[CN_FILE_PATH_BYTES];
    CnFileInfo info;
    cn_format(path, sizeof path, "%s/" SETTINGS, folder);
    if (cn_native_files()->info(cn_native_files(), path, &info, &(CnError){0}))
        return true;
    for (const CraftyModExample *file = crafty_mod_example(); file->path; file++)
        if (strcmp(file->path, SETTINGS) == 0)
            return cn_file_write_all(cn_native_files(), path, file->text, strlen(file->text),
                                     error);
    return true;
}

bool crafty_mod_annotations_action(CraftyModRun *run, CnError *error)
{
    const char *folder = run->options->word;
    char manifest[CN_FILE_PATH_BYTES];
    CnFileInfo info;
    if (!cn_format(manifest, sizeof manifest, "%s/" CRAFTY_MOD_FILE, folder) ||
        !cn_native_files()->info(cn_native_files(), manifest, &info, &(CnError){0}))
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "there is no mod in %s: name a folder with a " CRAFTY_MOD_FILE, folder);
    if (!crafty_mod_write_annotations(folder, error) || !write_settings(folder, error))
        return false;
    cn_print("%s/" ANNOTATIONS " describes the functions of this version of the game.", folder);
    return true;
}
