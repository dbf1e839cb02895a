/* Names and lengths of clips, from the JSON of models. */
#include "cmocka_tests.h"
#include "memory_files.h"

#include <cairn/scene/animation_clips.h>

#include <string.h>

#define MODEL(max)                                                                                 \
    "{\"animations\": [{\"name\": \"Walk\", \"samplers\": [{\"input\": 0}, {\"input\": 1}]},"      \
    "{\"samplers\": [{\"input\": 1}]}], \"accessors\": [{" max "}, {\"max\": [0.5]}]}"

static MemoryFiles memory;
static CnAnimationClips clips;
static CnError error;

static bool read_file(const char *path, const char *text)
{
    memory_files_init(&memory);
    memory_files_set(&memory, "m.gltf", text);
    cn_error_clear(&error);
    return cn_animation_clips_read(&memory.files, path, NULL, &clips, &error);
}

static void a_clip_is_as_long_as_its_longest_sampler(void **state)
{
    (void)state;
    assert_true(read_file("m.gltf", MODEL("\"max\": [1.25]")));
    assert_int_equal(clips.count, 2);
    assert_string_equal(clips.items[0].name, "Walk");
    assert_true(clips.items[0].seconds == 1.25f);
    assert_string_equal(clips.items[1].name, "");
    assert_true(clips.items[1].seconds == 0.5f);
    assert_int_equal(cn_animation_clips_find(&clips, "Walk"), 0);
    assert_int_equal(cn_animation_clips_find(&clips, "Run"), 2);
    cn_animation_clips_free(&clips);
}

static void a_part_of_a_model_has_the_clips_of_the_file(void **state)
{
    (void)state;
    assert_true(read_file("m.gltf#Arm", MODEL("\"max\": [1.25]")));
    assert_int_equal(clips.count, 2);
    cn_animation_clips_free(&clips);
}

static void a_binary_model_is_read(void **state)
{
    (void)state;
    assert_true(cn_animation_clips_read(cn_native_files(), "scenes/models/column.glb", NULL, &clips,
                                        &error));
    assert_int_equal(clips.count, 2);
    assert_string_equal(clips.items[1].name, "Wave");
    assert_true(clips.items[1].seconds == 2);
    cn_animation_clips_free(&clips);
}

static void other_files_have_no_clips(void **state)
{
    (void)state;
    assert_true(read_file("box.obj", "{}"));
    assert_int_equal(clips.count, 0);
    assert_true(read_file("shapes://cube", "{}"));
    assert_int_equal(clips.count, 0);
}

static void a_clip_without_a_length_is_an_error(void **state)
{
    (void)state;
    assert_false(read_file("m.gltf", MODEL("\"max\": []")));
    assert_non_null(strstr(error.message, "have no max"));
    assert_string_equal(error.file, "m.gltf");
    assert_false(read_file("m.gltf", MODEL("\"max\": [-1]")));
    assert_false(read_file("m.gltf", MODEL("\"max\": [1e30]")));
    assert_false(read_file(
        "m.gltf", "{\"animations\": [{\"samplers\": [{\"input\": -1}]}], \"accessors\": []}"));
}

static void text_that_is_no_json_is_an_error(void **state)
{
    (void)state;
    assert_false(read_file("m.gltf", "{\"animations\": ["));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_true(read_file("m.gltf", "[]"));
    assert_int_equal(clips.count, 0);
    cn_animation_clips_free(&clips);
}

static void a_file_that_is_cut_off_is_an_error(void **state)
{
    (void)state;
    static const char head[] = "glTF\2\0\0\0\x40\0\0\0\x20\0\0\0JSON{}";
    memory_files_init(&memory);
    memory_files_set_bytes(&memory, "m.glb", head, sizeof head - 1);
    assert_false(cn_animation_clips_read(&memory.files, "m.glb", NULL, &clips, &error));
    assert_string_equal(error.message, "the JSON chunk is cut off");
    memory_files_set_bytes(&memory, "m.glb", head, 7);
    assert_false(cn_animation_clips_read(&memory.files, "m.glb", NULL, &clips, &error));
    assert_false(cn_animation_clips_read(&memory.files, "none.glb", NULL, &clips, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clip_is_as_long_as_its_longest_sampler),
        cmocka_unit_test(a_part_of_a_model_has_the_clips_of_the_file),
        cmocka_unit_test(a_binary_model_is_read),
        cmocka_unit_test(other_files_have_no_clips),
        cmocka_unit_test(a_clip_without_a_length_is_an_error),
        cmocka_unit_test(text_that_is_no_json_is_an_error),
        cmocka_unit_test(a_file_that_is_cut_off_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
