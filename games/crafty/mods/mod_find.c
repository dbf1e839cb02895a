/* Finding mods in folders, and mounting them. */
#include "mod_set_internal.h"

#include <stdlib.h>
#include <string.h>

#define PROBE_PREFIX "mod"

typedef struct Scan {
    CraftyModSet *set;
    const CraftyModSetDesc *desc;
    uint32_t folder;
    CnTextBuilder names; /* of the entries of the folder, each with its terminator */
    uint32_t candidates; /* in all folders */
    CnError *error;
} Scan;

/* ---- One mod ---- */

static bool is_archive_name(const char *name)
{
    return cn_text_ends_with(cn_text(name), cn_text(".zip"));
}

/* What the mod in a broken folder or archive is probably called: its name up to the first
 * character that names of mods do not have. */
static const char *guess_name(const char *native, char name[CRAFTY_MOD_NAME_BYTES])
{
    const char *slash = strrchr(native, '/'), *base = slash ? slash + 1 : native;
    size_t size = strspn(base, "abcdefghijklmnopqrstuvwxyz0123456789_");
    CnText guess = {base, size};
    if (!crafty_mod_name_valid(guess))
        return NULL;
    cn_copy_text(name, CRAFTY_MOD_NAME_BYTES, guess);
    return name;
}

static bool read_manifest(CnFileSystem *files, const char *native, CraftyModManifest *manifest,
                          CnError *error)
{
    CnFileBytes bytes;
    char file[CN_ERROR_FILE_BYTES];
    const char *slash = strrchr(native, '/');
    const char *path = CRAFTY_MOD_SCHEME "://" PROBE_PREFIX "/" CRAFTY_MOD_FILE;
    CnFileInfo info;
    if (!files->info(files, path, &info, error) || info.is_directory)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "it has no " CRAFTY_MOD_FILE " at its top level");
    if (!cn_file_read_all(files, path, NULL, &bytes, error))
        return false;
    cn_format(file, sizeof file, "%s/" CRAFTY_MOD_FILE, slash ? slash + 1 : native);
    bool done = crafty_mod_manifest_read(manifest, file,
                                         (CnText){(const char *)bytes.data, bytes.size}, error);
    cn_file_bytes_free(&bytes);
    path = CRAFTY_MOD_SCHEME "://" PROBE_PREFIX "/" CRAFTY_MOD_ENTRY;
    if (done && (!files->info(files, path, &info, error) || info.is_directory))
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "it has no " CRAFTY_MOD_ENTRY " at its top level");
    return done;
}

/* The name of a mod, and so where it is mounted, is known only after reading its mod.json. */
static bool probe(CnAllocator *allocator, const CraftyMod *mod, CraftyModManifest *manifest,
                  CnError *error)
{
    CnMountDesc mount = {.scheme = CRAFTY_MOD_SCHEME,
                         .native = mod->native,
                         .prefix = PROBE_PREFIX,
                         .origin = mod->origin};
    CnVfs *vfs = cn_vfs_create(&(CnVfsDesc){.allocator = allocator}, error);
    bool done = vfs && cn_vfs_mount_as(vfs, &mount, error) &&
                read_manifest(cn_vfs_files(vfs), mod->native, manifest, error);
    cn_vfs_destroy(vfs);
    return done;
}

static bool report(Scan *scan, const CraftyMod *mod, const CnError *problem, bool is_warning)
{
    char name[CRAFTY_MOD_NAME_BYTES];
    const char *known = mod->manifest.name[0] ? mod->manifest.name : guess_name(mod->native, name);
    return crafty_mod_set_add_problem(scan->set, NULL, known, mod->native, problem, is_warning,
                                      scan->error);
}

/* Warns of the one that is not used, and returns whether it is the new one. */
static bool replaces(Scan *scan, const CraftyFoundMod *old, const CraftyMod *new_mod, bool *failed)
{
    bool is_later = old->folder != scan->folder;
    const CraftyMod *used = is_later ? new_mod : &old->mod, *other = is_later ? &old->mod : new_mod;
    CnError warning = {0};
    cn_error_set(&warning, CN_ERROR_EXISTS, "not used, because '%s' is the same mod", used->native);
    *failed = !report(scan, other, &warning, true);
    return is_later;
}

static bool keep(Scan *scan, const CraftyMod *mod)
{
    CraftyModSet *set = scan->set;
    CraftyFoundMod *old = crafty_mod_set_find_found(set, mod->manifest.name);
    bool failed = false;
    if (old && !replaces(scan, old, mod, &failed))
        return !failed;
    if (failed)
        return false;
    CraftyFoundMod *found = old ? old : cn_alloc_zeroed(set->allocator, sizeof *found);
    if (!old && (!found || !cn_array_push(&set->found, found))) {
        cn_free(set->allocator, found, sizeof *found);
        return cn_error_memory(scan->error, "the mods");
    }
    found->mod = *mod;
    found->folder = scan->folder;
    if (scan->desc->folders[scan->folder].is_enabled)
        found->state = CRAFTY_MOD_WANTED;
    return true;
}

static bool add_candidate(Scan *scan, const char *native)
{
    CnError problem = {0};
    CnOrigin origin = scan->desc->folders[scan->folder].origin;
    CraftyMod *mod = cn_alloc_zeroed(scan->set->allocator, sizeof *mod);
    if (!mod)
        return cn_error_memory(scan->error, "the mods");
    mod->origin = origin ? origin : CN_ORIGIN_FOREIGN;
    mod->is_archive = is_archive_name(native);
    bool done;
    if (!cn_copy_text(mod->native, sizeof mod->native, cn_text(native)))
        cn_error_set(&problem, CN_ERROR_LIMIT, "its path is too long");
    else if (++scan->candidates > CRAFTY_MAX_MODS)
        cn_error_set(&problem, CN_ERROR_LIMIT, "there are more than %u mods", CRAFTY_MAX_MODS);
    else
        probe(scan->set->allocator, mod, &mod->manifest, &problem);
    if (problem.code == CN_ERROR_MEMORY)
        done = cn_error_memory(scan->error, "the mods");
    else
        done = problem.code == CN_OK ? keep(scan, mod) : report(scan, mod, &problem, false);
    cn_free(scan->set->allocator, mod, sizeof *mod);
    return done;
}

/* ---- Folders ---- */

static bool note_entry(const char *name, bool is_directory, void *user)
{
    Scan *scan = user;
    if (name[0] == '.' || (!is_directory && !is_archive_name(name)))
        return true;
    return cn_text_append(&scan->names, (CnText){name, strlen(name) + 1}) ||
           cn_error_memory(scan->error, "the mods");
}

static bool report_folder(Scan *scan, const CnError *problem)
{
    const CraftyModFolder *folder = &scan->desc->folders[scan->folder];
    if (problem->code == CN_ERROR_MEMORY)
        return cn_error_memory(scan->error, "the mods");
    if (problem->code == CN_ERROR_NOT_FOUND && !folder->is_required)
        return true;
    return crafty_mod_set_add_problem(scan->set, NULL, NULL, folder->path, problem, false,
                                      scan->error);
}

static bool add_entries(Scan *scan, const char *folder)
{
    char native[CN_FILE_PATH_BYTES + 256];
    for (uint32_t at = 0; at < scan->names.count;) {
        const char *name = scan->names.items + at;
        cn_format(native, sizeof native, "%s/%s", folder, name);
        if (!add_candidate(scan, native))
            return false;
        at += (uint32_t)strlen(name) + 1;
    }
    return true;
}

/* A folder with a mod.json is a mod; others contain mods. */
static bool scan_folder(Scan *scan)
{
    const char *folder = scan->desc->folders[scan->folder].path;
    char manifest[CN_FILE_PATH_BYTES];
    CnFileSystem *files = cn_native_files();
    CnFileInfo info;
    CnError problem = {0}, ignored = {0};
    if ((cn_format(manifest, sizeof manifest, "%s/" CRAFTY_MOD_FILE, folder) &&
         files->info(files, manifest, &info, &ignored)) ||
        is_archive_name(folder))
        return add_candidate(scan, folder);
    scan->names.count = 0;
    scan->error->code = CN_OK;
    if (!files->list(files, folder, note_entry, scan, &problem))
        return report_folder(scan, &problem);
    return scan->error->code == CN_OK && add_entries(scan, folder);
}

static int compare_found(const void *a, const void *b)
{
    const CraftyFoundMod *const *first = a, *const *second = b;
    return strcmp((*first)->mod.manifest.name, (*second)->mod.manifest.name);
}

static bool mount(CraftyModSet *set, CraftyFoundMod *found, CnError *error)
{
    CraftyMod *mod = &found->mod;
    CnError problem = {0};
    const char *name = mod->manifest.name;
    cn_format(mod->root, sizeof mod->root, CRAFTY_MOD_SCHEME "://%s", name);
    cn_format(mod->entry, sizeof mod->entry, CRAFTY_MOD_SCHEME "://%s/" CRAFTY_MOD_ENTRY, name);
    if (cn_vfs_mount_as(set->vfs,
                        &(CnMountDesc){.scheme = CRAFTY_MOD_SCHEME,
                                       .native = mod->native,
                                       .prefix = name,
                                       .origin = mod->origin},
                        &problem))
        return true;
    if (problem.code == CN_ERROR_MEMORY)
        return cn_error_memory(error, "the mods");
    found->state = CRAFTY_MOD_FAILED;
    return crafty_mod_set_add_problem(set, mod, NULL, NULL, &problem, false, error);
}

bool crafty_mod_set_scan(CraftyModSet *set, const CraftyModSetDesc *desc, CnError *error)
{
    Scan scan = {.set = set, .desc = desc, .error = error};
    bool done = true;
    cn_array_init(&scan.names, set->allocator);
    for (uint32_t i = 0; i < desc->folder_count && done; i++) {
        scan.folder = i;
        done = scan_folder(&scan);
    }
    cn_array_fini(&scan.names);
    if (set->found.count > 0)
        qsort(set->found.items, set->found.count, sizeof *set->found.items, compare_found);
    for (uint32_t i = 0; i < set->found.count && done; i++)
        done = mount(set, set->found.items[i], error);
    return done;
}
