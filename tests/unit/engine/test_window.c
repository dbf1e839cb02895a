/* Engines with windows: events, sizes, several of them. */
/* test-labels: window */
#include "engine/window.h"
#include "engine_fixture.h"
#include "gpu_device.h"

#include <stdlib.h>

static CnEngine *make_window(CnGpuBackend backend, CnSwitch render_thread)
{
    CnError error = {0};
    CnEngine *engine = cn_engine_create(&(CnEngineDesc){.title = "test",
                                                        .width = 160,
                                                        .height = 120,
                                                        .backend = backend,
                                                        .validation = backend == CN_GPU_VULKAN,
                                                        .render_thread = render_thread,
                                                        .vsync = CN_VSYNC_OFF,
                                                        .threads = 1},
                                        &error);
    if (!engine)
        fail_msg("%s", error.message);
    return engine;
}

static const CnInputState *input_of(CnEngine *engine)
{
    return cn_resource(cn_engine_world(engine), CnInputState);
}

static void push(CnEngine *engine, SDL_Event event)
{
    event.window.windowID = engine->window->id; /* at the same place in all that have one */
    assert_true(SDL_PushEvent(&event) >= 0);
}

static void push_key(CnEngine *engine, SDL_Scancode code, uint32_t type)
{
    push(engine, (SDL_Event){.key = {.type = type, .keysym = {.scancode = code}}});
}

static void push_window(CnEngine *engine, uint8_t what)
{
    push(engine, (SDL_Event){.window = {.type = SDL_WINDOWEVENT, .event = what}});
}

static void without_a_display_the_error_names_headless(void **state)
{
    (void)state;
    CnError error = {0};
    char *before = getenv("SDL_VIDEODRIVER");
    setenv("SDL_VIDEODRIVER", "no such driver", 1);
    CnEngineDesc desc = {.backend = CN_GPU_NULL};
    assert_null(cn_engine_create(&desc, &error));
    assert_non_null(strstr(error.message, "--headless"));
    desc.headless = true;
    CnEngine *engine = cn_engine_create(&desc, &error);
    assert_non_null(engine);
    assert_int_equal(SDL_WasInit(SDL_INIT_VIDEO), 0);
    end_engine(engine);
    if (before)
        setenv("SDL_VIDEODRIVER", before, 1);
    else
        unsetenv("SDL_VIDEODRIVER");
}

static void frames_of_a_window_are_drawn(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_VULKAN, CN_SWITCH_ON);
    run_frames(engine, 10);
    uint32_t width, height;
    cn_engine_size(engine, &width, &height);
    assert_int_equal(width, 160);
    assert_int_equal(height, 120);
    assert_int_equal(cn_renderer_stats(cn_engine_renderer(engine)).frames, 10);
    end_engine(engine);
}

static void a_storm_of_sizes_does_no_harm(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_VULKAN, CN_SWITCH_ON);
    add_camera(cn_engine_world(engine), (CnVec3){0, 0, 5});
    for (uint32_t i = 0; i < 60; i++) {
        cn_engine_set_size(engine, 40 + i * 37 % 200, 30 + i * 53 % 150);
        run_frames(engine, 1 + i % 3);
    }
    run_frames(engine, 10);
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    uint32_t width, height;
    cn_engine_size(engine, &width, &height);
    assert_int_equal(cn_resource(cn_engine_world(engine), CnWindowSize)->width, width);
    assert_int_equal(cn_resource(cn_engine_world(engine), CnWindowSize)->height, height);
    end_engine(engine);
}

static void a_minimised_window_ticks_but_does_not_draw(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_VULKAN, CN_SWITCH_ON);
    run_frames(engine, 3);
    push_window(engine, SDL_WINDOWEVENT_MINIMIZED);
    uint32_t width, height;
    run_frames(engine, 5);
    cn_engine_size(engine, &width, &height);
    assert_int_equal(width, 0);
    uint64_t before = cn_sim_tick(cn_engine_sim(engine));
    for (uint32_t i = 0; i < 5; i++)
        assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_true(cn_sim_tick(cn_engine_sim(engine)) >= before + 4);
    push_window(engine, SDL_WINDOWEVENT_RESTORED);
    run_frames(engine, 3);
    cn_engine_size(engine, &width, &height);
    assert_int_equal(width, 160);
    end_engine(engine);
}

static void events_become_input(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    push_key(engine, SDL_SCANCODE_W, SDL_KEYDOWN);
    push(engine,
         (SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = 7, .y = 9, .xrel = 3, .yrel = -2}});
    push(engine, (SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_RIGHT}});
    push(engine, (SDL_Event){.wheel = {.type = SDL_MOUSEWHEEL, .preciseY = 2}});
    push(engine, (SDL_Event){.text = {.type = SDL_TEXTINPUT, .text = "äß"}});
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    const CnInputState *input = input_of(engine);
    assert_true(cn_key_held(input, CN_KEY_W));
    assert_true(cn_mouse_held(input, CN_MOUSE_RIGHT));
    assert_true(input->mouse_x == 7 && input->mouse_y == 9);
    assert_true(input->mouse_dx == 3 && input->mouse_dy == -2);
    assert_true(input->wheel_y == 2);
    assert_string_equal(input->text, "äß");
    push_window(engine, SDL_WINDOWEVENT_FOCUS_LOST);
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_false(cn_key_held(input_of(engine), CN_KEY_W));
    end_engine(engine);
}

static void repeated_keys_are_left_out(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    push(engine,
         (SDL_Event){
             .key = {.type = SDL_KEYDOWN, .repeat = 1, .keysym = {.scancode = SDL_SCANCODE_A}}});
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_false(cn_key_held(input_of(engine), CN_KEY_A));
    end_engine(engine);
}

static void f11_and_alt_return_make_it_fullscreen_and_back(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    assert_false(cni_engine_window_is_fullscreen(engine->window));
    push_key(engine, SDL_SCANCODE_F11, SDL_KEYDOWN);
    run_frames(engine, 2);
    assert_true(cni_engine_window_is_fullscreen(engine->window));
    push(engine,
         (SDL_Event){.key = {.type = SDL_KEYDOWN,
                             .keysym = {.scancode = SDL_SCANCODE_RETURN, .mod = KMOD_LALT}}});
    run_frames(engine, 2);
    assert_false(cni_engine_window_is_fullscreen(engine->window));
    end_engine(engine);
}

static void a_film_keeps_the_size_of_its_window(void **state)
{
    (void)state;
    CnEngineDesc desc = {.backend = CN_GPU_NULL, .threads = 1, .video_path = "/tmp/film.mp4"};
    CnEngine *resizable = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    CnEngine *filmed = cn_engine_create(&desc, NULL); /* without a frame, no file is written */
    assert_non_null(filmed);
    assert_true(SDL_GetWindowFlags(resizable->window->sdl) & SDL_WINDOW_RESIZABLE);
    assert_false(SDL_GetWindowFlags(filmed->window->sdl) & SDL_WINDOW_RESIZABLE);
    end_engine(filmed);
    end_engine(resizable);
}

static void closing_it_ends_the_frames(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_NULL, CN_SWITCH_ON);
    run_frames(engine, 2);
    push_window(engine, SDL_WINDOWEVENT_CLOSE);
    assert_int_equal(cn_engine_run(engine), 0);
    end_engine(engine);
}

static void a_captured_controller_locks_the_pointer(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    CnWorld *world = cn_engine_world(engine);
    CnEntity camera = add_camera(world, (CnVec3){0, 0, 5});
    cn_add(world, camera, CnFlyCamera);
    run_frames(engine, 2);
    assert_false(engine->window->is_pointer_locked);
    if (!(SDL_GetWindowFlags(engine->window->sdl) & SDL_WINDOW_INPUT_FOCUS)) {
        SDL_RaiseWindow(engine->window->sdl);
        SDL_SetWindowInputFocus(engine->window->sdl);
        run_frames(engine, 20);
    }
    bool has_focus = SDL_GetWindowFlags(engine->window->sdl) & SDL_WINDOW_INPUT_FOCUS;
    cn_get_mut(world, camera, CnFlyCamera)->captured = true;
    run_frames(engine, 1);
    assert_int_equal(engine->window->is_pointer_locked, has_focus);
    cn_get_mut(world, camera, CnFlyCamera)->captured = false;
    run_frames(engine, 1);
    assert_false(engine->window->is_pointer_locked);
    end_engine(engine);
}

static void the_controller_of_another_player_does_not_lock_the_pointer(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    CnWorld *world = cn_engine_world(engine);
    CnEntity camera = add_camera(world, (CnVec3){0, 0, 5});
    cn_add(world, camera, CnFlyCamera);
    cn_set(world, camera, CnPlayerActions, {.player = 2});
    cn_get_mut(world, camera, CnFlyCamera)->captured = true;
    run_frames(engine, 1);
    assert_true(cni_engine_wants_pointer(engine));
    cn_engine_set_player(engine, 1);
    assert_false(cni_engine_wants_pointer(engine));
    cn_engine_set_player(engine, 2);
    assert_true(cni_engine_wants_pointer(engine));
    end_engine(engine);
}

static const CnGamepadState *pads_of(CnEngine *engine)
{
    return cn_resource(cn_engine_world(engine), CnGamepadState);
}

static void gamepads_come_and_go(void **state)
{
    (void)state;
    CnEngine *engine = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    int device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, 6, 15, 0);
    assert_true(device >= 0);
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_true(cn_gamepad_connected(pads_of(engine), 0));
    SDL_Joystick *joystick = SDL_JoystickOpen(device);
    SDL_JoystickSetVirtualButton(joystick, SDL_CONTROLLER_BUTTON_A, 1);
    SDL_JoystickSetVirtualAxis(joystick, SDL_CONTROLLER_AXIS_LEFTX, -32768);
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_true(cn_gamepad_held(pads_of(engine), 0, CN_GAMEPAD_A));
    assert_true(cn_gamepad_axis(pads_of(engine), 0, CN_GAMEPAD_LEFT_X) == -1);

    /* A scene that comes later knows it, too. */
    cn_scene_create(cn_engine_scenes(engine), &(CnSceneDesc){.name = "Other"}, NULL);
    cn_scenes_switch(cn_engine_scenes(engine), "Other", NULL);
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_true(cn_gamepad_connected(pads_of(engine), 0));
    SDL_JoystickClose(joystick);
    SDL_JoystickDetachVirtual(device);
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_true(cn_engine_frame_with_delta(engine, 1.0 / 60));
    assert_false(cn_gamepad_connected(pads_of(engine), 0));
    end_engine(engine);
}

static void events_go_to_the_window_they_name(void **state)
{
    (void)state;
    CnEngine *a = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    CnEngine *b = make_window(CN_GPU_NULL, CN_SWITCH_OFF);
    push_key(b, SDL_SCANCODE_Q, SDL_KEYDOWN);
    assert_true(
        cn_engine_frame_with_delta(a, 1.0 / 60)); /* it takes everything out of SDL's queue */
    assert_true(cn_engine_frame_with_delta(b, 1.0 / 60));
    assert_false(cn_key_held(input_of(a), CN_KEY_Q));
    assert_true(cn_key_held(input_of(b), CN_KEY_Q));
    push_window(a, SDL_WINDOWEVENT_CLOSE);
    assert_false(cn_engine_frame(a));
    assert_true(cn_engine_frame(b));
    end_engine(a);
    end_engine(b);
}

/* Without a display SDL may offer windows in memory, which Vulkan cannot draw to. */
static int connect_to_display(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (gpu)
        end_gpu(gpu);
    SDL_Window *window = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0
                             ? SDL_CreateWindow("test", 0, 0, 160, 120, SDL_WINDOW_VULKAN)
                             : NULL;
    if (!window) {
        print_message("%s\n", SDL_GetError());
        cannot_run("display");
    }
    SDL_DestroyWindow(window);
    return 0;
}

static int disconnect(void **state)
{
    (void)state;
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return 0;
}

int main(void)
{
    const struct CMUnitTest without[] = {
        cmocka_unit_test(without_a_display_the_error_names_headless),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_a_window_are_drawn),
        cmocka_unit_test(a_storm_of_sizes_does_no_harm),
        cmocka_unit_test(a_minimised_window_ticks_but_does_not_draw),
        cmocka_unit_test(events_become_input),
        cmocka_unit_test(repeated_keys_are_left_out),
        cmocka_unit_test(f11_and_alt_return_make_it_fullscreen_and_back),
        cmocka_unit_test(a_film_keeps_the_size_of_its_window),
        cmocka_unit_test(closing_it_ends_the_frames),
        cmocka_unit_test(a_captured_controller_locks_the_pointer),
        cmocka_unit_test(the_controller_of_another_player_does_not_lock_the_pointer),
        cmocka_unit_test(gamepads_come_and_go),
        cmocka_unit_test(events_go_to_the_window_they_name),
    };
    cmocka_run_group_tests(without, NULL, NULL);
    return cmocka_run_group_tests(tests, connect_to_display, disconnect);
}
