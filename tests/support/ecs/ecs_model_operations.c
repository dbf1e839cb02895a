#include "ecs_model.h"

static uint32_t some_component(Model *model)
{
    return below(model, REF_COMPONENTS);
}

/* ---- Immediate operations ---- */

static void spawn_one(Model *model)
{
    RefValue values[8];
    ModelValues made;
    uint32_t count = model_some_values(model, values, 8);
    if (!has_room(model, 1))
        return;
    model_make_values(model, &made, values, count);
    CnEntity id = cn_spawn_values(model->world, made.values, count);
    model_note_new_id(model, id);
    reference_spawn(&model->reference, id, values, count);
    reference_settle(&model->reference);
}

static void spawn_many(Model *model)
{
    static CnEntity ids[512];
    RefValue values[8];
    ModelValues made;
    uint32_t most = chance(model, 10) ? 500 : 40;
    uint32_t number = below(model, most);
    uint32_t count = model_some_values(model, values, 5);
    if (!has_room(model, number))
        return;
    model_make_values(model, &made, values, count);
    EXPECT(cn_spawn_many_values(model->world, number, ids, made.values, count),
           "%u entities cannot be made", number);
    for (uint32_t i = 0; i < number; i++) {
        model_note_new_id(model, ids[i]);
        reference_spawn(&model->reference, ids[i], values, count);
    }
    reference_settle(&model->reference);
}

static void destroy_one(Model *model)
{
    CnEntity id = model_some_entity(model);
    uint32_t position = reference_find(&model->reference, id);
    EXPECT(cn_destroy(model->world, id) == (position != REF_NONE), "destroying %u:%u",
           cn_entity_index(id), cn_entity_generation(id));
    if (position == REF_NONE)
        return;
    reference_destroy(&model->reference, position);
    reference_settle(&model->reference);
    model_note_stale(model, id);
}

static void destroy_many(Model *model)
{
    CnEntity ids[40];
    uint32_t count = below(model, 40), expected = 0;
    for (uint32_t i = 0; i < count; i++)
        ids[i] = model_some_entity(model);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t position = reference_find(&model->reference, ids[i]);
        if (position == REF_NONE)
            continue;
        expected++;
        reference_destroy(&model->reference, position);
        reference_settle(&model->reference);
    }
    EXPECT(cn_destroy_many(model->world, ids, count) == expected, "destroying %u at once", count);
}

static void add_component(Model *model)
{
    CnEntity id = model_some_entity(model);
    uint32_t component = some_component(model);
    uint32_t position = reference_find(&model->reference, id);
    EXPECT(cn_add_component(model->world, id, model->components[component]) ==
               (position != REF_NONE),
           "adding %s", reference_types[component]->name);
    if (position == REF_NONE)
        return;
    reference_change(&model->reference, position, NULL, 0, &(RefValue){component, false, 0}, 1);
    reference_settle(&model->reference);
}

static void set_component(Model *model)
{
    uint8_t bytes[REF_MAX_VALUE_BYTES];
    CnEntity id = model_some_entity(model);
    RefValue value = {some_component(model), true, 0};
    value.seed = new_seed(model);
    uint32_t position = reference_find(&model->reference, id);
    reference_value(reference_types[value.component], value.seed, bytes);
    EXPECT(cn_set_component(model->world, id, model->components[value.component], bytes) ==
               (position != REF_NONE),
           "setting %s", reference_types[value.component]->name);
    if (position == REF_NONE)
        return;
    reference_change(&model->reference, position, NULL, 0, &value, 1);
    reference_settle(&model->reference);
}

static void remove_component(Model *model)
{
    CnEntity id = model_some_entity(model);
    uint32_t component = some_component(model);
    uint32_t position = reference_find(&model->reference, id);
    EXPECT(cn_remove_component(model->world, id, model->components[component]) ==
               (position != REF_NONE),
           "removing %s", reference_types[component]->name);
    if (position == REF_NONE)
        return;
    reference_change(&model->reference, position, &component, 1, NULL, 0);
    reference_settle(&model->reference);
}

static void change_components(Model *model)
{
    RefValue values[6];
    ModelValues made;
    uint32_t removed[6];
    CnComponent removed_ids[6];
    CnEntity id = model_some_entity(model);
    uint32_t count = model_some_values(model, values, 6), removed_count = below(model, 7);
    for (uint32_t i = 0; i < removed_count; i++) {
        removed[i] = some_component(model);
        removed_ids[i] = model->components[removed[i]];
    }
    model_make_values(model, &made, values, count);
    CnChange change = {made.values, count, removed_ids, removed_count};
    uint32_t position = reference_find(&model->reference, id);
    EXPECT(cn_change(model->world, id, &change) == (position != REF_NONE), "changing %u",
           cn_entity_index(id));
    if (position == REF_NONE)
        return;
    reference_change(&model->reference, position, removed, removed_count, values, count);
    reference_settle(&model->reference);
}

static void set_parent(Model *model)
{
    CnEntity child = model_some_entity(model);
    CnEntity parent = chance(model, 20) ? (CnEntity){0} : model_some_entity(model);
    uint32_t below_it = reference_find(&model->reference, child);
    uint32_t above = reference_find(&model->reference, parent);
    bool expected = below_it != REF_NONE && (!parent.id || above != REF_NONE) &&
                    reference_set_parent(&model->reference, below_it, above);
    EXPECT(cn_set_parent(model->world, child, parent) == expected, "a parent for %u",
           cn_entity_index(child));
}

static void change_pair(Model *model)
{
    uint8_t bytes[REF_MAX_VALUE_BYTES];
    uint32_t position = model_some_living(model), target = model_some_living(model);
    uint32_t kind = below(model, REF_KINDS), op = below(model, 4);
    uint64_t seed = new_seed(model);
    if (position == REF_NONE)
        return;
    RefEntity *entity = &model->reference.entities[position];
    if (op == 3 && entity->pair_count)
        target = entity->pairs[below(model, entity->pair_count)].target;
    bool is_there = reference_pair(entity, kind, target) != NULL;
    if (op != 3 && !is_there && entity->pair_count + entity->pairs_asked >= REF_MAX_PAIRS)
        return;
    CnComponent pair = cn_pair(model->world, model->kinds[kind], model_id_at(model, target));
    EXPECT(pair.id, "a pair cannot be made");
    if (op == 3) {
        EXPECT(cn_remove_component(model->world, entity->id, pair), "removing a pair");
        reference_remove_pair(&model->reference, position, kind, target);
        return;
    }
    reference_value(reference_kinds[kind], seed, bytes);
    bool done = op ? cn_set_component(model->world, entity->id, pair, bytes)
                   : cn_add_component(model->world, entity->id, pair);
    EXPECT(done, "setting a pair");
    reference_set_pair(&model->reference, position, kind, target, op != 0, seed);
}

static void read_things(Model *model)
{
    uint32_t position = model_some_living(model);
    if (position != REF_NONE)
        model_compare_entity(model, position);
    CnEntity id = model_some_entity(model);
    EXPECT(cn_is_alive(model->world, id) == (reference_find(&model->reference, id) != REF_NONE),
           "entity %u:%u lives or not", cn_entity_index(id), cn_entity_generation(id));
    for (uint32_t i = 0; i < model->promised_count && i < 4; i++)
        EXPECT(!cn_is_alive(model->world, model->promised[i]), "a promise is kept too early");
}

/* By address or by name, without moving anything. */
static void write_in_place(Model *model)
{
    uint32_t position = model_some_living(model), edge_kind = below(model, 3);
    uint64_t seed = new_seed(model);
    if (position == REF_NONE)
        return;
    RefEntity *entity = &model->reference.entities[position];
    uint32_t component = edge_kind == 0 ? REF_POSITION : edge_kind == 1 ? REF_SHAPE : REF_HOOKED;
    const CnType *type = reference_types[component];
    CnComponent id = model->components[component];
    bool has = entity->mask >> component & 1u, done = false;
    uint8_t bytes[REF_MAX_VALUE_BYTES];
    reference_value(type, seed, bytes);
    if (edge_kind == 0) {
        void *address = cn_get_component_mut(model->world, entity->id, id);
        done = address != NULL;
        if (address)
            memcpy(address, bytes, type->size);
    } else if (edge_kind == 1) {
        for (uint32_t f = 0; f < type->field_count; f++) {
            const CnField *field = &type->fields[f];
            void *address = cn_get_field_mut(model->world, entity->id, id, field);
            done = address != NULL;
            if (address)
                memcpy(address, bytes + field->offset, field->size);
        }
    } else {
        done = cn_write_field(model->world, entity->id, type->name, type->fields[0].name, bytes,
                              type->size, NULL);
        model->reference.hooks.set += has;
    }
    EXPECT(done == has, "writing %s in place", type->name);
    if (has) {
        entity->seeds[component] = seed;
        entity->written[component] = model->reference.tick;
    }
}

typedef struct WeightedOperation {
    void (*run)(Model *model);
    uint32_t weight;
} WeightedOperation;

static void run_one_of(Model *model, const WeightedOperation *operations, uint32_t count)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += operations[i].weight;
    uint32_t left = below(model, total), i = 0;
    while (left >= operations[i].weight)
        left -= operations[i++].weight;
    operations[i].run(model);
}

void model_change_one(Model *model)
{
    static const WeightedOperation operations[] = {
        {spawn_one, 14},        {destroy_one, 12},      {add_component, 12}, {set_component, 16},
        {remove_component, 12}, {change_components, 8}, {set_parent, 6},     {change_pair, 7},
        {read_things, 20},      {write_in_place, 8},
    };
    run_one_of(model, operations, CN_COUNT_OF(operations));
}

/* ---- Many at once ---- */

static ModelQuery *some_query(Model *model)
{
    return &model->queries[below(model, model->query_count)];
}

static uint32_t gather(Model *model, const ModelQuery *query, uint32_t *positions)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->reference.live_count; i++) {
        uint32_t position = model->reference.live[i];
        if (model_query_matches(query, &model->reference.entities[position]))
            positions[count++] = position;
    }
    return count;
}

static void query_set(Model *model)
{
    static uint32_t positions[REF_MAX_ENTITIES];
    ModelQuery *query = some_query(model);
    RefValue value = {some_component(model), false, 0};
    value.has_data = chance(model, 60);
    value.seed = new_seed(model);
    ModelValues made;
    model_make_values(model, &made, &value, 1);
    uint32_t count = gather(model, query, positions);
    EXPECT(cn_query_set(query->query, made.values[0]), "setting %s in a query",
           reference_types[value.component]->name);
    for (uint32_t i = 0; i < count; i++)
        reference_change(&model->reference, positions[i], NULL, 0, &value, 1);
    reference_settle(&model->reference);
}

static void query_remove(Model *model)
{
    static uint32_t positions[REF_MAX_ENTITIES];
    ModelQuery *query = some_query(model);
    uint32_t component = some_component(model);
    uint32_t count = gather(model, query, positions);
    EXPECT(cn_query_remove(query->query, model->components[component]), "removing from a query");
    for (uint32_t i = 0; i < count; i++)
        reference_change(&model->reference, positions[i], &component, 1, NULL, 0);
    reference_settle(&model->reference);
}

static void query_destroy(Model *model)
{
    static uint32_t positions[REF_MAX_ENTITIES];
    static CnEntity ids[REF_MAX_ENTITIES];
    ModelQuery *query = some_query(model);
    if (!query->all && chance(model, 80))
        return;
    uint32_t count = gather(model, query, positions), before = model->reference.live_count;
    for (uint32_t i = 0; i < count; i++)
        ids[i] = model_id_at(model, positions[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t position = reference_find(&model->reference, ids[i]);
        if (position != REF_NONE)
            reference_destroy(&model->reference, position);
    }
    uint32_t expected = before - model->reference.live_count;
    uint32_t destroyed = cn_query_destroy_entities(query->query);
    EXPECT(destroyed == expected, "a query destroys %u entities, not %u", destroyed, expected);
    reference_settle(&model->reference);
}

static void new_query(Model *model)
{
    if (model->query_count == MODEL_QUERIES)
        return;
    ModelQuery query = {.pair_kind = REF_NONE};
    CnQueryDesc desc = {0};
    uint32_t counts[3];
    for (uint32_t part = 0; part < 3; part++)
        counts[part] = below(model, part == 0 ? 4 : 3);
    uint32_t *masks[3] = {&query.all, &query.any, &query.none};
    CnTerm *terms[3] = {desc.all, desc.any, desc.none};
    for (uint32_t part = 0; part < 3; part++)
        for (uint32_t i = 0; i < counts[part]; i++) {
            uint32_t component = some_component(model);
            *masks[part] |= 1u << component;
            terms[part][i] = (CnTerm){NULL, model->components[component], CN_ACCESS_READ};
        }
    if (chance(model, 20)) {
        query.pair_kind = below(model, REF_KINDS);
        CnComponent any = cn_pair_any(model->world, model->kinds[query.pair_kind]);
        desc.all[counts[0]] = (CnTerm){NULL, any, CN_ACCESS_NONE};
    }
    query.query = cn_query_acquire(model->world, &desc, NULL);
    EXPECT(query.query, "a query cannot be made");
    EXPECT(cn_query_acquire(model->world, &desc, NULL) == query.query,
           "the same query is made twice");
    model->queries[model->query_count++] = query;
}

static void ask_query(Model *model)
{
    model_compare_query(model, some_query(model));
}

static void ask_changed(Model *model)
{
    uint64_t back = below(model, 20);
    uint64_t since = model->reference.tick > back ? model->reference.tick - back : 1;
    model_compare_changed(model, some_query(model), since);
}

static void advance_tick(Model *model)
{
    model->reference.tick++;
    EXPECT(cn_world_advance_tick(model->world) == model->reference.tick, "the tick differs");
}

static void trim(Model *model)
{
    cn_world_trim(model->world);
}

static void clear(Model *model)
{
    if (!chance(model, 5))
        return;
    cn_world_clear(model->world);
    while (model->reference.live_count)
        reference_destroy(&model->reference, model->reference.live[0]);
    reference_settle(&model->reference);
}

/* The world as bytes, and back from them: nothing is different. */
static void save_and_load(Model *model)
{
    if (!chance(model, 20))
        return;
    model_flush(model); /* commands that wait are not saved */
    CnSnapshot snapshot;
    CnError error = {0};
    uint64_t hash = cn_world_hash(model->world);
    EXPECT(cn_world_save(model->world, &snapshot, &error), "saving: %s", error.message);
    EXPECT(cn_world_hash(model->world) == hash, "saving changes the world");
    /* What is done in between is undone. */
    cn_spawn_many_values(model->world, 100, NULL, NULL, 0);
    bool loaded = cn_world_load(model->world, snapshot.bytes, snapshot.size, &error);
    cn_snapshot_free(&snapshot);
    EXPECT(loaded, "loading: %s", error.message);
    model->reference.tick = cn_world_tick(model->world); /* all that was loaded counts as changed */
    EXPECT(cn_world_hash(model->world) == hash, "a world changes when it is saved and loaded");
}

/* ---- Events ---- */

static void send_events(Model *model)
{
    uint32_t count = below(model, 12);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value = ++model->sent;
        bool fits = model->event_count < MODEL_MAX_EVENTS;
        EXPECT(cn_send_value(model->channel, &value) == fits, "sending an event");
        if (fits)
            model->events[model->event_count++] = value;
        else
            model->dropped_events++;
    }
}

static void update_events(Model *model)
{
    if (chance(model, 50)) {
        cn_events_end_update(model->world);
        model->old_events = model->event_count;
        return;
    }
    cn_events_begin_update(model->world);
    model->event_count -= model->old_events;
    memmove(model->events, model->events + model->old_events,
            model->event_count * sizeof *model->events);
    model->old_events = 0;
}

void model_change_many(Model *model)
{
    static const WeightedOperation operations[] = {
        {spawn_many, 14},   {destroy_many, 8},  {query_set, 10},   {query_remove, 10},
        {query_destroy, 3}, {new_query, 3},     {ask_query, 8},    {ask_changed, 12},
        {advance_tick, 15}, {trim, 3},          {send_events, 15}, {update_events, 6},
        {clear, 1},         {save_and_load, 3},
    };
    run_one_of(model, operations, CN_COUNT_OF(operations));
}
