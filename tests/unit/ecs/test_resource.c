#include "ecs_fixture.h"

CN_COMPONENT(Gravity, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Score, (i64, points));
CN_TAG(Paused);

static void a_resource_that_was_never_set_is_null(void **state)
{
    (void)state;
    assert_null(cn_resource(world, Gravity));
    cn_id(world, Gravity);
    assert_null(cn_resource(world, Gravity));
    assert_false(cn_resource_remove(world, Gravity));
}

static void a_resource_is_a_typed_singleton(void **state)
{
    (void)state;
    Gravity *gravity = cn_resource_set(world, Gravity, {0, -28, 0});
    assert_ptr_equal(cn_resource(world, Gravity), gravity);
    assert_number_equal(gravity->y, -28);
    assert_true(_Generic(cn_resource_mut(world, Gravity), Gravity * : true, default : false));
}

static void a_resource_is_a_copy(void **state)
{
    (void)state;
    Score value = {5};
    cn_resource_set_value(world, cn_id(world, Score), &value);
    value.points = 6;
    assert_int_equal(cn_resource(world, Score)->points, 5);
}

static void setting_again_overwrites_in_place(void **state)
{
    (void)state;
    Score *score = cn_resource_set(world, Score, {1});
    assert_ptr_equal(cn_resource_set(world, Score, {2}), score);
    assert_int_equal(score->points, 2);
}

static void the_address_stays_until_it_is_removed(void **state)
{
    (void)state;
    Score *score = cn_resource_set(world, Score, {1});
    for (int i = 0; i < 200; i++) {
        char name[16];
        cn_format(name, sizeof name, "Resource%d", i);
        CnType type = {.name = name, .size = 8, .alignment = 8};
        CnComponent id = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
        cn_resource_set_value(world, id, NULL);
        cn_spawn(world, cn_with(Position, {0}));
    }
    cn_world_clear(world);
    cn_world_trim(world);
    assert_ptr_equal(cn_resource(world, Score), score);
    assert_int_equal(score->points, 1);
}

static void a_resource_may_be_written_through_its_address(void **state)
{
    (void)state;
    cn_resource_set(world, Score, {1});
    cn_resource_mut(world, Score)->points++;
    assert_int_equal(cn_resource(world, Score)->points, 2);
}

static void a_removed_resource_is_gone(void **state)
{
    (void)state;
    cn_resource_set(world, Score, {1});
    assert_true(cn_resource_remove(world, Score));
    assert_null(cn_resource(world, Score));
    assert_false(cn_resource_remove(world, Score));
    cn_resource_set(world, Score, {3});
    assert_int_equal(cn_resource(world, Score)->points, 3);
}

static void without_a_value_a_resource_is_zeros_or_the_registered_default(void **state)
{
    (void)state;
    const Gravity *gravity = cn_resource_set_value(world, cn_id(world, Gravity), NULL);
    assert_number_equal(gravity->y, 0);
    cn_register(world, Score, .default_value = &(Score){100});
    const Score *score = cn_resource_set_value(world, cn_id(world, Score), NULL);
    assert_int_equal(score->points, 100);
}

static void a_resource_without_data_is_there_or_not(void **state)
{
    (void)state;
    assert_null(cn_resource_get(world, cn_id(world, Paused)));
    assert_non_null(cn_resource_set_value(world, cn_id(world, Paused), NULL));
    assert_non_null(cn_resource_get(world, cn_id(world, Paused)));
    assert_true(cn_resource_remove_value(world, cn_id(world, Paused)));
    assert_null(cn_resource_get(world, cn_id(world, Paused)));
}

static void a_resource_is_not_a_component_of_anyone(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Score, {7}));
    cn_resource_set(world, Score, {1});
    assert_int_equal(cn_get(world, entity, Score)->points, 7);
    cn_destroy(world, entity);
    assert_int_equal(cn_resource(world, Score)->points, 1);
}

static void a_resource_is_aligned_to_a_cache_line(void **state)
{
    (void)state;
    assert_int_equal((uintptr_t)cn_resource_set(world, Score, {1}) % 64, 0);
    assert_int_equal((uintptr_t)cn_resource_set(world, Gravity, {0}) % 64, 0);
}

static void each_world_has_its_own_resources(void **state)
{
    (void)state;
    CnWorld *other = cn_world_create(NULL, NULL);
    cn_resource_set(world, Score, {1});
    assert_null(cn_resource(other, Score));
    cn_resource_set(other, Score, {2});
    assert_int_equal(cn_resource(world, Score)->points, 1);
    cn_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_resource_that_was_never_set_is_null),
        WORLD_TEST(a_resource_is_a_typed_singleton),
        WORLD_TEST(a_resource_is_a_copy),
        WORLD_TEST(setting_again_overwrites_in_place),
        WORLD_TEST(the_address_stays_until_it_is_removed),
        WORLD_TEST(a_resource_may_be_written_through_its_address),
        WORLD_TEST(a_removed_resource_is_gone),
        WORLD_TEST(without_a_value_a_resource_is_zeros_or_the_registered_default),
        WORLD_TEST(a_resource_without_data_is_there_or_not),
        WORLD_TEST(a_resource_is_not_a_component_of_anyone),
        WORLD_TEST(a_resource_is_aligned_to_a_cache_line),
        WORLD_TEST(each_world_has_its_own_resources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
