#include "mod_set_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/log.h>

#include <string.h>

/* ---- Creating ---- */

static bool measure_all(CraftyModSet *set, CnError *error)
{
    for (uint32_t i = 0; i < set->order.count; i++) {
        CraftyMod *mod = &set->order.items[i]->mod;
        CnError problem = {0};
        if (crafty_mod_measure(set, mod, &mod->size_bytes, &mod->hash, &problem))
            continue;
        if (problem.code == CN_ERROR_MEMORY)
            return cn_error_memory(error, "the mods");
        if (!crafty_mod_set_add_problem(set, mod, NULL, NULL, &problem, true, error))
            return false;
    }
    return true;
}

CraftyModSet *crafty_mod_set_create(const CraftyModSetDesc *desc, CnError *error)
{
    CnError own = {0}, *problem = error ? error : &own;
    CraftyModSet *set = cn_alloc_zeroed(desc->allocator, sizeof *set);
    if (!set) {
        cn_error_memory(problem, "the mods");
        return NULL;
    }
    set->allocator = desc->allocator;
    cn_array_init(&set->found, desc->allocator);
    cn_array_init(&set->order, desc->allocator);
    cn_array_init(&set->problems, desc->allocator);
    set->vfs = cn_vfs_create(&(CnVfsDesc){.allocator = desc->allocator}, problem);
    if (set->vfs && crafty_mod_set_scan(set, desc, problem) &&
        crafty_mod_set_resolve(set, desc, problem) && measure_all(set, problem))
        return set;
    crafty_mod_set_destroy(set);
    return NULL;
}

void crafty_mod_set_destroy(CraftyModSet *set)
{
    if (!set)
        return;
    for (uint32_t i = 0; i < set->found.count; i++)
        cn_free(set->allocator, set->found.items[i], sizeof *set->found.items[i]);
    for (uint32_t i = 0; i < set->problems.count; i++)
        cn_free(set->allocator, set->problems.items[i], sizeof *set->problems.items[i]);
    cn_array_fini(&set->found);
    cn_array_fini(&set->order);
    cn_array_fini(&set->problems);
    cn_vfs_destroy(set->vfs);
    cn_free(set->allocator, set, sizeof *set);
}

bool crafty_mod_set_add_problem(CraftyModSet *set, const CraftyMod *mod, const char *name,
                                const char *native, const CnError *problem, bool is_warning,
                                CnError *error)
{
    CraftyModProblem *own = cn_alloc_zeroed(set->allocator, sizeof *own);
    if (!own || !cn_array_push(&set->problems, own)) {
        cn_free(set->allocator, own, sizeof *own);
        return cn_error_memory(error, "the mods");
    }
    if (mod) {
        name = mod->manifest.name;
        native = mod->native;
    }
    cn_copy_text(own->name, sizeof own->name, cn_text(name ? name : ""));
    cn_copy_text(own->native, sizeof own->native, cn_text(native ? native : ""));
    own->is_warning = is_warning;
    own->error = *problem;
    return true;
}

/* ---- Reading ---- */

CraftyFoundMod *crafty_mod_set_find_found(const CraftyModSet *set, const char *name)
{
    for (uint32_t i = 0; i < set->found.count; i++)
        if (strcmp(set->found.items[i]->mod.manifest.name, name) == 0)
            return set->found.items[i];
    return NULL;
}

uint32_t crafty_mod_set_count(const CraftyModSet *set)
{
    return set->order.count;
}

const CraftyMod *crafty_mod_set_at(const CraftyModSet *set, uint32_t number)
{
    CN_ASSERT(number < set->order.count, "there is no mod %u", number);
    return &set->order.items[number]->mod;
}

const CraftyMod *crafty_mod_set_find(const CraftyModSet *set, const char *name)
{
    const CraftyFoundMod *found = crafty_mod_set_find_found(set, name);
    return found && found->state == CRAFTY_MOD_ORDERED ? &found->mod : NULL;
}

CnFileSystem *crafty_mod_set_files(const CraftyModSet *set)
{
    return cn_vfs_files(set->vfs);
}

uint32_t crafty_mod_set_found_count(const CraftyModSet *set)
{
    return set->found.count;
}

const CraftyMod *crafty_mod_set_found(const CraftyModSet *set, uint32_t number)
{
    CN_ASSERT(number < set->found.count, "there is no mod %u", number);
    return &set->found.items[number]->mod;
}

uint32_t crafty_mod_set_problem_count(const CraftyModSet *set)
{
    return set->problems.count;
}

const CraftyModProblem *crafty_mod_set_problem(const CraftyModSet *set, uint32_t number)
{
    CN_ASSERT(number < set->problems.count, "there is no problem %u", number);
    return set->problems.items[number];
}

void crafty_mod_set_log(const CraftyModSet *set)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    for (uint32_t i = 0; i < set->problems.count; i++) {
        const CraftyModProblem *problem = set->problems.items[i];
        CN_LOG_WARNING("mods", "%s%s%s: %s", problem->name[0] ? "mod " : "",
                       problem->name[0] ? problem->name : problem->native,
                       problem->is_warning ? "" : " does not run",
                       cn_error_text(&problem->error, text, sizeof text));
    }
}
