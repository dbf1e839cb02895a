/* Engines, frames, their order and their end. On the null backend. */
#include "engine_fixture.h"
#include "scratch.h"

#include <cairn/base/log.h>
#include <cairn/physics.h>
#include <cairn/script.h>
#include <string.h>

static float canvas_scale;

static void note_scale(CnEngine *engine, void *user)
{
    (void)user;
    canvas_scale = cn_canvas_scale(cn_engine_canvas(engine));
}

static void the_interface_scales_with_the_image_on_request(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.width = 1280, .height = 720});
    cn_engine_before_frame(engine, note_scale, NULL);
    run_frames(engine, 1);
    assert_float_equal(canvas_scale, 1, 0);
    cn_engine_set_ui_scale(engine, 1);
    run_frames(engine, 1);
    assert_float_equal(canvas_scale, 1.5f, 0);
    end_engine(engine);
}

/* ---- Making ---- */

static void zeros_are_defaults(void **state)
{
    (void)state;
    CnEngine *engine =
        cn_engine_create(&(CnEngineDesc){.headless = true, .backend = CN_GPU_NULL}, NULL);
    uint32_t width, height;
    cn_engine_size(engine, &width, &height);
    assert_int_equal(width, 1280);
    assert_int_equal(height, 720);
    assert_int_equal(cn_sim_clock(cn_engine_sim(engine))->tick_hz, 60);
    end_engine(engine);
}

static void bad_sizes_are_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CnEngineDesc desc = {.headless = true, .backend = CN_GPU_NULL, .width = 20000, .height = 10};
    assert_null(cn_engine_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    desc.width = 0;
    assert_null(cn_engine_create(&desc, &error));
}

static void a_project_that_is_not_there_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CnEngineDesc desc = small_desc(&(CnEngineDesc){.project = "no/such/folder"});
    assert_null(cn_engine_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static bool fail_preset(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                        CnError *error)
{
    (void)user;
    (void)renderer;
    (void)options;
    return cn_error_set(error, CN_ERROR_UNSUPPORTED, "not here");
}

static void a_preset_that_fails_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    CnEngineDesc desc = small_desc(&(CnEngineDesc){.preset = fail_preset});
    assert_null(cn_engine_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
}

static void the_first_scene_is_main(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    assert_int_equal(cn_scenes_count(cn_engine_scenes(engine)), 0);
    assert_string_equal(cn_scene_name(cn_engine_scene(engine)), "Main");
    assert_ptr_equal(cn_engine_world(engine), cn_scene_world(cn_engine_scene(engine)));
    end_engine(engine);
}

static void every_scene_has_physics_and_scripts(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    CnScene *other =
        cn_scene_create(cn_engine_scenes(engine), &(CnSceneDesc){.name = "Other"}, NULL);
    assert_true(cn_sim_has_plugin(cn_scene_sim(other), "Physics"));
    assert_true(cn_sim_has_plugin(cn_scene_sim(other), "Script"));
    end_engine(engine);
}

/* ---- Frames ---- */

static void each_headless_frame_is_one_step(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    run_frames(engine, 100);
    assert_int_equal(cn_sim_tick(cn_engine_sim(engine)), 100);
    end_engine(engine);
}

static void fps_and_ticks_may_differ(void **state)
{
    (void)state;
    CnEngine *slow = make_engine(&(CnEngineDesc){.fps = 30, .tick_hz = 60});
    CnEngine *fast = make_engine(&(CnEngineDesc){.fps = 120, .tick_hz = 60});
    run_frames(slow, 60);
    run_frames(fast, 60);
    assert_int_equal(cn_sim_tick(cn_engine_sim(slow)), 120);
    assert_int_equal(cn_sim_tick(cn_engine_sim(fast)), 30);
    end_engine(slow);
    end_engine(fast);
}

static void a_stall_counts_as_100_ms(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    assert_true(cn_engine_frame_with_delta(engine, 5));
    assert_true(cn_engine_time(engine)->delta <= CN_TIME_MAX_DELTA);
    assert_true(cn_sim_tick(cn_engine_sim(engine)) <= CN_CATCH_UP_TICKS_DEFAULT);
    end_engine(engine);
}

static void frames_end_after_as_many_as_requested(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.frames = 3});
    assert_true(cn_engine_frame(engine));
    assert_true(cn_engine_frame(engine));
    assert_false(cn_engine_frame(engine));
    assert_true(cn_engine_is_over(engine));
    assert_false(cn_engine_frame(engine));
    assert_int_equal(cn_sim_tick(cn_engine_sim(engine)), 3);
    assert_int_equal(cn_engine_error(engine)->code, CN_OK);
    end_engine(engine);
}

static void quit_in_frame_3(CnEngine *engine, void *user)
{
    if (++*(uint32_t *)user == 3)
        cn_engine_quit(engine, 42);
}

static void quit_gives_the_status_of_run(void **state)
{
    (void)state;
    uint32_t frames = 0;
    CnEngine *engine = make_engine(NULL);
    cn_engine_before_frame(engine, quit_in_frame_3, &frames);
    assert_int_equal(cn_engine_run(engine), 42);
    assert_int_equal(frames, 3);
    assert_int_equal(cn_renderer_stats(cn_engine_renderer(engine)).frames, 3);
    end_engine(engine);
}

static void a_quit_event_ends_the_frames(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    run_frames(engine, 2);
    cn_engine_send(engine, &(CnInputEvent){.kind = CN_INPUT_QUIT});
    assert_false(cn_engine_frame(engine));
    end_engine(engine);
}

static void note_close_request(CnEngine *engine, void *user)
{
    *(uint32_t *)user += cn_engine_close_requested(engine);
}

static void a_program_may_decide_when_its_window_closes(void **state)
{
    (void)state;
    uint32_t requests = 0;
    CnEngine *engine = make_engine(&(CnEngineDesc){.own_close = true});
    cn_engine_before_frame(engine, note_close_request, &requests);
    run_frames(engine, 1);
    assert_int_equal(requests, 0);
    cn_engine_send(engine, &(CnInputEvent){.kind = CN_INPUT_QUIT});
    run_frames(engine, 3);
    assert_int_equal(requests, 1);
    assert_false(cn_engine_is_over(engine));
    end_engine(engine);
}

/* ---- Order ---- */

typedef struct Trace {
    char text[256];
} Trace;

static void note(Trace *trace, const char *word)
{
    size_t length = strlen(trace->text);
    cn_format(trace->text + length, sizeof trace->text - length, "%s ", word);
}

static void on_before_1(CnEngine *engine, void *user)
{
    (void)engine;
    note(user, "before1");
}
static void on_before_2(CnEngine *engine, void *user)
{
    (void)engine;
    note(user, "before2");
}
static void on_render_1(CnFrame *frame, void *user)
{
    assert_non_null(frame->graph);
    note(user, "render1");
}
static void on_render_2(CnFrame *frame, void *user)
{
    (void)frame;
    note(user, "render2");
}
static void on_after_1(CnEngine *engine, void *user)
{
    assert_non_null(cn_renderer_graph(cn_engine_renderer(engine)));
    note(user, "after1");
}
static void on_after_2(CnEngine *engine, void *user)
{
    (void)engine;
    note(user, "after2");
}

static void on_ticks(CnEngine *engine, void *user)
{
    (void)engine;
    note(user, "ticks");
}

static void on_tick(CnSystemContext *context)
{
    note(context->user, "tick");
}
static void on_frame(CnSystemContext *context)
{
    note(context->user, "frame");
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer;
    (void)error;
    *(Trace **)self = *(Trace *const *)options;
    return true;
}
static void early_update(CnFrame *frame, void *self)
{
    (void)frame;
    note(*(Trace **)self, "early");
}
static void update(CnFrame *frame, void *self)
{
    (void)frame;
    note(*(Trace **)self, "update");
}
static void add_passes(CnFrame *frame, void *self)
{
    (void)frame;
    note(*(Trace **)self, "passes");
}

static const CnFeatureType traced = {.name = "Traced",
                                     .size = sizeof(Trace *),
                                     .setup = setup,
                                     .early_update = early_update,
                                     .update = update,
                                     .add_passes = add_passes};

static void add_trace(CnEngine *engine, Trace *trace)
{
    CnWorld *world = cn_engine_world(engine);
    cn_engine_before_frame(engine, on_before_1, trace);
    cn_engine_before_frame(engine, on_before_2, trace);
    cn_engine_after_ticks(engine, on_ticks, trace);
    cn_engine_before_render(engine, on_render_1, trace);
    cn_engine_before_render(engine, on_render_2, trace);
    cn_engine_after_frame(engine, on_after_1, trace);
    cn_engine_after_frame(engine, on_after_2, trace);
    cn_system_add(
        world,
        &(CnSystemDesc){.name = "tick", .stage = CN_STAGE_UPDATE, .run = on_tick, .user = trace},
        NULL);
    cn_system_add(
        world,
        &(CnSystemDesc){.name = "frame", .stage = CN_STAGE_FRAME, .run = on_frame, .user = trace},
        NULL);
    cn_renderer_add_feature(cn_engine_renderer(engine), &traced, &trace, NULL);
}

static void a_frame_has_the_order_of_the_manual(void **state)
{
    (void)state;
    Trace trace = {0};
    CnEngine *engine = make_engine(NULL);
    add_trace(engine, &trace);
    run_frames(engine, 1);
    assert_string_equal(trace.text, "before1 before2 tick frame ticks early update passes "
                                    "render1 render2 after1 after2 ");
    end_engine(engine);
}

static void with_a_render_thread_the_last_frame_is_finished_too(void **state)
{
    (void)state;
    Trace trace = {0};
    CnEngine *engine = make_engine(&(CnEngineDesc){.render_thread = CN_SWITCH_ON, .frames = 1});
    add_trace(engine, &trace);
    run_frames(engine, 1);
    assert_string_equal(trace.text, "before1 before2 tick frame ticks early update passes "
                                    "render1 render2 after1 after2 ");
    end_engine(engine);
}

/* ---- Scenes ---- */

static uint32_t warnings;
static void count_warnings(const CnLogRecord *record, void *user)
{
    (void)user;
    warnings += strstr(record->message, "no camera") != NULL;
}

static void a_scene_without_a_camera_says_so_once(void **state)
{
    (void)state;
    warnings = 0;
    int sink =
        cn_log_add_sink(&(CnLogSink){.write = count_warnings, .level = CN_LOG_LEVEL_WARNING});
    CnEngine *engine = make_engine(NULL);
    run_frames(engine, 5);
    assert_int_equal(warnings, 1);
    cn_log_remove_sink(sink);
    end_engine(engine);
}

static uint64_t hash_in_window(uint32_t width, uint32_t height)
{
    CnEngine *engine = make_engine(&(CnEngineDesc){.width = width, .height = height});
    add_camera(cn_engine_world(engine), (CnVec3){0, 0, 5});
    run_frames(engine, 5);
    uint64_t hash = cn_sim_hash(cn_scene_sim(cn_engine_scene(engine)));
    end_engine(engine);
    return hash;
}

static void the_size_of_the_window_is_no_part_of_the_state(void **state)
{
    (void)state;
    assert_true(hash_in_window(640, 360) == hash_in_window(320, 240));
}

static void scenes_are_notified_of_the_size_of_the_image(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    run_frames(engine, 1);
    assert_int_equal(cn_resource(cn_engine_world(engine), CnWindowSize)->width, 64);
    cn_engine_set_size(engine, 100, 50);
    run_frames(engine, 1);
    assert_int_equal(cn_resource(cn_engine_world(engine), CnWindowSize)->width, 100);
    cn_scene_create(cn_engine_scenes(engine), &(CnSceneDesc){.name = "Other"}, NULL);
    cn_scenes_switch(cn_engine_scenes(engine), "Other", NULL);
    run_frames(engine, 1);
    assert_int_equal(cn_resource(cn_engine_world(engine), CnWindowSize)->width, 100);
    end_engine(engine);
}

static void a_switch_shows_what_the_other_scene_has(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    add_camera(cn_engine_world(engine), (CnVec3){0, 0, 5});
    add_shape(cn_engine_world(engine), "sphere", (CnVec3){0, 0, 0});
    CnScene *other =
        cn_scene_create(cn_engine_scenes(engine), &(CnSceneDesc){.name = "Other"}, NULL);
    add_camera(cn_scene_world(other), (CnVec3){0, 0, 5});
    add_shape(cn_scene_world(other), "cube", (CnVec3){-1, 0, 0});
    add_shape(cn_scene_world(other), "torus", (CnVec3){1, 0, 0});
    run_frames(engine, 2);
    assert_int_equal(cn_renderer_stats(cn_engine_renderer(engine)).items, 1);
    cn_scenes_switch(cn_engine_scenes(engine), "Other", NULL);
    run_frames(engine, 2);
    assert_int_equal(cn_renderer_stats(cn_engine_renderer(engine)).items, 2);
    cn_scenes_switch(cn_engine_scenes(engine), "Main", NULL);
    run_frames(engine, 1);
    assert_int_equal(cn_renderer_stats(cn_engine_renderer(engine)).items, 1);
    end_engine(engine);
}

static void a_scene_that_is_shown_may_end(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.render_thread = CN_SWITCH_ON});
    add_camera(cn_engine_world(engine), (CnVec3){0, 0, 5});
    run_frames(engine, 2);
    cn_engine_destroy_scene(engine, cn_engine_scene(engine));
    run_frames(engine, 2);
    assert_string_equal(cn_scene_name(cn_engine_scene(engine)), "Main");
    end_engine(engine);
}

static void a_file_is_loaded_and_becomes_active(void **state)
{
    (void)state;
    CnError error = {0};
    CnEngine *engine = make_engine(NULL);
    CnScene *scene = cn_engine_load(engine, "scenes/boxes/main.json", &error);
    if (!scene)
        fail_msg("%s", error.message);
    assert_ptr_equal(cn_engine_scene(engine), scene);
    run_frames(engine, 3);
    assert_non_null(cn_scenes_find(cn_engine_scenes(engine), "Boxes"));
    end_engine(engine);
}

static void a_file_outside_of_the_project_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CnEngine *engine = make_engine(&(CnEngineDesc){.project = "scenes/doors"});
    assert_null(cn_engine_load(engine, "scenes/boxes/main.json", &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_null(cn_engine_load(engine, "scenes/doors/nothing.json", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_null(cn_engine_load(engine, "scenes", &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_non_null(cn_engine_load(engine, "project://level.json", &error));
    end_engine(engine);
}

static void load_bad(const char *json, const char *wanted)
{
    Scratch scratch;
    CnError error = {0};
    char text[512];
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "bad.json");
    assert_true(cn_file_write_all(cn_native_files(), path, json, strlen(json), NULL));
    CnEngine *engine = make_engine(NULL);
    assert_null(cn_engine_load(engine, path, &error));
    assert_string_equal(cn_error_text(&error, text, sizeof text), wanted);
    assert_null(cn_scenes_find(cn_engine_scenes(engine), "Bad"));
    end_engine(engine);
    scratch_fini(&scratch);
}

static void wrong_materials_have_their_place_in_the_file(void **state)
{
    (void)state;
    load_bad(
        "{\"id\": \"Bad\",\n \"nodes\": [],\n \"materials\": [{\"id\": \"A\", \"metallic\": 7}]}",
        "project://bad.json:3:28: \"metallic\" must be a number from 0 to 1 (malformed)");
    load_bad(
        "{\"id\": \"Bad\", \"nodes\": [], \"materials\": [],\n \"pipelines\": [\n  {\"id\": 3}]}",
        "project://bad.json:3:4: \"id\" must be a string (malformed)");
    load_bad("{\"id\": \"Bad\", \"nodes\": [],\n \"materials\": {}}",
             "project://bad.json:2:15: expected a list: [ ... ] (malformed)");
}

/* ---- Events ---- */

static void f3_goes_through_the_pages_of_the_overlay(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    CnInputEvent key = {.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_F3};
    cn_engine_send(engine, &key);
    assert_int_equal(cn_engine_overlay(engine)->page, CN_OVERLAY_SUMMARY);
    run_frames(engine, 3);
    assert_int_equal(cn_engine_overlay(engine)->tick, 3);
    for (uint32_t i = 1; i < CN_OVERLAY_PAGE_COUNT; i++)
        cn_engine_send(engine, &key);
    assert_int_equal(cn_engine_overlay(engine)->page, CN_OVERLAY_OFF);
    end_engine(engine);
}

static void the_overlay_has_the_counts_of_the_renderer(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.preset = cn_preset_forward});
    add_camera(cn_engine_world(engine), (CnVec3){0, 0, 5});
    add_shape(cn_engine_world(engine), "cube", (CnVec3){0, 0, 0});
    cn_engine_show_overlay(engine, CN_OVERLAY_SUMMARY);
    run_frames(engine, 2);
    CnRendererStats stats = cn_renderer_stats(cn_engine_renderer(engine));
    const CnOverlayData *overlay = cn_engine_overlay(engine);
    assert_true(stats.items && stats.draws && stats.draw_calls && stats.triangles);
    assert_int_equal(overlay->items, stats.items);
    assert_int_equal(overlay->visible_items, stats.visible_items);
    assert_int_equal(overlay->draws, stats.draws);
    assert_int_equal(overlay->draw_calls, stats.draw_calls);
    assert_int_equal(overlay->triangles, stats.triangles);
    end_engine(engine);
}

static void keys_reach_the_active_scene(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    CnInputEvent key = {.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_W};
    cn_engine_send(engine, &key);
    run_frames(engine, 1);
    assert_true(cn_key_held(cn_resource(cn_engine_world(engine), CnInputState), CN_KEY_W));
    end_engine(engine);
}

static void count_escapes(CnEngine *engine, void *user)
{
    CnUi *ui = cn_engine_ui(engine);
    *(uint32_t *)user += cn_engine_key_pressed(engine, CN_KEY_ESCAPE);
    cn_ui_begin_window(ui, &(CnUiWindow){.title = "W", .flags = CN_UI_MODAL});
    cn_ui_end_window(ui);
}

static void a_key_that_a_window_takes_is_still_heard_once_by_the_program(void **state)
{
    (void)state;
    uint32_t escapes = 0;
    CnEngine *engine = make_engine(NULL);
    CnInputEvent key = {.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_ESCAPE};
    cn_engine_before_frame(engine, count_escapes, &escapes);
    run_frames(engine, 2);
    cn_engine_send(engine, &key);
    run_frames(engine, 2);
    assert_int_equal(escapes, 1);
    assert_false(cn_key_held(cn_resource(cn_engine_world(engine), CnInputState), CN_KEY_ESCAPE));
    assert_false(cn_engine_key_pressed(engine, CN_KEY_COUNT));
    end_engine(engine);
}

typedef struct Heard {
    uint32_t presses, held;
} Heard;

static void hear_devices(CnEngine *engine, void *user)
{
    Heard *heard = user;
    const CnInputState *input = &cn_engine_devices(engine)->input;
    heard->presses += cn_key_pressed(input, CN_KEY_W);
    heard->held += cn_key_held(input, CN_KEY_W);
}

static void devices_have_each_press_in_one_frame(void **state)
{
    (void)state;
    Heard heard = {0};
    CnEngine *engine = make_engine(NULL);
    cn_engine_before_frame(engine, hear_devices, &heard);
    cn_engine_send(engine, &(CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_W});
    run_frames(engine, 3);
    assert_int_equal(heard.presses, 1);
    assert_int_equal(heard.held, 3);
    end_engine(engine);
}

static void hear_devices_behind_a_window(CnEngine *engine, void *user)
{
    CnUi *ui = cn_engine_ui(engine);
    cn_ui_begin_window(ui, &(CnUiWindow){.title = "W", .flags = CN_UI_MODAL});
    cn_ui_end_window(ui);
    hear_devices(engine, user);
}

static void devices_do_not_have_keys_that_a_window_takes(void **state)
{
    (void)state;
    Heard heard = {0};
    CnEngine *engine = make_engine(NULL);
    cn_engine_before_frame(engine, hear_devices_behind_a_window, &heard);
    run_frames(engine, 2);
    cn_engine_send(engine, &(CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_W});
    run_frames(engine, 2);
    assert_int_equal(heard.presses, 0);
    end_engine(engine);
}

static void with_own_input_scenes_get_no_events(void **state)
{
    (void)state;
    Heard heard = {0};
    CnEngine *engine = make_engine(&(CnEngineDesc){.own_input = true});
    cn_engine_before_frame(engine, hear_devices, &heard);
    cn_engine_send(engine, &(CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    cn_engine_send(engine, &(CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_W});
    run_frames(engine, 2);
    const CnWorld *world = cn_engine_world(engine);
    assert_int_equal(heard.presses, 1);
    assert_false(cn_key_held(cn_resource(world, CnInputState), CN_KEY_W));
    assert_false(cn_gamepad_connected(cn_resource(world, CnGamepadState), 0));
    end_engine(engine);
}

static void draw_button(CnEngine *engine, void *user)
{
    CnUi *ui = cn_engine_ui(engine);
    CnUiWindow window = {.title = "W", .rect = {0, 0, 60, 40}, .flags = CN_UI_PANEL};
    if (cn_ui_begin_window(ui, &window) && cn_ui_button(ui, "Button"))
        ++*(uint32_t *)user;
    cn_ui_end_window(ui);
}

static void press(CnEngine *engine, float x, float y, bool is_pressed)
{
    cn_engine_send(engine, &(CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = x, .y = y});
    run_frames(engine, 1);
    cn_engine_send(engine, &(CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON,
                                           .pressed = is_pressed,
                                           .code = CN_MOUSE_LEFT});
    run_frames(engine, 1);
}

static void what_is_clicked_on_a_widget_the_scene_does_not_see(void **state)
{
    (void)state;
    uint32_t clicks = 0;
    CnEngine *engine = make_engine(&(CnEngineDesc){.width = 200, .height = 100});
    cn_engine_before_frame(engine, draw_button, &clicks);
    run_frames(engine, 2);
    press(engine, 30, 20, true);
    const CnWorld *world = cn_engine_world(engine);
    assert_false(cn_mouse_held(cn_resource(world, CnInputState), CN_MOUSE_LEFT));
    press(engine, 30, 20, false);
    run_frames(engine, 1);
    assert_int_equal(clicks, 1);
    press(engine, 150, 80, true);
    assert_true(cn_mouse_held(cn_resource(world, CnInputState), CN_MOUSE_LEFT));
    end_engine(engine);
}

static void too_many_hooks_are_refused(void **state)
{
    (void)state;
    Trace trace = {0};
    CnEngine *engine = make_engine(NULL);
    for (uint32_t i = 0; i < CN_ENGINE_MAX_HOOKS; i++)
        assert_true(cn_engine_before_frame(engine, on_before_1, &trace));
    assert_false(cn_engine_before_frame(engine, on_before_1, &trace));
    end_engine(engine);
}

static bool note_preset(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                        CnError *error)
{
    (void)error;
    *(bool *)user = renderer && options;
    return true;
}

static void a_preset_gets_its_user(void **state)
{
    (void)state;
    bool was_called = false;
    end_engine(make_engine(&(CnEngineDesc){.preset = note_preset, .preset_user = &was_called}));
    assert_true(was_called);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interface_scales_with_the_image_on_request),
        cmocka_unit_test(zeros_are_defaults),
        cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(a_project_that_is_not_there_is_refused),
        cmocka_unit_test(a_preset_that_fails_is_an_error),
        cmocka_unit_test(the_first_scene_is_main),
        cmocka_unit_test(every_scene_has_physics_and_scripts),
        cmocka_unit_test(each_headless_frame_is_one_step),
        cmocka_unit_test(fps_and_ticks_may_differ),
        cmocka_unit_test(a_stall_counts_as_100_ms),
        cmocka_unit_test(frames_end_after_as_many_as_requested),
        cmocka_unit_test(quit_gives_the_status_of_run),
        cmocka_unit_test(a_quit_event_ends_the_frames),
        cmocka_unit_test(a_program_may_decide_when_its_window_closes),
        cmocka_unit_test(a_frame_has_the_order_of_the_manual),
        cmocka_unit_test(with_a_render_thread_the_last_frame_is_finished_too),
        cmocka_unit_test(a_scene_without_a_camera_says_so_once),
        cmocka_unit_test(the_size_of_the_window_is_no_part_of_the_state),
        cmocka_unit_test(scenes_are_notified_of_the_size_of_the_image),
        cmocka_unit_test(a_switch_shows_what_the_other_scene_has),
        cmocka_unit_test(a_scene_that_is_shown_may_end),
        cmocka_unit_test(a_file_is_loaded_and_becomes_active),
        cmocka_unit_test(a_file_outside_of_the_project_is_refused),
        cmocka_unit_test(wrong_materials_have_their_place_in_the_file),
        cmocka_unit_test(f3_goes_through_the_pages_of_the_overlay),
        cmocka_unit_test(the_overlay_has_the_counts_of_the_renderer),
        cmocka_unit_test(a_key_that_a_window_takes_is_still_heard_once_by_the_program),
        cmocka_unit_test(devices_have_each_press_in_one_frame),
        cmocka_unit_test(devices_do_not_have_keys_that_a_window_takes),
        cmocka_unit_test(with_own_input_scenes_get_no_events),
        cmocka_unit_test(keys_reach_the_active_scene),
        cmocka_unit_test(what_is_clicked_on_a_widget_the_scene_does_not_see),
        cmocka_unit_test(too_many_hooks_are_refused),
        cmocka_unit_test(a_preset_gets_its_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
