/* Rotations in glTF files: they have length 1 or are refused, as those of scene files. */
#include "cmocka_tests.h"
#include "memory_files.h"

#include "render/asset/model_data.h"

#include <math.h>
#include <stdio.h>

/* A triangle, the times 0 and 1, and twice two rotations: the last one of the first pair is zero,
 * of the second pair half a turn about z and of length 5. */
#define BUFFER                                                                                     \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAA"                 \
    "AIA/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAoEAAAAAA"

#define DOCUMENT_START                                                                             \
    "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}],\n"          \
    "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}],\n"                     \
    "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36},\n"                                     \
    " {\"buffer\": 0, \"byteOffset\": 36, \"byteLength\": 8},\n"                                   \
    " {\"buffer\": 0, \"byteOffset\": 44, \"byteLength\": 32},\n"                                  \
    " {\"buffer\": 0, \"byteOffset\": 76, \"byteLength\": 32}],\n"                                 \
    "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3,\n"                 \
    "  \"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": [1, 1, 0]},\n"                             \
    " {\"bufferView\": 1, \"componentType\": 5126, \"count\": 2, \"type\": \"SCALAR\"},\n"         \
    " {\"bufferView\": 2, \"componentType\": 5126, \"count\": 2, \"type\": \"VEC4\"},\n"           \
    " {\"bufferView\": 3, \"componentType\": 5126, \"count\": 2, \"type\": \"VEC4\"}],\n"
#define NODE(place) "\"nodes\": [{\"name\": \"A\", \"mesh\": 0" place "}]"
#define ANIMATION(output)                                                                          \
    ", \"animations\": [{\"name\": \"C\", \"samplers\": [{\"input\": 1, \"output\": " output       \
    "}],\n  \"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": \"rotation\"}}]}]"
#define INLINE_BUFFER                                                                              \
    ", \"buffers\": [{\"byteLength\": 108,\n"                                                      \
    "  \"uri\": \"data:application/octet-stream;base64," BUFFER "\"}]"
#define GLB_BUFFER ", \"buffers\": [{\"byteLength\": 108}]"
#define GLTF(place, animation)                                                                     \
    DOCUMENT_START NODE(place)                                                                     \
    animation INLINE_BUFFER "}"
#define ROTATED(rotation) GLTF(", \"rotation\": " rotation, "")

static CniRenderModelData data;
static CnError error;

static bool import(const char *path, const void *bytes, size_t size)
{
    MemoryFiles memory;
    memory_files_init(&memory);
    error = (CnError){0};
    cni_render_model_data_init(&data, NULL);
    CnFileBytes main = {.data = (uint8_t *)(uintptr_t)bytes, .size = size};
    return cni_render_model_import(&memory.files, path, NULL, main, &data, &error);
}

static void import_text(const char *document)
{
    if (!import("a.gltf", document, strlen(document)))
        fail_msg("%s", error.message);
}

static void assert_refused(const char *document, const char *what)
{
    assert_false(import("a.gltf", document, strlen(document)));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    if (!strstr(error.message, what))
        fail_msg("%s", error.message);
    cni_render_model_data_fini(&data);
}

static int drop(void **state)
{
    (void)state;
    cni_render_model_data_fini(&data);
    return 0;
}

#define ROTATION_TEST(name) cmocka_unit_test_setup_teardown(name, NULL, drop)

/* A quarter turn about x, and nothing else. */
static void assert_quarter_turn(const CnAffine *place)
{
    static const float expected[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_true(fabsf(place->m[i][j] - expected[i][j]) < 1e-6f);
}

static void a_rotation_that_is_too_long_does_not_scale_its_node(void **state)
{
    (void)state;
    import_text(ROTATED("[2, 0, 0, 2]"));
    assert_quarter_turn(&data.parts.items[0].transform);
}

static void a_rotation_of_few_digits_is_made_unit(void **state)
{
    (void)state;
    import_text(ROTATED("[0.7, 0, 0, 0.7]"));
    assert_quarter_turn(&data.parts.items[0].transform);
}

static void a_rotation_that_is_zero_is_refused_with_its_node(void **state)
{
    (void)state;
    assert_refused(ROTATED("[0, 0, 0, 0]"), "nodes[0].rotation: is zero or not finite");
}

static void a_rotation_beyond_floats_is_refused(void **state)
{
    (void)state;
    assert_refused(ROTATED("[0, 1e39, 0, 1]"), "nodes[0].rotation: is zero or not finite");
}

static void a_place_that_is_no_list_of_numbers_is_refused(void **state)
{
    (void)state;
    static const char *const documents[][2] = {
        {ROTATED("[0, 0, 0]"), "nodes[0].rotation: must be a list of 4 numbers"},
        {ROTATED("[0, 0, 0, \"1\"]"), "nodes[0].rotation: must be a list of 4 numbers"},
        {ROTATED("1"), "nodes[0].rotation: must be a list of 4 numbers"},
        {GLTF(", \"translation\": [0, 0, null]", ""), "nodes[0].translation: must be"},
        {GLTF(", \"scale\": [[1], 1, 1]", ""), "nodes[0].scale: must be a list of 3 numbers"},
        {GLTF(", \"matrix\": [1, 0, 0, 0]", ""), "nodes[0].matrix: must be a list of 16 numbers"},
    };
    for (size_t i = 0; i < CN_COUNT_OF(documents); i++)
        assert_refused(documents[i][0], documents[i][1]);
}

static size_t put(uint8_t *into, size_t at, const void *from, size_t bytes)
{
    memcpy(into + at, from, bytes);
    return at + bytes;
}

static void a_binary_file_keeps_its_buffer_when_rotations_change(void **state)
{
    (void)state;
    char document[2048];
    int length = snprintf(document, sizeof document, "%s",
                          DOCUMENT_START NODE(", \"rotation\": [2, 0, 0, 2]") GLB_BUFFER "}");
    assert_in_range(length, 1, (int)sizeof document - 4);
    while (length % 4)
        document[length++] = ' ';
    static const float buffer[27] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint8_t file[4096];
    uint32_t size = (uint32_t)(12 + 8 + length + 8 + (int)sizeof buffer);
    size_t at = put(file, 0, (uint32_t[3]){0x46546C67, 2, size}, 12);
    at = put(file, at, (uint32_t[2]){(uint32_t)length, 0x4E4F534A}, 8);
    at = put(file, at, document, (size_t)length);
    at = put(file, at, (uint32_t[2]){sizeof buffer, 0x004E4942}, 8);
    at = put(file, at, buffer, sizeof buffer);
    if (!import("a.glb", file, at))
        fail_msg("%s", error.message);
    assert_quarter_turn(&data.parts.items[0].transform);
    assert_int_equal(data.vertices.count, 3);
    assert_float_equal(data.vertices.items[1].position.x + data.vertices.items[2].position.y, 2, 0);
}

static void rotations_of_clips_are_made_unit(void **state)
{
    (void)state;
    import_text(GLTF("", ANIMATION("3")));
    uint32_t i = 0;
    while (i < data.channels.count && data.channels.items[i].kind != CNI_RENDER_CHANNEL_ROTATION)
        i++;
    assert_in_range(i, 0, data.channels.count - 1);
    CnVec4 q = data.keys.items[data.channels.items[i].first_key + 1].value;
    assert_true(q.x == 0 && q.y == 0 && q.z == 1 && q.w == 0);
}

static void a_rotation_of_a_clip_that_is_zero_is_refused(void **state)
{
    (void)state;
    assert_refused(GLTF("", ANIMATION("2")), "a rotation of an animation is zero or not finite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROTATION_TEST(a_rotation_that_is_too_long_does_not_scale_its_node),
        ROTATION_TEST(a_rotation_of_few_digits_is_made_unit),
        ROTATION_TEST(a_rotation_that_is_zero_is_refused_with_its_node),
        ROTATION_TEST(a_rotation_beyond_floats_is_refused),
        ROTATION_TEST(a_place_that_is_no_list_of_numbers_is_refused),
        ROTATION_TEST(a_binary_file_keeps_its_buffer_when_rotations_change),
        ROTATION_TEST(rotations_of_clips_are_made_unit),
        ROTATION_TEST(a_rotation_of_a_clip_that_is_zero_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
