/* Images, videos and graphs as files. On the null backend, whose images are empty. */
#include "engine_fixture.h"
#include "scratch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static Scratch scratch;

static int make_folder(void **state)
{
    (void)state;
    scratch_init(&scratch);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static const char *path(const char *name)
{
    return scratch_path(&scratch, name);
}

static bool exists(const char *name)
{
    struct stat status;
    return stat(path(name), &status) == 0 && status.st_size > 0;
}

static void run_capture(const CnEngineDesc *desc)
{
    CnEngine *engine = make_engine(desc);
    assert_int_equal(cn_engine_run(engine), 0);
    end_engine(engine);
}

static void one_image_is_that_of_the_last_frame(void **state)
{
    (void)state;
    run_capture(&(CnEngineDesc){.frames = 3, .image_path = path("one.png")});
    assert_true(exists("one.png"));
}

static void an_image_without_frames_is_one_frame(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.image_path = path("first.png")});
    assert_false(cn_engine_frame(engine));
    assert_true(exists("first.png"));
    end_engine(engine);
}

static void a_number_makes_a_sequence(void **state)
{
    (void)state;
    run_capture(&(CnEngineDesc){.frames = 3, .image_path = path("shot-%03d.png")});
    assert_true(exists("shot-000.png"));
    assert_true(exists("shot-002.png"));
    assert_false(exists("shot-003.png"));
}

static void a_folder_makes_a_sequence(void **state)
{
    (void)state;
    run_capture(
        &(CnEngineDesc){.frames = 2, .image_path = path("shots/"), .render_thread = CN_SWITCH_ON});
    assert_true(exists("shots/0000.png"));
    assert_true(exists("shots/0001.png"));
    assert_false(exists("shots/0002.png"));
}

static void folders_may_have_the_number(void **state)
{
    (void)state;
    run_capture(
        &(CnEngineDesc){.frames = 2, .image_path = path("in/%02d/shot.png"), .make_folders = true});
    assert_true(exists("in/00/shot.png"));
    assert_true(exists("in/01/shot.png"));
    assert_false(exists("in/%02d"));
}

static void assert_folder_is_missing(const CnEngineDesc *wanted)
{
    CnError error = {0};
    CnEngineDesc desc = small_desc(wanted);
    assert_null(cn_engine_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "--make-folders"));
    assert_false(exists("no"));
}

static void folders_that_do_not_exist_are_an_error(void **state)
{
    (void)state;
    assert_folder_is_missing(&(CnEngineDesc){.image_path = path("no/one.png")});
    assert_folder_is_missing(&(CnEngineDesc){.image_path = path("no/shots/")});
    assert_folder_is_missing(&(CnEngineDesc){.image_path = path("no/%d/one.png")});
    assert_folder_is_missing(&(CnEngineDesc){.video_path = path("no/film.mp4")});
    assert_folder_is_missing(&(CnEngineDesc){.graph_path = path("no/graph.svg")});
}

static void folders_are_made_when_requested(void **state)
{
    (void)state;
    run_capture(&(CnEngineDesc){.frames = 1,
                                .image_path = path("a/b/one.png"),
                                .graph_path = path("c/d/graph.svg"),
                                .make_folders = true});
    assert_true(exists("a/b/one.png"));
    assert_true(exists("c/d/graph.svg"));
}

static void a_video_needs_a_regular_file(void **state)
{
    (void)state;
    CnError error = {0};
    assert_int_equal(mkfifo(path("pipe.mp4"), 0600), 0);
    CnEngineDesc desc = small_desc(&(CnEngineDesc){.frames = 1, .video_path = path("pipe.mp4")});
    assert_null(cn_engine_create(&desc, &error));
    assert_non_null(strstr(error.message, "a video needs a regular file"));
}

static void other_patterns_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"a%s.png",  "a%d%d.png", "a%n.png",  "a%.png",
                                      "a%5d.png", "a%%.png",   "a%00d.png"};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnError error = {0};
        CnEngineDesc desc = small_desc(&(CnEngineDesc){.image_path = bad[i]});
        if (cn_engine_create(&desc, &error))
            fail_msg("%s is taken", bad[i]);
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

static void other_images_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"a.jpg", "png", "a-%d.txt", ""};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnError error = {0};
        CnEngineDesc desc = small_desc(&(CnEngineDesc){.image_path = bad[i]});
        if (cn_engine_create(&desc, &error))
            fail_msg("%s is taken", bad[i]);
        assert_non_null(strstr(error.message, ".png"));
    }
}

static void an_image_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.image_path = "/proc/nothing.png"});
    assert_int_equal(cn_engine_run(engine), 1);
    assert_int_not_equal(cn_engine_error(engine)->code, CN_OK);
    end_engine(engine);
}

static void screenshots_are_of_the_next_frame(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(NULL);
    run_frames(engine, 2);
    assert_true(cn_engine_screenshot(engine, path("shot.png"), NULL));
    assert_false(exists("shot.png"));
    run_frames(engine, 1);
    assert_true(exists("shot.png"));
    end_engine(engine);
}

static void graphs_are_written_at_the_end(void **state)
{
    (void)state;
    run_capture(&(CnEngineDesc){.frames = 2, .graph_path = path("graph.svg")});
    assert_true(exists("graph.svg"));
    run_capture(&(CnEngineDesc){.frames = 2, .graph_path = path("graph.dot")});
    assert_true(exists("graph.dot"));
}

static void other_graphs_are_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CnEngineDesc desc = small_desc(&(CnEngineDesc){.graph_path = "graph.png"});
    assert_null(cn_engine_create(&desc, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void videos_are_made_by_ffmpeg(void **state)
{
    (void)state;
    if (system("ffmpeg -version >/dev/null 2>&1") != 0)
        skip();
    run_capture(&(CnEngineDesc){.frames = 5, .video_path = path("film.mp4")});
    assert_true(exists("film.mp4"));
}

static void a_video_may_have_any_name(void **state)
{
    (void)state;
    if (system("ffmpeg -version >/dev/null 2>&1") != 0)
        skip();
    char before[PATH_MAX];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(scratch.folder), 0);
    run_capture(&(CnEngineDesc){.frames = 2, .video_path = "-12:30.mp4"});
    assert_int_equal(chdir(before), 0);
    assert_true(exists("-12:30.mp4"));
}

/* Runs with another PATH. */
static CnError run_with_path(const char *search)
{
    char *before = getenv("PATH");
    char *kept = before ? strdup(before) : NULL;
    setenv("PATH", search, 1);
    CnEngine *engine = make_engine(&(CnEngineDesc){.frames = 1000, .video_path = path("no.mp4")});
    assert_int_equal(cn_engine_run(engine), 1);
    CnError error = *cn_engine_error(engine);
    end_engine(engine);
    if (kept)
        setenv("PATH", kept, 1);
    free(kept);
    return error;
}

static void a_missing_ffmpeg_is_a_clear_error(void **state)
{
    (void)state;
    CnError error = run_with_path("/nowhere");
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "ffmpeg"));
}

static void an_ffmpeg_that_dies_is_a_clear_error(void **state)
{
    (void)state;
    FILE *file = fopen(path("ffmpeg"), "w");
    assert_non_null(file);
    fputs("#!/bin/sh\nexit 3\n", file);
    fclose(file);
    assert_int_equal(chmod(path("ffmpeg"), 0755), 0);
    CnError error = run_with_path(scratch.folder);
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_non_null(strstr(error.message, "ffmpeg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_image_is_that_of_the_last_frame),
        cmocka_unit_test(an_image_without_frames_is_one_frame),
        cmocka_unit_test(a_number_makes_a_sequence),
        cmocka_unit_test(a_folder_makes_a_sequence),
        cmocka_unit_test(folders_may_have_the_number),
        cmocka_unit_test(folders_that_do_not_exist_are_an_error),
        cmocka_unit_test(folders_are_made_when_requested),
        cmocka_unit_test(a_video_needs_a_regular_file),
        cmocka_unit_test(other_patterns_are_refused),
        cmocka_unit_test(other_images_are_refused),
        cmocka_unit_test(an_image_that_cannot_be_written_is_an_error),
        cmocka_unit_test(screenshots_are_of_the_next_frame),
        cmocka_unit_test(graphs_are_written_at_the_end),
        cmocka_unit_test(other_graphs_are_refused),
        cmocka_unit_test(videos_are_made_by_ffmpeg),
        cmocka_unit_test(a_video_may_have_any_name),
        cmocka_unit_test(a_missing_ffmpeg_is_a_clear_error),
        cmocka_unit_test(an_ffmpeg_that_dies_is_a_clear_error),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
