#include "mod_watch.h"

#include "mod_set_internal.h"

#include <cairn/base/log.h>

#include <string.h>

#define MAX_MODS 64u

struct CraftyModWatch {
    const CraftyModSet *set;
    CnFileWatch *files;
    bool has_changed[MAX_MODS]; /* by number in the set */
};

static bool add_folders(CraftyModWatch *watch, CnError *error)
{
    for (uint32_t i = 0; i < crafty_mod_set_count(watch->set) && i < MAX_MODS; i++) {
        const CraftyMod *mod = crafty_mod_set_at(watch->set, i);
        char prefix[CRAFTY_MOD_PATH_BYTES + 1];
        cn_format(prefix, sizeof prefix, "%s/", mod->root);
        if (!mod->is_archive &&
            !cn_file_watch_add(
                watch->files,
                &(CnWatchedFolder){.path = mod->native, .prefix = prefix, .is_recursive = true},
                error))
            return false;
    }
    return true;
}

CraftyModWatch *crafty_mod_watch_create(const CraftyModSet *set, CnError *error)
{
    CraftyModWatch *watch = cn_alloc_zeroed(cn_system_allocator(), sizeof *watch);
    if (!watch) {
        cn_error_memory(error, "the watch of mods");
        return NULL;
    }
    watch->set = set;
    watch->files = cn_file_watch_create(NULL, error);
    if (watch->files && add_folders(watch, error))
        return watch;
    crafty_mod_watch_destroy(watch);
    return NULL;
}

void crafty_mod_watch_destroy(CraftyModWatch *watch)
{
    if (!watch)
        return;
    cn_file_watch_destroy(watch->files);
    cn_free(cn_system_allocator(), watch, sizeof *watch);
}

static void note_change(CraftyModWatch *watch, CnText path)
{
    if (!cn_text_ends_with(path, cn_text(".lua")))
        return;
    for (uint32_t i = 0; i < crafty_mod_set_count(watch->set) && i < MAX_MODS; i++) {
        CnText root = cn_text(crafty_mod_set_at(watch->set, i)->root);
        if (cn_text_starts_with(path, root) && path.size > root.size && path.data[root.size] == '/')
            watch->has_changed[i] = true;
    }
}

bool crafty_mod_watch_poll(CraftyModWatch *watch, uint64_t now_ns)
{
    CnFileChanges changes;
    if (cn_file_watch_poll(watch->files, now_ns, &changes))
        for (uint32_t i = 0; i < changes.count; i++)
            note_change(watch, cn_text(changes.paths[i]));
    for (uint32_t i = 0; i < MAX_MODS; i++)
        if (watch->has_changed[i])
            return true;
    return false;
}

const char *crafty_mod_watch_take(CraftyModWatch *watch)
{
    for (uint32_t i = 0; i < MAX_MODS; i++) {
        if (!watch->has_changed[i])
            continue;
        watch->has_changed[i] = false;
        return crafty_mod_set_at(watch->set, i)->manifest.name;
    }
    return NULL;
}
