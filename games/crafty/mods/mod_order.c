/* Which mods run, and in which order. All loops are over mods in byte order of their names, so the
 * result depends on nothing else. */
#include "mod_set_internal.h"

#include <string.h>

typedef struct Resolver {
    CraftyModSet *set;
    CnError *error; /* out of memory */
} Resolver;

static bool fail(Resolver *resolver, CraftyFoundMod *found, const CnError *problem)
{
    found->state = CRAFTY_MOD_FAILED;
    return crafty_mod_set_add_problem(resolver->set, &found->mod, NULL, NULL, problem, false,
                                      resolver->error);
}

/* ---- What is wanted ---- */

/* Returns whether a problem already says why the mod does not run. */
static bool has_problem(const CraftyModSet *set, const char *name)
{
    for (uint32_t i = 0; i < set->problems.count; i++)
        if (!set->problems.items[i]->is_warning && !strcmp(set->problems.items[i]->name, name))
            return true;
    return false;
}

static bool want_enabled(Resolver *resolver, const CraftyModSetDesc *desc)
{
    for (uint32_t i = 0; i < desc->enabled_count; i++) {
        const char *name = desc->enabled[i];
        CraftyFoundMod *found = crafty_mod_set_find_found(resolver->set, name);
        CnError problem = {0};
        cn_error_set(&problem, CN_ERROR_NOT_FOUND, "it is not installed");
        if (found && found->state == CRAFTY_MOD_UNUSED)
            found->state = CRAFTY_MOD_WANTED;
        else if (!found && !has_problem(resolver->set, name) &&
                 !crafty_mod_set_add_problem(resolver->set, NULL, name, NULL, &problem, false,
                                             resolver->error))
            return false;
    }
    return true;
}

/* What wanted mods need is wanted, too. */
static void want_needed(CraftyModSet *set)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < set->found.count; i++) {
            const CraftyFoundMod *found = set->found.items[i];
            const CraftyModManifest *manifest = &found->mod.manifest;
            for (uint32_t r = 0; r < manifest->relation_count; r++) {
                CraftyFoundMod *other =
                    manifest->relations[r].kind == CRAFTY_MOD_NEEDS
                        ? crafty_mod_set_find_found(set, manifest->relations[r].name)
                        : NULL;
                if (found->state != CRAFTY_MOD_WANTED || !other ||
                    other->state != CRAFTY_MOD_UNUSED)
                    continue;
                other->state = CRAFTY_MOD_WANTED;
                changed = true;
            }
        }
    }
}

/* ---- What cannot run ---- */

static bool check_game(Resolver *resolver, CraftyFoundMod *found)
{
    CraftyVersion own;
    CnError problem = {0};
    crafty_version_parse(&own, cn_text(CRAFTY_MOD_API_VERSION), NULL);
    if (crafty_range_contains(&found->mod.manifest.game, &own))
        return true;
    cn_error_set(&problem, CN_ERROR_VERSION,
                 "it is made for version %s of Crafty's interface for mods, and this is %s: use "
                 "another version of the mod",
                 found->mod.manifest.game.text, CRAFTY_MOD_API_VERSION);
    return fail(resolver, found, &problem);
}

static bool check_conflict(Resolver *resolver, CraftyFoundMod *found,
                           const CraftyModRelation *relation)
{
    const CraftyFoundMod *other = crafty_mod_set_find_found(resolver->set, relation->name);
    CnError problem = {0};
    if (relation->kind != CRAFTY_MOD_CONFLICTS_WITH || !other ||
        other->state == CRAFTY_MOD_UNUSED ||
        !crafty_range_contains(&relation->range, &other->mod.manifest.version))
        return true;
    cn_error_set(&problem, CN_ERROR_MISMATCH, "it does not work together with %s %s: disable one",
                 relation->name, other->mod.manifest.version_text);
    return fail(resolver, found, &problem);
}

/* Sets the problem with a mod that is needed. Returns whether there is one. */
static bool find_lack(const CraftyModSet *set, const CraftyModRelation *relation, CnError *problem)
{
    const CraftyFoundMod *other = crafty_mod_set_find_found(set, relation->name);
    if (!other)
        cn_error_set(problem, CN_ERROR_NOT_FOUND, "it needs %s %s, which is not installed",
                     relation->name, relation->range.text);
    else if (!crafty_range_contains(&relation->range, &other->mod.manifest.version))
        cn_error_set(problem, CN_ERROR_VERSION, "it needs %s %s, and %s is installed",
                     relation->name, relation->range.text, other->mod.manifest.version_text);
    else if (other->state == CRAFTY_MOD_FAILED)
        cn_error_set(problem, CN_ERROR_NOT_FOUND, "it needs %s, which does not run",
                     relation->name);
    return problem->code != CN_OK;
}

/* A mod that fails lets those fail that need it, until nothing changes. */
static bool fail_dependents(Resolver *resolver)
{
    CraftyModSet *set = resolver->set;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < set->found.count; i++) {
            CraftyFoundMod *found = set->found.items[i];
            const CraftyModManifest *manifest = &found->mod.manifest;
            for (uint32_t r = 0; r < manifest->relation_count; r++) {
                CnError problem = {0};
                if (found->state != CRAFTY_MOD_WANTED ||
                    manifest->relations[r].kind != CRAFTY_MOD_NEEDS ||
                    !find_lack(set, &manifest->relations[r], &problem))
                    continue;
                changed = true;
                if (!fail(resolver, found, &problem))
                    return false;
            }
        }
    }
    return true;
}

/* An optional mod of another version is not used by this one. */
static bool warn_of_versions(Resolver *resolver, const CraftyFoundMod *found)
{
    const CraftyModManifest *manifest = &found->mod.manifest;
    for (uint32_t r = 0; r < manifest->relation_count; r++) {
        const CraftyModRelation *relation = &manifest->relations[r];
        const CraftyFoundMod *other = crafty_mod_set_find_found(resolver->set, relation->name);
        CnError problem = {0};
        if (relation->kind != CRAFTY_MOD_OPTIONAL || !other || other->state != CRAFTY_MOD_WANTED ||
            crafty_range_contains(&relation->range, &other->mod.manifest.version))
            continue;
        cn_error_set(&problem, CN_ERROR_VERSION, "it can use %s %s, and %s is installed",
                     relation->name, relation->range.text, other->mod.manifest.version_text);
        if (!crafty_mod_set_add_problem(resolver->set, &found->mod, NULL, NULL, &problem, true,
                                        resolver->error))
            return false;
    }
    return true;
}

static bool check_each(Resolver *resolver)
{
    CraftyModSet *set = resolver->set;
    for (uint32_t i = 0; i < set->found.count; i++)
        if (set->found.items[i]->state == CRAFTY_MOD_WANTED &&
            !check_game(resolver, set->found.items[i]))
            return false;
    for (uint32_t i = 0; i < set->found.count; i++) {
        CraftyFoundMod *found = set->found.items[i];
        for (uint32_t r = 0; r < found->mod.manifest.relation_count; r++)
            if (found->state == CRAFTY_MOD_WANTED &&
                !check_conflict(resolver, found, &found->mod.manifest.relations[r]))
                return false;
    }
    return fail_dependents(resolver);
}

/* ---- The order ---- */

/* Returns the mod that comes before this one because of the relation, or NULL. */
static CraftyFoundMod *before(const CraftyModSet *set, const CraftyModRelation *relation)
{
    CraftyFoundMod *other = crafty_mod_set_find_found(set, relation->name);
    bool runs = other && (other->state == CRAFTY_MOD_WANTED || other->state == CRAFTY_MOD_ORDERED);
    return runs && relation->kind != CRAFTY_MOD_CONFLICTS_WITH &&
                   crafty_range_contains(&relation->range, &other->mod.manifest.version)
               ? other
               : NULL;
}

/* Returns the first mod that must come before this one and has no place yet, or NULL. */
static CraftyFoundMod *blocker(const CraftyModSet *set, const CraftyFoundMod *found)
{
    for (uint32_t r = 0; r < found->mod.manifest.relation_count; r++) {
        CraftyFoundMod *other = before(set, &found->mod.manifest.relations[r]);
        if (other && other->state == CRAFTY_MOD_WANTED)
            return other;
    }
    return NULL;
}

static bool place(Resolver *resolver, CraftyFoundMod *found)
{
    CraftyModSet *set = resolver->set;
    CraftyMod *mod = &found->mod;
    for (uint32_t r = 0; r < mod->manifest.relation_count; r++) {
        const CraftyFoundMod *other = before(set, &mod->manifest.relations[r]);
        if (other)
            mod->dependencies[mod->dependency_count++] = other->number;
    }
    found->state = CRAFTY_MOD_ORDERED;
    found->number = set->order.count;
    return cn_array_push(&set->order, found) || cn_error_memory(resolver->error, "the mods");
}

/* Places the first mod that waits for no other. *is_placed is false if there is none. */
static bool place_next(Resolver *resolver, bool *is_placed)
{
    CraftyModSet *set = resolver->set;
    *is_placed = false;
    for (uint32_t i = 0; i < set->found.count; i++) {
        CraftyFoundMod *found = set->found.items[i];
        if (found->state != CRAFTY_MOD_WANTED || blocker(set, found))
            continue;
        *is_placed = true;
        return place(resolver, found);
    }
    return true;
}

static CraftyFoundMod *first_wanted(const CraftyModSet *set)
{
    for (uint32_t i = 0; i < set->found.count; i++)
        if (set->found.items[i]->state == CRAFTY_MOD_WANTED)
            return set->found.items[i];
    return NULL;
}

typedef struct Cycle {
    CraftyFoundMod *mods[CRAFTY_MAX_MODS];
    uint32_t count;
} Cycle;

/* All mods that are left wait for others, so whoever follows these comes into a cycle. */
static void find_cycle(const CraftyModSet *set, Cycle *cycle)
{
    CraftyFoundMod *at = first_wanted(set);
    for (uint32_t i = 0; i < set->found.count; i++)
        at = blocker(set, at);
    cycle->count = 0;
    do {
        cycle->mods[cycle->count++] = at;
        at = blocker(set, at);
    } while (at != cycle->mods[0]);
}

static bool fail_cycle(Resolver *resolver)
{
    Cycle cycle;
    CnError problem = {0};
    char chain[CN_ERROR_MESSAGE_BYTES];
    find_cycle(resolver->set, &cycle);
    cn_copy_text(chain, sizeof chain, cn_text(cycle.mods[0]->mod.manifest.name));
    for (uint32_t i = 0; i < cycle.count; i++) {
        const CraftyFoundMod *next = cycle.mods[(i + 1) % cycle.count];
        size_t size = strlen(chain);
        cn_format(chain + size, sizeof chain - size, "%s needs %s", i ? ", which" : "",
                  next->mod.manifest.name);
    }
    cn_error_set(&problem, CN_ERROR_CYCLE, "its dependencies form a cycle: %s", chain);
    for (uint32_t i = 0; i < cycle.count; i++)
        if (!fail(resolver, cycle.mods[i], &problem))
            return false;
    return fail_dependents(resolver);
}

bool crafty_mod_set_resolve(CraftyModSet *set, const CraftyModSetDesc *desc, CnError *error)
{
    Resolver resolver = {set, error};
    if (!want_enabled(&resolver, desc))
        return false;
    want_needed(set);
    if (!check_each(&resolver))
        return false;
    for (uint32_t i = 0; i < set->found.count; i++)
        if (set->found.items[i]->state == CRAFTY_MOD_WANTED &&
            !warn_of_versions(&resolver, set->found.items[i]))
            return false;
    while (first_wanted(set)) {
        bool is_placed;
        if (!place_next(&resolver, &is_placed) || (!is_placed && !fail_cycle(&resolver)))
            return false;
    }
    return true;
}
