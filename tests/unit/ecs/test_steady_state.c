/* test-labels: threads */
/* Steady state: what was done once makes no heap call when it is done again. */
#include "ecs_fixture.h"

#include "check_world.h"

#define COUNT 3000u
#define ROUNDS 20u

CN_COMPONENT(Shape, (vec3, size), (u8, kind));

static CnEntity entities[COUNT];
static CnCommands *commands, *others;
static CnQuery *movers, *heavy, *everyone;

static int make_steady_world(void **state)
{
    if (make_world(state))
        return -1;
    cn_register(world, Shape, .layout = CN_LAYOUT_FIELDS);
    cn_id(world, Mass), cn_id(world, Health), cn_id(world, Enemy), cn_id(world, Burning);
    cn_id(world, Frozen);
    movers = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_writes(Position), cn_reads(Velocity)}}, NULL);
    heavy = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Mass)}}, NULL);
    everyone = cn_query_acquire(world, &(CnQueryDesc){.all = {{.type = NULL}}}, NULL);
    commands = cn_commands_create(world, NULL);
    others = cn_commands_create(world, NULL);
    cn_spawn_many(world, COUNT, entities, cn_with(Position, {0, 0, 0}),
                  cn_with(Velocity, {1, 2, 3}));
    return commands && others ? 0 : -1;
}

#define STEADY_TEST(name) cmocka_unit_test_setup_teardown(name, make_steady_world, drop_world)

/* Runs it until it should have all it needs, then counts. */
static void assert_steady(void (*round)(void))
{
    for (uint32_t i = 0; i < 5; i++)
        round();
    uint64_t calls = cn_heap_stats(heap).calls;
    for (uint32_t i = 0; i < ROUNDS; i++)
        round();
    assert_int_equal(cn_heap_stats(heap).calls - calls, 0);
    assert_world_sound(world);
}

/* ---- One entity at a time ---- */

static void iterate(void)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(movers); cn_query_next(&it, &view);) {
        Position *p = cn_column(&view, Position);
        const Velocity *v = cn_column_const(&view, Velocity);
        for (uint32_t i = 0; i < view.count; i++)
            p[i].x += v[i].x;
    }
    assert_int_equal(cn_query_count(movers), COUNT);
    for (CnQueryIter it = cn_query_iter_changed(movers, 1); cn_query_next(&it, &view);)
        assert_true(view.count);
    static CnEntity found[COUNT];
    assert_int_equal(cn_query_entities(movers, found, COUNT), COUNT);
}

static void get_and_set(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        Position p;
        cn_set(world, entities[i], Position, {1, 2, 3});
        assert_non_null(cn_get(world, entities[i], Position));
        cn_get_mut(world, entities[i], Velocity)->x = 1;
        assert_true(cn_read(world, entities[i], Position, &p));
    }
    float y = 1;
    assert_true(cn_write_field(world, entities[0], "Position", "y", &y, sizeof y, NULL));
}

static void add_and_remove(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        cn_add(world, entities[i], Frozen);
        cn_set(world, entities[i], Mass, {4});
        cn_set(world, entities[i], Shape, {.kind = 4});
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        cn_remove(world, entities[i], Frozen);
        cn_remove(world, entities[i], Shape);
        cn_remove(world, entities[i], Mass);
    }
}

static void change(void)
{
    CnValue values[] = {cn_with(Mass, {1}), cn_with_tag(Enemy)};
    CnComponent ids[] = {cn_id(world, Mass), cn_id(world, Enemy)};
    for (uint32_t i = 0; i < COUNT; i++)
        cn_change(world, entities[i], &(CnChange){.set = values, .set_count = 2});
    for (uint32_t i = 0; i < COUNT; i++)
        cn_change(world, entities[i], &(CnChange){.remove = ids, .remove_count = 2});
}

static void spawn_and_destroy(void)
{
    static CnEntity made[1000];
    for (uint32_t i = 0; i < 500; i++)
        made[i] = cn_spawn(world, cn_with(Mass, {1}), cn_with_tag(Enemy));
    cn_spawn_many(world, 500, made + 500, cn_with(Mass, {1}));
    assert_int_equal(cn_destroy_many(world, made, 1000), 1000);
}

static void attach_and_detach(void)
{
    for (uint32_t i = 1; i < 300; i++)
        cn_set_parent(world, entities[i], entities[i / 4]);
    CnTreeOrder order;
    assert_true(cn_tree_order(world, &order));
    for (uint32_t i = 1; i < 300; i++)
        cn_set_parent(world, entities[i], (CnEntity){0});
}

static void iterating_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(iterate);
}

static void getting_and_setting_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(get_and_set);
}

static void adding_and_removing_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(add_and_remove);
}

static void changing_several_at_once_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(change);
}

static void spawning_and_destroying_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(spawn_and_destroy);
}

static void attaching_and_detaching_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(attach_and_detach);
}

/* ---- Deferred ---- */

static void defer_add_and_remove(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        cn_defer_add(commands, entities[i], Frozen);
        cn_defer_set(others, entities[COUNT - 1 - i], Health, {1, 2});
    }
    assert_true(cn_flush(world));
    for (uint32_t i = 0; i < COUNT; i++) {
        cn_defer_remove(others, entities[i], Frozen);
        cn_defer_remove(commands, entities[i], Health);
    }
    assert_true(cn_flush(world));
}

static void defer_spawn_and_destroy(void)
{
    static CnEntity made[1500];
    for (uint32_t i = 0; i < 1500; i++)
        made[i] = cn_defer_spawn(i % 3 ? commands : others, cn_with(Mass, {1}),
                                 cn_with(Position, {1, 1, 1}));
    assert_true(cn_flush(world));
    for (uint32_t i = 0; i < 1500; i++)
        cn_defer_destroy(i % 2 ? commands : others, made[i]);
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), COUNT);
}

static void defer_and_spawn_in_between(void)
{
    CnEntity made[90];
    for (uint32_t i = 0; i < 90; i += 3) {
        made[i] = cn_defer_spawn(commands, cn_with(Mass, {1}));
        made[i + 1] = cn_spawn(world, cn_with(Mass, {1}));
        made[i + 2] = cn_defer_spawn(others, cn_with(Mass, {1}));
    }
    assert_true(cn_flush(world));
    assert_int_equal(cn_destroy_many(world, made, 90), 90);
}

CN_COMPONENT(Wide, (u32, words, 200));

static void defer_large_values(void)
{
    for (uint32_t i = 0; i < 500; i++)
        cn_defer_set(commands, entities[i], Wide, {{i}});
    assert_true(cn_flush(world));
    for (uint32_t i = 0; i < 500; i++)
        cn_defer_remove(commands, entities[i], Wide);
    assert_true(cn_flush(world));
}

static void deferred_adding_and_removing_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(defer_add_and_remove);
}

static void deferred_spawning_and_destroying_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(defer_spawn_and_destroy);
}

static void spawning_between_deferred_spawns_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(defer_and_spawn_in_between);
}

static void deferred_values_beyond_a_slot_make_no_heap_call(void **state)
{
    (void)state;
    cn_id(world, Wide);
    assert_steady(defer_large_values);
}

/* ---- Hooks ---- */

static void set_on_fire(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    cn_add(in, entity, Burning);
}

static void put_out(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    cn_remove(in, entity, Burning);
}

static void hooks_that_change_the_world_make_no_heap_call(void **state)
{
    (void)state;
    cn_component_set_hooks(world, cn_id(world, Frozen),
                           &(CnHooks){.on_add = {set_on_fire, NULL}, .on_remove = {put_out, NULL}});
    assert_steady(add_and_remove);
    assert_steady(defer_add_and_remove);
}

/* ---- Bulk ---- */

static void change_queries(void)
{
    assert_true(cn_query_set(movers, cn_with_tag(Frozen)));
    assert_true(cn_query_set(movers, cn_with(Mass, {3})));
    assert_true(cn_query_set(heavy, cn_with(Mass, {4})));
    assert_true(cn_query_remove(heavy, cn_id(world, Mass)));
    assert_true(cn_query_remove(movers, cn_id(world, Frozen)));
}

static void spawn_and_destroy_by_query(void)
{
    cn_spawn_many(world, 2000, NULL, cn_with(Mass, {1}), cn_with_tag(Enemy));
    assert_int_equal(cn_query_destroy_entities(heavy), 2000);
}

static void bulk_changes_make_no_heap_call(void **state)
{
    (void)state;
    assert_steady(change_queries);
}

static void bulk_spawning_and_destroying_makes_no_heap_call(void **state)
{
    (void)state;
    assert_steady(spawn_and_destroy_by_query);
}

/* ---- Events, systems, threads ---- */

static CnChannel *hits, *shapes, *bells;

static void send_and_read(void)
{
    cn_events_begin_update(world);
    for (int32_t i = 0; i < 500; i++) {
        cn_send(hits, Health, {i, i});
        cn_send(shapes, Shape, {.kind = (uint8_t)i});
        cn_signal(bells);
    }
    int64_t sum = 0;
    for (uint32_t i = 0; i < cn_event_count(hits); i++)
        sum += cn_events(hits, Health)[i].now;
    assert_true(sum > 0);
    cn_events_end_update(world);
}

static void events_make_no_heap_call(void **state)
{
    (void)state;
    hits = cn_channel(world, Health);
    shapes = cn_channel(world, Shape);
    bells = cn_channel(world, Burning);
    assert_steady(send_and_read);
}

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++)
        p[i].x += v[i].x * context->dt;
}

static void spark(CnSystemContext *context)
{
    for (uint32_t i = 0; i < 20; i++)
        cn_defer_spawn(context->commands, cn_with(Mass, {1}));
    cn_send(hits, Health, {1, 2});
}

static void put_sparks_out(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            cn_defer_destroy(context->commands, view.entities[i]);
}

static void update(void)
{
    CnError error;
    assert_true(cn_world_update(world, 0.05f, &error));
}

static void a_tick_of_systems_makes_no_heap_call(void **state)
{
    (void)state;
    hits = cn_channel(world, Health);
    assert_true(cn_system(world, move, .stage = CN_STAGE_INPUT).id);
    CnSystemDesc sparks = {
        .name = "spark", .run = spark, .stage = CN_STAGE_UPDATE, .access = {cn_writes(Health)}};
    CnSystemDesc water = {.name = "water",
                          .run = put_sparks_out,
                          .stage = CN_STAGE_POST_UPDATE,
                          .query = {.all = {cn_reads(Mass)}}};
    assert_true(cn_system_add(world, &sparks, NULL).id);
    assert_true(cn_system_add(world, &water, NULL).id);
    assert_steady(update);
    assert_int_equal(cn_entity_count(world), COUNT);
}

static CnJobPool *pool;

static void move_chunk(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)user, (void)lane;
    Position *p = cn_column(view, Position);
    const Velocity *v = cn_column_const(view, Velocity);
    for (uint32_t i = 0; i < view->count; i++)
        p[i].y += v[i].y;
}

static void iterate_in_parallel(void)
{
    cn_query_parallel(movers, pool, move_chunk, NULL);
}

static void iterating_in_parallel_makes_no_heap_call(void **state)
{
    (void)state;
    pool = cn_job_pool_create(
        &(CnJobPoolDesc){.allocator = cn_heap_tag(heap, "jobs"), .workers = 2}, NULL);
    assert_non_null(pool);
    cn_spawn_many(world, 50000, NULL, cn_with(Position, {0, 0, 0}), cn_with(Velocity, {1, 2, 3}));
    assert_steady(iterate_in_parallel);
    cn_job_pool_destroy(pool);
}

/* One buffer a lane; ids depend on the buffer alone. */
static CnCommands *lane_commands[3];

static void defer_chunk(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)user;
    for (uint32_t i = 0; i < view->count; i++) {
        cn_defer_set(lane_commands[lane], view->entities[i], Health, {1, 2});
        if (i % 16 == 0)
            cn_defer_spawn(lane_commands[lane], cn_with(Mass, {1}));
    }
}

static void defer_in_parallel(void)
{
    cn_query_parallel(movers, pool, defer_chunk, NULL);
    assert_true(cn_flush(world));
    assert_int_equal(cn_query_count(movers), COUNT);
    cn_query_remove(movers, cn_id(world, Health));
    cn_query_destroy_entities(heavy);
    assert_int_equal(cn_entity_count(world), COUNT);
}

static void commands_recorded_in_parallel_are_all_applied(void **state)
{
    (void)state;
    pool = cn_job_pool_create(
        &(CnJobPoolDesc){.allocator = cn_heap_tag(heap, "jobs"), .workers = 2}, NULL);
    assert_non_null(pool);
    for (uint32_t i = 0; i < 3; i++)
        lane_commands[i] = cn_commands_create(world, NULL);
    for (uint32_t i = 0; i < ROUNDS; i++)
        defer_in_parallel();
    assert_world_sound(world);
    cn_job_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STEADY_TEST(iterating_makes_no_heap_call),
        STEADY_TEST(getting_and_setting_makes_no_heap_call),
        STEADY_TEST(adding_and_removing_makes_no_heap_call),
        STEADY_TEST(changing_several_at_once_makes_no_heap_call),
        STEADY_TEST(spawning_and_destroying_makes_no_heap_call),
        STEADY_TEST(attaching_and_detaching_makes_no_heap_call),
        STEADY_TEST(deferred_adding_and_removing_makes_no_heap_call),
        STEADY_TEST(deferred_spawning_and_destroying_makes_no_heap_call),
        STEADY_TEST(spawning_between_deferred_spawns_makes_no_heap_call),
        STEADY_TEST(deferred_values_beyond_a_slot_make_no_heap_call),
        STEADY_TEST(hooks_that_change_the_world_make_no_heap_call),
        STEADY_TEST(bulk_changes_make_no_heap_call),
        STEADY_TEST(bulk_spawning_and_destroying_makes_no_heap_call),
        STEADY_TEST(events_make_no_heap_call),
        STEADY_TEST(a_tick_of_systems_makes_no_heap_call),
        STEADY_TEST(iterating_in_parallel_makes_no_heap_call),
        STEADY_TEST(commands_recorded_in_parallel_are_all_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
