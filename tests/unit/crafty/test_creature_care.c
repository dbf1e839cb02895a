/* What players do to creatures: hitting, feeding, taming, shearing; and the file of the kinds. */
#include "creature_fixture.h"

#include <crafty/sim/creature/creature_care.h>

static CraftyStack stack_of(CreatureFixture *fixture, const char *item)
{
    return (CraftyStack){.item = fixture_item(&fixture->sim, item), .count = 1};
}

static void a_sword_hurts_more_than_a_hand(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 8);
    const CraftyItems *items = fixture.sim.items;
    float hand = crafty_strike_damage(items, (CraftyStack){0});
    float wood = crafty_strike_damage(items, stack_of(&fixture, "wooden_sword"));
    float diamond = crafty_strike_damage(items, stack_of(&fixture, "diamond_sword"));
    assert_true(hand < wood && wood < diamond);
    creatures_end(&fixture);
}

/* The player looks to the north. */
static void the_hand_hits_the_creature_in_sight(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 8);
    CnEntity zombie = creature_at(&fixture, "zombie", 0.5f, -1.5f);
    input_button(&fixture.sim.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture.sim, 3);
    input_button(&fixture.sim.inputs[0], CN_MOUSE_LEFT, false);
    assert_true(creature_of(&fixture, zombie)->health < 20);
    creatures_end(&fixture);
}

static bool is_hit_behind(const char *block)
{
    CreatureFixture fixture;
    creatures_make(&fixture, 1, 8);
    CnEntity zombie = creature_at(&fixture, "zombie", 0.5f, -2.2f);
    put_block(&fixture, 0, 1, -1, block);
    put_block(&fixture, 0, 2, -1, block);
    input_button(&fixture.sim.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture.sim, 1); /* before it breaks */
    input_button(&fixture.sim.inputs[0], CN_MOUSE_LEFT, false);
    bool is_hit = creature_of(&fixture, zombie)->health < 20;
    creatures_end(&fixture);
    return is_hit;
}

static void plants_do_not_hide_creatures_from_the_hand(void **state)
{
    (void)state;
    assert_true(is_hit_behind("short_grass"));
}

static void glass_protects_creatures_from_the_hand(void **state)
{
    (void)state;
    assert_false(is_hit_behind("glass"));
}

static void a_bone_tames_a_wolf_sooner_or_later(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 8);
    CnEntity wolf = creature_at(&fixture, "wolf", 2.5f, 0.5f);
    for (uint32_t i = 0; i < 60 && !creature_of(&fixture, wolf)->owner; i++) {
        assert_int_equal(crafty_creature_care(fixture.sim.world, fixture.sim.players[0], wolf,
                                              stack_of(&fixture, "bone")),
                         CRAFTY_CARE_EATEN);
        fixture_ticks(&fixture.sim, 1);
    }
    assert_int_equal(creature_of(&fixture, wolf)->owner, 1);
    assert_true(creature_of(&fixture, wolf)->sits);
    creatures_end(&fixture);
}

static void a_tame_wolf_follows_its_owner(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 14);
    CnEntity wolf = crafty_creature_spawn(
        fixture.sim.world, &(CraftyCreatureDesc){.kind = "wolf",
                                                 .position = {12.5f, FLOOR_Y + 1.01f, 0.5f},
                                                 .owner = 1});
    fixture_ticks(&fixture.sim, 600);
    assert_true(flat_distance(creature_place(&fixture, wolf), cn_vec3(0.5f, 0, 0.5f)) < 8);
    creatures_end(&fixture);
}

static void food_makes_adults_love_and_shears_take_wool(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 8);
    CnEntity sheep = creature_at(&fixture, "sheep", 2.5f, 0.5f), player = fixture.sim.players[0];
    assert_int_equal(
        crafty_creature_care(fixture.sim.world, player, sheep, stack_of(&fixture, "hay_bale")),
        CRAFTY_CARE_EATEN);
    assert_true(creature_of(&fixture, sheep)->love > 0);
    assert_int_equal(
        crafty_creature_care(fixture.sim.world, player, sheep, stack_of(&fixture, "shears")),
        CRAFTY_CARE_WORN);
    assert_true(creature_of(&fixture, sheep)->sheared);
    assert_true(crafty_drop_items(fixture.sim.world, fixture_item(&fixture.sim, "white_wool")) > 0);
    assert_int_equal(
        crafty_creature_care(fixture.sim.world, player, sheep, stack_of(&fixture, "shears")),
        CRAFTY_CARE_NONE);
    creatures_end(&fixture);
}

static void mistakes_in_the_file_are_named_with_their_line(void **state)
{
    static const char *const texts[] = {
        "{\"creatures\": [\n{\"name\": \"a\", \"number\": 1}]}",
        "{\"creatures\": [\n{\"name\": \"a\", \"number\": 1, \"size\": [1, 9]}]}",
        "{\"creatures\": [\n{\"name\": \"a\", \"number\": 0, \"size\": [1, 1]}]}",
        "{\"creatures\": [\n{\"name\": \"a\", \"number\": 1, \"size\": [1, 1], \"foods\": [\"x\"]}]}",
        "{\"creatures\": [\n{\"name\": \"a\", \"number\": 1, \"size\": [1, 1], \"behaviours\": "
        "[{\"do\": \"fly\"}]}]}",
        "{\"creatures\": [\n{\"name\": \"a\", \"number\": 1, \"size\": [1, 1], \"spawn\": "
        "{\"biomes\": [\"moon\"]}}]}",
    };
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 8);
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++) {
        CraftyCreatureKinds *kinds = crafty_creature_kinds_create(NULL, NULL);
        CnError error = {0};
        assert_false(crafty_creature_kinds_read(kinds, fixture.sim.items, "test.json",
                                                cn_text(texts[i]), &error));
        assert_string_equal(error.file, "test.json");
        assert_int_equal(error.line, 2);
        crafty_creature_kinds_destroy(kinds);
    }
    creatures_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sword_hurts_more_than_a_hand),
        cmocka_unit_test(the_hand_hits_the_creature_in_sight),
        cmocka_unit_test(plants_do_not_hide_creatures_from_the_hand),
        cmocka_unit_test(glass_protects_creatures_from_the_hand),
        cmocka_unit_test(a_bone_tames_a_wolf_sooner_or_later),
        cmocka_unit_test(a_tame_wolf_follows_its_owner),
        cmocka_unit_test(food_makes_adults_love_and_shears_take_wool),
        cmocka_unit_test(mistakes_in_the_file_are_named_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
