/* Hot reload of engines: scripts, systems, scenes; recordings; errors that stand. */
#include "engine/engine_internal.h"
#include "reload_fixture.h"

#include <cairn/sim/replay.h>

static ReloadFixture f;

#define SCENE(x)                                                                                   \
    "{\"id\": \"S\", \"nodes\": [\n"                                                               \
    " {\"id\": \"A\", \"components\": [\n"                                                         \
    "  {\"type\": \"TransformComponent\", \"position\": [" x ", 0, 0]},\n"                         \
    "  {\"type\": \"ScriptComponent\", \"scriptName\": \"a\", \"scriptPath\": "                    \
    "\"scripts://a.lua\"}]}]}\n"
/* Counts ticks in its state, and shows the number as y. */
#define SCRIPT(z)                                                                                  \
    "function on_init() this.state.ticks = 0 end\n"                                                \
    "function on_update()\n"                                                                       \
    "    this.state.ticks = this.state.ticks + 1\n"                                                \
    "    local p = this.position\n"                                                                \
    "    p.y, p.z = this.state.ticks, " z "\n"                                                     \
    "    this.position = p\n"                                                                      \
    "end\n"

static int begin(void **state)
{
    (void)state;
    reload_begin_files(&f);
    reload_write(&f, "main.json", SCENE("1"));
    reload_write(&f, "a.lua", SCRIPT("1"));
    return 0;
}

static int end(void **state)
{
    (void)state;
    reload_end(&f);
    return 0;
}

static bool z_is_2(ReloadFixture *fixture)
{
    return reload_position(fixture, "A").z == 2;
}

static bool x_is_5(ReloadFixture *fixture)
{
    return reload_position(fixture, "A").x == 5;
}

/* ---- What is reloaded ---- */

static void a_script_goes_on_with_its_state(void **state)
{
    (void)state;
    reload_begin_engine(&f, NULL);
    run_frames(f.engine, 10);
    reload_write(&f, "a.lua", SCRIPT("2"));
    reload_run_until(&f, z_is_2, "the new script");
    assert_true(reload_position(&f, "A").y == (float)cn_sim_tick(cn_scene_sim(f.scene)));
}

static void a_scene_goes_on_with_its_objects(void **state)
{
    (void)state;
    reload_begin_engine(&f, NULL);
    run_frames(f.engine, 10);
    CnEntity object = reload_object(&f, "A");
    reload_write(&f, "main.json", SCENE("5"));
    reload_run_until(&f, x_is_5, "the new position");
    assert_true(cn_entity_equal(object, reload_object(&f, "A")));
    assert_int_equal(cn_script_status(cn_scene_world(f.scene), object), CN_SCRIPT_RUNNING);
}

static void nothing_is_reloaded_when_it_is_off(void **state)
{
    (void)state;
    reload_begin_engine(&f, &(CnEngineDesc){.hot_reload = CN_SWITCH_OFF});
    assert_null(cn_engine_hot_reload(f.engine));
    run_frames(f.engine, 5);
    reload_write(&f, "a.lua", SCRIPT("2"));
    reload_run_some(&f);
    assert_true(reload_position(&f, "A").z == 1);
}

static void it_is_off_by_default_without_a_window(void **state)
{
    (void)state;
    reload_begin_engine(&f, &(CnEngineDesc){.hot_reload = CN_SWITCH_OFF});
    CnEngine *engine = make_engine(NULL);
    assert_null(cn_engine_hot_reload(engine));
    end_engine(engine);
}

static void folders_that_are_mounted_later_are_watched(void **state)
{
    (void)state;
    reload_begin_engine(&f, NULL);
    Scratch other;
    scratch_init(&other);
    const char *path = scratch_path(&other, "b.lua");
    assert_true(cn_file_write_all(cn_native_files(), path, SCRIPT("1"), strlen(SCRIPT("1")), NULL));
    const CnMountDesc mount = {.scheme = "mods", .native = other.folder, .prefix = "castle"};
    assert_true(cn_vfs_mount_as(cn_engine_vfs(f.engine), &mount, NULL));
    cn_set(cn_scene_world(f.scene), reload_object(&f, "A"), CnScript,
           {.script_name = "b", .script_path = "mods://castle/b.lua"});
    run_frames(f.engine, 3);
    assert_true(cn_file_write_all(cn_native_files(), path, SCRIPT("2"), strlen(SCRIPT("2")), NULL));
    reload_run_until(&f, z_is_2, "a script of a mod");
    scratch_fini(&other);
}

/* ---- Recordings ---- */

/* The simulation has the files of the recording until the next frame. */
static void assert_replays(const CnRecorder *recorder)
{
    size_t size;
    CnError error = {0};
    CnReplayDifference difference = {0};
    CnSim *sim = cn_scene_sim(f.scene);
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    assert_non_null(replay);
    uint64_t begin_tick = cn_sim_tick(sim) - cn_recorder_ticks(recorder);
    assert_true(cn_replay_seek(replay, sim, begin_tick, &error));
    assert_true(cn_replay_run(replay, sim, UINT64_MAX, &difference, &error));
    if (difference.found)
        fail_msg("%s", difference.text);
    cn_replay_close(replay);
}

static void changes_wait_while_a_simulation_is_recorded(void **state)
{
    (void)state;
    CnError error = {0};
    reload_begin_engine(&f, NULL);
    CnSim *sim = cn_scene_sim(f.scene);
    run_frames(f.engine, 5); /* a script that starts during the recording is read then */
    CnRecorder *recorder = cn_recorder_create(sim, &(CnRecorderDesc){0}, &error);
    assert_non_null(recorder);
    reload_write(&f, "a.lua", SCRIPT("2"));
    reload_write(&f, "main.json", SCENE("5"));
    reload_run_some(&f);
    assert_true(cn_hot_reload_waiting(cn_engine_hot_reload(f.engine)) > 0);
    assert_true(reload_position(&f, "A").z == 1 && reload_position(&f, "A").x == 1);
    assert_true(cn_recorder_finish(recorder, &error));
    reload_write(&f, "a.lua", SCRIPT("1")); /* a restored state reads scripts again */
    assert_replays(recorder);
    reload_write(&f, "a.lua", SCRIPT("2"));
    cn_recorder_destroy(recorder);
    reload_run_until(&f, z_is_2, "the script after the recording");
    reload_run_until(&f, x_is_5, "the scene after the recording");
    assert_int_equal(cn_hot_reload_waiting(cn_engine_hot_reload(f.engine)), 0);
}

static void changes_wait_while_a_simulation_is_replayed(void **state)
{
    (void)state;
    CnError error = {0};
    size_t size;
    reload_begin_engine(&f, NULL);
    CnSim *sim = cn_scene_sim(f.scene);
    run_frames(f.engine, 5);
    CnRecorder *recorder = cn_recorder_create(sim, &(CnRecorderDesc){0}, &error);
    run_frames(f.engine, 120);
    assert_true(cn_recorder_finish(recorder, &error));
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    assert_true(cn_replay_seek(replay, sim, 5, &error));
    assert_true(cn_replay_begin(replay, sim, &error));
    reload_write(&f, "a.lua", SCRIPT("2"));
    reload_run_some(&f);
    assert_true(reload_position(&f, "A").z == 1);
    assert_false(cn_replay_difference(replay)->found);
    cn_replay_end(replay, sim);
    cn_replay_close(replay);
    cn_recorder_destroy(recorder);
}

/* ---- Errors ---- */

static void a_broken_script_stands_until_it_is_mended(void **state)
{
    (void)state;
    reload_begin_engine(&f, NULL);
    run_frames(f.engine, 5);
    reload_write(&f, "a.lua", "local a = 1\nlocal b = = 2\n");
    reload_wait_error(&f, "scripts://a.lua", 2);
    float before = reload_position(&f, "A").y;
    reload_run_some(&f);
    assert_true(reload_position(&f, "A").y > before); /* the old code goes on */
    assert_true(reload_has_error(&f));
    reload_write(&f, "a.lua", SCRIPT("2"));
    reload_run_until(&f, reload_has_no_error, "no error");
    reload_run_until(&f, z_is_2, "the mended script");
}

static void a_script_that_fails_stands_until_it_is_mended(void **state)
{
    (void)state;
    reload_begin_engine(&f, NULL);
    run_frames(f.engine, 5);
    reload_write(&f, "a.lua", "function on_update()\n    this.nothing:call()\nend\n");
    reload_wait_error(&f, "scripts://a.lua", 2);
    reload_write(&f, "a.lua", SCRIPT("2"));
    reload_run_until(&f, z_is_2, "the mended script");
    assert_true(reload_has_no_error(&f));
}

static void a_broken_scene_stands_until_it_is_mended(void **state)
{
    (void)state;
    reload_begin_engine(&f, NULL);
    run_frames(f.engine, 5);
    reload_write(&f, "main.json", SCENE("nonsense"));
    reload_wait_error(&f, "project://main.json", 3);
    assert_true(reload_position(&f, "A").x == 1);
    reload_write(&f, "main.json", SCENE("5"));
    reload_run_until(&f, x_is_5, "the mended scene");
    run_frames(f.engine, 1);
    assert_true(reload_has_no_error(&f));
}

static void several_errors_are_listed(void **state)
{
    (void)state;
    CnError errors[4];
    reload_begin_engine(&f, NULL);
    reload_write(&f, "a.lua", "= 2\n");
    reload_wait_error(&f, "scripts://a.lua", 1);
    reload_write(&f, "main.json", SCENE("nonsense"));
    uint32_t count = 1;
    for (uint32_t i = 0; i < RELOAD_TRIES && count == 1; i++) {
        run_frames(f.engine, 1);
        cn_clock_sleep_ns(5000000);
        count = cn_engine_errors(f.engine, errors, CN_COUNT_OF(errors));
    }
    assert_int_equal(count, 2);
}

static void count_error(const CnLogRecord *record, void *user)
{
    if (record->level == CN_LOG_LEVEL_ERROR)
        ++*(uint32_t *)user;
}

static void an_error_is_logged_once(void **state)
{
    (void)state;
    uint32_t count = 0;
    reload_begin_engine(&f, NULL);
    const CnLogSink sink = {.write = count_error, .user = &count, .level = CN_LOG_LEVEL_ERROR};
    int number = cn_log_add_sink(&sink);
    reload_write(&f, "main.json", SCENE("nonsense"));
    reload_wait_error(&f, "project://main.json", 3);
    reload_write(&f, "other.json", "{}"); /* the scene is tried again */
    reload_run_some(&f);
    cn_log_remove_sink(number);
    assert_int_equal(count, 1);
}

static uint32_t shapes_of_frame(void)
{
    run_frames(f.engine, 2);
    return cn_canvas_stats(f.engine->canvases[f.engine->canvas ^ 1]).shapes;
}

static void the_overlay_shows_errors_and_f4_hides_them(void **state)
{
    (void)state;
    const CnInputEvent key = {.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_F4};
    reload_begin_engine(&f, &(CnEngineDesc){.width = 640, .height = 360});
    uint32_t empty = shapes_of_frame();
    reload_write(&f, "a.lua", "= 2\n");
    reload_wait_error(&f, "scripts://a.lua", 1);
    assert_true(shapes_of_frame() > empty + 40);
    cn_engine_send(f.engine, &key);
    assert_int_equal(shapes_of_frame(), empty);
    cn_engine_send(f.engine, &key);
    assert_true(shapes_of_frame() > empty + 40);
    cn_engine_show_errors(f.engine, false);
    assert_int_equal(shapes_of_frame(), empty);
    reload_write(&f, "a.lua", "\n= 2\n"); /* another error */
    for (uint32_t i = 0; i < RELOAD_TRIES && shapes_of_frame() == empty; i++)
        cn_clock_sleep_ns(5000000);
    assert_true(shapes_of_frame() > empty + 40);
    reload_write(&f, "a.lua", SCRIPT("2"));
    reload_run_until(&f, reload_has_no_error, "no error");
    assert_int_equal(shapes_of_frame(), empty);
}

static void f4_is_for_the_scene_without_errors(void **state)
{
    (void)state;
    const CnInputEvent key = {.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_F4};
    reload_begin_engine(&f, NULL);
    run_frames(f.engine, 1);
    cn_engine_send(f.engine, &key);
    assert_true(cn_engine_key_pressed(f.engine, CN_KEY_F4));
}

/* ---- Memory ---- */

static void change_at_once(uint32_t turn)
{
    static const char *const paths[] = {"project://main.json", "scripts://a.lua"};
    char path[64];
    CnHotReload *reload = cn_engine_hot_reload(f.engine);
    cn_format(path, sizeof path, "%s", scratch_path(&f.scratch, "a.lua"));
    reload_write(&f, "main.json", turn % 2 ? SCENE("5") : SCENE("1"));
    reload_write(&f, "a.lua", turn % 5 == 4 ? "= 2\n" : turn % 2 ? SCRIPT("22") : SCRIPT("1"));
    reload->changes = (CnFileChanges){paths, 2, 0};
    cn_hot_reload_apply(reload);
    run_frames(f.engine, 1);
}

/* Returns the most memory that was in use after one of `turns` reloads. Lua collects garbage now
 * and then, so what is in use after a single one says little. */
static CnHeapStats most_memory(uint32_t turns)
{
    CnHeapStats most = {0};
    for (uint32_t i = 0; i < turns; i++) {
        change_at_once(i);
        CnHeapStats stats = cn_heap_stats(f.heap);
        if (stats.live_blocks > most.live_blocks)
            most.live_blocks = stats.live_blocks;
        if (stats.live_bytes > most.live_bytes)
            most.live_bytes = stats.live_bytes;
    }
    return most;
}

static void a_thousand_reloads_leave_no_memory(void **state)
{
    (void)state;
    reload_begin_engine(&f, NULL);
    run_frames(f.engine, 5);
    CnHeapStats first = most_memory(500), then = most_memory(500);
    assert_in_range(then.live_blocks, 0, first.live_blocks + first.live_blocks / 50);
    assert_in_range(then.live_bytes, 0, first.live_bytes + first.live_bytes / 50);
}

static void steady_frames_make_no_heap_call(void **state)
{
    (void)state;
    reload_write(&f, "main.json", "{\"id\": \"S\", \"nodes\": []}"); /* Lua allocates at times */
    reload_begin_engine(&f, &(CnEngineDesc){.width = 640, .height = 360});
    reload_write(&f, "main.json", "nonsense");
    reload_wait_error(&f, "project://main.json", 1);
    reload_run_some(&f);
    uint64_t before = cn_heap_stats(f.heap).calls;
    run_frames(f.engine, 200);
    assert_int_equal(cn_heap_stats(f.heap).calls - before, 0);
}

#define RELOAD_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RELOAD_TEST(a_script_goes_on_with_its_state),
        RELOAD_TEST(a_scene_goes_on_with_its_objects),
        RELOAD_TEST(nothing_is_reloaded_when_it_is_off),
        RELOAD_TEST(it_is_off_by_default_without_a_window),
        RELOAD_TEST(folders_that_are_mounted_later_are_watched),
        RELOAD_TEST(changes_wait_while_a_simulation_is_recorded),
        RELOAD_TEST(changes_wait_while_a_simulation_is_replayed),
        RELOAD_TEST(a_broken_script_stands_until_it_is_mended),
        RELOAD_TEST(a_script_that_fails_stands_until_it_is_mended),
        RELOAD_TEST(a_broken_scene_stands_until_it_is_mended),
        RELOAD_TEST(several_errors_are_listed),
        RELOAD_TEST(an_error_is_logged_once),
        RELOAD_TEST(the_overlay_shows_errors_and_f4_hides_them),
        RELOAD_TEST(f4_is_for_the_scene_without_errors),
        RELOAD_TEST(a_thousand_reloads_leave_no_memory),
        RELOAD_TEST(steady_frames_make_no_heap_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
