/* The view of the player, driven by the real simulation: the camera between ticks, the mouse
 * without delay, perspectives, hands, figures and drops. */
#include "item_fixture.h"
#include "player_input.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/client/player_view.h>
#include <crafty/sim/command.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/motion.h>

#include <math.h>

#define HIGH 300
#define LONG 40 /* blocks of the floor along z */

typedef struct Fixture {
    VoxelWorld blocks;
    CraftyItems *items;
    CnSim *sim;
    CnWorld *world;
    CnEntity player;
    PlayerInput input;
    CraftyPlayerView *view;
    CnTickClock clock;
    CraftyShownView shown;
} Fixture;

/* A player on a floor of stone, who looks along -z. */
static Fixture make_fixture(CraftyPlayerMode mode)
{
    Fixture fixture = {.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                       .items = make_items(NULL)};
    for (int32_t x = -2; x <= 2; x++)
        for (int32_t z = -LONG; z <= 6; z++)
            assert_true(voxel_set(fixture.blocks.world, (CnCell){x, HIGH - 1, z}, BLOCK_STONE));
    CnPlugin scene = cn_scene_plugin();
    fixture.sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(fixture.sim);
    fixture.world = cn_sim_world(fixture.sim);
    assert_true(crafty_player_add(fixture.world, fixture.blocks.world, fixture.items, NULL));
    assert_true(crafty_commands_add(fixture.world, NULL));
    fixture.view = crafty_player_view_create(NULL);
    assert_non_null(fixture.view);
    assert_true(crafty_player_view_add(fixture.view, fixture.world, NULL));
    fixture.input = make_input(fixture.world, 1);
    fixture.player = cn_object(fixture.world, "Player");
    cn_add(fixture.world, fixture.player, CnCamera);
    cn_get_mut(fixture.world, fixture.player, CnTransform)->position =
        cn_vec3(0.5f, HIGH + CRAFTY_PLAYER_EYE + 0.01f, 0.5f);
    assert_true(crafty_player_make(fixture.world, fixture.player, 1, mode));
    assert_true(crafty_player_capture(fixture.world, fixture.player, true));
    assert_true(cn_tick_clock_init(&fixture.clock, NULL, NULL));
    return fixture;
}

static void end_fixture(Fixture *fixture)
{
    end_input(&fixture->input);
    cn_sim_destroy(fixture->sim);
    crafty_player_view_destroy(fixture->view);
    crafty_items_destroy(fixture->items);
    voxel_world_destroy(&fixture->blocks);
}

static float sensitivity(const Fixture *fixture)
{
    const CnFlyCamera *fly = cn_get(fixture->world, fixture->player, CnFlyCamera);
    return fly ? fly->sensitivity
               : cn_get(fixture->world, fixture->player, CnPlayerController)->sensitivity;
}

/* A frame as the program has it: input, ticks, view. Returns the number of ticks. */
static uint32_t frame(Fixture *fixture, double seconds, CraftyViewOptions options)
{
    input_send(&fixture->input);
    crafty_player_view_input(fixture->view, &fixture->input.actions, sensitivity(fixture));
    uint32_t ticks = cn_tick_clock_advance(&fixture->clock, seconds);
    if (ticks)
        assert_true(cn_sim_tick_n(fixture->sim, ticks, NULL));
    CraftyPlayerViewFrame view_frame = {.world = fixture->world,
                                        .voxels = fixture->blocks.world,
                                        .items = fixture->items,
                                        .player = fixture->player,
                                        .alpha = cn_tick_clock_alpha_f32(&fixture->clock),
                                        .seconds = (float)seconds,
                                        .aspect = 1.5f,
                                        .options = options,
                                        .shows_hand = true,
                                        .moves_camera = true};
    crafty_player_view_frame(fixture->view, &view_frame, &fixture->shown);
    return ticks;
}

static void frames(Fixture *fixture, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        frame(fixture, 1.0 / 60, (CraftyViewOptions){0});
}

/* ---- Camera ---- */

/* The largest difference from even motion of a walking player, in blocks. */
static float walking_deviation(const double *seconds, uint32_t count)
{
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    frames(&fixture, 30);
    input_key(&fixture.input, CN_KEY_W, true);
    frames(&fixture, 30); /* reaches its speed */
    float last = fixture.shown.camera.position.z, largest = 0, way = 0, total = 0;
    float speed = -cn_get(fixture.world, fixture.player, CraftyMotion)->velocity.z;
    assert_true(speed > 3);
    for (uint32_t i = 0; i < 150 && total < 4; i++) {
        double now = seconds[i % count];
        frame(&fixture, now, (CraftyViewOptions){0});
        float moved = last - fixture.shown.camera.position.z;
        float wrong = fabsf(moved - speed * (float)now);
        largest = i > 2 && wrong > largest ? wrong : largest;
        last = fixture.shown.camera.position.z;
        way += moved;
        total += (float)now;
    }
    assert_true(way > 4);
    end_fixture(&fixture);
    return largest;
}

static void the_camera_of_who_walks_moves_evenly(void **state)
{
    (void)state;
    const double irregular[] = {0.016, 0.007, 0.033, 0.0042, 0.021, 0.0166, 0.011,
                                0.05,  0.003, 0.017, 0.0169, 0.029, 0.0083};
    assert_true(walking_deviation((double[]){1.0 / 30}, 1) < 1e-3f);
    assert_true(walking_deviation((double[]){1.0 / 60}, 1) < 1e-3f);
    assert_true(walking_deviation((double[]){1.0 / 144}, 1) < 1e-3f);
    assert_true(walking_deviation(irregular, CN_COUNT_OF(irregular)) < 1e-3f);
}

static float yaw_between(CnQuat a, CnQuat b)
{
    float turn = cn_quat_to_euler(b).y - cn_quat_to_euler(a).y;
    return turn - 360 * roundf(turn / 360);
}

static void the_mouse_turns_the_view_in_the_same_frame(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    frames(&fixture, 5);
    float degrees = sensitivity(&fixture);
    uint32_t without = 0;
    for (uint32_t i = 0; i < 144; i++) {
        CnQuat before = fixture.shown.camera.rotation;
        float pixels = (float)(i % 7) - 2;
        input_event(&fixture.input, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dx = pixels});
        without += frame(&fixture, 1.0 / 144, (CraftyViewOptions){0}) == 0;
        float turned = yaw_between(before, fixture.shown.camera.rotation);
        assert_true(fabsf(turned + pixels * degrees) < 0.01f);
    }
    assert_true(without > 60); /* most frames had no tick */
    frames(&fixture, 2);
    const CnTransform *transform = cn_get(fixture.world, fixture.player, CnTransform);
    assert_true(fabsf(yaw_between(transform->rotation, fixture.shown.camera.rotation)) < 0.01f);
    end_fixture(&fixture);
}

static void a_mouse_that_is_not_captured_does_not_turn_the_view(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    frames(&fixture, 5);
    CnQuat before = fixture.shown.camera.rotation;
    input_event(&fixture.input, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dx = 50});
    input_send(&fixture.input);
    crafty_player_view_input(fixture.view, &fixture.input.actions, 0);
    frame(&fixture, 0, (CraftyViewOptions){0});
    assert_true(yaw_between(before, fixture.shown.camera.rotation) == 0);
    end_fixture(&fixture);
}

static void who_sneaks_aims_from_where_the_camera_is(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    frames(&fixture, 30);
    float standing = fixture.shown.camera.position.y;
    input_key(&fixture.input, CN_KEY_LEFT_CTRL, true);
    frames(&fixture, 60);
    CnVec3 eye = crafty_player_eye(fixture.world, fixture.player);
    assert_true(fabsf(standing - CRAFTY_SNEAK_DROP - fixture.shown.camera.position.y) < 1e-3f);
    assert_true(fabsf(eye.y - fixture.shown.camera.position.y) < 1e-3f);
    end_fixture(&fixture);
}

/* ---- Third person ---- */

static void the_camera_goes_behind_and_before_the_player(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    frames(&fixture, 30);
    CnVec3 eye = fixture.shown.camera.position;
    crafty_player_view_cycle(fixture.view);
    assert_int_equal(crafty_player_view_perspective(fixture.view), CRAFTY_FROM_BEHIND);
    frames(&fixture, 120);
    assert_true(fabsf(fixture.shown.camera.position.z - eye.z - CRAFTY_CAMERA_DISTANCE) < 0.01f);
    crafty_player_view_cycle(fixture.view);
    frames(&fixture, 120);
    assert_true(fabsf(fixture.shown.camera.position.z - eye.z + CRAFTY_CAMERA_DISTANCE) < 0.01f);
    CnVec3 forward = cn_quat_rotate(fixture.shown.camera.rotation, cn_vec3(0, 0, -1));
    assert_true(forward.z > 0.99f); /* it looks at the player */
    crafty_player_view_cycle(fixture.view);
    frames(&fixture, 2);
    assert_true(cn_vec3_length(cn_vec3_sub(fixture.shown.camera.position, eye)) < 0.01f);
    end_fixture(&fixture);
}

static void blocks_pull_the_camera_in(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    CnVec3 eye = {0.5f, HIGH + CRAFTY_PLAYER_EYE, 0.5f}, back = {0, 0, 1};
    assert_true(crafty_camera_distance(fixture.blocks.world, eye, back) == CRAFTY_CAMERA_DISTANCE);
    for (int32_t x = -1; x <= 1; x++)
        assert_true(voxel_set(fixture.blocks.world, (CnCell){x, HIGH + 1, 3}, BLOCK_STONE));
    float distance = crafty_camera_distance(fixture.blocks.world, eye, back);
    assert_true(distance > 1.5f && distance < 2.5f);
    /* down: the floor is in the way; all around the camera is room */
    for (int32_t pitch = -89; pitch <= 89; pitch += 7)
        for (int32_t yaw = 0; yaw < 360; yaw += 15) {
            CnQuat turn = cn_quat_from_euler(cn_vec3((float)pitch, (float)yaw, 0));
            CnVec3 way = cn_quat_rotate(turn, back);
            CnVec3 at = cn_vec3_add(
                eye, cn_vec3_scale(way, crafty_camera_distance(fixture.blocks.world, eye, way)));
            CnVoxelBox room = {cn_vec3_add(at, cn_vec3(-0.1f, -0.1f, -0.1f)),
                               cn_vec3_add(at, cn_vec3(0.1f, 0.1f, 0.1f))};
            assert_false(cn_voxels_overlap(fixture.blocks.world, room));
        }
    end_fixture(&fixture);
}

/* ---- Models ---- */

static uint32_t parts(const Fixture *fixture)
{
    return cn_block_models_stats(crafty_player_view_models(fixture->view)).parts;
}

static void a_spectator_has_neither_hand_nor_figure(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SPECTATOR);
    for (uint32_t i = 0; i < CRAFTY_PERSPECTIVE_COUNT; i++) {
        frames(&fixture, 3);
        assert_int_equal(parts(&fixture), 0);
        assert_true(fixture.shown.camera.valid);
        crafty_player_view_cycle(fixture.view);
    }
    end_fixture(&fixture);
}

static void other_players_are_figures(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    frames(&fixture, 3);
    uint32_t before = parts(&fixture);
    CnEntity other = cn_object(fixture.world, "Other");
    cn_get_mut(fixture.world, other, CnTransform)->position =
        cn_vec3(0.5f, HIGH + CRAFTY_PLAYER_EYE + 0.01f, -4);
    assert_true(crafty_player_make(fixture.world, other, 2, CRAFTY_MODE_SURVIVAL));
    frames(&fixture, 2);
    assert_true(parts(&fixture) >= before + 10);
    end_fixture(&fixture);
}

static void drops_are_shown_between_ticks(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    frames(&fixture, 3);
    CraftyStack stack = {.item = crafty_items_find(fixture.items, "stone"), .count = 3};
    uint32_t before = parts(&fixture);
    CnEntity drop = crafty_drop_spawn(fixture.world, cn_vec3(0.5f, HIGH + 8, -5), cn_vec3(0, 0, 0),
                                      stack, 1000);
    assert_false(cn_entity_is_null(drop));
    frames(&fixture, 3);
    assert_int_equal(parts(&fixture), before + crafty_drop_copies(3));
    end_fixture(&fixture);
}

static void a_falling_drop_is_seen_to_fall_evenly(void **state)
{
    (void)state;
    VoxelWorld blocks = voxel_world_create(cn_system_allocator(), 0, NULL);
    CraftyItems *items = make_items(NULL);
    CnPlugin scene = cn_scene_plugin();
    CnSim *sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    CnWorld *world = cn_sim_world(sim);
    CraftyBodies *bodies = crafty_bodies_create(NULL);
    assert_true(crafty_player_add(world, blocks.world, items, NULL));
    assert_true(crafty_bodies_add(world, bodies, NULL));
    CraftyStack stack = {.item = crafty_items_find(items, "stone"), .count = 1};
    CnEntity drop =
        crafty_drop_spawn(world, cn_vec3(0.5f, HIGH + 50, 0.5f), cn_vec3(0, 0, 0), stack, 1000);
    assert_true(cn_sim_tick_n(sim, 3, NULL));
    float last = 0;
    for (uint32_t i = 0; i <= 10; i++) {
        CraftyShownBody body;
        assert_true(crafty_bodies_find(bodies, drop, (float)i / 10, &body));
        assert_true(body.is_drop && body.item == stack.item && body.count == 1);
        assert_true(i == 0 || body.position.y < last);
        last = body.position.y;
    }
    assert_true(last == cn_get(world, drop, CnTransform)->position.y);
    cn_sim_destroy(sim);
    crafty_bodies_destroy(bodies);
    crafty_items_destroy(items);
    voxel_world_destroy(&blocks);
}

static void larger_stacks_show_more_copies(void **state)
{
    (void)state;
    assert_int_equal(crafty_drop_copies(1), 1);
    assert_int_equal(crafty_drop_copies(2), 2);
    assert_int_equal(crafty_drop_copies(64), 4);
}

/* ---- The hand ---- */

static void a_swing_goes_out_and_back(void **state)
{
    (void)state;
    float last = 0, largest = 0;
    for (float tick = 0; tick <= CRAFTY_SWING_TICKS + 2; tick += 0.25f) {
        float swing = crafty_swing_of(tick);
        assert_true(fabsf(swing - last) < 0.45f);
        largest = swing > largest ? swing : largest;
        last = swing;
    }
    assert_true(largest > 0.95f && last == 0);
    assert_true(crafty_swing_of(NAN) == 0 && crafty_swing_of(-1) == 0);
}

static void another_item_goes_down_before_it_comes_up(void **state)
{
    (void)state;
    CraftyItems *items = make_items(NULL);
    CnBlockModels *models = cn_block_models_create(NULL, NULL);
    CraftyItem stone = crafty_items_find(items, "stone"), dirt = crafty_items_find(items, "dirt");
    CraftyHeldItem held = {0};
    CraftyHeldFrame next = {.items = items,
                            .blocks = standard_blocks(),
                            .item = stone,
                            .swing_ticks = CRAFTY_SWING_TICKS,
                            .aspect = 1.5f,
                            .seconds = 1.0f / 60};
    for (uint32_t i = 0; i < 60; i++)
        crafty_held_item_frame(&held, &next, models);
    assert_true(held.item == stone && held.raised == 1);
    next.item = dirt;
    next.slot = 1;
    float last = 1;
    uint32_t frames_down = 0;
    while (held.item == stone && frames_down < 60) {
        crafty_held_item_frame(&held, &next, models);
        frames_down++;
        assert_true(held.item == dirt || held.raised < last);
        last = held.raised;
    }
    assert_true(frames_down > 3 && frames_down < 12);
    for (uint32_t i = 0; i < 60; i++)
        crafty_held_item_frame(&held, &next, models);
    assert_true(held.item == dirt && held.raised == 1);
    cn_block_models_destroy(models);
    crafty_items_destroy(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_camera_of_who_walks_moves_evenly),
        cmocka_unit_test(the_mouse_turns_the_view_in_the_same_frame),
        cmocka_unit_test(a_mouse_that_is_not_captured_does_not_turn_the_view),
        cmocka_unit_test(who_sneaks_aims_from_where_the_camera_is),
        cmocka_unit_test(the_camera_goes_behind_and_before_the_player),
        cmocka_unit_test(blocks_pull_the_camera_in),
        cmocka_unit_test(a_spectator_has_neither_hand_nor_figure),
        cmocka_unit_test(other_players_are_figures),
        cmocka_unit_test(drops_are_shown_between_ticks),
        cmocka_unit_test(a_falling_drop_is_seen_to_fall_evenly),
        cmocka_unit_test(larger_stacks_show_more_copies),
        cmocka_unit_test(a_swing_goes_out_and_back),
        cmocka_unit_test(another_item_goes_down_before_it_comes_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
