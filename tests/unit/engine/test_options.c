/* Options of the command line. */
#include "engine_fixture.h"

#define READ(desc, ...)                                                                            \
    read_all(desc, (char *[]){"program", __VA_ARGS__},                                             \
             (int)(sizeof((char *[]){"program", __VA_ARGS__}) / sizeof(char *)))

static CnOptionsResult read_all(CnEngineDesc *desc, char **arguments, int count)
{
    return cn_engine_read_options(desc, count, arguments);
}

static void every_option_is_read(void **state)
{
    (void)state;
    CnEngineDesc desc = {0};
    CnOptionsResult result =
        READ(&desc, "--headless", "--frames", "30", "--size", "320x180", "--out", "a.png",
             "--video=b.mp4", "--fps", "24", "--graph", "c.svg", "--overlay", "--gpu", "llvmpipe",
             "--vsync", "mailbox", "--tick-hz", "50", "--seed", "7", "--threads", "2",
             "--render-thread", "on");
    assert_int_equal(result, CN_OPTIONS_CONTINUE);
    assert_true(desc.headless && desc.overlay);
    assert_int_equal(desc.frames, 30);
    assert_int_equal(desc.width, 320);
    assert_int_equal(desc.height, 180);
    assert_string_equal(desc.image_path, "a.png");
    assert_string_equal(desc.video_path, "b.mp4");
    assert_string_equal(desc.graph_path, "c.svg");
    assert_string_equal(desc.gpu, "llvmpipe");
    assert_int_equal(desc.fps, 24);
    assert_int_equal(desc.vsync, CN_VSYNC_MAILBOX);
    assert_int_equal(desc.tick_hz, 50);
    assert_int_equal(desc.seed, 7);
    assert_int_equal(desc.threads, 2);
    assert_int_equal(desc.render_thread, CN_SWITCH_ON);
}

static void what_is_not_given_stays(void **state)
{
    (void)state;
    CnEngineDesc desc = {.width = 10, .height = 20, .fps = 5, .tick_hz = 6, .vsync = CN_VSYNC_OFF};
    assert_int_equal(READ(&desc, "--overlay"), CN_OPTIONS_CONTINUE);
    assert_int_equal(desc.width, 10);
    assert_int_equal(desc.height, 20);
    assert_int_equal(desc.fps, 5);
    assert_int_equal(desc.tick_hz, 6);
    assert_int_equal(desc.vsync, CN_VSYNC_OFF);
    assert_int_equal(desc.frames, 0);
}

static void headless_runs_one_frame_by_default(void **state)
{
    (void)state;
    CnEngineDesc desc = {0};
    assert_int_equal(READ(&desc, "--headless"), CN_OPTIONS_CONTINUE);
    assert_int_equal(desc.frames, 1);
}

static void the_null_device_is_the_null_backend(void **state)
{
    (void)state;
    CnEngineDesc desc = {0};
    assert_int_equal(READ(&desc, "--gpu", "null"), CN_OPTIONS_CONTINUE);
    assert_int_equal(desc.backend, CN_GPU_NULL);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    char *const bad[][2] = {{"--frames", "0"},         {"--frames", "-1"},
                            {"--frames", "ten"},       {"--frames", "1x"},
                            {"--frames", ""},          {"--frames", "99999999999999999999"},
                            {"--size", "320"},         {"--size", "320x"},
                            {"--size", "x180"},        {"--size", "0x180"},
                            {"--size", "320x0"},       {"--size", "-320x180"},
                            {"--size", "320 x180"},    {"--size", "99999x10"},
                            {"--size", "320x180x2"},   {"--fps", "0"},
                            {"--fps", "1001"},         {"--tick-hz", "0"},
                            {"--tick-hz", "1001"},     {"--vsync", "maybe"},
                            {"--threads", "1000"},     {"--seed", "-1"},
                            {"--seed", "0x10"},        {"--render-thread", "default"},
                            {"--hot-reload", "maybe"}, {"--script-memory", "0"},
                            {"--script-tick", "0"},    {"--script-call", "many"}};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnEngineDesc desc = {0};
        if (READ(&desc, bad[i][0], bad[i][1]) != CN_OPTIONS_INVALID)
            fail_msg("%s \"%s\" is taken", bad[i][0], bad[i][1]);
    }
}

static void what_is_no_option_is_refused(void **state)
{
    (void)state;
    CnEngineDesc desc = {0};
    assert_int_equal(READ(&desc, "--nonsense"), CN_OPTIONS_INVALID);
    assert_int_equal(READ(&desc, "file"), CN_OPTIONS_INVALID);
    assert_int_equal(READ(&desc, "--frames"), CN_OPTIONS_INVALID);
    assert_int_equal(READ(&desc, "--headless=yes"), CN_OPTIONS_INVALID);
    assert_int_equal(READ(&desc, "--frame", "1"), CN_OPTIONS_INVALID);
}

static void programs_have_options_of_their_own(void **state)
{
    (void)state;
    const char *model = "default", *scene = NULL;
    bool spin = false;
    uint64_t lights = 1;
    CnEngineDesc desc = {.options =
                             (CnOption[]){{"--model", "FILE", "", CN_OPTION_TEXT, &model, 0, 0},
                                          {"--spin", NULL, "", CN_OPTION_FLAG, &spin, 0, 0},
                                          {"--lights", "N", "", CN_OPTION_NUMBER, &lights, 1, 10},
                                          {"SCENE", NULL, "", CN_OPTION_TEXT, &scene, 0, 0},
                                          {0}}};
    assert_int_equal(READ(&desc, "--model", "fox", "main.json", "--spin", "--lights", "9"),
                     CN_OPTIONS_CONTINUE);
    assert_string_equal(model, "fox");
    assert_string_equal(scene, "main.json");
    assert_true(spin);
    assert_int_equal(lights, 9);
    assert_int_equal(READ(&desc, "another.json"), CN_OPTIONS_INVALID);
    assert_int_equal(READ(&desc, "--lights", "11"), CN_OPTIONS_INVALID);
}

static void hot_reload_and_scripts_have_options(void **state)
{
    (void)state;
    CnEngineDesc desc = {.trusted = {"scripts://"}};
    assert_int_equal(READ(&desc, "--hot-reload", "on", "--trust", "assets://tools/", "--trust",
                          "mods://castle/", "--script-memory", "8", "--script-tick", "5000000",
                          "--script-call", "1000000"),
                     CN_OPTIONS_CONTINUE);
    assert_int_equal(desc.hot_reload, CN_SWITCH_ON);
    assert_string_equal(desc.trusted[0], "scripts://");
    assert_string_equal(desc.trusted[1], "assets://tools/");
    assert_string_equal(desc.trusted[2], "mods://castle/");
    assert_null(desc.trusted[3]);
    assert_false(desc.trust_scripts);
    assert_int_equal(desc.script_memory_bytes, 8u << 20);
    assert_int_equal(desc.script_instructions_per_tick, 5000000);
    assert_int_equal(desc.script_instructions_per_call, 1000000);
    assert_int_equal(READ(&desc, "--trust-scripts"), CN_OPTIONS_CONTINUE);
    assert_true(desc.trust_scripts);
}

static void a_list_that_is_full_is_refused(void **state)
{
    (void)state;
    CnEngineDesc desc = {0};
    for (uint32_t i = 0; i < CN_ENGINE_MAX_TRUSTED; i++)
        assert_int_equal(READ(&desc, "--trust", "a://"), CN_OPTIONS_CONTINUE);
    assert_int_equal(READ(&desc, "--trust", "a://"), CN_OPTIONS_INVALID);
}

static void help_is_no_error(void **state)
{
    (void)state;
    CnEngineDesc desc = {0};
    assert_int_equal(READ(&desc, "--help"), CN_OPTIONS_HELP_PRINTED);
    assert_int_equal(cn_engine_main(&desc, 2, (char *[]){"program", "--help"}, NULL, NULL), 0);
}

static void wrong_options_end_a_program_with_2(void **state)
{
    (void)state;
    CnEngineDesc desc = {0};
    assert_int_equal(cn_engine_main(&desc, 2, (char *[]){"program", "--x"}, NULL, NULL), 2);
}

static bool refuse_to_start(CnEngine *engine, void *user, CnError *error)
{
    (void)engine;
    (void)user;
    return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is nothing to start");
}

static void a_program_that_cannot_start_ends_with_1(void **state)
{
    (void)state;
    CnEngineDesc desc = small_desc(NULL);
    assert_int_equal(cn_engine_main(&desc, 1, (char *[]){"program"}, refuse_to_start, NULL), 1);
}

static void a_program_that_is_done_ends_with_0(void **state)
{
    (void)state;
    CnEngineDesc desc = small_desc(&(CnEngineDesc){.frames = 2});
    assert_int_equal(cn_engine_main(&desc, 1, (char *[]){"program"}, NULL, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_is_read),
        cmocka_unit_test(what_is_not_given_stays),
        cmocka_unit_test(headless_runs_one_frame_by_default),
        cmocka_unit_test(the_null_device_is_the_null_backend),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(what_is_no_option_is_refused),
        cmocka_unit_test(programs_have_options_of_their_own),
        cmocka_unit_test(hot_reload_and_scripts_have_options),
        cmocka_unit_test(a_list_that_is_full_is_refused),
        cmocka_unit_test(help_is_no_error),
        cmocka_unit_test(wrong_options_end_a_program_with_2),
        cmocka_unit_test(a_program_that_cannot_start_ends_with_1),
        cmocka_unit_test(a_program_that_is_done_ends_with_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
