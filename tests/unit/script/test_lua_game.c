/*
 * A robot plays samples/lua_game: it presses buttons and keys, as a person does, collects
 * ducklings, and finds its score again after the program was started anew.
 */
#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/base/log.h>
#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/sim.h>
#include <cairn/vfs.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_TICKS 5600u /* 90 seconds, and a little more */
#define CAUGHT 1.0f
#define MAX_LINES 400u

typedef struct Program {
    CnVfs *vfs;
    CnScriptDesc scripts;
    CnScenes *scenes;
    CnScriptGame *game;
    CnScriptGameResult result;
} Program;

static Scratch scratch;
static Program p;

static void start_program(void)
{
    CnError error = {0};
    p = (Program){.vfs = cn_vfs_create(NULL, &error)};
    assert_true(cn_vfs_mount_project(p.vfs, "samples/lua_game", CN_ORIGIN_USER, &error));
    CnFileSystem *files = cn_vfs_files(p.vfs);
    p.scripts = (CnScriptDesc){.files = files};
    const CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(&p.scripts)};
    p.scenes =
        cn_scenes_create(&(CnScenesDesc){.plugins = plugins, .plugin_count = 2, .seed = 3}, &error);
    if (!cn_scene_load(p.scenes, files, "project://main.json", &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    const CnScriptGameDesc desc = {
        .scenes = p.scenes, .files = files, .save_folder = scratch_path(&scratch, "saves")};
    p.game = cn_script_game_create(&desc, &error);
    assert_non_null(p.game);
    cn_script_game_update(p.game, &p.result);
}

static void end_program(void)
{
    cn_script_game_destroy(p.game);
    cn_scenes_destroy(p.scenes);
    cn_vfs_destroy(p.vfs);
}

static int set_up(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    start_program();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    end_program();
    scratch_fini(&scratch);
    return 0;
}

/* ---- What a person does ---- */

static CnWorld *world(void)
{
    return cn_scene_world(cn_scenes_active(p.scenes));
}

static CnInputSource input(void)
{
    return cn_sim_input(cn_scene_sim(cn_scenes_active(p.scenes)));
}

static void tick(uint32_t count)
{
    CnError error = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!cn_scenes_tick_n(p.scenes, 1, &error))
            fail_msg("%s", error.message);
        cn_script_game_update(p.game, &p.result);
    }
    CnEntity game = cn_object_find(world(), "Game");
    if (cn_script_error(world(), game, &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static void press(const char *label)
{
    CnScriptUi ui = cn_script_ui(world());
    const CnScriptUiItem *item = cn_script_ui_find(&ui, label);
    if (!item)
        fail_msg("there is no button \"%s\"", label);
    assert_true(cn_script_ui_send(input(), item->id, 0));
    tick(2);
}

/* Returns the number behind a text on the screen, or -1. */
static int shown(const char *text)
{
    CnScriptUi ui = cn_script_ui(world());
    for (uint32_t i = 0; i < ui.count; i++) {
        char line[64];
        cn_copy_text(line, sizeof line, cn_script_ui_text(&ui, &ui.items[i]));
        if (!strncmp(line, text, strlen(text)))
            return atoi(line + strlen(text));
    }
    return -1;
}

/* ---- The robot ---- */

static float distance(CnVec3 a, CnVec3 b)
{
    return cn_vec3_length(cn_vec3(a.x - b.x, 0, a.z - b.z));
}

static CnVec3 place(CnEntity object)
{
    return cn_get(world(), object, CnTransform)->position;
}

static CnEntity nearest_duckling(CnVec3 from)
{
    CnEntity roots[MAX_LINES], best = {0};
    uint32_t count = cn_object_roots(world(), roots, MAX_LINES);
    for (uint32_t i = 0; i < count && i < MAX_LINES; i++)
        if (!strcmp(cn_object_name(world(), roots[i]), "Duckling") &&
            (!best.id || distance(place(roots[i]), from) < distance(place(best), from)))
            best = roots[i];
    return best;
}

static void steer(CnVec3 from, CnVec3 to)
{
    const struct {
        uint32_t key;
        bool pressed;
    } keys[] = {{CN_KEY_D, to.x > from.x + .2f},
                {CN_KEY_A, to.x < from.x - .2f},
                {CN_KEY_S, to.z > from.z + .2f},
                {CN_KEY_W, to.z < from.z - .2f}};
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++)
        assert_true(cn_input_key(input(), keys[i].key, keys[i].pressed));
}

/* Fetches one duckling after the other until the round is over; returns the score. */
static int play_round(void)
{
    CnEntity target = {0};
    int score = 0;
    bool has_one = false;
    for (uint32_t i = 0; i < ROUND_TICKS && shown("Score ") >= 0 && shown("Best: ") < 0; i++) {
        CnVec3 duck = place(cn_object_find(world(), "Duck"));
        has_one =
            has_one || (cn_is_alive(world(), target) && distance(place(target), duck) < CAUGHT);
        if (has_one && distance(duck, cn_vec3(0, 0, 0)) < 1.5f) {
            has_one = false;
            target = (CnEntity){0};
        }
        if (!cn_is_alive(world(), target))
            target = nearest_duckling(duck);
        bool goes_home = has_one || !cn_is_alive(world(), target);
        steer(duck, goes_home ? cn_vec3(0, 0, 0) : place(target));
        score = shown("Score ");
        tick(1);
    }
    steer(cn_vec3(0, 0, 0), cn_vec3(0, 0, 0));
    return score;
}

/* ---- Tests ---- */

static void the_title_waits_for_play(void **state)
{
    (void)state;
    tick(60);
    assert_true(shown("Ducklings") >= 0);
    assert_int_equal(shown("Score "), -1);
    press("Play");
    assert_int_equal(shown("Score "), 0);
}

static void a_robot_scores_saves_and_plays_again(void **state)
{
    (void)state;
    tick(2);
    press("Play");
    int score = play_round();
    tick(2);
    print_message("the robot scored %d\n", score);
    assert_true(score >= 5);
    assert_int_equal(shown("Score "), score);
    assert_true(shown("A new best!") >= 0);

    press("Play again");
    tick(2);
    assert_int_equal(shown("Score "), 0);
    assert_true(shown("A new best!") < 0);

    end_program(); /* and another day */
    start_program();
    tick(2);
    assert_int_equal(shown("Best: "), score);
}

static void pausing_stops_the_clock(void **state)
{
    (void)state;
    tick(2);
    press("Play");
    press("Pause");
    tick(2);
    CnVec3 before = place(nearest_duckling(cn_vec3(0, 0, 0)));
    tick(60);
    CnVec3 after = place(nearest_duckling(cn_vec3(0, 0, 0)));
    assert_memory_equal(&before, &after, sizeof before);
    press("Resume");
    tick(2);
    assert_int_equal(shown("Paused"), -1);
}

static void quitting_ends_the_program(void **state)
{
    (void)state;
    tick(2);
    press("Quit");
    assert_true(p.result.quit);
}

static void the_game_is_one_file_of_at_most_400_lines(void **state)
{
    (void)state;
    CnFileBytes bytes;
    CnError error = {0};
    uint32_t lines = 0;
    assert_true(cn_file_read_all(cn_vfs_files(p.vfs), "scripts://pond.lua", NULL, &bytes, &error));
    for (size_t i = 0; i < bytes.size; i++)
        lines += ((const char *)bytes.data)[i] == '\n';
    cn_file_bytes_free(&bytes);
    assert_in_range(lines, 100, MAX_LINES);
}

int main(void)
{
#define GAME_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        GAME_TEST(the_title_waits_for_play),
        GAME_TEST(a_robot_scores_saves_and_plays_again),
        GAME_TEST(pausing_stops_the_clock),
        GAME_TEST(quitting_ends_the_program),
        GAME_TEST(the_game_is_one_file_of_at_most_400_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
