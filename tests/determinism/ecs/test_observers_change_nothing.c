/* Random programs run twice: once alone, and once with observers that look at everything all the
 * time. What is simulated must not depend on it: states, ids, the order of hooks, targets of pairs,
 * components and rows, and the bytes of snapshots. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/ecs.h>

CN_COMPONENT(ObPlace, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(ObSpeed, (f32, x), (f32, y)); /* laid out by fields */
CN_COMPONENT(ObHealth, (i32, now));
CN_COMPONENT(ObLabel, (text, text, 12));
CN_COMPONENT(ObCache, (u32, value)); /* transient */
CN_COMPONENT(ObSettings, (u64, steps));
CN_COMPONENT(ObBang, (entity, who));
CN_COMPONENT(ObLikes, (f32, much));
CN_TAG(ObKnows);
CN_TAG(ObAvoids);
CN_TAG(ObFrozen);
CN_TAG(ObAngry);
CN_TAG(ObTired);
CN_TAG(ObSeen); /* only observers know it */

enum { PLAIN = 8, KINDS = 3, MOST = 240, NOTES = 4096, HELD = 12, QUERIES = 4 };

static const CnType *const plain_types[PLAIN] = {
    &cn_type_ObPlace, &cn_type_ObSpeed,  &cn_type_ObHealth, &cn_type_ObLabel,
    &cn_type_ObCache, &cn_type_ObFrozen, &cn_type_ObAngry,  &cn_type_ObTired};
static const CnType *const kind_types[KINDS] = {&cn_type_ObLikes, &cn_type_ObKnows,
                                                &cn_type_ObAvoids};

typedef struct Note {
    char what;
    uint64_t entity, other;
    char name[24];
} Note;

typedef struct Side {
    CnWorld *world;
    TestRandom random; /* the same on both sides */
    CnComponent plain[PLAIN], kinds[KINDS];
    CnCommands *buffers[2];
    CnQuery *queries[QUERIES];
    CnEntity entities[MOST];
    uint32_t count;
    Note notes[NOTES]; /* what the program saw in this step */
    uint32_t note_count;
    bool is_loading;
    /* Of observers. */
    bool is_observed;
    TestRandom looking;
    CnQuery *held[HELD];
    CnObserver *watching[2];
    uint64_t seen;
} Side;

static void note(Side *side, char what, CnEntity entity, uint64_t other, const char *name)
{
    if (side->note_count == NOTES)
        return;
    Note *made = &side->notes[side->note_count++];
    memset(made, 0, sizeof *made);
    *made = (Note){.what = what, .entity = entity.id, .other = other};
    cn_format(made->name, sizeof made->name, "%s", name);
}

/* ---- The program ---- */

static uint32_t below(Side *side, uint32_t n)
{
    return test_random_below(&side->random, n);
}

static CnEntity some_entity(Side *side)
{
    return side->count ? side->entities[below(side, side->count)] : (CnEntity){0};
}

static void keep(Side *side, CnEntity entity)
{
    note(side, 'n', entity, 0, "new");
    if (entity.id && side->count < MOST)
        side->entities[side->count++] = entity;
}

static void hook_added(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    CnComponentInfo info;
    cn_component_info(world, component, &info);
    note(user, 'a', entity, info.pair_target.id, info.name);
}

static void hook_set(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    CnComponentInfo info;
    cn_component_info(world, component, &info);
    note(user, 's', entity, info.pair_target.id, info.name);
}

static void hook_removed(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    CnComponentInfo info;
    cn_component_info(world, component, &info);
    note(user, 'r', entity, info.pair_target.id, info.name);
}

static void began_to_match(CnWorld *world, CnEntity entity, void *user)
{
    (void)world;
    note(user, 'e', entity, 0, "enters");
}

static void ceased_to_match(CnWorld *world, CnEntity entity, void *user)
{
    (void)world;
    note(user, 'x', entity, 0, "leaves");
}

/* Effects that depend on the order of hooks: whoever spawns first gets the lower id. */
static void spawn_witness(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    Side *side = user;
    hook_removed(world, entity, component, user);
    if (cn_entity_count(world) < MOST)
        keep(side, cn_spawn(world, cn_with(ObHealth, {(int32_t)entity.id})));
}

static void calm_down(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    hook_added(world, entity, component, user);
    if (entity.id % 3 == 0)
        cn_remove(world, entity, ObAngry);
}

static void age(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        ObHealth *health = cn_column(&view, ObHealth);
        for (uint32_t i = 0; i < view.count; i++) {
            note(context->user, 'i', view.entities[i], (uint64_t)health[i].now, "age");
            if (--health[i].now % 7 == 0)
                cn_defer_add(context->commands, view.entities[i], ObTired);
            if (health[i].now % 11 == 0)
                cn_send(cn_channel(context->world, ObBang), ObBang, {view.entities[i]});
        }
    }
}

static void program_begin(Side *side, uint64_t seed)
{
    CnWorld *world = side->world;
    side->random = (TestRandom){seed};
    side->plain[0] = cn_id(world, ObPlace);
    side->plain[1] = cn_register(world, ObSpeed, .layout = CN_LAYOUT_FIELDS);
    side->plain[2] = cn_id(world, ObHealth);
    side->plain[3] = cn_id(world, ObLabel);
    side->plain[4] = cn_register(world, ObCache, .flags = CN_COMPONENT_TRANSIENT);
    side->plain[5] = cn_id(world, ObFrozen);
    side->plain[6] = cn_id(world, ObAngry);
    side->plain[7] = cn_id(world, ObTired);
    side->kinds[0] = cn_id(world, ObLikes);
    side->kinds[1] = cn_id(world, ObKnows);
    side->kinds[2] = cn_id(world, ObAvoids);
    for (uint32_t i = 0; i < 2; i++)
        side->buffers[i] = cn_commands_create(world, NULL);
    const CnHooks noting = {{hook_added, side}, {hook_set, side}, {hook_removed, side}};
    cn_component_set_hooks(world, side->plain[0], &noting);
    cn_component_set_hooks(world, side->plain[5], &noting);
    cn_component_set_hooks(world, side->kinds[0], &noting);
    cn_component_set_hooks(world, side->kinds[2], &noting);
    cn_component_add_hooks(world, side->plain[6], &(CnHooks){.on_add = {calm_down, side}});
    cn_component_add_hooks(world, side->plain[7], &(CnHooks){.on_remove = {spawn_witness, side}});
    side->queries[0] = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(ObPlace)}}, NULL);
    side->queries[1] = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(ObHealth)}, .none = {cn_tag(ObFrozen)}}, NULL);
    side->queries[2] =
        cn_query_acquire(world, &(CnQueryDesc){.any = {cn_tag(ObAngry), cn_tag(ObTired)}}, NULL);
    side->queries[3] = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_tag_id(cn_pair_any(world, side->kinds[1]))}}, NULL);
    cn_observer_create(
        world,
        &(CnObserverDesc){.query = {.all = {cn_reads(ObHealth)}, .none = {cn_tag(ObAngry)}},
                          .on_enter = began_to_match,
                          .on_exit = ceased_to_match,
                          .user = side},
        NULL);
    cn_resource_set(world, ObSettings, {0});
    cn_channel(world, ObBang);
    cn_system_add(world,
                  &(CnSystemDesc){.name = "age",
                                  .run = age,
                                  .user = side,
                                  .alone = true,
                                  .query = {.all = {cn_writes(ObHealth)}}},
                  NULL);
}

static CnComponent some_component(Side *side)
{
    return side->plain[below(side, PLAIN)];
}

static uint32_t some_values(Side *side, CnValue values[4])
{
    static const ObPlace place = {1, 2, 3};
    uint32_t count = below(side, 5);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t which = below(side, PLAIN);
        values[i] = (CnValue){.type = plain_types[which]};
        if (which == 0)
            values[i].data = &place;
    }
    return count;
}

static void relate(Side *side)
{
    CnEntity entity = some_entity(side), target = some_entity(side);
    CnComponent kind = side->kinds[below(side, KINDS)];
    bool removes = below(side, 4) == 0;
    if (!cn_is_alive(side->world, entity) || !cn_is_alive(side->world, target))
        return;
    CnComponent pair =
        removes ? cn_pair_find(side->world, kind, target) : cn_pair(side->world, kind, target);
    if (removes)
        cn_remove_component(side->world, entity, pair);
    else
        cn_add_component(side->world, entity, pair);
}

static void change_one(Side *side)
{
    CnEntity entity = some_entity(side);
    CnComponent component = some_component(side);
    uint32_t way = below(side, 4);
    if (!cn_is_alive(side->world, entity))
        return;
    if (way == 0)
        cn_remove_component(side->world, entity, component);
    else if (way == 1)
        cn_set(side->world, entity, ObHealth, {(int32_t)below(side, 100)});
    else
        cn_add_component(side->world, entity, component);
}

static void record(Side *side)
{
    CnCommands *buffer = side->buffers[below(side, 2)];
    uint32_t way = below(side, 6);
    CnEntity entity = some_entity(side);
    CnValue values[4];
    if (way == 0)
        keep(side, cn_defer_spawn_values(buffer, values, some_values(side, values)));
    else if (!cn_is_alive(side->world, entity))
        return;
    else if (way == 1)
        cn_defer_destroy(buffer, entity);
    else if (way == 2)
        cn_defer_remove_component(buffer, entity, some_component(side));
    else if (way == 3)
        cn_defer_set_parent(buffer, entity, some_entity(side));
    else
        cn_defer_add_component(buffer, entity, some_component(side));
}

/* What a system does that walks a query: the same command on one row after the other. */
static void record_rows(Side *side)
{
    const CnQuery *query = side->queries[below(side, QUERIES)];
    CnComponent component = some_component(side);
    bool removes = below(side, 2);
    uint32_t skipped = below(side, 3);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = skipped; i < view.count; i++)
            if (removes)
                cn_defer_remove_component(side->buffers[0], view.entities[i], component);
            else
                cn_defer_add_component(side->buffers[0], view.entities[i], component);
    cn_flush(side->world);
}

static void change_many(Side *side)
{
    CnQuery *query = side->queries[below(side, QUERIES)];
    uint32_t way = below(side, 8);
    CnComponent component = some_component(side);
    if (way == 0)
        cn_query_destroy_entities(query);
    else if (way < 4)
        cn_query_remove(query, component);
    else
        cn_query_set(query, (CnValue){.component = component});
}

static void spawn_tree(Side *side)
{
    CnValue values[3][4];
    CnTreeSpawn spawns[3];
    CnEntity made[3];
    for (uint32_t i = 0; i < 3; i++)
        spawns[i] =
            (CnTreeSpawn){values[i], some_values(side, values[i]), i ? below(side, i) : UINT32_MAX};
    CnEntity above = some_entity(side);
    CnTreeSpawnDesc desc = {.spawns = spawns, .count = 3};
    if (cn_is_alive(side->world, above))
        desc.root_parent = above;
    if (cn_spawn_tree(side->world, &desc, made))
        for (uint32_t i = 0; i < 3; i++)
            keep(side, made[i]);
}

static void save_and_load(Side *side)
{
    CnSnapshot snapshot;
    CnError error = {0};
    cn_flush(side->world);
    if (!cn_world_save(side->world, &snapshot, &error) ||
        !cn_world_load(side->world, snapshot.bytes, snapshot.size, &error))
        fail_msg("%s", error.message);
    cn_snapshot_free(&snapshot);
}

static void spawn_some(Side *side)
{
    CnEntity made[8];
    CnValue values[4];
    uint32_t count = below(side, 8), value_count = some_values(side, values);
    if (cn_entity_count(side->world) + count < MOST &&
        cn_spawn_many_values(side->world, count, made, values, value_count))
        for (uint32_t i = 0; i < count; i++)
            keep(side, made[i]);
}

static void look_at_relations(Side *side)
{
    CnEntity entity = some_entity(side);
    CnComponent components[64];
    uint32_t count = cn_entity_components(side->world, entity, components, 64);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        CnComponentInfo info;
        cn_component_info(side->world, components[i], &info);
        note(side, 'c', entity, info.pair_target.id, info.name);
    }
    for (uint32_t k = 0; k < KINDS; k++)
        for (uint32_t n = 0; n < 64; n++) {
            CnEntity target = cn_pair_target(side->world, entity, side->kinds[k], n);
            if (!target.id)
                break;
            note(side, 't', entity, target.id, "target");
        }
}

static void program_step(Side *side)
{
    CnValue values[4];
    uint32_t way = below(side, 100);
    cn_resource_mut(side->world, ObSettings)->steps++;
    if (way < 12)
        spawn_some(side);
    else if (way < 16)
        keep(side, cn_spawn_values(side->world, values, some_values(side, values)));
    else if (way < 22) {
        CnEntity entity = some_entity(side);
        note(side, 'd', entity, cn_destroy(side->world, entity), "destroy");
    } else if (way < 40)
        change_one(side);
    else if (way < 58)
        relate(side);
    else if (way < 64)
        cn_set_parent(side->world, some_entity(side), some_entity(side));
    else if (way < 78)
        record(side);
    else if (way < 82)
        cn_flush(side->world);
    else if (way < 86)
        cn_world_update(side->world, 0.1f, NULL);
    else if (way < 89)
        record_rows(side);
    else if (way < 92)
        change_many(side);
    else if (way < 94 && cn_entity_count(side->world) < MOST)
        spawn_tree(side);
    else if (way < 95)
        save_and_load(side);
    else
        look_at_relations(side);
    if (way == 99 && below(side, 8) == 0)
        cn_world_clear(side->world);
}

/* ---- Observers ---- */

static uint32_t look_below(Side *side, uint32_t n)
{
    return test_random_below(&side->looking, n);
}

static CnEntity looked_at(Side *side)
{
    return side->count ? side->entities[look_below(side, side->count)] : (CnEntity){0};
}

static void count_call(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    Side *side = user;
    side->seen += cn_has_component(world, entity, component);
}

/* Asks for everything in another order, before the program registers anything. */
static void observe_begin(Side *side, uint64_t seed)
{
    CnWorld *world = side->world;
    side->looking = (TestRandom){~seed};
    cn_id(world, ObSeen);
    for (uint32_t i = PLAIN; i-- > 0;)
        if (look_below(side, 2))
            cn_component_ensure(world, plain_types[i]);
    for (uint32_t i = KINDS; i-- > 0;)
        if (look_below(side, 2))
            cn_pair_any(world, cn_component_ensure(world, kind_types[i]));
    cn_channel(world, ObBang);
    side->held[0] =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(ObSpeed), cn_reads(CnNode)}}, NULL);
}

static CnTerm looked_at_term(Side *side)
{
    CnComponent kind = cn_component_of(side->world, kind_types[look_below(side, KINDS)]);
    CnEntity target = looked_at(side);
    uint32_t way = look_below(side, 4);
    if (way == 0 && kind.id)
        return (CnTerm)cn_tag_id(cn_pair_any(side->world, kind));
    if (way < 3 && kind.id && cn_is_alive(side->world, target))
        return (CnTerm)cn_tag_id(cn_pair(side->world, kind, target));
    return (CnTerm){.type = plain_types[look_below(side, PLAIN)], .access = CN_ACCESS_READ};
}

static void look_through_a_query(Side *side)
{
    CnQuery **held = &side->held[look_below(side, HELD)];
    cn_query_release(*held);
    CnQueryDesc desc = {.all = {looked_at_term(side)}};
    if (look_below(side, 2))
        desc.none[0] = looked_at_term(side);
    if (look_below(side, 3) == 0)
        desc.any[0] = looked_at_term(side);
    *held = cn_query_acquire(side->world, &desc, NULL);
    assert_non_null(*held);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(*held); cn_query_next(&it, &view);)
        side->seen += view.count;
    side->seen += cn_query_count(*held);
}

static void look_at_components(Side *side)
{
    CnComponentInfo info;
    CnFingerprint fingerprint;
    for (uint32_t id = 1; id <= cn_component_limit(side->world); id++) {
        if (!cn_component_info(side->world, (CnComponent){id}, &info))
            continue;
        side->seen += cn_resource_get(side->world, (CnComponent){id}) != NULL;
        side->seen += cn_world_hash_component(side->world, (CnComponent){id});
        cn_world_fingerprint_component(side->world, (CnComponent){id}, &fingerprint);
    }
}

static void look_at_hooks(Side *side)
{
    CnComponent component = cn_component_of(side->world, plain_types[look_below(side, PLAIN)]);
    const CnHooks hooks = {.on_add = {count_call, side}, .on_remove = {count_call, side}};
    if (component.id && !cn_component_remove_hooks(side->world, component, &hooks))
        cn_component_add_hooks(side->world, component, &hooks);
}

static void count_match(CnWorld *world, CnEntity entity, void *user)
{
    Side *side = user;
    side->seen += cn_is_alive(world, entity);
}

static void look_with_an_observer(Side *side)
{
    CnObserver **observer = &side->watching[look_below(side, 2)];
    cn_observer_destroy(*observer);
    *observer = cn_observer_create(
        side->world,
        &(CnObserverDesc){.query = {.all = {looked_at_term(side)}, .none = {looked_at_term(side)}},
                          .on_enter = count_match,
                          .on_exit = count_match,
                          .user = side,
                          .existing = true},
        NULL);
    cn_removals(side->world, ObSpeed);
}

static void observe_step(Side *side)
{
    CnSnapshot snapshot;
    CnTreeOrder order;
    switch (look_below(side, 11)) {
    case 0:
    case 1:
    case 2:
        look_through_a_query(side);
        break;
    case 3:
        look_at_components(side);
        break;
    case 4:
        side->seen += cn_world_hash(side->world) + cn_world_stats(side->world).chunks;
        break;
    case 5:
        if (cn_world_save(side->world, &snapshot, NULL))
            cn_snapshot_free(&snapshot);
        break;
    case 6:
        side->seen += cn_tree_order(side->world, &order) ? order.count : 0;
        break;
    case 7:
        look_at_hooks(side);
        break;
    case 8:
        look_with_an_observer(side);
        break;
    case 9:
        side->seen += cn_pair_find(side->world, cn_id(side->world, ObLikes), looked_at(side)).id;
        break;
    default:
        side->seen += cn_event_count(cn_channel(side->world, ObBang));
        cn_world_trim(side->world);
    }
}

/* ---- Comparison ---- */

static void compare_notes(const Side *a, const Side *b, uint64_t seed, uint32_t step)
{
    for (uint32_t i = 0; i < a->note_count || i < b->note_count; i++) {
        const Note *x = &a->notes[i], *y = &b->notes[i];
        if (i < a->note_count && i < b->note_count && !memcmp(x, y, sizeof *x))
            continue;
        fail_msg("seed %llu, step %u, note %u of %u and %u: %c %llx %s %llx, observed: %c %llx %s "
                 "%llx",
                 (unsigned long long)seed, step, i, a->note_count, b->note_count, x->what,
                 (unsigned long long)x->entity, x->name, (unsigned long long)x->other, y->what,
                 (unsigned long long)y->entity, y->name, (unsigned long long)y->other);
    }
}

static void compare_rows(Side *a, Side *b, uint64_t seed, uint32_t step)
{
    for (uint32_t q = 0; q < QUERIES; q++) {
        CnQueryIter ia = cn_query_iter(a->queries[q]), ib = cn_query_iter(b->queries[q]);
        CnChunkView va, vb;
        while (cn_query_next(&ia, &va)) {
            if (!cn_query_next(&ib, &vb) || va.count != vb.count ||
                memcmp(va.entities, vb.entities, va.count * sizeof *va.entities))
                fail_msg("seed %llu, step %u: rows of query %u differ", (unsigned long long)seed,
                         step, q);
        }
        assert_false(cn_query_next(&ib, &vb));
    }
}

static void compare_states(const Side *a, const Side *b, uint64_t seed, uint32_t step)
{
    if (cn_world_hash(a->world) != cn_world_hash(b->world))
        fail_msg("seed %llu, step %u: states differ", (unsigned long long)seed, step);
    CnSnapshot x, y;
    assert_true(cn_world_save(a->world, &x, NULL) && cn_world_save(b->world, &y, NULL));
    if (x.size != y.size || memcmp(x.bytes, y.bytes, x.size))
        fail_msg("seed %llu, step %u: snapshots differ", (unsigned long long)seed, step);
    cn_snapshot_free(&x);
    cn_snapshot_free(&y);
}

static void run(uint64_t seed, uint32_t steps)
{
    static Side sides[2];
    memset(sides, 0, sizeof sides);
    for (uint32_t s = 0; s < 2; s++) {
        sides[s].world = cn_world_create(NULL, NULL);
        sides[s].is_observed = s == 1;
        if (sides[s].is_observed)
            observe_begin(&sides[s], seed);
        program_begin(&sides[s], seed);
    }
    for (uint32_t step = 0; step < steps; step++) {
        for (uint32_t s = 0; s < 2; s++) {
            sides[s].note_count = 0;
            program_step(&sides[s]);
        }
        compare_notes(&sides[0], &sides[1], seed, step);
        compare_rows(&sides[0], &sides[1], seed, step);
        if (step % 8 == 0 || step + 1 == steps)
            compare_states(&sides[0], &sides[1], seed, step);
        observe_step(&sides[1]);
    }
    assert_world_sound(sides[0].world);
    assert_world_sound(sides[1].world);
    for (uint32_t i = 0; i < HELD; i++)
        cn_query_release(sides[1].held[i]);
    cn_observer_destroy(sides[1].watching[0]);
    cn_observer_destroy(sides[1].watching[1]);
    assert_int_equal(cn_world_stats(sides[1].world).queries,
                     cn_world_stats(sides[0].world).queries);
    cn_world_destroy(sides[0].world);
    cn_world_destroy(sides[1].world);
}

#ifdef __SANITIZE_ADDRESS__
enum { SEEDS = 12 };
#else
enum { SEEDS = 100 };
#endif

static void observers_change_nothing_that_is_simulated(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* of events that are dropped */
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        run(seed, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observers_change_nothing_that_is_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
