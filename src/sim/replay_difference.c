#include "sim/replay_format.h"

/* The most informative kind of difference comes first. */
typedef enum Rank {
    RANK_ONE_ENTITY_THERE, /* one entity exists on one side only */
    RANK_ONE_VALUE,        /* one entity has a different value */
    RANK_RESOURCE,
    RANK_MANY,
    RANK_NONE,
} Rank;

/* A component that differs. */
typedef struct Departure {
    Rank rank;
    char name[CN_MAX_NAME_BYTES];
    CnFingerprint here, there;
    uint32_t index; /* of the one entity */
} Departure;

typedef struct Search {
    const CnReplay *replay;
    const CnWorld *world;
    CnFingerprint *recorded; /* by number */
    Departure best;
    uint32_t others;
    char also[128]; /* names of the other components that differ */
} Search;

/* ---- Comparing ---- */

static Rank rank_of(Departure *departure, bool is_entities)
{
    const CnFingerprint *here = &departure->here, *there = &departure->there;
    if (cn_fingerprint_equal(here, there))
        return RANK_NONE;
    if (cn_fingerprint_locate(here, there, &departure->index))
        return is_entities ? RANK_ONE_ENTITY_THERE : RANK_ONE_VALUE;
    bool same_rows =
        here->count == there->count && memcmp(here->sums, there->sums, sizeof here->sums) == 0;
    return same_rows ? RANK_RESOURCE : RANK_MANY;
}

static void mention(Search *search, const char *name)
{
    size_t used = strlen(search->also);
    cn_format(search->also + used, sizeof search->also - used, "%s%s", used ? ", " : "",
              name[0] ? name : "entities");
    search->others++;
}

static void consider(Search *search, Departure *departure, bool is_entities)
{
    departure->rank = rank_of(departure, is_entities);
    if (departure->rank == RANK_NONE)
        return;
    if (departure->rank < search->best.rank) {
        if (search->best.rank != RANK_NONE)
            mention(search, search->best.name);
        search->best = *departure;
    } else {
        mention(search, departure->name);
    }
}

static void compare_entities(Search *search)
{
    Departure departure = {.there = search->recorded[0]};
    cn_world_fingerprint_component(search->world, (CnComponent){0}, &departure.here);
    consider(search, &departure, true);
}

/* Zeroes the matching entries of the recording. */
static void compare_component(Search *search, CnComponent component)
{
    CnComponentInfo info;
    if (!cn_component_info(search->world, component, &info) || info.pair_kind.id)
        return;
    Departure departure = {0};
    cn_copy_text(departure.name, sizeof departure.name, cn_text(info.name));
    cn_world_fingerprint_component(search->world, component, &departure.here);
    uint64_t hash = cn_hash_keyed(info.name, strlen(info.name), 0);
    const uint32_t *number = cn_hash_map_get(&search->replay->component_by_hash, hash);
    if (number) {
        departure.there = search->recorded[*number];
        search->recorded[*number] = (CnFingerprint){0};
    }
    consider(search, &departure, false);
}

static void compare_rest(Search *search)
{
    const CnReplay *replay = search->replay;
    for (uint32_t i = 1; i < replay->components.count; i++) {
        Departure departure = {.there = search->recorded[i]};
        cn_copy_text(departure.name, sizeof departure.name, replay->components.items[i]);
        consider(search, &departure, false);
    }
}

/* ---- Description ---- */

/* Writes "entity 12:3", without the generation if the entity does not exist here. */
static void name_entity(char *text, size_t bytes, CnEntity entity)
{
    if (cn_entity_generation(entity))
        cn_format(text, bytes, "entity %u:%u", cn_entity_index(entity),
                  cn_entity_generation(entity));
    else
        cn_format(text, bytes, "entity %u", cn_entity_index(entity));
}

static void say_one_entity(const Departure *best, const CnReplayDifference *difference, char *text,
                           size_t bytes)
{
    char entity[40];
    name_entity(entity, sizeof entity, difference->entity);
    const char *name = best->name[0] ? best->name : NULL;
    if (best->here.count == best->there.count)
        cn_format(text, bytes, name ? "%s has a different %s" : "%s has a different generation",
                  entity, name);
    else if (best->here.count > best->there.count)
        cn_format(text, bytes, name ? "%s has an additional %s" : "%s did not exist", entity, name);
    else
        cn_format(text, bytes, name ? "%s lacks its %s" : "%s is missing", entity, name);
}

static void say(const Search *search, CnReplayDifference *difference)
{
    const Departure *best = &search->best;
    char what[160], start[120] = "";
    if (best->rank == RANK_ONE_ENTITY_THERE || best->rank == RANK_ONE_VALUE)
        say_one_entity(best, difference, what, sizeof what);
    else if (best->rank == RANK_RESOURCE)
        cn_format(what, sizeof what, "the resource %s differs", best->name);
    else if (best->rank == RANK_MANY && best->name[0])
        cn_format(what, sizeof what, "%s differs in more than one entity", best->name);
    else if (best->rank == RANK_MANY)
        cn_format(what, sizeof what, "different entities exist");
    else if (search->replay->has_components)
        cn_format(what, sizeof what, "the order of rows, of free entities or of resources differs");
    else
        cn_format(what, sizeof what, "the state differs (recorded without components)");
    if (difference->at_start && difference->tick == search->replay->info.first_tick)
        cn_format(start, sizeof start, "%s",
                  " The states differed before playback: different settings or another build?");
    cn_format(difference->text, sizeof difference->text, "%s tick %llu: %s%s%s.%s",
              difference->at_start ? "before" : "after", (unsigned long long)difference->tick, what,
              search->others ? "; also differ: " : "", search->also, start);
}

static void fill(const Search *search, CnReplayDifference *difference)
{
    const Departure *best = &search->best;
    difference->found = true;
    cn_copy_text(difference->component, sizeof difference->component, cn_text(best->name));
    difference->has_entity = best->rank <= RANK_ONE_VALUE;
    if (difference->has_entity) {
        CnEntity living = cn_entity_at(search->world, best->index);
        difference->entity = living.id ? living : cn_entity_make(best->index, 0);
    }
    say(search, difference);
}

bool cni_sim_replay_describe(const CnReplay *replay, const CnSim *sim, uint64_t tick,
                             CnReplayDifference *difference, CnError *error)
{
    size_t bytes = replay->components.count * sizeof(CnFingerprint);
    Search search = {.replay = replay, .world = sim->world, .best = {.rank = RANK_NONE}};
    difference->tick = difference->at_start ? cn_sim_tick(sim) : tick;
    if (replay->has_components) {
        search.recorded = cn_alloc_zeroed(replay->allocator, bytes);
        if (!search.recorded)
            return cn_error_memory(error, "a difference");
        cni_sim_replay_apply_state(cni_sim_replay_state(replay, UINT64_MAX), search.recorded);
        for (uint64_t t = replay->info.first_tick; tick != UINT64_MAX && t <= tick; t++)
            cni_sim_replay_apply_state(cni_sim_replay_state(replay, t), search.recorded);
        compare_entities(&search);
        for (CnComponent id = {1}; id.id <= cn_component_limit(sim->world); id.id++)
            compare_component(&search, id);
        compare_rest(&search);
    }
    fill(&search, difference);
    cn_free(replay->allocator, search.recorded, bytes);
    return true;
}
