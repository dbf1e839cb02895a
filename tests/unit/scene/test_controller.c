/* Fly cameras and players: what they make of keys, mouse and gamepads. */
#include "cmocka_tests.h"

#include <cairn/ecs.h>
#include <cairn/scene.h>
#include <cairn/sim.h>

#include <math.h>

enum { HZ = 60 };
#define DEGREES_A_PIXEL 0.11459156f

static CnSim *sim;
static CnWorld *world;
static CnInputSource input;

static int make_sim(void **state)
{
    (void)state;
    CnPlugin scene = cn_scene_plugin();
    sim = cn_sim_create(&(CnSimDesc){.tick_hz = HZ, .core = &scene, .core_count = 1}, NULL);
    if (!sim)
        return -1;
    world = cn_sim_world(sim);
    input = cn_sim_input(sim);
    return 0;
}

static int drop_sim(void **state)
{
    (void)state;
    cn_sim_destroy(sim);
    return 0;
}

#define CONTROLLER_TEST(name) cmocka_unit_test_setup_teardown(name, make_sim, drop_sim)

static CnEntity make_fly(void)
{
    CnEntity eye = cn_object(world, "Eye");
    assert_true(cn_add(world, eye, CnCamera) && cn_add(world, eye, CnFlyCamera));
    return eye;
}

static CnEntity make_player(CnEntity *head)
{
    CnEntity player = cn_object(world, "Player");
    *head = cn_object(world, "Head", .parent = player);
    assert_true(cn_add(world, *head, CnCamera) && cn_add(world, player, CnPlayerController));
    return player;
}

static void run(uint32_t ticks)
{
    assert_true(cn_sim_tick_n(sim, ticks, NULL));
}

static void hold(uint32_t key)
{
    assert_true(cn_input_key(input, key, true));
}

static void let_go(uint32_t key)
{
    assert_true(cn_input_key(input, key, false));
}

static void click(void)
{
    cn_input_mouse_button(input, CN_MOUSE_LEFT, true);
    run(1);
    cn_input_mouse_button(input, CN_MOUSE_LEFT, false);
    run(1);
}

static void move_mouse(float dx, float dy)
{
    assert_true(cn_input_mouse_move(input, 0, 0, dx, dy));
    run(1);
}

static CnVec3 place_of(CnEntity entity)
{
    return cn_get(world, entity, CnTransform)->position;
}

static CnVec3 angles_of(CnEntity entity)
{
    return cn_quat_to_euler(cn_get(world, entity, CnTransform)->rotation);
}

static void assert_at(CnEntity entity, float x, float y, float z)
{
    CnVec3 p = place_of(entity);
    if (fabsf(p.x - x) > 1e-3f || fabsf(p.y - y) > 1e-3f || fabsf(p.z - z) > 1e-3f)
        fail_msg("at %g %g %g, not %g %g %g", (double)p.x, (double)p.y, (double)p.z, (double)x,
                 (double)y, (double)z);
}

static const CnPlayerController *controller(CnEntity player)
{
    return cn_get(world, player, CnPlayerController);
}

/* ---- Fly camera ---- */

static void forward_is_along_the_view(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    hold(CN_KEY_W);
    run(HZ);
    assert_at(eye, 0, 0, -8);
}

static void keys_fly_to_all_six_sides(void **state)
{
    (void)state;
    static const struct {
        uint32_t key;
        CnVec3 way;
    } keys[] = {{CN_KEY_W, {0, 0, -8}}, {CN_KEY_S, {0, 0, 8}},         {CN_KEY_A, {-8, 0, 0}},
                {CN_KEY_D, {8, 0, 0}},  {CN_KEY_E, {0, 8, 0}},         {CN_KEY_SPACE, {0, 8, 0}},
                {CN_KEY_Q, {0, -8, 0}}, {CN_KEY_LEFT_CTRL, {0, -8, 0}}};
    CnEntity eye = make_fly();
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++) {
        cn_get_mut(world, eye, CnTransform)->position = cn_vec3(0, 0, 0);
        hold(keys[i].key);
        run(HZ);
        let_go(keys[i].key);
        assert_at(eye, keys[i].way.x, keys[i].way.y, keys[i].way.z);
        run(1);
    }
}

static void shift_flies_faster(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    hold(CN_KEY_W);
    hold(CN_KEY_LEFT_SHIFT);
    run(HZ);
    assert_at(eye, 0, 0, -32);
}

static void a_diagonal_is_not_faster(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    hold(CN_KEY_W);
    hold(CN_KEY_D);
    run(HZ);
    assert_float_equal(cn_vec3_length(place_of(eye)), 8, 1e-3);
}

static void the_mouse_is_followed_after_a_click_until_escape(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    move_mouse(100, 0);
    assert_float_equal(angles_of(eye).y, 0, 1e-5);
    click();
    assert_true(cn_get(world, eye, CnFlyCamera)->captured);
    move_mouse(100, 0);
    assert_float_equal(angles_of(eye).y, -100 * DEGREES_A_PIXEL, 1e-3);
    hold(CN_KEY_ESCAPE);
    run(1);
    move_mouse(100, 0);
    assert_float_equal(angles_of(eye).y, -100 * DEGREES_A_PIXEL, 1e-3);
}

static void what_the_mouse_has_moved_before_the_click_turns_nothing(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    cn_input_mouse_move(input, 0, 0, 300, 0);
    click();
    assert_true(cn_get(world, eye, CnFlyCamera)->captured);
    assert_float_equal(angles_of(eye).y, 0, 1e-5);
}

static void the_mouse_up_looks_up(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    click();
    move_mouse(0, -100);
    assert_true(cn_transform_world_forward(world, eye).y > 0.1f);
}

static void pitch_ends_at_89_degrees(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    click();
    for (int i = 0; i < 5; i++)
        move_mouse(0, -1000);
    assert_float_equal(angles_of(eye).x, 89, 1e-2);
    for (int i = 0; i < 5; i++)
        move_mouse(0, 1000);
    assert_float_equal(angles_of(eye).x, -89, 1e-2);
}

static void yaw_goes_all_around(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    click();
    for (int i = 0; i < 40; i++) {
        move_mouse(500, 0);
        float yaw = cn_get(world, eye, CnFlyCamera)->yaw;
        assert_true(yaw > -180 && yaw <= 180);
    }
    float expected = fmodf(-20000 * DEGREES_A_PIXEL, 360);
    expected = expected <= -180 ? expected + 360 : expected;
    assert_float_equal(angles_of(eye).y, expected, 0.05);
}

static void who_turns_the_object_is_followed(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    click();
    cn_get_mut(world, eye, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(20, 90, 0));
    run(1);
    assert_float_equal(angles_of(eye).y, 90, 1e-3);
    move_mouse(10, 0);
    assert_float_equal(angles_of(eye).y, 90 - 10 * DEGREES_A_PIXEL, 1e-3);
    assert_float_equal(angles_of(eye).x, 20, 1e-3);
}

static void an_object_that_is_not_active_stays(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    cn_object_set_enabled(world, eye, false);
    hold(CN_KEY_W);
    run(10);
    assert_at(eye, 0, 0, 0);
}

static void sticks_fly_and_turn(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    cn_input_gamepad_connected(input, 1, true);
    cn_input_gamepad_axis(input, 1, CN_GAMEPAD_LEFT_Y, -1);
    run(HZ);
    assert_at(eye, 0, 0, -8);
    cn_input_gamepad_axis(input, 1, CN_GAMEPAD_LEFT_Y, 0);
    cn_input_gamepad_axis(input, 1, CN_GAMEPAD_RIGHT_X, 1);
    run(HZ / 2);
    assert_float_equal(angles_of(eye).y, -90, 1e-2);
}

static void a_stick_near_its_middle_does_nothing(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    cn_input_gamepad_connected(input, 0, true);
    cn_input_gamepad_axis(input, 0, CN_GAMEPAD_LEFT_X, 0.14f);
    cn_input_gamepad_axis(input, 0, CN_GAMEPAD_RIGHT_Y, -0.14f);
    run(10);
    assert_at(eye, 0, 0, 0);
    assert_float_equal(angles_of(eye).x, 0, 0);
}

static void numbers_that_are_none_move_nothing(void **state)
{
    (void)state;
    CnEntity eye = make_fly();
    cn_set(world, eye, CnFlyCamera, {.speed = NAN, .boost = NAN, .sensitivity = NAN});
    click();
    hold(CN_KEY_W);
    move_mouse(10, 10);
    assert_at(eye, 0, 0, 0);
    assert_true(isfinite(angles_of(eye).y));
}

/* ---- Player ---- */

static void a_new_player_is_as_usual(void **state)
{
    (void)state;
    CnEntity head;
    const CnPlayerController *p = controller(make_player(&head));
    assert_true(p->walk == 4.3f && p->sprint == 7 && p->sneak == 1.3f && p->jump == 11.5f);
    assert_true(p->gravity == -28 && p->terminal == -50 && p->eye == 1.62f);
    assert_float_equal(p->sensitivity * CN_PIF / 180, 0.002f, 1e-7f);
}

static void a_player_falls_to_the_floor(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    cn_get_mut(world, player, CnTransform)->position.y = 3;
    cn_get_mut(world, player, CnPlayerController)->floor = -1;
    run(1);
    assert_false(controller(player)->grounded);
    run(2 * HZ);
    assert_at(player, 0, -1, 0);
    assert_true(controller(player)->grounded && controller(player)->velocity.y == 0);
}

static void falling_has_a_greatest_speed(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    cn_get_mut(world, player, CnTransform)->position.y = 5000;
    run(5 * HZ);
    assert_true(controller(player)->velocity.y == -50);
}

static void a_player_walks_sprints_and_sneaks(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    run(1);
    hold(CN_KEY_W);
    run(HZ);
    assert_at(player, 0, 0, -4.3f);
    hold(CN_KEY_LEFT_SHIFT);
    run(HZ);
    assert_at(player, 0, 0, -4.3f - 7);
    let_go(CN_KEY_LEFT_SHIFT);
    hold(CN_KEY_LEFT_CTRL);
    run(HZ);
    assert_at(player, 0, 0, -4.3f - 7 - 1.3f);
}

static void a_player_walks_where_it_looks(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    cn_get_mut(world, player, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(0, 90, 0));
    run(1);
    hold(CN_KEY_W);
    run(HZ);
    assert_at(player, -4.3f, 0, 0);
    let_go(CN_KEY_W);
    hold(CN_KEY_D);
    run(HZ);
    assert_at(player, -4.3f, 0, -4.3f);
}

static void a_jump_comes_back(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    run(1);
    hold(CN_KEY_SPACE);
    run(1);
    let_go(CN_KEY_SPACE);
    float highest = 0;
    for (int i = 0; i < HZ; i++) {
        run(1);
        highest = fmaxf(highest, place_of(player).y);
    }
    assert_float_equal(highest, 11.5f * 11.5f / (2 * 28), 0.15f);
    assert_at(player, 0, 0, 0);
}

static void there_is_no_second_jump_in_the_air(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    run(1);
    hold(CN_KEY_SPACE);
    run(1);
    let_go(CN_KEY_SPACE);
    run(2);
    float before = controller(player)->velocity.y;
    hold(CN_KEY_SPACE);
    run(1);
    assert_true(controller(player)->velocity.y < before);
}

static float speed_after_leaving_the_ground_and_jumping_after(uint32_t ticks)
{
    CnEntity head, player = make_player(&head);
    run(2);
    cn_get_mut(world, player, CnPlayerController)->floor = -100;
    run(1 + ticks);
    hold(CN_KEY_SPACE);
    run(1);
    let_go(CN_KEY_SPACE);
    run(1);
    float speed = controller(player)->velocity.y;
    cn_destroy(world, player);
    return speed;
}

static void a_jump_may_come_up_to_six_ticks_late(void **state)
{
    (void)state;
    assert_true(speed_after_leaving_the_ground_and_jumping_after(0) > 5);
    assert_true(speed_after_leaving_the_ground_and_jumping_after(5) > 5);
    assert_true(speed_after_leaving_the_ground_and_jumping_after(6) < 0);
}

static void yaw_turns_the_body_and_pitch_the_head(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    click();
    move_mouse(100, -50);
    assert_float_equal(angles_of(player).y, -100 * DEGREES_A_PIXEL, 1e-3);
    assert_float_equal(angles_of(player).x, 0, 1e-5);
    assert_float_equal(angles_of(head).x, 50 * DEGREES_A_PIXEL, 1e-3);
    assert_float_equal(angles_of(head).y, 0, 1e-5);
}

static void the_head_is_at_the_height_of_the_eye(void **state)
{
    (void)state;
    CnEntity head;
    make_player(&head);
    run(1);
    assert_float_equal(place_of(head).y, 1.62, 1e-6);
}

static void a_head_that_is_named_is_the_head(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    CnEntity neck = cn_object(world, "Neck", .parent = player);
    cn_get_mut(world, player, CnPlayerController)->head = neck;
    click();
    move_mouse(0, -50);
    assert_float_equal(angles_of(neck).x, 50 * DEGREES_A_PIXEL, 1e-3);
    assert_float_equal(angles_of(head).x, 0, 1e-5);
}

static void a_player_that_is_the_camera_turns_as_a_whole(void **state)
{
    (void)state;
    CnEntity player = cn_object(world, "Player");
    cn_add(world, player, CnCamera);
    cn_add(world, player, CnPlayerController);
    click();
    move_mouse(100, -50);
    assert_float_equal(angles_of(player).y, -100 * DEGREES_A_PIXEL, 1e-3);
    assert_float_equal(angles_of(player).x, 50 * DEGREES_A_PIXEL, 1e-3);
    move_mouse(0, -5000);
    assert_float_equal(angles_of(player).x, 89, 1e-2);
}

static void a_player_without_a_head_walks(void **state)
{
    (void)state;
    CnEntity player = cn_object(world, "Player");
    cn_add(world, player, CnPlayerController);
    click();
    move_mouse(0, -50);
    hold(CN_KEY_W);
    run(HZ);
    assert_at(player, 0, 0, -4.3f);
    assert_float_equal(angles_of(player).x, 0, 1e-5);
}

static void others_move_an_external_player(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    CnPlayerController *p = cn_get_mut(world, player, CnPlayerController);
    p->external = true;
    p->grounded = true;
    hold(CN_KEY_W);
    run(10);
    assert_at(player, 0, 0, 0);
    assert_float_equal(controller(player)->velocity.z, -4.3, 1e-5);
    assert_true(controller(player)->velocity.y < 0 && controller(player)->grounded);
}

static void a_player_of_numbers_that_are_none_stays_somewhere(void **state)
{
    (void)state;
    CnEntity head, player = make_player(&head);
    cn_set(world, player, CnPlayerController,
           {.walk = NAN,
            .sprint = INFINITY,
            .jump = NAN,
            .gravity = NAN,
            .sensitivity = NAN,
            .eye = NAN,
            .floor = NAN,
            .yaw = NAN,
            .pitch = NAN});
    click();
    hold(CN_KEY_W);
    hold(CN_KEY_SPACE);
    move_mouse(10, 10);
    assert_at(player, 0, 0, 0);
    assert_at(head, 0, 0, 0);
    assert_true(isfinite(angles_of(player).y) && isfinite(angles_of(head).x));
}

static void controllers_make_no_heap_call(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnWorld *counted =
        cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
    assert_true(cn_input_add(counted, NULL) && cn_scene_add(counted, NULL));
    CnEntity player = cn_object(counted, "Player");
    cn_add(counted, player, CnPlayerController);
    cn_add(counted, cn_object(counted, "Head", .parent = player), CnCamera);
    cn_add(counted, cn_object(counted, "Fly"), CnFlyCamera);
    for (int i = 0; i < 3; i++)
        assert_true(cn_world_update(counted, 0.1f, NULL));
    uint64_t calls = cn_heap_stats(heap).calls;
    for (int i = 0; i < 20; i++)
        assert_true(cn_world_run_stage(counted, CN_STAGE_UPDATE, 0.1f, NULL));
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    cn_world_destroy(counted);
    cn_heap_destroy(heap);
}

static void adding_controllers_again_is_harmless(void **state)
{
    (void)state;
    assert_true(cn_controller_add(world, NULL));
    CnEntity eye = make_fly();
    hold(CN_KEY_W);
    run(HZ);
    assert_at(eye, 0, 0, -8);
}

/* ---- Actions of players ---- */

static void send_actions(uint32_t player, const char *axis2, CnVec2 value)
{
    CnActionList list = cn_controller_actions();
    CnPlayerActionsSource source =
        cn_player_actions_source(world, cn_producer_create(world, NULL, NULL));
    CnActions actions = {0};
    uint32_t axis = cn_action_find(list, axis2).axis;
    actions.axes[axis] = value.x;
    actions.axes[axis + 1] = value.y;
    assert_true(cn_player_actions_send(source, player, list, &actions));
}

static CnEntity make_fly_of_player(uint32_t player)
{
    CnEntity eye = make_fly();
    cn_set(world, eye, CnPlayerActions, {.player = player});
    return eye;
}

static void an_object_with_player_actions_ignores_the_keyboard(void **state)
{
    (void)state;
    assert_true(cn_player_actions_add(world, cn_controller_actions(), NULL));
    CnEntity own = make_fly_of_player(1), shared = make_fly();
    hold(CN_KEY_W);
    run(HZ);
    assert_at(own, 0, 0, 0);
    assert_at(shared, 0, 0, -8);
}

static void each_object_follows_its_player(void **state)
{
    (void)state;
    assert_true(cn_player_actions_add(world, cn_controller_actions(), NULL));
    CnEntity first = make_fly_of_player(1), second = make_fly_of_player(2);
    send_actions(1, "move", (CnVec2){1, 0});
    send_actions(2, "move", (CnVec2){0, 0.5f});
    run(HZ);
    assert_at(first, 8, 0, 0);
    assert_at(second, 0, 0, -4);
}

static void actions_are_found_by_name_in_the_list_of_the_world(void **state)
{
    (void)state;
    static const CnActionDesc descs[] = {{.name = "shout", .kind = CN_ACTION_AXIS},
                                         {.name = "move", .kind = CN_ACTION_AXIS2}};
    CnActionList list = {descs, 2};
    assert_true(cn_player_actions_add(world, list, NULL));
    CnEntity eye = make_fly_of_player(1);
    CnPlayerActionsSource source =
        cn_player_actions_source(world, cn_producer_create(world, NULL, NULL));
    CnActions actions = {.axes = {1, 0, 1}};
    assert_true(cn_player_actions_send(source, 1, list, &actions));
    run(HZ);
    assert_at(eye, 0, 0, -8);
}

static void a_player_controller_follows_its_player(void **state)
{
    (void)state;
    assert_true(cn_player_actions_add(world, cn_controller_actions(), NULL));
    CnEntity head, player = make_player(&head);
    cn_set(world, player, CnPlayerActions, {.player = 3});
    run(1);
    send_actions(3, "move", (CnVec2){0, 1});
    run(HZ);
    assert_at(player, 0, 0, -4.3f);
}

static void a_scene_file_says_whose_actions_an_object_follows(void **state)
{
    (void)state;
    const char *text = "{\"nodes\": [{\"id\": \"A\", \"components\": [{\"type\": "
                       "\"PlayerActionsComponent\", \"player\": 2}]}]}";
    assert_true(cn_scene_read_text(world, NULL, "a.json", cn_text(text), NULL, NULL));
    CnEntity object = cn_object_find(world, "A");
    assert_int_equal(cn_get(world, object, CnPlayerActions)->player, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTROLLER_TEST(a_scene_file_says_whose_actions_an_object_follows),
        CONTROLLER_TEST(an_object_with_player_actions_ignores_the_keyboard),
        CONTROLLER_TEST(each_object_follows_its_player),
        CONTROLLER_TEST(actions_are_found_by_name_in_the_list_of_the_world),
        CONTROLLER_TEST(a_player_controller_follows_its_player),
        CONTROLLER_TEST(forward_is_along_the_view),
        CONTROLLER_TEST(keys_fly_to_all_six_sides),
        CONTROLLER_TEST(shift_flies_faster),
        CONTROLLER_TEST(a_diagonal_is_not_faster),
        CONTROLLER_TEST(the_mouse_is_followed_after_a_click_until_escape),
        CONTROLLER_TEST(what_the_mouse_has_moved_before_the_click_turns_nothing),
        CONTROLLER_TEST(the_mouse_up_looks_up),
        CONTROLLER_TEST(pitch_ends_at_89_degrees),
        CONTROLLER_TEST(yaw_goes_all_around),
        CONTROLLER_TEST(who_turns_the_object_is_followed),
        CONTROLLER_TEST(an_object_that_is_not_active_stays),
        CONTROLLER_TEST(sticks_fly_and_turn),
        CONTROLLER_TEST(a_stick_near_its_middle_does_nothing),
        CONTROLLER_TEST(numbers_that_are_none_move_nothing),
        CONTROLLER_TEST(a_new_player_is_as_usual),
        CONTROLLER_TEST(a_player_falls_to_the_floor),
        CONTROLLER_TEST(falling_has_a_greatest_speed),
        CONTROLLER_TEST(a_player_walks_sprints_and_sneaks),
        CONTROLLER_TEST(a_player_walks_where_it_looks),
        CONTROLLER_TEST(a_jump_comes_back),
        CONTROLLER_TEST(there_is_no_second_jump_in_the_air),
        CONTROLLER_TEST(a_jump_may_come_up_to_six_ticks_late),
        CONTROLLER_TEST(yaw_turns_the_body_and_pitch_the_head),
        CONTROLLER_TEST(the_head_is_at_the_height_of_the_eye),
        CONTROLLER_TEST(a_head_that_is_named_is_the_head),
        CONTROLLER_TEST(a_player_that_is_the_camera_turns_as_a_whole),
        CONTROLLER_TEST(a_player_without_a_head_walks),
        CONTROLLER_TEST(others_move_an_external_player),
        CONTROLLER_TEST(a_player_of_numbers_that_are_none_stays_somewhere),
        CONTROLLER_TEST(controllers_make_no_heap_call),
        CONTROLLER_TEST(adding_controllers_again_is_harmless),
    };
    return cmocka_run_group_tests_name("controller", tests, NULL, NULL);
}
