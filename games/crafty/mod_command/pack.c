/* crafty mod pack. */
#include "run.h"

#include "crafty/mods/zip_write.h"

#include <cairn/base/console.h>

#include <inttypes.h>
#include <string.h>

/* The set contains `folder` and nothing else. */
static CraftyModSet *open_mod(const char *folder, CnError *error)
{
    CraftyModFolder only = {.path = folder, .is_enabled = true, .is_required = true};
    return crafty_mod_set_create(&(CraftyModSetDesc){.folders = &only, .folder_count = 1}, error);
}

/* Returns the mod, also if other mods that it needs are missing here. */
static const CraftyMod *need_mod(const CraftyModSet *set, const char *folder, CnError *error)
{
    if (crafty_mod_set_found_count(set) == 1)
        return crafty_mod_set_found(set, 0);
    if (crafty_mod_set_found_count(set) > 1)
        cn_error_set(error, CN_ERROR_FORMAT, "%s contains several mods: pack them one by one",
                     folder);
    else if (crafty_mod_set_problem_count(set) > 0)
        *error = crafty_mod_set_problem(set, 0)->error;
    else
        cn_error_set(error, CN_ERROR_NOT_FOUND, "%s has no " CRAFTY_MOD_FILE ": it is not a mod",
                     folder);
    return NULL;
}

/* Reads the archive again and compares what is in it. */
static bool verify(const char *archive, uint64_t hash, CnError *error)
{
    CraftyModSet *set = open_mod(archive, error);
    const CraftyMod *mod = set ? need_mod(set, archive, error) : NULL;
    uint64_t size, packed = 0;
    bool done = mod && crafty_mod_measure(set, mod, &size, &packed, error);
    if (done && packed != hash)
        done =
            cn_error_set(error, CN_ERROR_MISMATCH,
                         "%s differs from the folder: do not change files while packing", archive);
    crafty_mod_set_destroy(set);
    return done;
}

static bool write_archive(const CraftyModSet *set, const CraftyMod *mod, const char *archive,
                          uint32_t *file_count, CnError *error)
{
    CnFileSystem *files = crafty_mod_set_files(set);
    CraftyPackageFiles list;
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    bool done = crafty_package_files_list(files, mod->root, NULL, &list, error) &&
                crafty_zip_write(files, mod->root, &list, &bytes, error) &&
                cn_file_write_all(cn_native_files(), archive, bytes.items, bytes.count, error);
    *file_count = list.count;
    crafty_package_files_free(&list);
    cn_array_fini(&bytes);
    return done;
}

static bool pack(const CraftyModRun *run, const CraftyModSet *set, const CraftyMod *mod,
                 CnError *error)
{
    char archive[CN_FILE_PATH_BYTES];
    uint64_t size, hash;
    uint32_t count;
    const char *output = run->options->output;
    if (mod->is_archive)
        return cn_error_set(error, CN_ERROR_FORMAT, "%s already is an archive", mod->native);
    if (output && !cn_text_ends_with(cn_text(output), cn_text(".zip")))
        return cn_error_set(error, CN_ERROR_FORMAT, "the name in --output must end with .zip");
    if (output ? !cn_copy_text(archive, sizeof archive, cn_text(output))
               : !cn_format(archive, sizeof archive, "%s-%s.zip", mod->manifest.name,
                            mod->manifest.version_text))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path in --output is too long");
    if (!crafty_mod_measure(set, mod, &size, &hash, error) ||
        !write_archive(set, mod, archive, &count, error) || !verify(archive, hash, error))
        return false;
    cn_print("%s: %u files, %" PRIu64 " bytes, hash %016" PRIx64, archive, count, size, hash);
    return true;
}

bool crafty_mod_pack_action(CraftyModRun *run, CnError *error)
{
    CraftyModSet *set = open_mod(run->options->word, error);
    const CraftyMod *mod = set ? need_mod(set, run->options->word, error) : NULL;
    bool done = mod && pack(run, set, mod, error);
    crafty_mod_set_destroy(set);
    return done;
}
