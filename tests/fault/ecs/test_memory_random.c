/*
 * Random operations while allocations fail at random. Nothing is compared but the world itself: it
 * stays sound, entities that were made live until they are destroyed, and all memory comes back.
 */
/* Before the fixture, whose `world` its parameters would shadow. */
#include "ecs/world/world_internal.h"

#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"
#include "faulty_allocator.h"

CN_COMPONENT(Shape, (vec3, size), (u8, kind));
CN_COMPONENT(Wide, (u32, words, 90));
CN_COMPONENT(Watched, (u32, value));
CN_COMPONENT(Likes, (f32, amount));
CN_TAG(Knows);

#define MOST 600u
#define BUFFERS 3u
#define QUERIES 30u
#define COMPONENTS 9u

static FaultyAllocator memory;
static TestRandom random_state;
static CnComponent components[COMPONENTS], kinds[2];
static CnEntity living[MOST + 8];
static uint32_t living_count;
static CnCommands *buffers[BUFFERS];
static CnQuery *queries[QUERIES];
static uint32_t query_count;
static const Wide some_value = {{1, 2, 3}};

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_state, n);
}

static CnEntity some_entity(void)
{
    return living_count ? living[below(living_count)] : (CnEntity){0};
}

static CnComponent some_component(void)
{
    return components[below(COMPONENTS)];
}

static void forget_dead(void)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < living_count; i++)
        if (cn_is_alive(world, living[i]))
            living[n++] = living[i];
    living_count = n;
}

static void spawn_in_hook(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    if (below(4) == 0)
        cn_spawn(in, cn_with(Mass, {1}));
    cn_add_component(in, entity, components[below(3)]);
}

static void change_in_hook(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    cn_remove_component(in, entity, components[below(3)]);
    if (below(10) == 0)
        cn_destroy(in, some_entity());
}

/* ---- Operations; any of them may fail ---- */

static void spawn(void)
{
    CnValue values[3];
    uint32_t count = below(4);
    for (uint32_t i = 0; i < count; i++)
        values[i] = (CnValue){.component = some_component(), .data = &some_value};
    CnEntity e = cn_spawn_values(world, values, count);
    if (e.id)
        living[living_count++] = e;
}

static void spawn_many(void)
{
    CnEntity made[8] = {{0}};
    uint32_t before = cn_entity_count(world);
    CnValue value = {.component = some_component(), .data = &some_value};
    bool done = cn_spawn_many_values(world, 8, made, &value, 1);
    assert_true(done ? cn_is_alive(world, made[7]) || cn_entity_count(world) != before + 8
                     : cn_entity_count(world) == before);
    for (uint32_t i = 0; i < 8 && done && living_count < MOST; i++)
        if (cn_is_alive(world, made[i]))
            living[living_count++] = made[i];
}

static void change(void)
{
    CnEntity e = some_entity();
    if (!cn_is_alive(world, e))
        return;
    CnComponent component = some_component();
    switch (below(4)) {
    case 0:
        cn_add_component(world, e, component);
        break;
    case 1:
        cn_set_component(world, e, component, &some_value);
        break;
    case 2:
        cn_remove_component(world, e, component);
        break;
    default: {
        CnComponent removed[] = {some_component(), some_component()};
        CnValue values[] = {{.component = component}, {.component = some_component()}};
        cn_change(world, e, &(CnChange){values, 2, removed, 2});
    }
    }
}

static void relate(void)
{
    CnEntity e = some_entity(), other = some_entity();
    if (!cn_is_alive(world, e) || !cn_is_alive(world, other))
        return;
    if (below(2)) {
        cn_set_parent(world, e, below(4) ? other : (CnEntity){0});
        return;
    }
    CnComponent pair = cn_pair(world, kinds[below(2)], other);
    if (pair.id && below(3))
        cn_set_component(world, e, pair, &some_value);
    else if (pair.id)
        cn_defer_add_component(buffers[below(BUFFERS)], e, pair);
}

static void defer(void)
{
    CnCommands *commands = buffers[below(BUFFERS)];
    CnEntity e = some_entity();
    CnValue values[] = {{.component = some_component(), .data = &some_value},
                        {.component = some_component()}};
    switch (below(6)) {
    case 0:
        cn_defer_spawn_values(commands, values, 2);
        break;
    case 1:
        cn_defer_add_component(commands, e, some_component());
        break;
    case 2:
        cn_defer_set_component(commands, e, some_component(), &some_value);
        break;
    case 3:
        cn_defer_remove_component(commands, e, some_component());
        break;
    case 4:
        cn_defer_set_parent(commands, e, some_entity());
        break;
    default:
        cn_defer_destroy(commands, e);
    }
}

static void change_buffers(void)
{
    uint32_t b = below(BUFFERS);
    CnCommands *fresh = cn_commands_create(world, NULL);
    if (!fresh)
        return;
    cn_commands_destroy(buffers[b]);
    buffers[b] = fresh;
}

static void use_query(void)
{
    if (query_count < QUERIES && below(3) == 0) {
        CnQueryDesc desc = {.all = {{.component = some_component()}}};
        if (below(2))
            desc.none[0].component = some_component();
        CnQuery *made = below(4) || !query_count
                            ? cn_query_acquire(world, &desc, NULL)
                            : cn_query_and(queries[below(query_count)], desc.all[0], NULL);
        if (made)
            queries[query_count++] = made;
        return;
    }
    if (!query_count)
        return;
    CnQuery *query = queries[below(query_count)];
    CnValue value = {.component = some_component(), .data = below(2) ? &some_value : NULL};
    switch (below(8)) {
    case 0:
        cn_query_destroy_entities(query);
        break;
    case 1:
    case 2:
        cn_query_remove(query, value.component);
        break;
    default:
        cn_query_set(query, value);
    }
}

static void one_operation(void)
{
    uint32_t what = below(100);
    if (what < 15 && living_count < MOST)
        spawn();
    else if (what < 18 && living_count < MOST)
        spawn_many();
    else if (what < 28)
        cn_destroy(world, some_entity());
    else if (what < 50)
        change();
    else if (what < 60)
        relate();
    else if (what < 85)
        defer();
    else if (what < 88)
        cn_flush(world);
    else if (what < 90)
        change_buffers();
    else if (what < 97)
        use_query();
    else if (what < 98)
        cn_world_trim(world);
    CnTreeOrder order;
    if (what == 98)
        cn_tree_order(world, &order);
}

/* ---- A run ---- */

static void begin(uint64_t seed)
{
    heap = cn_heap_create(NULL, NULL);
    memory = faulty_allocator(cn_heap_tag(heap, "world"));
    memory.random.state = seed * 7919;
    random_state.state = seed;
    living_count = query_count = 0;
    world = cn_world_create(&(CnWorldDesc){.allocator = &memory.base}, NULL);
    CnHooks hooks = {.on_add = {spawn_in_hook, NULL}, .on_remove = {change_in_hook, NULL}};
    uint32_t n = 0;
    components[n++] = cn_id(world, Frozen);
    components[n++] = cn_id(world, Mass);
    components[n++] = cn_id(world, Position);
    components[n++] = cn_register(world, Shape, .layout = CN_LAYOUT_FIELDS);
    components[n++] = cn_id(world, Wide);
    components[n++] = cn_id(world, Health);
    components[n++] = cn_id(world, Enemy);
    components[n++] = cn_id(world, Velocity);
    components[n++] = cn_register(world, Watched, .hooks = hooks);
    assert_int_equal(n, COMPONENTS);
    kinds[0] = cn_id(world, Likes);
    kinds[1] = cn_id(world, Knows);
    for (uint32_t i = 0; i < BUFFERS; i++)
        buffers[i] = cn_commands_create(world, NULL);
    memory.percent = 8;
}

static void end(void)
{
    memory.percent = 0;
    cn_flush(world);
    cn_world_trim(world);
    assert_world_sound(world);
    assert_false(world->has_stale_pairs);
    cn_world_clear(world);
    assert_world_sound(world);
    cn_world_destroy(world);
    world = NULL;
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

static void ignore_guard(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message, (void)user;
}

static void a_world_stays_sound_while_memory_fails_at_random(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    /* Hooks change what they have destroyed, which is a mistake that they may make here. */
    cn_assert_set_handler(ignore_guard, NULL);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        begin(seed);
        for (uint32_t i = 0; i < 4000; i++) {
            one_operation();
            forget_dead();
            const char *problem = i % 20 == 0 ? check_world(world) : NULL;
            if (problem)
                fail_msg("seed %u, operation %u: %s", (unsigned)seed, i, problem);
        }
        assert_true(memory.failures > 20);
        end();
    }
    cn_assert_set_handler(NULL, NULL);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_stays_sound_while_memory_fails_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
