/*
 * Out of memory at every allocation. A scenario that touches everything is run again and again: the
 * first time the first allocation fails, then the second, and so on, until none does.
 *
 * Where an allocation fails, the call says so, the world is sound, and what the call was to change
 * is as it was; then memory is there again, the same call succeeds, and the scenario goes on to the
 * same end.
 */
/* Before the fixture, whose `world` its parameters would shadow. */
#include "ecs/world/world_internal.h"

#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"
#include "faulty_allocator.h"

#include <string.h>

CN_COMPONENT(Shape, (vec3, size), (u8, kind), (quat, turn));
CN_COMPONENT(Large, (u32, words, 100));
CN_COMPONENT(Greeter, (u32, value));
CN_COMPONENT(Likes, (f32, amount));
CN_TAG(Knows);
CN_TAG(Greeted);
CN_COMPONENT(Hit, (entity, who), (f32, damage));
CN_COMPONENT(Score, (u64, points));

typedef enum Mode {
    STOP,    /* the scenario ends where memory did */
    RECOVER, /* memory comes back after a call has failed */
    BLINK,   /* a single allocation fails */
} Mode;

#define MANY 150u

typedef struct Scenario {
    Mode mode;
    FaultyAllocator memory;
    CnEntity entities[MANY];
    CnCommands *commands, *other;
    CnQuery *queries[8];
    CnSnapshot snapshot;
    CnWorld *copy;
    uint64_t failures_seen;
    const char *failed_call; /* the last one */
    bool lossy;              /* some commands were dropped: the end differs */
} Scenario;

/* ---- What must not change when a call fails ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return cn_hash_mix(hash ^ value);
}

static uint64_t entity_fingerprint(CnEntity entity, bool with_id)
{
    static uint8_t value[65536];
    CnComponent components[64];
    uint32_t count = cn_entity_components(world, entity, components, 64);
    uint64_t hash = mix(with_id ? entity.id : 1, count);
    for (uint32_t i = 0; i < count; i++) {
        CnComponentInfo info;
        cn_component_info(world, components[i], &info);
        hash = mix(hash, cn_hash_bytes(info.name, strlen(info.name), 0));
        if (components[i].id != world->node &&
            cn_read_component(world, entity, components[i], value))
            hash = mix(hash, cn_hash_bytes(value, info.size, 0));
    }
    CnEntity parent = cn_parent(world, entity);
    hash = mix(hash, with_id ? parent.id : parent.id != 0);
    return mix(hash, cn_child_count(world, entity));
}

/* Without ids, the order of entities makes no difference either. */
static uint64_t fingerprint(bool with_ids)
{
    uint64_t sum = cn_entity_count(world);
    for (uint32_t page = 0; page < world->head.page_count; page++)
        for (uint32_t i = 0; i < CNI_ECS_PAGE_SLOTS; i++) {
            uint32_t generation = world->head.pages[page][i].generation;
            CnEntity entity = cn_entity_make(page * CNI_ECS_PAGE_SLOTS + i, generation);
            if (generation & 1u)
                sum += entity_fingerprint(entity, with_ids);
        }
    return sum;
}

/* No call makes more allocations than this: before others, the fingerprint is not worth its time.
 */
#define MOST_ALLOCATIONS 40u

static bool fails_soon(const Scenario *s)
{
    return world && s->memory.calls <= s->memory.fail_at &&
           s->memory.fail_at - s->memory.calls < MOST_ALLOCATIONS;
}

/* True when the call is to be made again. */
static bool memory_is_back(Scenario *s, const uint64_t *before, const char *call)
{
    if (s->memory.failures == s->failures_seen)
        fail_msg("fails though there is memory: %s", call);
    s->failures_seen = s->memory.failures;
    s->failed_call = call;
    if (world) {
        const char *problem = check_world(world);
        if (problem)
            fail_msg("allocation %llu, %s: %s", (unsigned long long)s->memory.fail_at, call,
                     problem);
        if (before && fingerprint(true) != *before)
            fail_msg("allocation %llu: the world changed though this failed: %s",
                     (unsigned long long)s->memory.fail_at, call);
    }
    s->memory.lasting = false;
    return s->mode != STOP;
}

/* What hooks asked for is dropped and counted when memory is out, or waits for the next flush: what
 * comes meanwhile finds another world. */
static void note_waiting(Scenario *s)
{
    s->lossy |=
        world && (cn_commands_count(world->hook_commands) || cn_world_stats(world).failed_commands);
}

/* A call that changes nothing when it fails. */
#define TRY(...)                                                                                   \
    do {                                                                                           \
        uint64_t before_ = fails_soon(s) ? fingerprint(true) : 0;                                  \
        while (!(__VA_ARGS__))                                                                     \
            if (!memory_is_back(s, before_ ? &before_ : NULL, #__VA_ARGS__))                       \
                return false;                                                                      \
        note_waiting(s);                                                                           \
    } while (0)

/* A call that may leave part of its work done and finishes it when made again, or that is made so
 * often that a fingerprint each time would take too long. */
#define TRY_IN_PARTS(...)                                                                          \
    do {                                                                                           \
        while (!(__VA_ARGS__))                                                                     \
            if (!memory_is_back(s, NULL, #__VA_ARGS__))                                            \
                return false;                                                                      \
    } while (0)

/* ---- The scenario ---- */

static bool hook_failed;

static void greet(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    hook_failed |= !cn_add(in, entity, Greeted);
}

static void take_leave(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    hook_failed |= !cn_remove(in, entity, Greeted);
}

static bool begin(Scenario *s)
{
    TRY(world = cn_world_create(&(CnWorldDesc){.allocator = &s->memory.base}, NULL));
    TRY(cn_register(world, Position).id);
    TRY(cn_register(world, Velocity).id);
    TRY(cn_register(world, Mass, .default_value = &(Mass){42}).id);
    TRY(cn_register(world, Shape, .layout = CN_LAYOUT_FIELDS).id);
    TRY(cn_register(world, Large).id);
    TRY(cn_register(world, Greeted).id);
    TRY(cn_register(world, Greeter,
                    .hooks = {.on_add = {greet, NULL}, .on_remove = {take_leave, NULL}})
            .id);
    return true;
}

static bool spawn_things(Scenario *s)
{
    for (uint32_t i = 0; i < 70; i++)
        TRY((s->entities[i] = cn_spawn(world, cn_with(Position, {(float)i, 0, 0}))).id);
    for (uint32_t i = 70; i < 75; i++)
        TRY((s->entities[i] = cn_spawn(world, cn_with(Health, {1, 2}), cn_with_default(Mass),
                                       cn_with(Shape, {.kind = 7}), cn_with_tag(Frozen),
                                       cn_with(Large, {{1, 2, 3}})))
                .id);
    TRY(cn_spawn_many(world, MANY - 75, s->entities + 75, cn_with(Position, {1, 2, 3}),
                      cn_with(Velocity, {4, 5, 6})));
    TRY(cn_spawn_many(world, 100, NULL, cn_with(Shape, {.kind = 9}), cn_with_tag(Enemy)));
    TRY(cn_spawn_many(world, 200, NULL, cn_with(Large, {{8}}), cn_with_tag(Enemy)));
    return true;
}

static bool change_things(Scenario *s)
{
    CnEntity *e = s->entities;
    TRY(cn_add(world, e[0], Burning));
    TRY(cn_add(world, e[1], Mass));
    TRY(cn_set(world, e[2], Shape, {.kind = 3}));
    TRY(cn_set(world, e[3], Large, {{7}}));
    TRY(cn_set(world, e[3], Position, {9, 9, 9}));
    TRY(cn_remove(world, e[4], Position));
    TRY(cn_remove(world, e[70], Shape));
    CnValue values[] = {cn_with(Health, {5, 6}), cn_with_default(Mass), cn_with_tag(Enemy)};
    CnComponent removed[] = {cn_id(world, Position), cn_id(world, Frozen)};
    TRY(cn_change(world, e[5], &(CnChange){values, 3, removed, 2}));
    TRY(cn_change(world, e[71], &(CnChange){values, 3, removed, 2}));
    float y = 8;
    TRY(cn_write_field(world, e[6], "Position", "y", &y, sizeof y, NULL));
    TRY(cn_set(world, e[7], Greeter, {1}));
    TRY(cn_remove(world, e[7], Greeter));
    for (uint32_t i = 10; i < 20; i++)
        cn_destroy(world, e[i]);
    return true;
}

static bool make_queries(Scenario *s)
{
    CnQuery **q = s->queries;
    TRY(q[0] = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Position)}}, NULL));
    TRY(q[1] = cn_query_acquire(
            world,
            &(CnQueryDesc){.any = {cn_reads(Mass), cn_reads(Shape)}, .none = {cn_tag(Enemy)}},
            NULL));
    TRY(q[2] = cn_query_acquire(world, &(CnQueryDesc){.all = {{.type = NULL}}}, NULL));
    TRY(q[3] = cn_query_and(q[0], cn_term_reads(Velocity), NULL));
    TRY(q[4] = cn_query_not(q[0], cn_term_tag(Burning), NULL));
    TRY(q[5] = cn_query_or(q[0], (CnTerm[]){cn_reads(Mass), cn_tag(Frozen)}, 2, NULL));
    TRY(q[6] = cn_query_acquire(
            world,
            &(CnQueryDesc){.all = {cn_tag(Enemy), cn_reads(Shape)}, .optional = {cn_reads(Large)}},
            NULL));
    /* A new archetype that all of them look at. */
    TRY(cn_add(world, s->entities[100], Burning));
    TRY(cn_add(world, s->entities[100], Mass));
    return true;
}

static bool flush(Scenario *s)
{
    TRY_IN_PARTS(cn_flush(world));
    note_waiting(s);
    return true;
}

static bool use_commands(Scenario *s)
{
    CnEntity *e = s->entities, first = {0}, spawned;
    TRY(s->commands = cn_commands_create(world, NULL));
    TRY(s->other = cn_commands_create(world, NULL));
    for (uint32_t i = 0; i < 100; i++) {
        TRY_IN_PARTS((spawned = cn_defer_spawn(i % 2 ? s->commands : s->other,
                                               cn_with(Position, {1, 1, 1}), cn_with(Large, {{i}})))
                         .id);
        first = i ? first : spawned;
    }
    for (uint32_t i = 20; i < 40; i++) {
        TRY_IN_PARTS(cn_defer_set(s->commands, e[i], Large, {{i}}));
        TRY_IN_PARTS(cn_defer_add(s->other, e[i], Frozen));
        TRY_IN_PARTS(cn_defer_remove(s->other, e[i], Position));
        TRY_IN_PARTS(cn_defer_set(s->other, e[i], Greeter, {i}));
        TRY_IN_PARTS(cn_defer_set_parent(s->commands, e[i], i % 2 ? first : e[41]));
    }
    for (uint32_t i = 40; i < 50; i += 2)
        TRY_IN_PARTS(cn_defer_destroy(s->commands, e[i]));
    TRY((spawned = cn_spawn(world, cn_with(Velocity, {0, 0, 0}))).id);
    if (!flush(s))
        return false;
    for (uint32_t i = 0; i < 10; i++)
        TRY_IN_PARTS(cn_defer_spawn(s->commands, cn_with(Mass, {1}), cn_with(Greeter, {1})).id);
    return flush(s);
}

static bool use_hooks(Scenario *s)
{
    TRY(cn_spawn_many(world, 100, NULL, cn_with(Greeter, {1}), cn_with_tag(Knows)));
    CnQuery *knowing, *greeters;
    TRY(knowing = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Knows)}}, NULL));
    TRY(greeters = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Greeter)}}, NULL));
    TRY_IN_PARTS(cn_query_set(knowing, cn_with(Greeter, {2})));
    TRY_IN_PARTS(cn_query_remove(greeters, cn_id(world, Greeter)));
    /* What hooks asked for and memory did not allow waits for this. */
    return flush(s);
}

static bool use_events_and_resources(Scenario *s)
{
    CnChannel *hits, *shapes;
    TRY(hits = cn_channel(world, Hit));
    TRY(shapes = cn_channel(world, Shape));
    for (uint32_t i = 0; i < 200; i++) {
        TRY_IN_PARTS(cn_send(hits, Hit, {.who = s->entities[i % MANY], .damage = (float)i}));
        TRY_IN_PARTS(cn_send(shapes, Shape, {.kind = (uint8_t)i}));
    }
    assert_int_equal(cn_event_count(hits), 200);
    assert_number_equal(cn_events(hits, Hit)[150].damage, 150);
    assert_int_equal(cn_event_field(shapes, Shape, kind)[199], 199);
    TRY(cn_resource_set(world, Score, {5}));
    TRY(cn_resource_set(world, Mass, {6}));
    TRY(cn_resource_set_value(world, cn_id(world, Frozen), NULL));
    TRY(cn_resource_remove(world, Mass));
    TRY(cn_resource_set(world, Mass, {7}));
    assert_int_equal(cn_resource(world, Score)->points, 5);
    return true;
}

static bool use_relations(Scenario *s)
{
    CnEntity *e = s->entities + 50;
    for (uint32_t i = 1; i < 20; i++)
        TRY(cn_set_parent(world, e[i], e[i / 3]));
    TRY(cn_set_parent(world, s->entities[130], s->entities[72])); /* of two archetypes */
    TRY(cn_set_parent(world, e[6], e[1]));
    TRY(cn_set_parent(world, e[5], (CnEntity){0}));
    CnTreeOrder order;
    TRY(cn_tree_order(world, &order));
    cn_destroy(world, e[2]);
    TRY(cn_tree_order(world, &order));
    CnComponent pair;
    for (uint32_t i = 0; i < 12; i++) {
        CnEntity target = s->entities[80 + i % 4];
        TRY((pair = cn_pair(world, i % 2 ? cn_id(world, Likes) : cn_id(world, Knows), target)).id);
        TRY(cn_set_component(world, s->entities[90 + i], pair, &(Likes){1}));
        TRY(cn_add_component(world, s->entities[110 + i % 3], pair));
    }
    /* Without memory, the pairs stay until the next flush. */
    cn_destroy(world, s->entities[80]);
    cn_destroy(world, s->entities[81]);
    s->memory.fail_at = s->mode == STOP ? s->memory.fail_at : UINT64_MAX;
    if (!flush(s))
        return false;
    if (!world->has_stale_pairs)
        assert_int_equal(cn_pair_find(world, cn_id(world, Knows), s->entities[80]).id, 0);
    assert_true(s->mode == STOP || !world->has_stale_pairs);
    return true;
}

static void age(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        Mass *m = cn_column(&view, Mass);
        for (uint32_t i = 0; i < view.count; i++)
            m[i].kilograms += 1;
    }
}

static void spawn_sparks(CnSystemContext *context)
{
    for (uint32_t i = 0; i < 10; i++)
        cn_defer_spawn(context->commands, cn_with(Position, {0, 0, 0}), cn_with_tag(Burning));
}

static bool use_systems(Scenario *s)
{
    CnSystemDesc aging = {.name = "age",
                          .run = age,
                          .stage = CN_STAGE_UPDATE,
                          .query = {.all = {cn_writes(Mass)}},
                          .access = {cn_reads(Position)},
                          .after = {"spark"}};
    CnSystemDesc sparks = {.name = "spark", .run = spawn_sparks, .stage = CN_STAGE_UPDATE};
    CnError error = {0};
    TRY(cn_system_add(world, &aging, &error).id);
    TRY(cn_system_add(world, &sparks, &error).id);
    TRY_IN_PARTS(cn_world_startup(world, &error));
    uint64_t failures = s->memory.failures;
    for (uint32_t i = 0; i < 3; i++)
        TRY_IN_PARTS(cn_world_update(world, 0.02f, &error));
    s->lossy |= s->memory.failures != failures;
    TRY(cn_system_remove(world, cn_system_find(world, "spark")));
    return true;
}

static bool use_bulk(Scenario *s)
{
    TRY_IN_PARTS(cn_query_set(s->queries[6], cn_with_tag(Burning)));
    TRY_IN_PARTS(cn_query_set(s->queries[6], cn_with(Health, {3, 4})));
    CnQuery *large;
    TRY(large =
            cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Enemy), cn_reads(Large)}}, NULL));
    TRY_IN_PARTS(cn_query_set(large, cn_with_tag(Burning)));
    TRY_IN_PARTS(cn_query_remove(large, cn_id(world, Enemy)));
    TRY_IN_PARTS(cn_query_remove(s->queries[6], cn_id(world, Shape)));
    TRY_IN_PARTS(cn_query_set(s->queries[0], cn_with(Mass, {9})));
    CnQuery *burning;
    TRY(burning = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Burning)}}, NULL));
    uint32_t expected = cn_query_count(burning);
    TRY_IN_PARTS(cn_query_destroy_entities(burning) == expected);
    return true;
}

static bool save_and_load(Scenario *s)
{
    CnError error = {0};
    TRY(cn_world_save(world, &s->snapshot, &error));
    TRY(s->copy = cn_world_create(&(CnWorldDesc){.allocator = &s->memory.base}, NULL));
    TRY_IN_PARTS(cn_world_load(s->copy, s->snapshot.bytes, s->snapshot.size, &error));
    assert_int_equal(cn_world_hash(s->copy), cn_world_hash(world));
    const char *problem = check_world(s->copy);
    if (problem)
        fail_msg("the loaded world: %s", problem);
    return true;
}

static bool end(Scenario *s)
{
    cn_world_trim(world);
    cn_commands_destroy(s->commands);
    return true;
}

static bool play(Scenario *s)
{
    return begin(s) && spawn_things(s) && change_things(s) && make_queries(s) && use_commands(s) &&
           use_hooks(s) && use_events_and_resources(s) && use_relations(s) && use_systems(s) &&
           use_bulk(s) && save_and_load(s) && end(s);
}

/* Plays it once and frees everything; false when an allocation failed. */
static bool play_once(Scenario *s, Mode mode, uint64_t fail_at, uint64_t *summary)
{
    memset(s, 0, sizeof *s);
    heap = cn_heap_create(NULL, NULL);
    s->mode = mode;
    s->memory = faulty_allocator(cn_heap_tag(heap, "world"));
    s->memory.fail_at = fail_at;
    s->memory.lasting = mode != BLINK;
    hook_failed = false;
    play(s);
    s->lossy |= hook_failed;
    if (world)
        assert_world_sound(world);
    *summary = world ? fingerprint(false) : 0;
    cn_snapshot_free(&s->snapshot);
    cn_world_destroy(s->copy);
    cn_world_destroy(world);
    world = NULL;
    CnHeapStats stats = cn_heap_stats(heap);
    if (stats.live_blocks)
        fail_msg("%llu blocks are live after allocation %llu failed",
                 (unsigned long long)stats.live_blocks, (unsigned long long)fail_at);
    cn_heap_destroy(heap);
    return s->memory.failures == 0;
}

static void play_all(Mode mode)
{
    static Scenario s;
    uint64_t expected, summary, runs = 0;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(play_once(&s, mode, UINT64_MAX, &expected));
    for (uint64_t n = 0; !play_once(&s, mode, n, &summary); n++, runs++)
        if (mode != STOP && !s.lossy && summary != expected)
            fail_msg("allocation %llu failed (%s), and the world ended differently",
                     (unsigned long long)n, s.failed_call ? s.failed_call : "unnoticed");
    assert_true(runs > 300);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

static void every_allocation_may_fail_for_good(void **state)
{
    (void)state;
    play_all(STOP);
}

static void every_allocation_may_fail_until_the_call_gives_up(void **state)
{
    (void)state;
    play_all(RECOVER);
}

static void every_single_allocation_may_fail(void **state)
{
    (void)state;
    play_all(BLINK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_for_good),
        cmocka_unit_test(every_allocation_may_fail_until_the_call_gives_up),
        cmocka_unit_test(every_single_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
