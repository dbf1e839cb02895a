/* game, window and scenes: what scripts request, and CnScriptGame, which carries it out. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "scratch.h"

#include <cairn/base/log.h>
#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/sim.h>
#include <string.h>

#define FIRST                                                                                       \
    "{\"id\": \"First\", \"nodes\": [{\"id\": \"Eye\", \"components\": ["                           \
    "{\"type\": \"TransformComponent\", \"position\": [0, 10, 0], \"rotation\": [-90, 0, 0]},"      \
    "{\"type\": \"CameraComponent\", \"fov\": 90}]},"                                               \
    "{\"id\": \"Ball\", \"components\": [{\"type\": \"TransformComponent\", \"position\": [0, 1, "  \
    "0]}, {\"type\": \"RigidbodyComponent\", \"rigidbodyType\": \"Dynamic\", \"mass\": 1, "         \
    "\"collisionShape\": {\"type\": \"Sphere\", \"radius\": 1}}]},"                                 \
    "{\"id\": \"Game\", \"components\": [{\"type\": \"ScriptComponent\", \"scriptName\": \"Game\"," \
    " \"scriptPath\": \"scripts://game.lua\"}]}]}"
#define SECOND                                                                                     \
    "{\"id\": \"Second\", \"nodes\": [{\"id\": \"Game\", \"components\": [{\"type\": "             \
    "\"ScriptComponent\", \"scriptName\": \"Game\", \"scriptPath\": \"scripts://game.lua\"}]}]}"

/* What the script does in each tick is in the text that the test types. */
#define SCRIPT                                                                                     \
    "local commands = {\n"                                                                         \
    "    q = function() game.quit() end,\n"                                                        \
    "    p = function() game.paused = not game.paused end,\n"                                      \
    "    r = restartScene,\n"                                                                      \
    "    n = function() loadScene('scenes://second.json') end,\n"                                  \
    "    b = function() loadScene('scenes://first.json') end,\n"                                   \
    "    m = function() loadScene('scenes://missing.json') end,\n"                                 \
    "    s = function() game.save('one') end,\n"                                                   \
    "    l = function() game.load('one') end,\n"                                                   \
    "    x = function() game.load('none') end,\n"                                                  \
    "    h = function() game.timeScale = 0.5 end,\n"                                               \
    "    k = function() store.set('k', (store.get('k') or 0) + 1) end,\n"                          \
    "    w = function() store.save() end,\n"                                                       \
    "}\n"                                                                                          \
    "local function obey() local c = commands[input.text] if c then c() end end\n"                 \
    "function on_update() obey() end\n"                                                            \
    "function on_paused() obey() end\n"

typedef struct Fixture {
    MemoryFiles files;
    Scratch scratch;
    CnScriptDesc scripts;
    CnScenes *scenes;
    CnScriptGame *game;
    CnScriptGameResult result;
    CnTextBuilder text;
} Fixture;

static Fixture f;

static void make_scenes(void)
{
    CnError error = {0};
    static const char *const trusted[] = {"scripts://", NULL};
    f.scripts = (CnScriptDesc){.files = &f.files.files, .trusted = trusted};
    const CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(&f.scripts)};
    f.scenes =
        cn_scenes_create(&(CnScenesDesc){.plugins = plugins, .plugin_count = 2, .seed = 7}, &error);
    assert_non_null(f.scenes);
    if (!cn_scene_load(f.scenes, &f.files.files, "scenes://first.json", &error))
        fail_msg("%s", error.message);
}

static void make_game(const char *folder)
{
    CnError error = {0};
    f.game = cn_script_game_create(
        &(CnScriptGameDesc){.scenes = f.scenes, .files = &f.files.files, .save_folder = folder},
        &error);
    assert_non_null(f.game);
    f.result = (CnScriptGameResult){0};
    cn_script_game_update(f.game, &f.result);
}

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    memset(&f, 0, sizeof f);
    memory_files_init(&f.files);
    memory_files_set(&f.files, "scenes://first.json", FIRST);
    memory_files_set(&f.files, "scenes://second.json", SECOND);
    memory_files_set(&f.files, "scripts://game.lua", SCRIPT);
    scratch_init(&f.scratch);
    cn_array_init(&f.text, NULL);
    make_scenes();
    make_game(scratch_path(&f.scratch, "saves"));
    return 0;
}

static int drop(void **state)
{
    (void)state;
    cn_script_game_destroy(f.game);
    cn_scenes_destroy(f.scenes);
    cn_array_fini(&f.text);
    scratch_fini(&f.scratch);
    return 0;
}

static CnWorld *world(void)
{
    return cn_scene_world(cn_scenes_active(f.scenes));
}

static void ticks(uint32_t count)
{
    CnError error = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!cn_scenes_tick_n(f.scenes, 1, &error))
            fail_msg("%s", error.message);
        cn_script_game_update(f.game, &f.result);
    }
}

/* Types a command, which the script obeys in the next tick. */
static void command(const char *text)
{
    cn_input_text(cn_sim_input(cn_scene_sim(cn_scenes_active(f.scenes))), text);
    ticks(1);
}

static const char *run(const char *code)
{
    CnError error = {0};
    cn_array_clear(&f.text);
    cn_text_append(&f.text, cn_text(""));
    if (!cn_script_run(world(), &(CnScriptRunDesc){.code = cn_text(code), .trusted = true}, &f.text,
                       &error)) {
        cn_array_clear(&f.text);
        cn_text_append_format(&f.text, "error: %s", error.message);
    }
    return f.text.items;
}

static void assert_fails(const char *code, const char *part)
{
    const char *result = run(code);
    if (strncmp(result, "error: ", 7) != 0 || !strstr(result, part))
        fail_msg("\"%s\" does not say \"%s\"", result, part);
}

static const char *scene_name(void)
{
    return cn_scene_name(cn_scenes_active(f.scenes));
}

/* ---- Quit, pause, speed ---- */

static void quitting_is_reported_after_the_tick(void **unused)
{
    (void)unused;
    ticks(3);
    assert_false(f.result.quit);
    command("q");
    assert_true(f.result.quit);
}

static void a_paused_game_rests(void **unused)
{
    (void)unused;
    CnEntity ball = cn_object_find(world(), "Ball");
    ticks(10);
    command("p"); /* the last tick that runs */
    float height = cn_get(world(), ball, CnTransform)->position.y;
    ticks(20);
    assert_true(cn_get(world(), ball, CnTransform)->position.y == height);
    assert_string_equal(run("return game.paused"), "true");
    command("p");
    ticks(1);
    assert_true(cn_get(world(), ball, CnTransform)->position.y < height);
    assert_string_equal(run("return game.paused"), "false");
}

static void timers_wait_while_the_game_is_paused(void **unused)
{
    (void)unused;
    memory_files_set(&f.files, "scripts://timer.lua",
                     "function on_init() after(0.1, function() this.name = 'rung' end) end\n");
    CnEntity bell = cn_object(world(), "Bell");
    cn_set(world(), bell, CnScript, {.script_path = "scripts://timer.lua"});
    ticks(2);
    command("p");
    ticks(30);
    assert_string_equal(cn_object_name(world(), bell), "Bell");
    command("p");
    ticks(8);
    assert_string_equal(cn_object_name(world(), bell), "rung");
}

static void the_pause_is_saved_with_the_world(void **unused)
{
    (void)unused;
    CnError error = {0};
    CnSnapshot snapshot;
    CnSim *sim = cn_scene_sim(cn_scenes_active(f.scenes));
    CnEntity ball = cn_object_find(world(), "Ball");
    ticks(5);
    command("p");
    assert_true(cn_sim_save(sim, &snapshot, &error));
    float height = cn_get(world(), ball, CnTransform)->position.y;
    command("p");
    ticks(10);
    assert_true(cn_get(world(), ball, CnTransform)->position.y < height);
    assert_true(cn_sim_restore(sim, snapshot.bytes, snapshot.size, &error));
    ticks(10);
    assert_true(cn_get(world(), ball, CnTransform)->position.y == height);
    cn_snapshot_free(&snapshot);
}

static void the_time_scale_sets_how_many_ticks_a_second_has(void **unused)
{
    (void)unused;
    CnError error = {0};
    command("h");
    CnSim *sim = cn_scene_sim(cn_scenes_active(f.scenes));
    assert_true(cn_sim_time(sim)->scale == 0.5);
    uint64_t before = cn_sim_tick(sim);
    for (int i = 0; i < 60; i++)
        assert_true(cn_scenes_frame(f.scenes, 1.0 / 60, &error));
    assert_in_range(cn_sim_tick(sim) - before, 29, 31);
}

static void wrong_values_are_errors(void **unused)
{
    (void)unused;
    assert_fails("game.paused = 1", "'paused' must be a boolean");
    assert_fails("game.timeScale = 0", "must be between 0.05 and 8");
    assert_fails("game.timeScale = 0/0", "must be between 0.05 and 8");
    assert_fails("game.timeScale = 'x'", "'timeScale' must be a number");
    assert_fails("game.save('A')", "1 to 23 of a-z, 0-9, _ and -");
    assert_fails("game.save('../one')", "1 to 23 of a-z");
    assert_fails("game.load('')", "1 to 23 of a-z");
    assert_fails("game.load(string.rep('a', 24))", "1 to 23 of a-z");
    assert_fails("loadScene('')", "a path has 1 to 127 bytes");
    assert_fails("window.width = 5", "window.width is read-only");
}

/* ---- Scenes ---- */

static void a_restart_begins_anew_with_other_random_numbers(void **unused)
{
    (void)unused;
    ticks(1);
    char dice[32];
    cn_copy_text(dice, sizeof dice, cn_text(run("return random()")));
    ticks(20);
    command("r");
    assert_true(f.result.replaced);
    assert_int_equal(cn_sim_tick(cn_scene_sim(cn_scenes_active(f.scenes))), 0);
    CnEntity ball = cn_object_find(world(), "Ball");
    assert_true(cn_get(world(), ball, CnTransform)->position.y == 1);
    ticks(1);
    assert_int_equal(cn_script_stats(world()).running, 1);
    assert_string_not_equal(run("return random()"), dice);
}

static void stored_values_outlive_a_restart(void **unused)
{
    (void)unused;
    command("k");
    command("k");
    command("r");
    command("k");
    CnSim *sim = cn_scene_sim(cn_scenes_active(f.scenes));
    CnSnapshot snapshot;
    CnError error = {0};
    assert_true(cn_sim_save(sim, &snapshot, &error));
    const double three = 3;
    bool found = false;
    for (size_t i = 0; i + 8 <= snapshot.size; i++)
        found |= !memcmp(snapshot.bytes + i, &three, 8);
    assert_true(found);
    cn_snapshot_free(&snapshot);
}

static void load_scene_starts_the_scene_of_a_file(void **unused)
{
    (void)unused;
    command("n");
    assert_string_equal(scene_name(), "Second");
    assert_true(f.result.replaced);
    ticks(5);
    assert_int_equal(cn_sim_tick(cn_scene_sim(cn_scenes_active(f.scenes))), 5);
    command("n"); /* again, from the start */
    assert_string_equal(scene_name(), "Second");
    assert_int_equal(cn_sim_tick(cn_scene_sim(cn_scenes_active(f.scenes))), 0);
    assert_int_equal(cn_scenes_count(f.scenes), 2);
}

static void a_scene_that_cannot_be_loaded_changes_nothing(void **unused)
{
    (void)unused;
    ticks(4);
    command("m");
    assert_false(f.result.replaced);
    assert_string_equal(scene_name(), "First");
    assert_int_equal(cn_sim_tick(cn_scene_sim(cn_scenes_active(f.scenes))), 5);
}

/* ---- Saved games ---- */

static void a_saved_game_continues_where_it_was(void **unused)
{
    (void)unused;
    CnSim *sim = cn_scene_sim(cn_scenes_active(f.scenes));
    ticks(9);
    command("s");
    uint64_t hash = cn_sim_hash(sim);
    ticks(20);
    command("l");
    assert_true(f.result.replaced);
    assert_int_equal(cn_sim_tick(sim), 10);
    assert_int_equal(cn_sim_hash(sim), hash);
}

static void scripts_see_the_names_of_saved_games(void **unused)
{
    (void)unused;
    assert_string_equal(run("return #game.saves()"), "0");
    command("s");
    ticks(1);
    assert_string_equal(run("return table.concat(game.saves(), ' ')"), "one");
    cn_script_game_destroy(f.game); /* the program is started again */
    cn_scenes_destroy(f.scenes);
    make_scenes();
    make_game(scratch_path(&f.scratch, "saves"));
    ticks(1);
    assert_string_equal(run("return table.concat(game.saves(), ' ')"), "one");
    command("l");
    assert_true(f.result.replaced);
}

static void a_game_that_does_not_exist_is_not_loaded(void **unused)
{
    (void)unused;
    ticks(3);
    command("x");
    assert_false(f.result.replaced);
    assert_int_equal(cn_sim_tick(cn_scene_sim(cn_scenes_active(f.scenes))), 4);
}

static void a_damaged_saved_game_is_refused(void **unused)
{
    (void)unused;
    CnError error = {0};
    CnFileBytes bytes;
    command("s");
    const char *path = scratch_path(&f.scratch, "saves/one.save");
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error));
    for (size_t at = 0; at < bytes.size; at += 1 + at / 4) {
        bytes.data[at] ^= 1;
        assert_true(cn_file_write_all(cn_native_files(), path, bytes.data, bytes.size, &error));
        bytes.data[at] ^= 1;
        command("l");
        assert_false(f.result.replaced);
    }
    assert_true(cn_file_write_all(cn_native_files(), path, bytes.data, bytes.size / 2, &error));
    command("l");
    assert_false(f.result.replaced);
    cn_file_bytes_free(&bytes);
}

static void saved_values_are_there_after_a_new_start(void **unused)
{
    (void)unused;
    command("k");
    command("w");
    cn_script_game_destroy(f.game);
    cn_scenes_destroy(f.scenes);
    memory_files_set(&f.files, "scripts://game.lua",
                     "function on_init() this.name = 'k is ' .. tostring(store.get('k')) end");
    make_scenes();
    make_game(scratch_path(&f.scratch, "saves"));
    ticks(1);
    assert_true(cn_object_find(world(), "k is 1").id);
}

static void values_of_scripts_that_are_not_in_the_scene_are_kept(void **unused)
{
    (void)unused;
    command("k");
    command("w");
    cn_script_game_destroy(f.game);
    cn_scenes_destroy(f.scenes);
    memory_files_set(&f.files, "scripts://other.lua",
                     "function on_init() store.set('o', 1) store.save() end");
    make_scenes();
    CnEntity object = cn_object_find(world(), "Game");
    cn_set(world(), object, CnScript, {.script_path = "scripts://other.lua"});
    make_game(scratch_path(&f.scratch, "saves"));
    ticks(2);
    cn_script_game_destroy(f.game);
    cn_scenes_destroy(f.scenes);
    memory_files_set(&f.files, "scripts://game.lua",
                     "function on_init() this.name = 'k is ' .. tostring(store.get('k')) end");
    make_scenes();
    make_game(scratch_path(&f.scratch, "saves"));
    ticks(1);
    assert_true(cn_object_find(world(), "k is 1").id);
}

static void without_a_folder_nothing_is_saved(void **unused)
{
    (void)unused;
    cn_script_game_destroy(f.game);
    make_game(NULL);
    command("s");
    command("w");
    command("l");
    assert_false(f.result.replaced);
    assert_string_equal(run("return #game.saves()"), "0");
}

/* ---- The window and the mouse ---- */

static void the_size_of_the_window_arrives_as_a_message(void **unused)
{
    (void)unused;
    CnInputSource input = cn_sim_input(cn_scene_sim(cn_scenes_active(f.scenes)));
    assert_string_equal(run("return window.width .. 'x' .. window.height"), "1280x720");
    assert_true(cn_script_send_window_size(input, 800, 600));
    assert_string_equal(run("return window.width .. 'x' .. window.height"), "1280x720");
    ticks(1);
    assert_string_equal(run("return window.width .. 'x' .. window.height"), "800x600");
    uint32_t wrong[2] = {0, 600};
    cn_input_message(input, CN_SCRIPT_WINDOW_SIZE_MESSAGE, wrong, 8);
    cn_input_message(input, CN_SCRIPT_WINDOW_SIZE_MESSAGE, wrong, 7);
    ticks(1);
    assert_string_equal(run("return window.width .. 'x' .. window.height"), "800x600");
}

static void the_pointer_ray_runs_through_the_mouse(void **unused)
{
    (void)unused;
    CnInputSource input = cn_sim_input(cn_scene_sim(cn_scenes_active(f.scenes)));
    cn_script_send_window_size(input, 800, 400);
    cn_input_mouse_move(input, 400, 200, 0, 0); /* the middle: straight down */
    ticks(1);
    assert_string_equal(run("local r = input.pointerRay() return r.origin.y, r.direction.y"),
                        "10\t-1");
    cn_input_mouse_move(input, 800, 200, 0, 0); /* the right edge: a slope of 2 */
    ticks(1);
    assert_string_equal(
        run("local d = input.pointerRay().direction return math.floor(d.x / -d.y * 100 + 0.5)"),
        "200");
}

static void pick_finds_the_body_under_the_mouse(void **unused)
{
    (void)unused;
    CnInputSource input = cn_sim_input(cn_scene_sim(cn_scenes_active(f.scenes)));
    cn_script_send_window_size(input, 800, 400);
    cn_input_mouse_move(input, 400, 200, 0, 0);
    ticks(1);
    assert_string_equal(run("return pick().object.name"), "Ball");
    assert_string_equal(run("return tostring(pick {except = getObject('Ball')})"), "nil");
    assert_fails("pick {layer = 1}", "unknown key 'layer'");
    cn_input_mouse_move(input, 10, 10, 0, 0);
    ticks(1);
    assert_string_equal(run("return tostring(pick())"), "nil");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)
        TEST(quitting_is_reported_after_the_tick),
        TEST(a_paused_game_rests),
        TEST(timers_wait_while_the_game_is_paused),
        TEST(the_pause_is_saved_with_the_world),
        TEST(the_time_scale_sets_how_many_ticks_a_second_has),
        TEST(wrong_values_are_errors),
        TEST(a_restart_begins_anew_with_other_random_numbers),
        TEST(stored_values_outlive_a_restart),
        TEST(load_scene_starts_the_scene_of_a_file),
        TEST(a_scene_that_cannot_be_loaded_changes_nothing),
        TEST(a_saved_game_continues_where_it_was),
        TEST(scripts_see_the_names_of_saved_games),
        TEST(a_game_that_does_not_exist_is_not_loaded),
        TEST(a_damaged_saved_game_is_refused),
        TEST(saved_values_are_there_after_a_new_start),
        TEST(values_of_scripts_that_are_not_in_the_scene_are_kept),
        TEST(without_a_folder_nothing_is_saved),
        TEST(the_size_of_the_window_arrives_as_a_message),
        TEST(the_pointer_ray_runs_through_the_mouse),
        TEST(pick_finds_the_body_under_the_mouse),
    };
    return cmocka_run_group_tests_name("script.game", tests, NULL, NULL);
}
