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

typedef struct Fixture {
    VoxelWorld blocks;
    CraftyItems *items;
    CnSim *sim;
    CnWorld *world;
    CnEntity eye;
    PlayerInput input;
    CnEventReader *reader;
    uint32_t counts[CN_INTERACT_REFUSED + 1]; /* of events read so far, by kind */
} Fixture;

static const CnCell aimed_at = {0, HIGH, -3};

/* A player in survival with the hotbar of creative mode, before a block of dirt; the mouse is the
 * player's. */
static Fixture make_fixture(void)
{
    Fixture fixture = {.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                       .items = make_items(NULL)};
    assert_true(voxel_set(fixture.blocks.world, aimed_at, BLOCK_DIRT));
    CnPlugin scene = cn_scene_plugin();
    fixture.sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(fixture.sim);
    fixture.world = cn_sim_world(fixture.sim);
    assert_true(crafty_player_add(fixture.world, fixture.blocks.world, fixture.items, NULL));
    assert_true(crafty_commands_add(fixture.world, NULL));
    fixture.input = make_input(fixture.world, 1);
    fixture.eye = cn_object(fixture.world, "Eye");
    assert_true(voxel_set(fixture.blocks.world, (CnCell){0, HIGH - 2, 0}, BLOCK_STONE));
    assert_true(crafty_player_make(fixture.world, fixture.eye, 1, CRAFTY_MODE_CREATIVE));
    cn_get_mut(fixture.world, fixture.eye, CraftyPlayer)->mode = CRAFTY_MODE_SURVIVAL;
    cn_get_mut(fixture.world, fixture.eye, CnTransform)->position =
        cn_vec3(0.5f, HIGH + 0.63f, 0.5f);
    assert_true(crafty_player_capture(fixture.world, fixture.eye, true));
    fixture.reader = cn_event_reader_create(cn_channel(fixture.world, CraftyHandEvent), NULL);
    assert_non_null(fixture.reader);
    input_ticks(&fixture.input, fixture.sim, 1);
    return fixture;
}

static void end_fixture(Fixture *fixture)
{
    end_input(&fixture->input);
    cn_sim_destroy(fixture->sim);
    crafty_items_destroy(fixture->items);
    voxel_world_destroy(&fixture->blocks);
}

static void hold(Fixture *fixture, uint32_t button, uint64_t ticks)
{
    input_button(&fixture->input, button, true);
    input_ticks(&fixture->input, fixture->sim, ticks);
    input_button(&fixture->input, button, false);
    input_ticks(&fixture->input, fixture->sim, 1);
}

/* Press and release in one tick, as of an image that takes long. */
static void click(Fixture *fixture, uint32_t button)
{
    input_button(&fixture->input, button, true);
    input_button(&fixture->input, button, false);
    input_ticks(&fixture->input, fixture->sim, 2);
}

static const CraftyPlayer *player(const Fixture *fixture)
{
    return cn_get(fixture->world, fixture->eye, CraftyPlayer);
}

/* The block of the held item. */
static CnBlock held(const Fixture *fixture)
{
    return crafty_items_block(fixture->items,
                              crafty_player_held(fixture->items, player(fixture)).item);
}

static void give(Fixture *fixture, const char *name)
{
    CraftyPlayer *mutable = cn_get_mut(fixture->world, fixture->eye, CraftyPlayer);
    assert_true(
        crafty_player_take(fixture->items, mutable, crafty_items_find(fixture->items, name), 1));
}

static const CraftyHand *hand(const Fixture *fixture)
{
    return cn_get(fixture->world, fixture->eye, CraftyHand);
}

static uint32_t events_of(Fixture *fixture, CnInteractKind kind)
{
    for (const CraftyHandEvent *e; (e = cn_read_next(fixture->reader, CraftyHandEvent));)
        fixture->counts[e->kind]++;
    return fixture->counts[kind];
}

static void a_held_button_cracks_in_ten_stages_and_breaks(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    assert_true(hand(&fixture)->aiming);
    hold(&fixture, CN_MOUSE_LEFT, 50); /* 750 ms are 45 ticks */
    assert_int_equal(events_of(&fixture, CN_INTERACT_CHIP), 10);
    assert_int_equal(events_of(&fixture, CN_INTERACT_BREAK), 1);
    assert_int_equal(cn_voxels_get(fixture.blocks.world, aimed_at), CN_BLOCK_AIR);
    end_fixture(&fixture);
}

static void who_lets_go_starts_over(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    hold(&fixture, CN_MOUSE_LEFT, 30);
    assert_false(hand(&fixture)->breaking);
    hold(&fixture, CN_MOUSE_LEFT, 30);
    assert_int_equal(events_of(&fixture, CN_INTERACT_BREAK), 0);
    assert_int_equal(cn_voxels_get(fixture.blocks.world, aimed_at), BLOCK_DIRT);
    end_fixture(&fixture);
}

static void an_item_without_a_block_places_nothing(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    give(&fixture, "stick");
    uint64_t before = cn_voxels_hash(fixture.blocks.world);
    hold(&fixture, CN_MOUSE_RIGHT, 2);
    assert_int_equal(events_of(&fixture, CN_INTERACT_PLACE), 0);
    assert_true(cn_voxels_hash(fixture.blocks.world) == before);
    end_fixture(&fixture);
}

static void the_block_of_the_held_item_is_placed_before_the_face(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    give(&fixture, "glowstone");
    hold(&fixture, CN_MOUSE_RIGHT, 2);
    assert_int_equal(events_of(&fixture, CN_INTERACT_PLACE), 1);
    assert_int_equal(cn_voxels_get(fixture.blocks.world, (CnCell){0, HIGH, -2}), BLOCK_GLOWSTONE);
    voxel_show(fixture.blocks.world, cn_chunk_of(aimed_at));
    assert_int_equal(cn_voxels_light(fixture.blocks.world, (CnCell){0, HIGH, -1}) & 15, 14);
    end_fixture(&fixture);
}

static void the_middle_button_takes_what_is_aimed_at(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    hold(&fixture, CN_MOUSE_MIDDLE, 1);
    assert_int_equal(held(&fixture), BLOCK_DIRT);
    end_fixture(&fixture);
}

static void a_mouse_that_is_not_the_players_does_nothing(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    crafty_player_capture(fixture.world, fixture.eye, false);
    hold(&fixture, CN_MOUSE_MIDDLE, 1);
    assert_int_equal(held(&fixture), BLOCK_STONE);
    end_fixture(&fixture);
}

static void the_click_that_captures_the_mouse_breaks_nothing(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    assert_true(voxel_set(fixture.blocks.world, aimed_at, BLOCK_SHORT_GRASS)); /* breaks at once */
    crafty_player_capture(fixture.world, fixture.eye, false);
    input_ticks(&fixture.input, fixture.sim, 1);
    hold(&fixture, CN_MOUSE_LEFT, 20);
    assert_true(crafty_player_aims(fixture.world, fixture.eye));
    assert_int_equal(events_of(&fixture, CN_INTERACT_BREAK), 0);
    click(&fixture, CN_MOUSE_LEFT);
    assert_int_equal(events_of(&fixture, CN_INTERACT_BREAK), 1);
    end_fixture(&fixture);
}

static void a_click_within_one_tick_places_one_block(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    click(&fixture, CN_MOUSE_RIGHT);
    assert_int_equal(events_of(&fixture, CN_INTERACT_PLACE), 1);
    end_fixture(&fixture);
}

static void a_slot_of_a_save_that_was_tampered_with_holds_nothing(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    CraftyPlayer *player = cn_get_mut(fixture.world, fixture.eye, CraftyPlayer);
    player->slot = 200;
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        player->slots[i] = (CraftyStack){.item = UINT16_MAX, .count = UINT16_MAX};
    click(&fixture, CN_MOUSE_RIGHT);
    assert_int_equal(held(&fixture), CN_BLOCK_AIR);
    assert_int_equal(events_of(&fixture, CN_INTERACT_PLACE), 0);
    end_fixture(&fixture);
}

static void turn_wheel(Fixture *fixture, float steps)
{
    input_event(&fixture->input, (CnInputEvent){.kind = CN_INPUT_WHEEL, .dy = steps});
}

static void a_wheel_that_turns_for_ever_is_not_followed(void **state)
{
    (void)state;
    static const float turns[] = {1e30f, -1e30f, INFINITY, NAN};
    Fixture fixture = make_fixture();
    for (uint32_t i = 0; i < CN_COUNT_OF(turns); i++) {
        turn_wheel(&fixture, turns[i]);
        input_ticks(&fixture.input, fixture.sim, 1);
        assert_int_equal(held(&fixture), BLOCK_STONE);
    }
    end_fixture(&fixture);
}

static void numbers_and_the_wheel_choose_a_slot(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    input_key(&fixture.input, CN_KEY_7, true);
    input_ticks(&fixture.input, fixture.sim, 1);
    assert_int_equal(held(&fixture), BLOCK_TORCH);
    turn_wheel(&fixture, -3); /* round the end */
    input_ticks(&fixture.input, fixture.sim, 1);
    assert_int_equal(player(&fixture)->slot, 0);
    turn_wheel(&fixture, 0.6f); /* half a turn at a time, of a touch pad */
    input_ticks(&fixture.input, fixture.sim, 1);
    assert_int_equal(player(&fixture)->slot, 0);
    turn_wheel(&fixture, 0.6f);
    input_ticks(&fixture.input, fixture.sim, 1);
    assert_int_equal(player(&fixture)->slot, 8);
    end_fixture(&fixture);
}

static void an_item_is_not_taken_into_two_slots(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    CraftyPlayer copy = *player(&fixture);
    CraftyItem glass = crafty_items_find(fixture.items, "glass");
    assert_true(crafty_player_take(fixture.items, &copy, glass, 1));
    assert_int_equal(crafty_player_held(fixture.items, &copy).item, glass);
    assert_memory_equal(copy.slots, player(&fixture)->slots, sizeof copy.slots);
    end_fixture(&fixture);
}

static void an_item_that_does_not_exist_is_not_taken(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    CraftyPlayer copy = *player(&fixture);
    assert_false(crafty_player_take(fixture.items, &copy, CRAFTY_NO_ITEM, 1));
    assert_memory_equal(&copy, player(&fixture), sizeof copy);
    end_fixture(&fixture);
}

static void who_is_inside_of_a_block_aims_at_the_next(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    assert_true(voxel_set(fixture.blocks.world, (CnCell){0, HIGH, 0}, BLOCK_OAK_LEAVES));
    input_ticks(&fixture.input, fixture.sim, 1);
    assert_true(hand(&fixture)->aiming);
    assert_memory_equal(hand(&fixture)->target_cell, &aimed_at, sizeof aimed_at);
    end_fixture(&fixture);
}

static void a_block_that_was_half_broken_when_saved_breaks_in_time_after_loading(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    CnSnapshot snapshot = {0};
    input_button(&fixture.input, CN_MOUSE_LEFT, true);
    input_ticks(&fixture.input, fixture.sim, 30); /* of 45 */
    assert_true(cn_sim_save(fixture.sim, &snapshot, NULL));
    input_button(&fixture.input, CN_MOUSE_LEFT, false);
    input_ticks(&fixture.input, fixture.sim, 2);
    assert_false(hand(&fixture)->breaking);
    assert_true(cn_sim_restore(fixture.sim, snapshot.bytes, snapshot.size, NULL));
    assert_true(cn_sim_tick_n(fixture.sim, 20, NULL)); /* the state holds the button */
    assert_int_equal(cn_voxels_get(fixture.blocks.world, aimed_at), CN_BLOCK_AIR);
    cn_snapshot_free(&snapshot);
    end_fixture(&fixture);
}

static void connect_gamepad(Fixture *fixture)
{
    input_event(&fixture->input, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
}

static void pull(Fixture *fixture, uint32_t trigger, uint64_t ticks)
{
    CnInputEvent event = {.kind = CN_INPUT_GAMEPAD_AXIS, .code = trigger, .x = 1};
    input_event(&fixture->input, event);
    input_ticks(&fixture->input, fixture->sim, ticks);
    event.x = 0;
    input_event(&fixture->input, event);
    input_ticks(&fixture->input, fixture->sim, 1);
}

static void the_right_trigger_of_a_gamepad_breaks(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    connect_gamepad(&fixture);
    pull(&fixture, CN_GAMEPAD_RIGHT_TRIGGER, 50);
    assert_int_equal(cn_voxels_get(fixture.blocks.world, aimed_at), CN_BLOCK_AIR);
    end_fixture(&fixture);
}

static void the_left_trigger_of_a_gamepad_places(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    connect_gamepad(&fixture);
    pull(&fixture, CN_GAMEPAD_LEFT_TRIGGER, 2);
    assert_int_equal(events_of(&fixture, CN_INTERACT_PLACE), 1);
    assert_int_equal(cn_voxels_get(fixture.blocks.world, (CnCell){0, HIGH, -2}), BLOCK_STONE);
    end_fixture(&fixture);
}

static void the_shoulders_of_a_gamepad_choose_a_slot(void **state)
{
    (void)state;
    Fixture fixture = make_fixture();
    connect_gamepad(&fixture);
    CnInputEvent event = {
        .kind = CN_INPUT_GAMEPAD_BUTTON, .code = CN_GAMEPAD_RIGHT_SHOULDER, .pressed = 1};
    input_event(&fixture.input, event);
    input_ticks(&fixture.input, fixture.sim, 3);
    assert_int_equal(player(&fixture)->slot, 1);
    end_fixture(&fixture);
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
