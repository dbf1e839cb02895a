/* Meshes of many bodies: files are read once, and the triangles of a world are limited. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "physics/collision_mesh.h"
#include "physics/ode_library.h"

#include <stdio.h>
#include <stdlib.h>

static CnHeap *heap;
static MemoryFiles memory;
static CniPhysicsMeshCache meshes;
static CnError error;

static int set_up(void **state)
{
    (void)state;
    cni_physics_ode_open();
    heap = cn_heap_create(NULL, NULL);
    memory_files_init(&memory);
    cni_physics_meshes_init(&meshes, cn_heap_tag(heap, "meshes"), &memory.files);
    cn_error_clear(&error);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cni_physics_meshes_fini(&meshes);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 0);
    cn_heap_destroy(heap);
    cni_physics_ode_close();
    return 0;
}

#define MESH_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void a_file_is_read_once_for_all_scales(void **state)
{
    (void)state;
    memory_files_set(&memory, "a.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    for (uint32_t i = 0; i < 1000; i++) {
        float scale = 1 + (float)i;
        CniPhysicsMesh *mesh =
            cni_physics_mesh_acquire(&meshes, "a.obj", cn_vec3(scale, 1, 1), &error);
        assert_non_null(mesh);
        assert_true(mesh->triangles.corners.items[3] == scale);
    }
    assert_int_equal(memory.reads, 1);
    assert_int_equal(meshes.triangles, 1000);
}

static void a_file_that_cannot_be_read_is_read_once(void **state)
{
    (void)state;
    memory_files_set(&memory, "a.obj", "v 0 0 x\n");
    for (uint32_t i = 0; i < 1000; i++) {
        cn_error_clear(&error);
        assert_null(
            cni_physics_mesh_acquire(&meshes, "a.obj", cn_vec3(1 + (float)i, 1, 1), &error));
        assert_int_equal(error.line, 1);
    }
    assert_int_equal(memory.reads, 1);
    memory_files_set(&memory, "a.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    assert_non_null(cni_physics_mesh_acquire(&meshes, "a.obj", cn_vec3(1, 1, 1), &error));
}

static void the_triangles_of_all_scales_are_limited(void **state)
{
    (void)state;
    const uint32_t faces = 200000;
    char *text = malloc(64 + (size_t)faces * 8);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "v 0 0 0\nv 1 0 0\nv 0 0 1\n");
    for (uint32_t i = 0; i < faces; i++, used += 8)
        memcpy(text + used, "f 1 2 3\n", 9);
    memory_files_set(&memory, "a.obj", text);
    uint32_t made = 0;
    while (cni_physics_mesh_acquire(&meshes, "a.obj", cn_vec3(1 + (float)made, 1, 1), &error))
        made++;
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 8388608 triangles"));
    assert_int_equal(made, CNI_PHYSICS_MAX_WORLD_TRIANGLES / faces);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MESH_TEST(a_file_is_read_once_for_all_scales),
        MESH_TEST(a_file_that_cannot_be_read_is_read_once),
        MESH_TEST(the_triangles_of_all_scales_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
