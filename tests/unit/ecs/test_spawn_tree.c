/* Many entities with their parents in one go. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/ecs.h>

CN_COMPONENT(Place, (f32, x), (f32, y));
CN_COMPONENT(Weight, (f64, kilograms));
CN_COMPONENT(Friend, (entity, other));
CN_TAG(Heavy);

static CnWorld *world;

static int make_world(void **state)
{
    (void)state;
    world = cn_world_create(NULL, NULL);
    return world ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    return 0;
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static const CnValue place_value = {.type = &cn_type_Place, .data = &(const Place){1, 2}};

static void parents_children_and_values_are_there(void **state)
{
    (void)state;
    CnValue both[] = {place_value, cn_with(Weight, {5})};
    CnTreeSpawn spawns[] = {{both, 2, UINT32_MAX}, {both, 1, 0}, {NULL, 0, 0}, {both, 2, 2}};
    CnEntity e[4];
    assert_true(cn_spawn_tree(world, &(CnTreeSpawnDesc){.spawns = spawns, .count = 4}, e));
    assert_world_sound(world);
    assert_int_equal(cn_entity_count(world), 4);
    assert_int_equal(cn_first_child(world, e[0]).id, e[1].id);
    assert_int_equal(cn_next_sibling(world, e[1]).id, e[2].id);
    assert_int_equal(cn_parent(world, e[3]).id, e[2].id);
    assert_int_equal(cn_depth(world, e[3]), 2);
    assert_true(cn_get(world, e[1], Place)->y == 2);
    assert_true(cn_get(world, e[3], Weight)->kilograms == 5);
    assert_null(cn_get(world, e[1], Weight));
}

static void they_come_below_one_that_is_there(void **state)
{
    (void)state;
    CnEntity above = cn_spawn(world, cn_with(Place, {3, 4}));
    CnEntity first = cn_entity_create(world), e[2];
    cn_set_parent(world, first, above);
    CnTreeSpawn spawns[] = {{&place_value, 1, UINT32_MAX}, {&place_value, 1, UINT32_MAX}};
    CnTreeSpawnDesc desc = {.spawns = spawns, .count = 2, .root_parent = above};
    assert_true(cn_spawn_tree(world, &desc, e));
    assert_world_sound(world);
    assert_int_equal(cn_child_count(world, above), 3);
    assert_int_equal(cn_next_sibling(world, first).id, e[0].id);
    assert_int_equal(cn_next_sibling(world, e[0]).id, e[1].id);
    assert_true(cn_get(world, above, Place)->x == 3);
}

static void one_without_links_has_no_node(void **state)
{
    (void)state;
    CnEntity e;
    CnTreeSpawn spawn = {&place_value, 1, UINT32_MAX};
    assert_true(cn_spawn_tree(world, &(CnTreeSpawnDesc){.spawns = &spawn, .count = 1}, &e));
    assert_false(cn_has(world, e, CnNode));
}

static void a_dead_one_above_is_refused(void **state)
{
    (void)state;
    CnEntity above = cn_entity_create(world), e;
    cn_destroy(world, above);
    uint64_t before = cn_world_hash(world);
    CnTreeSpawn spawn = {&place_value, 1, UINT32_MAX};
    CnTreeSpawnDesc desc = {.spawns = &spawn, .count = 1, .root_parent = above};
    assert_false(cn_spawn_tree(world, &desc, &e));
    assert_int_equal(cn_world_hash(world), before);
}

static void be_friends(const CnEntity *entities, void *user)
{
    Friend *friends = user;
    friends[0].other = entities[1];
    friends[1].other = entities[0];
}

static void values_can_have_the_ids(void **state)
{
    (void)state;
    Friend friends[2] = {0};
    CnValue values[] = {{.type = &cn_type_Friend, .data = &friends[0]},
                        {.type = &cn_type_Friend, .data = &friends[1]}};
    CnTreeSpawn spawns[] = {{&values[0], 1, UINT32_MAX}, {&values[1], 1, 0}};
    CnEntity e[2];
    CnTreeSpawnDesc desc = {
        .spawns = spawns, .count = 2, .on_ids_reserved = be_friends, .user = friends};
    assert_true(cn_spawn_tree(world, &desc, e));
    assert_int_equal(cn_get(world, e[0], Friend)->other.id, e[1].id);
    assert_int_equal(cn_get(world, e[1], Friend)->other.id, e[0].id);
}

static uint32_t entities_seen[2], hook_calls;

static void look_around(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    (void)entity;
    (void)component;
    entities_seen[hook_calls++ % 2] = cn_entity_count(of);
    cn_add(of, entity, Heavy);
}

static void hooks_find_all_of_it(void **state)
{
    (void)state;
    cn_register(world, Place, .hooks = {.on_add = {look_around, NULL}});
    CnTreeSpawn spawns[] = {{&place_value, 1, UINT32_MAX}, {&place_value, 1, 0}};
    CnEntity e[2];
    hook_calls = 0;
    assert_true(cn_spawn_tree(world, &(CnTreeSpawnDesc){.spawns = spawns, .count = 2}, e));
    assert_int_equal(hook_calls, 2);
    assert_true(entities_seen[0] == 2 && entities_seen[1] == 2);
    assert_true(cn_has(world, e[1], Heavy));
    assert_world_sound(world);
}

static void a_tree_can_be_recorded(void **state)
{
    (void)state;
    CnEntity above = cn_entity_create(world), e[2];
    CnCommands *commands = cn_commands_create(world, NULL);
    Friend friends[2] = {0};
    cn_id(world, Friend);
    CnValue values[] = {{.type = &cn_type_Friend, .data = &friends[0]},
                        {.type = &cn_type_Friend, .data = &friends[1]}};
    CnTreeSpawn spawns[] = {{&values[0], 1, UINT32_MAX}, {&values[1], 1, 0}};
    CnTreeSpawnDesc desc = {.spawns = spawns,
                            .count = 2,
                            .root_parent = above,
                            .on_ids_reserved = be_friends,
                            .user = friends};
    assert_true(cn_defer_tree(commands, &desc, e));
    assert_int_equal(cn_entity_count(world), 1);
    assert_true(cn_flush(world));
    assert_int_equal(cn_parent(world, e[0]).id, above.id);
    assert_int_equal(cn_parent(world, e[1]).id, e[0].id);
    assert_int_equal(cn_get(world, e[0], Friend)->other.id, e[1].id);
    desc.on_ids_reserved = NULL;
    assert_true(cn_defer_tree(commands, &desc, e));
    assert_true(cn_flush(world));
    assert_int_equal(cn_child_count(world, above), 2);
    assert_world_sound(world);
}

static CnEntity hook_made[2];

static void plant(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    (void)user;
    CnTreeSpawn spawns[] = {{NULL, 0, UINT32_MAX}, {NULL, 0, 0}};
    CnTreeSpawnDesc desc = {.spawns = spawns, .count = 2, .root_parent = entity};
    assert_true(cn_spawn_tree(of, &desc, hook_made));
}

static void in_a_hook_it_is_recorded(void **state)
{
    (void)state;
    cn_register(world, Weight, .hooks = {.on_add = {plant, NULL}});
    CnEntity e = cn_spawn(world, cn_with(Weight, {1}));
    assert_int_equal(cn_parent(world, hook_made[0]).id, e.id);
    assert_int_equal(cn_parent(world, hook_made[1]).id, hook_made[0].id);
    assert_world_sound(world);
}

#define MANY 3000u

static void many_of_many_shapes_are_sound(void **state)
{
    (void)state;
    static CnTreeSpawn spawns[MANY];
    static CnEntity e[MANY];
    CnValue values[] = {place_value, cn_with(Weight, {1}), cn_with_tag(Heavy),
                        cn_with_default(Friend)};
    TestRandom random = {1};
    for (int round = 0; round < 10; round++) {
        uint32_t count = test_random_below(&random, MANY) + 1;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t first = test_random_below(&random, 4);
            bool is_root = !i || test_random_chance(&random, 10);
            spawns[i] = (CnTreeSpawn){values + first, test_random_below(&random, 5 - first),
                                      is_root ? UINT32_MAX : test_random_below(&random, i)};
        }
        CnEntity above = round % 2 ? e[0] : (CnEntity){0};
        CnTreeSpawnDesc desc = {.spawns = spawns, .count = count, .root_parent = above};
        assert_true(cn_spawn_tree(world, &desc, e));
        assert_world_sound(world);
        for (uint32_t i = 0; i < count; i++) {
            CnEntity parent = spawns[i].parent == UINT32_MAX ? above : e[spawns[i].parent];
            assert_int_equal(cn_parent(world, e[i]).id, parent.id);
        }
        for (uint32_t i = 1; i < count; i += 3)
            cn_destroy(world, e[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TREE_TEST(parents_children_and_values_are_there),
        TREE_TEST(they_come_below_one_that_is_there),
        TREE_TEST(one_without_links_has_no_node),
        TREE_TEST(a_dead_one_above_is_refused),
        TREE_TEST(values_can_have_the_ids),
        TREE_TEST(hooks_find_all_of_it),
        TREE_TEST(a_tree_can_be_recorded),
        TREE_TEST(in_a_hook_it_is_recorded),
        TREE_TEST(many_of_many_shapes_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
