/*
 * Models for which a search through all earlier vertices, materials or names would take hours:
 * with the sizes here, a program that compares each pair does not end before the test times out.
 */
#include "cmocka_tests.h"
#include "glb_import.h"
#include "memory_files.h"

#include <cairn/base/log.h>

static GlbImport model;
static MemoryFiles memory;
static CnTextBuilder text, library;

static int start(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    memory_files_init(&memory);
    cn_array_init(&text, NULL);
    cn_array_init(&library, NULL);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    cn_array_fini(&text);
    cn_array_fini(&library);
    glb_free(&model);
    return 0;
}

#define LINEAR_TEST(name) cmocka_unit_test_setup_teardown(name, start, drop)

static bool import(const char *path)
{
    return glb_import_file(&model, path, text.items, text.count, &memory.files);
}

/* Vertices that differ in their last bits, with a normal map that needs tangents. */
static void vertices_that_nearly_coincide_are_imported(void **state)
{
    (void)state;
    const uint32_t count = 600000;
    cn_text_append(&text, cn_text("vt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n"));
    for (uint32_t i = 0; i < count; i++)
        cn_text_append_format(&text, "v %u.%07u %u.%07u 0\n", i % 3 == 1, i % 1000, i % 3 == 2,
                              i / 1000);
    for (uint32_t i = 0; i < count; i += 3)
        cn_text_append_format(&text, "f %u/1/1 %u/2/1 %u/3/1\n", i + 1, i + 2, i + 3);
    assert_true(import("near.obj"));
    assert_int_equal(model.data.indices.count, count);
    assert_int_equal(model.data.vertices.count, count);
}

/* All corners are the same vertex, of as many triangles. */
static void vertices_that_coincide_are_imported(void **state)
{
    (void)state;
    const uint32_t count = 300000;
    cn_text_append(&text, cn_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"));
    for (uint32_t i = 0; i < count; i++)
        cn_text_append(&text, cn_text("f 1/1 2/2 3/3\nf 2/2 1/1 3/3\n"));
    assert_true(import("same.obj"));
    assert_int_equal(model.data.indices.count, 6 * count);
}

static void a_library_of_many_materials_is_read(void **state)
{
    (void)state;
    const uint32_t count = 400000;
    for (uint32_t i = 0; i < count; i++)
        cn_text_append_format(&library, "newmtl m%u\nKd 1 0 0\n", i);
    cn_text_append(&library, (CnText){"", 1});
    memory_files_set(&memory, "many.mtl", library.items);
    cn_text_append_format(&text,
                          "mtllib many.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                          "usemtl m%u\nf 1 2 3\n",
                          count - 1);
    assert_true(import("many.obj"));
    assert_int_equal(model.data.indices.count, 3);
    assert_true(model.data.meshes.items[0].material > 0);
}

static void many_parts_with_materials_are_refused(void **state)
{
    (void)state;
    cn_text_append(&text, cn_text("mtllib many.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"));
    for (uint32_t i = 0; i < 163840; i++) {
        cn_text_append_format(&library, "newmtl m%u\nKd 1 0 0\n", i);
        cn_text_append_format(&text, "usemtl m%u\nf 1 2 3\n", i);
    }
    cn_text_append(&library, (CnText){"", 1});
    memory_files_set(&memory, "many.mtl", library.items);
    assert_false(import("many.obj"));
    assert_int_equal(model.error.code, CN_ERROR_LIMIT);
}

static void materials_and_names_of_gltf_are_read(void **state)
{
    (void)state;
    cn_text_append(&text, cn_text("{\"asset\": {\"version\": \"2.0\"}, \"materials\": ["));
    for (uint32_t i = 0; i < 60000; i++)
        cn_text_append_format(&text, "%s{\"name\": \"the same\"}", i ? "," : "");
    cn_text_append(&text, cn_text("], \"nodes\": ["));
    for (uint32_t i = 0; i < 60000; i++)
        cn_text_append_format(&text, "%s{\"name\": \"the same\"}", i ? "," : "");
    cn_text_append(&text, cn_text("]}"));
    assert_false(import("many.gltf"));
    assert_string_equal(model.error.message, "the model has no triangles"); /* all was read */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LINEAR_TEST(vertices_that_nearly_coincide_are_imported),
        LINEAR_TEST(vertices_that_coincide_are_imported),
        LINEAR_TEST(a_library_of_many_materials_is_read),
        LINEAR_TEST(many_parts_with_materials_are_refused),
        LINEAR_TEST(materials_and_names_of_gltf_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
