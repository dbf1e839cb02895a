/* The hand: what held buttons do to the block that is aimed at, through the input that a window sends. */
#include "cmocka_tests.h"
#include "voxel_world.h"

#include <crafty/sim/player.h>

#define HIGH 300

typedef struct Yard {
    VoxelWorld blocks;
    CnSim *sim;
    CnWorld *world;
    CnEntity eye;
} Yard;

static const CnCell aimed_at = {0, HIGH, -3};

/* A flying eye before a block of dirt; the mouse is the player's. */
static Yard make_yard(void)
{
    Yard yard = {.blocks = voxel_world_create(cn_system_allocator(), 0, NULL)};
    assert_true(voxel_set(yard.blocks.world, aimed_at, CN_BLOCK_DIRT));
    CnPlugin scene = cn_scene_plugin();
    yard.sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(yard.sim);
    yard.world = cn_sim_world(yard.sim);
    assert_true(crafty_player_add(yard.world, yard.blocks.world, NULL));
    yard.eye = cn_object_create(yard.world, "Eye", CN_NO_PARENT);
    assert_true(crafty_player_make(yard.world, yard.eye, CRAFTY_PLAYER_FLIES));
    cn_get_mut(yard.world, yard.eye, CnTransform)->position = cn_vec3(0.5f, HIGH + 0.5f, 0.5f);
    cn_get_mut(yard.world, yard.eye, CnFlyCamera)->captured = true;
    assert_true(cn_sim_tick_n(yard.sim, 1, NULL));
    return yard;
}

static void end_yard(Yard *yard)
{
    cn_sim_destroy(yard->sim);
    voxel_world_destroy(&yard->blocks);
}

static void hold(Yard *yard, uint32_t button, uint64_t ticks)
{
    cn_input_mouse_button(cn_sim_input(yard->sim), button, true);
    assert_true(cn_sim_tick_n(yard->sim, ticks, NULL));
    cn_input_mouse_button(cn_sim_input(yard->sim), button, false);
    assert_true(cn_sim_tick_n(yard->sim, 1, NULL));
}

static uint32_t events_of(const Yard *yard, CnInteractKind kind)
{
    const CraftyHand *hand = cn_resource(yard->world, CraftyHand);
    uint32_t count = 0;
    for (uint32_t i = 0; i < hand->event_count; i++)
        count += hand->events[i].kind == kind;
    return count;
}

static void a_held_button_cracks_in_ten_stages_and_breaks(void **state)
{
    (void)state;
    Yard yard = make_yard();
    assert_true(cn_resource(yard.world, CraftyHand)->interact.aiming);
    hold(&yard, CN_MOUSE_LEFT, 50); /* 750 ms are 45 ticks */
    assert_int_equal(events_of(&yard, CN_INTERACT_CHIP), 10);
    assert_int_equal(events_of(&yard, CN_INTERACT_BREAK), 1);
    assert_int_equal(cn_voxels_get(yard.blocks.world, aimed_at), CN_BLOCK_AIR);
    end_yard(&yard);
}

static void who_lets_go_begins_anew(void **state)
{
    (void)state;
    Yard yard = make_yard();
    hold(&yard, CN_MOUSE_LEFT, 30);
    assert_false(cn_resource(yard.world, CraftyHand)->interact.breaking);
    hold(&yard, CN_MOUSE_LEFT, 30);
    assert_int_equal(events_of(&yard, CN_INTERACT_BREAK), 0);
    assert_int_equal(cn_voxels_get(yard.blocks.world, aimed_at), CN_BLOCK_DIRT);
    end_yard(&yard);
}

static void what_is_held_is_placed_before_the_face(void **state)
{
    (void)state;
    Yard yard = make_yard();
    cn_get_mut(yard.world, yard.eye, CraftyPlayer)->held = CN_BLOCK_GLOWSTONE;
    hold(&yard, CN_MOUSE_RIGHT, 2);
    assert_int_equal(events_of(&yard, CN_INTERACT_PLACE), 1);
    assert_int_equal(cn_voxels_get(yard.blocks.world, (CnCell){0, HIGH, -2}), CN_BLOCK_GLOWSTONE);
    voxel_show(yard.blocks.world, cn_chunk_of(aimed_at));
    assert_int_equal(cn_voxels_light(yard.blocks.world, (CnCell){0, HIGH, -1}) & 15, 14);
    end_yard(&yard);
}

static void the_middle_button_takes_what_is_aimed_at(void **state)
{
    (void)state;
    Yard yard = make_yard();
    hold(&yard, CN_MOUSE_MIDDLE, 1);
    assert_int_equal(cn_get(yard.world, yard.eye, CraftyPlayer)->held, CN_BLOCK_DIRT);
    end_yard(&yard);
}

static void a_mouse_that_is_not_the_players_does_nothing(void **state)
{
    (void)state;
    Yard yard = make_yard();
    cn_get_mut(yard.world, yard.eye, CnFlyCamera)->captured = false;
    hold(&yard, CN_MOUSE_MIDDLE, 1);
    assert_int_equal(cn_get(yard.world, yard.eye, CraftyPlayer)->held, CN_BLOCK_STONE);
    end_yard(&yard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_button_cracks_in_ten_stages_and_breaks),
        cmocka_unit_test(who_lets_go_begins_anew),
        cmocka_unit_test(what_is_held_is_placed_before_the_face),
        cmocka_unit_test(the_middle_button_takes_what_is_aimed_at),
        cmocka_unit_test(a_mouse_that_is_not_the_players_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
