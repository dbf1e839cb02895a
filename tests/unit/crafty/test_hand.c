/* The hand: what held buttons do to the block that is aimed at, through the input that a window
 * sends. */
#include "item_fixture.h"
#include "player_input.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/sim/hand.h>
#include <crafty/sim/player.h>

#include <math.h>

#define HIGH 300

typedef struct Yard {
    VoxelWorld blocks;
    CraftyItems *items;
    CnSim *sim;
    CnWorld *world;
    CnEntity eye;
    PlayerInput input;
    CnEventReader *reader;
    uint32_t counts[CN_INTERACT_REFUSED + 1]; /* of events read so far, by kind */
} Yard;

static const CnCell aimed_at = {0, HIGH, -3};

/* A flying eye before a block of dirt; the mouse is the player's. */
static Yard make_yard(void)
{
    Yard yard = {.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                 .items = make_items(NULL)};
    assert_true(voxel_set(yard.blocks.world, aimed_at, BLOCK_DIRT));
    CnPlugin scene = cn_scene_plugin();
    yard.sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(yard.sim);
    yard.world = cn_sim_world(yard.sim);
    assert_true(crafty_player_add(yard.world, yard.blocks.world, yard.items, NULL));
    assert_true(crafty_commands_add(yard.world, NULL));
    yard.input = make_input(yard.world, 1);
    yard.eye = cn_object(yard.world, "Eye");
    assert_true(crafty_player_make(yard.world, yard.eye, 1, CRAFTY_PLAYER_FLIES));
    cn_get_mut(yard.world, yard.eye, CnTransform)->position = cn_vec3(0.5f, HIGH + 0.5f, 0.5f);
    cn_get_mut(yard.world, yard.eye, CnFlyCamera)->captured = true;
    yard.reader = cn_event_reader_create(cn_channel(yard.world, CraftyHandEvent), NULL);
    assert_non_null(yard.reader);
    input_ticks(&yard.input, yard.sim, 1);
    return yard;
}

static void end_yard(Yard *yard)
{
    end_input(&yard->input);
    cn_sim_destroy(yard->sim);
    crafty_items_destroy(yard->items);
    voxel_world_destroy(&yard->blocks);
}

static void hold(Yard *yard, uint32_t button, uint64_t ticks)
{
    input_button(&yard->input, button, true);
    input_ticks(&yard->input, yard->sim, ticks);
    input_button(&yard->input, button, false);
    input_ticks(&yard->input, yard->sim, 1);
}

/* Press and release in one tick, as of an image that takes long. */
static void click(Yard *yard, uint32_t button)
{
    input_button(&yard->input, button, true);
    input_button(&yard->input, button, false);
    input_ticks(&yard->input, yard->sim, 2);
}

static const CraftyPlayer *player(const Yard *yard)
{
    return cn_get(yard->world, yard->eye, CraftyPlayer);
}

/* The block of the held item. */
static CnBlock held(const Yard *yard)
{
    return crafty_items_block(yard->items, crafty_player_held(yard->items, player(yard)).item);
}

static void give(Yard *yard, const char *name)
{
    CraftyPlayer *mutable = cn_get_mut(yard->world, yard->eye, CraftyPlayer);
    assert_true(crafty_player_take(yard->items, mutable, crafty_items_find(yard->items, name), 1));
}

static const CraftyHand *hand(const Yard *yard)
{
    return cn_get(yard->world, yard->eye, CraftyHand);
}

static uint32_t events_of(Yard *yard, CnInteractKind kind)
{
    for (const CraftyHandEvent *e; (e = cn_read_next(yard->reader, CraftyHandEvent));)
        yard->counts[e->kind]++;
    return yard->counts[kind];
}

static void a_held_button_cracks_in_ten_stages_and_breaks(void **state)
{
    (void)state;
    Yard yard = make_yard();
    assert_true(hand(&yard)->aiming);
    hold(&yard, CN_MOUSE_LEFT, 50); /* 750 ms are 45 ticks */
    assert_int_equal(events_of(&yard, CN_INTERACT_CHIP), 10);
    assert_int_equal(events_of(&yard, CN_INTERACT_BREAK), 1);
    assert_int_equal(cn_voxels_get(yard.blocks.world, aimed_at), CN_BLOCK_AIR);
    end_yard(&yard);
}

static void who_lets_go_starts_over(void **state)
{
    (void)state;
    Yard yard = make_yard();
    hold(&yard, CN_MOUSE_LEFT, 30);
    assert_false(hand(&yard)->breaking);
    hold(&yard, CN_MOUSE_LEFT, 30);
    assert_int_equal(events_of(&yard, CN_INTERACT_BREAK), 0);
    assert_int_equal(cn_voxels_get(yard.blocks.world, aimed_at), BLOCK_DIRT);
    end_yard(&yard);
}

static void an_item_without_a_block_places_nothing(void **state)
{
    (void)state;
    Yard yard = make_yard();
    give(&yard, "stick");
    uint64_t before = cn_voxels_hash(yard.blocks.world);
    hold(&yard, CN_MOUSE_RIGHT, 2);
    assert_int_equal(events_of(&yard, CN_INTERACT_PLACE), 0);
    assert_true(cn_voxels_hash(yard.blocks.world) == before);
    end_yard(&yard);
}

static void the_block_of_the_held_item_is_placed_before_the_face(void **state)
{
    (void)state;
    Yard yard = make_yard();
    give(&yard, "glowstone");
    hold(&yard, CN_MOUSE_RIGHT, 2);
    assert_int_equal(events_of(&yard, CN_INTERACT_PLACE), 1);
    assert_int_equal(cn_voxels_get(yard.blocks.world, (CnCell){0, HIGH, -2}), BLOCK_GLOWSTONE);
    voxel_show(yard.blocks.world, cn_chunk_of(aimed_at));
    assert_int_equal(cn_voxels_light(yard.blocks.world, (CnCell){0, HIGH, -1}) & 15, 14);
    end_yard(&yard);
}

static void the_middle_button_takes_what_is_aimed_at(void **state)
{
    (void)state;
    Yard yard = make_yard();
    hold(&yard, CN_MOUSE_MIDDLE, 1);
    assert_int_equal(held(&yard), BLOCK_DIRT);
    end_yard(&yard);
}

static void a_mouse_that_is_not_the_players_does_nothing(void **state)
{
    (void)state;
    Yard yard = make_yard();
    cn_get_mut(yard.world, yard.eye, CnFlyCamera)->captured = false;
    hold(&yard, CN_MOUSE_MIDDLE, 1);
    assert_int_equal(held(&yard), BLOCK_STONE);
    end_yard(&yard);
}

static void the_click_that_captures_the_mouse_breaks_nothing(void **state)
{
    (void)state;
    Yard yard = make_yard();
    assert_true(voxel_set(yard.blocks.world, aimed_at, BLOCK_SHORT_GRASS)); /* breaks at once */
    cn_get_mut(yard.world, yard.eye, CnFlyCamera)->captured = false;
    input_ticks(&yard.input, yard.sim, 1);
    hold(&yard, CN_MOUSE_LEFT, 20);
    assert_true(crafty_player_aims(yard.world, yard.eye));
    assert_int_equal(events_of(&yard, CN_INTERACT_BREAK), 0);
    click(&yard, CN_MOUSE_LEFT);
    assert_int_equal(events_of(&yard, CN_INTERACT_BREAK), 1);
    end_yard(&yard);
}

static void a_click_within_one_tick_places_one_block(void **state)
{
    (void)state;
    Yard yard = make_yard();
    click(&yard, CN_MOUSE_RIGHT);
    assert_int_equal(events_of(&yard, CN_INTERACT_PLACE), 1);
    end_yard(&yard);
}

static void a_slot_of_a_save_that_was_tampered_with_holds_nothing(void **state)
{
    (void)state;
    Yard yard = make_yard();
    CraftyPlayer *player = cn_get_mut(yard.world, yard.eye, CraftyPlayer);
    player->slot = 200;
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        player->slots[i] = (CraftyStack){UINT16_MAX, UINT16_MAX};
    click(&yard, CN_MOUSE_RIGHT);
    assert_int_equal(held(&yard), CN_BLOCK_AIR);
    assert_int_equal(events_of(&yard, CN_INTERACT_PLACE), 0);
    end_yard(&yard);
}

static void turn_wheel(Yard *yard, float steps)
{
    input_event(&yard->input, (CnInputEvent){.kind = CN_INPUT_WHEEL, .dy = steps});
}

static void a_wheel_that_turns_for_ever_is_not_followed(void **state)
{
    (void)state;
    static const float turns[] = {1e30f, -1e30f, INFINITY, NAN};
    Yard yard = make_yard();
    for (uint32_t i = 0; i < CN_COUNT_OF(turns); i++) {
        turn_wheel(&yard, turns[i]);
        input_ticks(&yard.input, yard.sim, 1);
        assert_int_equal(held(&yard), BLOCK_STONE);
    }
    end_yard(&yard);
}

static void numbers_and_the_wheel_choose_a_slot(void **state)
{
    (void)state;
    Yard yard = make_yard();
    input_key(&yard.input, CN_KEY_7, true);
    input_ticks(&yard.input, yard.sim, 1);
    assert_int_equal(held(&yard), BLOCK_TORCH);
    turn_wheel(&yard, -3); /* round the end */
    input_ticks(&yard.input, yard.sim, 1);
    assert_int_equal(player(&yard)->slot, 0);
    turn_wheel(&yard, 0.6f); /* half a turn at a time, of a touch pad */
    input_ticks(&yard.input, yard.sim, 1);
    assert_int_equal(player(&yard)->slot, 0);
    turn_wheel(&yard, 0.6f);
    input_ticks(&yard.input, yard.sim, 1);
    assert_int_equal(player(&yard)->slot, 8);
    end_yard(&yard);
}

static void an_item_is_not_taken_into_two_slots(void **state)
{
    (void)state;
    Yard yard = make_yard();
    CraftyPlayer copy = *player(&yard);
    CraftyItem glass = crafty_items_find(yard.items, "glass");
    assert_true(crafty_player_take(yard.items, &copy, glass, 1));
    assert_int_equal(crafty_player_held(yard.items, &copy).item, glass);
    assert_memory_equal(copy.slots, player(&yard)->slots, sizeof copy.slots);
    end_yard(&yard);
}

static void an_item_that_does_not_exist_is_not_taken(void **state)
{
    (void)state;
    Yard yard = make_yard();
    CraftyPlayer copy = *player(&yard);
    assert_false(crafty_player_take(yard.items, &copy, CRAFTY_NO_ITEM, 1));
    assert_memory_equal(&copy, player(&yard), sizeof copy);
    end_yard(&yard);
}

static void who_is_inside_of_a_block_aims_at_the_next(void **state)
{
    (void)state;
    Yard yard = make_yard();
    assert_true(voxel_set(yard.blocks.world, (CnCell){0, HIGH, 0}, BLOCK_OAK_LEAVES));
    input_ticks(&yard.input, yard.sim, 1);
    assert_true(hand(&yard)->aiming);
    assert_memory_equal(hand(&yard)->target_cell, &aimed_at, sizeof aimed_at);
    end_yard(&yard);
}

static void a_block_that_was_half_broken_when_saved_breaks_in_time_after_loading(void **state)
{
    (void)state;
    Yard yard = make_yard();
    CnSnapshot snapshot = {0};
    input_button(&yard.input, CN_MOUSE_LEFT, true);
    input_ticks(&yard.input, yard.sim, 30); /* of 45 */
    assert_true(cn_sim_save(yard.sim, &snapshot, NULL));
    input_button(&yard.input, CN_MOUSE_LEFT, false);
    input_ticks(&yard.input, yard.sim, 2);
    assert_false(hand(&yard)->breaking);
    assert_true(cn_sim_restore(yard.sim, snapshot.bytes, snapshot.size, NULL));
    assert_true(cn_sim_tick_n(yard.sim, 20, NULL)); /* the state holds the button */
    assert_int_equal(cn_voxels_get(yard.blocks.world, aimed_at), CN_BLOCK_AIR);
    cn_snapshot_free(&snapshot);
    end_yard(&yard);
}

static void connect_gamepad(Yard *yard)
{
    input_event(&yard->input, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
}

static void pull(Yard *yard, uint32_t trigger, uint64_t ticks)
{
    CnInputEvent event = {.kind = CN_INPUT_GAMEPAD_AXIS, .code = trigger, .x = 1};
    input_event(&yard->input, event);
    input_ticks(&yard->input, yard->sim, ticks);
    event.x = 0;
    input_event(&yard->input, event);
    input_ticks(&yard->input, yard->sim, 1);
}

static void the_right_trigger_of_a_gamepad_breaks(void **state)
{
    (void)state;
    Yard yard = make_yard();
    connect_gamepad(&yard);
    pull(&yard, CN_GAMEPAD_RIGHT_TRIGGER, 50);
    assert_int_equal(cn_voxels_get(yard.blocks.world, aimed_at), CN_BLOCK_AIR);
    end_yard(&yard);
}

static void the_left_trigger_of_a_gamepad_places(void **state)
{
    (void)state;
    Yard yard = make_yard();
    connect_gamepad(&yard);
    pull(&yard, CN_GAMEPAD_LEFT_TRIGGER, 2);
    assert_int_equal(events_of(&yard, CN_INTERACT_PLACE), 1);
    assert_int_equal(cn_voxels_get(yard.blocks.world, (CnCell){0, HIGH, -2}), BLOCK_STONE);
    end_yard(&yard);
}

static void the_shoulders_of_a_gamepad_choose_a_slot(void **state)
{
    (void)state;
    Yard yard = make_yard();
    connect_gamepad(&yard);
    CnInputEvent event = {
        .kind = CN_INPUT_GAMEPAD_BUTTON, .code = CN_GAMEPAD_RIGHT_SHOULDER, .pressed = 1};
    input_event(&yard.input, event);
    input_ticks(&yard.input, yard.sim, 3);
    assert_int_equal(player(&yard)->slot, 1);
    end_yard(&yard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_button_cracks_in_ten_stages_and_breaks),
        cmocka_unit_test(who_lets_go_starts_over),
        cmocka_unit_test(the_block_of_the_held_item_is_placed_before_the_face),
        cmocka_unit_test(an_item_without_a_block_places_nothing),
        cmocka_unit_test(the_middle_button_takes_what_is_aimed_at),
        cmocka_unit_test(a_mouse_that_is_not_the_players_does_nothing),
        cmocka_unit_test(the_click_that_captures_the_mouse_breaks_nothing),
        cmocka_unit_test(a_click_within_one_tick_places_one_block),
        cmocka_unit_test(a_slot_of_a_save_that_was_tampered_with_holds_nothing),
        cmocka_unit_test(a_wheel_that_turns_for_ever_is_not_followed),
        cmocka_unit_test(numbers_and_the_wheel_choose_a_slot),
        cmocka_unit_test(who_is_inside_of_a_block_aims_at_the_next),
        cmocka_unit_test(the_right_trigger_of_a_gamepad_breaks),
        cmocka_unit_test(the_left_trigger_of_a_gamepad_places),
        cmocka_unit_test(the_shoulders_of_a_gamepad_choose_a_slot),
        cmocka_unit_test(an_item_is_not_taken_into_two_slots),
        cmocka_unit_test(an_item_that_does_not_exist_is_not_taken),
        cmocka_unit_test(a_block_that_was_half_broken_when_saved_breaks_in_time_after_loading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
