#include "ecs_model.h"

/* ---- One entity ---- */

static void compare_value(Model *model, const RefEntity *entity, CnComponent component,
                          const CnType *type, uint64_t seed)
{
    uint8_t expected[REF_MAX_VALUE_BYTES], seen[REF_MAX_VALUE_BYTES];
    if (!type->size)
        return;
    reference_value(type, seed, expected);
    EXPECT(cn_read_component(model->world, entity->id, component, seen), "%s cannot be read",
           type->name);
    EXPECT(!memcmp(expected, seen, type->size), "entity %u has another %s",
           cn_entity_index(entity->id), type->name);
}

static void compare_pairs(Model *model, const RefEntity *entity, uint32_t *extra)
{
    for (uint32_t kind = 0; kind < REF_KINDS; kind++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < entity->pair_count; i++) {
            const RefPair *pair = &entity->pairs[i];
            if (pair->kind != kind)
                continue;
            count++;
            CnEntity target = model->reference.entities[pair->target].id;
            CnComponent id = cn_pair_find(model->world, model->kinds[kind], target);
            EXPECT(id.id && cn_has_component(model->world, entity->id, id),
                   "entity %u lacks a pair with %u", cn_entity_index(entity->id),
                   cn_entity_index(target));
            compare_value(model, entity, id, reference_kinds[kind], pair->seed);
        }
        for (uint32_t n = 0; n <= count; n++) {
            CnEntity target = cn_pair_target(model->world, entity->id, model->kinds[kind], n);
            EXPECT(cn_is_alive(model->world, target) == (n < count),
                   "entity %u has another number of pairs", cn_entity_index(entity->id));
        }
        *extra += count + (count > 0);
    }
}

static void compare_family(Model *model, uint32_t position)
{
    const RefEntity *entity = &model->reference.entities[position];
    CnEntity none = {0};
    CnEntity parent =
        entity->parent == REF_NONE ? none : model->reference.entities[entity->parent].id;
    EXPECT(cn_parent(model->world, entity->id).id == parent.id, "entity %u has another parent",
           cn_entity_index(entity->id));
    EXPECT(cn_child_count(model->world, entity->id) == entity->child_count,
           "entity %u has %u children, not %u", cn_entity_index(entity->id),
           cn_child_count(model->world, entity->id), entity->child_count);
    uint32_t depth = 0;
    for (uint32_t up = entity->parent; up != REF_NONE; up = model->reference.entities[up].parent)
        depth++;
    EXPECT(cn_depth(model->world, entity->id) == depth, "entity %u has another depth",
           cn_entity_index(entity->id));
    uint64_t place = 0;
    for (CnEntity child = cn_first_child(model->world, entity->id); child.id;
         child = cn_next_sibling(model->world, child)) {
        uint32_t below = reference_find(&model->reference, child);
        EXPECT(below != REF_NONE && model->reference.entities[below].parent == position,
               "entity %u has a wrong child", cn_entity_index(entity->id));
        EXPECT(model->reference.entities[below].place > place, "children are in another order");
        place = model->reference.entities[below].place;
    }
}

void model_compare_entity(Model *model, uint32_t position)
{
    const RefEntity *entity = &model->reference.entities[position];
    EXPECT(cn_is_alive(model->world, entity->id), "entity %u:%u is dead",
           cn_entity_index(entity->id), cn_entity_generation(entity->id));
    uint32_t count = entity->has_node;
    for (uint32_t c = 0; c < REF_COMPONENTS; c++) {
        bool has = entity->mask >> c & 1u;
        EXPECT(cn_has_component(model->world, entity->id, model->components[c]) == has,
               "entity %u %s %s", cn_entity_index(entity->id), has ? "lacks" : "should not have",
               reference_types[c]->name);
        if (has)
            compare_value(model, entity, model->components[c], reference_types[c],
                          entity->seeds[c]);
        count += has;
    }
    compare_pairs(model, entity, &count);
    uint32_t seen = cn_entity_components(model->world, entity->id, NULL, 0);
    EXPECT(seen == count, "entity %u has %u components, not %u", cn_entity_index(entity->id), seen,
           count);
    compare_family(model, position);
}

/* ---- Queries ---- */

bool model_query_matches(const ModelQuery *query, const RefEntity *entity)
{
    if ((entity->mask & query->all) != query->all || (entity->mask & query->none) ||
        (query->any && !(entity->mask & query->any)))
        return false;
    if (query->pair_kind == REF_NONE)
        return true;
    for (uint32_t i = 0; i < entity->pair_count; i++)
        if (entity->pairs[i].kind == query->pair_kind)
            return true;
    return false;
}

void model_compare_query(Model *model, const ModelQuery *query)
{
    static CnEntity seen[REF_MAX_ENTITIES];
    Reference *reference = &model->reference;
    uint32_t expected = 0, iterated = 0;
    for (uint32_t i = 0; i < reference->live_count; i++) {
        const RefEntity *entity = &reference->entities[reference->live[i]];
        bool matches = model_query_matches(query, entity);
        expected += matches;
        EXPECT(cn_query_matches(query->query, entity->id) == matches,
               "a query is wrong about entity %u", cn_entity_index(entity->id));
    }
    uint32_t count = cn_query_entities(query->query, seen, REF_MAX_ENTITIES);
    EXPECT(count == expected && cn_query_count(query->query) == expected,
           "a query finds %u entities, not %u", count, expected);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t position = reference_find(reference, seen[i]);
        EXPECT(position != REF_NONE && model_query_matches(query, &reference->entities[position]),
               "a query finds a wrong entity");
        EXPECT(i == 0 || cn_entity_index(seen[i - 1]) < cn_entity_index(seen[i]),
               "a query's entities are not in order");
    }
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query->query); cn_query_next(&it, &view);) {
        EXPECT(view.count, "an empty chunk is visited");
        for (uint32_t i = 0; i < view.count; i++)
            EXPECT(cn_query_matches(query->query, view.entities[i]), "a wrong row is visited");
        iterated += view.count;
    }
    EXPECT(iterated == expected, "%u rows are visited, not %u", iterated, expected);
}

/* Chunks may be visited though little changed in them, but nothing that changed may be missed. */
void model_compare_changed(Model *model, const ModelQuery *query, uint64_t since)
{
    static bool visited[REF_MAX_ENTITIES];
    Reference *reference = &model->reference;
    memset(visited, 0, sizeof visited);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter_changed(query->query, since); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            uint32_t position = reference_find(reference, view.entities[i]);
            EXPECT(position != REF_NONE, "a dead entity is visited");
            visited[position] = true;
        }
    uint32_t watched = query->all | query->any;
    for (uint32_t i = 0; i < reference->live_count; i++) {
        const RefEntity *entity = &reference->entities[reference->live[i]];
        const char *changed = entity->moved > since ? "the place" : NULL;
        for (uint32_t c = 0; c < REF_COMPONENTS; c++)
            if (((watched & entity->mask) >> c & 1u) && entity->written[c] > since &&
                reference_types[c]->size)
                changed = reference_types[c]->name;
        EXPECT(!changed || !model_query_matches(query, entity) || visited[reference->live[i]],
               "entity %u changed (%s) and is not visited", cn_entity_index(entity->id), changed);
    }
}

/* ---- Everything ---- */

static void compare_counts(Model *model)
{
    const Reference *reference = &model->reference;
    CnWorldStats stats = cn_world_stats(model->world);
    EXPECT(stats.entities == reference->live_count &&
               cn_entity_count(model->world) == reference->live_count,
           "%u entities are alive, not %u", stats.entities, reference->live_count);
    EXPECT(stats.skipped_commands == reference->skipped, "%llu commands are skipped, not %llu",
           (unsigned long long)stats.skipped_commands, (unsigned long long)reference->skipped);
    EXPECT(stats.failed_commands == reference->failed, "%llu commands failed, not %llu",
           (unsigned long long)stats.failed_commands, (unsigned long long)reference->failed);
    EXPECT(stats.oversize_commands == model->oversize, "%llu commands are oversize, not %llu",
           (unsigned long long)stats.oversize_commands, (unsigned long long)model->oversize);
    EXPECT(stats.dropped_events == model->dropped_events, "%llu events are dropped, not %llu",
           (unsigned long long)stats.dropped_events, (unsigned long long)model->dropped_events);
    EXPECT(model->hooks.added == reference->hooks.added, "on_add was called %llu times, not %llu",
           (unsigned long long)model->hooks.added, (unsigned long long)reference->hooks.added);
    EXPECT(model->hooks.set == reference->hooks.set, "on_set was called %llu times, not %llu",
           (unsigned long long)model->hooks.set, (unsigned long long)reference->hooks.set);
    EXPECT(model->hooks.removed == reference->hooks.removed,
           "on_remove was called %llu times, not %llu", (unsigned long long)model->hooks.removed,
           (unsigned long long)reference->hooks.removed);
}

static void compare_events(Model *model)
{
    EXPECT(cn_event_count(model->channel) == model->event_count, "%u events wait, not %u",
           cn_event_count(model->channel), model->event_count);
    const uint64_t *events = (const uint64_t *)(const void *)model->channel->rows;
    for (uint32_t i = 0; i < model->event_count; i++)
        EXPECT(events[i] == model->events[i], "event %u is another", i);
}

static void compare_tree(Model *model)
{
    CnTreeOrder order;
    EXPECT(cn_tree_order(model->world, &order), "the order of the tree needs memory");
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < model->reference.live_count; i++)
        nodes += model->reference.entities[model->reference.live[i]].has_node;
    EXPECT(order.count == nodes, "the tree has %u nodes, not %u", order.count, nodes);
    for (uint32_t i = 0; i < order.count; i++) {
        uint32_t position = reference_find(&model->reference, order.entities[i]);
        EXPECT(position != REF_NONE, "the tree holds a dead entity");
        uint32_t parent = model->reference.entities[position].parent;
        EXPECT((order.parents[i] == UINT32_MAX) == (parent == REF_NONE), "a wrong root");
        EXPECT(parent == REF_NONE ||
                   (order.parents[i] < i &&
                    order.entities[order.parents[i]].id == model->reference.entities[parent].id.id),
               "the tree's order gives another parent");
    }
}

void model_compare_all(Model *model)
{
    for (uint32_t i = 0; i < model->reference.live_count; i++)
        model_compare_entity(model, model->reference.live[i]);
    for (uint32_t i = 0; i < model->stale_count; i++)
        EXPECT(!cn_is_alive(model->world, model->stale[i]), "a dead id lives again");
    for (uint32_t i = 0; i < model->query_count; i++)
        model_compare_query(model, &model->queries[i]);
    compare_counts(model);
    compare_events(model);
    compare_tree(model);
    if (model->options->check) {
        const char *problem = model->options->check(model->world);
        EXPECT(!problem, "%s", problem);
    }
}

/* ---- The state as a number ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return cn_hash_mix(hash ^ value);
}

static uint64_t hash_values(const Model *model, CnEntity entity, uint64_t hash)
{
    uint8_t value[REF_MAX_VALUE_BYTES];
    for (uint32_t c = 0; c < REF_COMPONENTS; c++) {
        if (!cn_has_component(model->world, entity, model->components[c]))
            continue;
        hash = mix(hash, c + 1);
        if (cn_read_component(model->world, entity, model->components[c], value))
            hash = mix(hash, cn_hash_bytes(value, reference_types[c]->size, 0));
    }
    return hash;
}

/* In the order of the world's rows, so that an order that differs between builds shows. */
uint64_t model_hash(const Model *model)
{
    uint64_t hash = model->options->seed;
    CnQuery *everyone =
        cn_query_acquire(model->world, &(CnQueryDesc){.all = {{.type = NULL}}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(everyone); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CnEntity entity = view.entities[i];
            hash = mix(hash, entity.id);
            hash = mix(hash, cn_parent(model->world, entity).id);
            for (uint32_t kind = 0; kind < REF_KINDS; kind++) {
                CnEntity target;
                for (uint32_t n = 0;
                     (target = cn_pair_target(model->world, entity, model->kinds[kind], n)).id; n++)
                    hash = mix(hash, target.id);
            }
            hash = hash_values(model, entity, hash);
        }
    CnWorldStats stats = cn_world_stats(model->world);
    hash = mix(hash, stats.skipped_commands);
    hash = mix(hash, stats.archetypes);
    hash = mix(hash, stats.chunks);
    hash = mix(hash, cn_world_hash(model->world));
    return mix(hash, model->hooks.added);
}
