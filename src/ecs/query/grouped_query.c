/* Grouped queries: archetypes are visited in the order of a number. */
#include "ecs/world/world_internal.h"

typedef struct QueryGroup {
    uint64_t number;
    CniEcsArchetypeHead *archetype;
    const CniEcsQueryColumn *columns;
} QueryGroup;

struct CnGroupedQuery {
    CnWorld *world;
    CnQuery *query;
    CnComponent pair_kind;
    CnGroupFn group_of;
    void *user;
    CN_ARRAY(QueryGroup) groups;      /* in order of number, then of creation */
    CN_ARRAY(CnComponent) components; /* scratch */
    uint32_t matches_version;         /* version of the query's matches in `groups` */
    bool is_current;                  /* `groups` has been built */
};

static bool number_of(CnGroupedQuery *grouped, const CniEcsArchetype *archetype, uint64_t *number)
{
    const CnWorld *world = grouped->world;
    *number = 0;
    if (!grouped->pair_kind.id) {
        cn_array_clear(&grouped->components);
        if (!cn_array_reserve(&grouped->components, archetype->id_count))
            return false;
        for (uint32_t i = 0; i < archetype->id_count; i++)
            grouped->components.items[i] = (CnComponent){archetype->ordered[i]};
        *number =
            grouped->group_of(world, grouped->components.items, archetype->id_count, grouped->user);
        return true;
    }
    for (uint32_t i = 0; i < archetype->id_count; i++) {
        const CnComponentInfo *info = &world->components.items[archetype->ordered[i]].info;
        if (info->pair_kind.id != grouped->pair_kind.id)
            continue;
        *number = (uint64_t)cn_entity_index(info->pair_target) << 32 |
                  cn_entity_generation(info->pair_target);
        return true;
    }
    return true;
}

/* Matches are in order of creation, and a stable sort keeps this order within a group. */
static bool make_groups(CnGroupedQuery *grouped)
{
    const CniEcsQueryHead *query = &grouped->query->head;
    if (!cn_array_reserve(&grouped->groups, query->match_count))
        return false;
    grouped->is_current = false;
    grouped->groups.count = 0;
    for (uint32_t m = 0; m < query->match_count; m++) {
        const CniEcsQueryMatch *match = cni_ecs_match(query, m);
        uint64_t number;
        if (!number_of(grouped, cni_ecs_match_archetype(grouped->query, m), &number))
            return false;
        QueryGroup *groups = grouped->groups.items;
        uint32_t begin = 0, end = m;
        while (begin < end) {
            uint32_t middle = begin + (end - begin) / 2;
            if (groups[middle].number <= number)
                begin = middle + 1;
            else
                end = middle;
        }
        memmove(groups + begin + 1, groups + begin, (m - begin) * sizeof *groups);
        groups[begin] = (QueryGroup){number, match->archetype, cni_ecs_match_columns(match)};
        grouped->groups.count++;
    }
    grouped->matches_version = grouped->query->matches_version;
    grouped->is_current = true;
    return true;
}

static bool update(CnGroupedQuery *grouped)
{
    if (grouped->is_current && grouped->matches_version == grouped->query->matches_version)
        return true;
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave iterates a grouped query that has new archetypes");
    if (make_groups(grouped))
        return true;
    CN_LOG_ERROR("ecs", "out of memory: a grouped query visits nothing");
    return false;
}

CnGroupedIter cn_grouped_iter(CnGroupedQuery *grouped)
{
    CN_ASSERT(grouped, "%s: grouped is NULL", __func__);
    bool is_current = update(grouped);
    return (CnGroupedIter){.grouped = grouped,
                           .end = is_current ? grouped->groups.count : 0,
                           .structure = grouped->world->head.structure};
}

/* Returns the index of the first group whose number is at least, or greater than, the given one. */
static uint32_t find_group(const CnGroupedQuery *grouped, uint64_t number, bool more)
{
    uint32_t begin = 0, end = grouped->groups.count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        uint64_t found = grouped->groups.items[middle].number;
        if (found < number || (more && found == number))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

CnGroupedIter cn_grouped_iter_group(CnGroupedQuery *grouped, uint64_t group)
{
    CN_ASSERT(grouped, "%s: grouped is NULL", __func__);
    CnGroupedIter it = cn_grouped_iter(grouped);
    if (it.end) {
        it.next = find_group(grouped, group, false);
        it.end = find_group(grouped, group, true);
    }
    return it;
}

bool cn_grouped_next(CnGroupedIter *it, CnChunkView *view, uint64_t *group)
{
    CN_ASSERT(it, "%s: it is NULL", __func__);
    const CniEcsWorldHead *world = &it->grouped->world->head;
    CN_ASSERT(it->structure == world->structure,
              "the world's structure changed while a grouped query was iterated; use commands");
    if (it->structure != world->structure)
        return false;
    while (it->next < it->end) {
        const QueryGroup *at = &it->grouped->groups.items[it->next];
        const CniEcsArchetypeHead *archetype = at->archetype;
        if (it->chunk == archetype->chunk_count) {
            it->chunk = 0;
            it->next++;
            continue;
        }
        const CniEcsChunk *chunk = &world->chunks[archetype->chunk_ids[it->chunk]];
        *view = cni_ecs_chunk_view(&it->grouped->query->head, at->columns, chunk);
        if (group)
            *group = at->number;
        it->chunk++;
        return true;
    }
    return false;
}

CnGroupedQuery *cn_grouped_query_create(CnWorld *world, const CnGroupedQueryDesc *desc,
                                        CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    CN_ASSERT(desc->pair_kind.id || desc->group_of, "a grouped query has nothing to group by");
    if (!desc->pair_kind.id && !desc->group_of) {
        cn_error_set(error, CN_ERROR_FORMAT,
                     "a grouped query needs a kind of pairs or a function to group by");
        return NULL;
    }
    CnQuery *query = cn_query_acquire(world, &desc->query, error);
    if (!query)
        return NULL;
    CnGroupedQuery *grouped = cn_alloc_zeroed(world->allocator, sizeof *grouped);
    if (!grouped) {
        cn_query_release(query);
        cn_error_memory(error, "a grouped query");
        return NULL;
    }
    *grouped = (CnGroupedQuery){.world = world,
                                .query = query,
                                .pair_kind = desc->pair_kind,
                                .group_of = desc->group_of,
                                .user = desc->user};
    cn_array_init(&grouped->groups, world->allocator);
    cn_array_init(&grouped->components, world->allocator);
    return grouped;
}

void cn_grouped_query_destroy(CnGroupedQuery *grouped)
{
    if (!grouped)
        return;
    CnAllocator *allocator = grouped->world->allocator;
    cn_query_release(grouped->query);
    cn_array_fini(&grouped->groups);
    cn_array_fini(&grouped->components);
    cn_free(allocator, grouped, sizeof *grouped);
}
