/* Memory or files that run out while scenes are read and written: all or nothing. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "faulty_files.h"
#include "memory_files.h"
#include "scene_world.h"
#include "scratch.h"

#include <cairn/scene/camera.h>

static MemoryFiles memory;

static const char scene_text[] =
    "{\"id\": \"Main\", \"nodes\": [{\"id\": \"A\", \"uid\": 5, \"components\": ["
    "{\"type\": \"SceneLink\", \"target\": \"Car/Wheel\"}, {\"type\": \"LampComponent\", "
    "\"watts\": 3}], \"children\": [{\"id\": \"B\"}, {\"id\": \"C\", \"enabled\": false}]},"
    "{\"prefab\": \"car.json\"}, {\"id\": \"Eye\", \"components\": "
    "[{\"type\": \"CameraComponent\"}]}], \"materials\": [1], \"activeCamera\": \"Eye\"}";

static int make_files(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    memory_files_init(&memory);
    memory_files_set(&memory, "car.json",
                     "{\"id\": \"Car\", \"children\": [{\"id\": \"Wheel\", \"components\": "
                     "[{\"type\": \"SceneMarked\"}]}]}");
    memory_files_set(&memory, "scene.json", scene_text);
    return 0;
}

static CnWorld *make_world(CnAllocator *allocator)
{
    CnWorld *world = scene_world_create(allocator);
    if (world && cn_entity_is_null(cn_object(world, "Old"))) {
        cn_world_destroy(world);
        return NULL;
    }
    return world;
}

static bool read_a_scene(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *world = make_world(allocator);
    if (!world)
        return false;
    CnSceneFile file;
    CnError error = {0};
    uint64_t before = cn_world_hash(world);
    bool done = cn_scene_read(world, &memory.files, "scene.json", &file, &error);
    assert_world_sound(world);
    if (done) {
        assert_int_equal(cn_entity_count(world), 7);
        cn_scene_file_free(&file);
    } else {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_true(cn_world_hash(world) == before);
    }
    cn_world_destroy(world);
    return done;
}

static void a_scene_is_read_as_a_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(read_a_scene, NULL) > 50);
}

static bool spawn_a_prefab(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *world = make_world(allocator);
    if (!world)
        return false;
    CnError error = {0};
    uint64_t before = cn_world_hash(world);
    CnEntity root = cn_prefab_spawn(world, &memory.files, "car.json", CN_NO_PARENT, &error);
    bool done = !cn_entity_is_null(root);
    if (!done) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_true(cn_world_hash(world) == before);
    }
    cn_prefab_unload(world, NULL);
    cn_world_destroy(world);
    return done;
}

static void a_prefab_is_spawned_as_a_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(spawn_a_prefab, NULL) > 50);
}

static bool defer_a_prefab(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *world = make_world(allocator);
    CnCommands *commands = world ? cn_commands_create(world, NULL) : NULL;
    bool done = false;
    if (commands) {
        CnEntity root = cn_defer_prefab(commands, &memory.files, "car.json", CN_NO_PARENT, NULL);
        bool flushed = cn_flush(world);
        done = !cn_entity_is_null(root) && flushed;
        if (done)
            assert_int_equal(cn_child_count(world, root), 1);
        assert_world_sound(world);
    }
    cn_world_destroy(world);
    return done;
}

static void a_deferred_prefab_survives_the_lack_of_memory(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(defer_a_prefab, NULL) > 50);
}

static bool write_a_scene(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *world = make_world(allocator);
    if (!world)
        return false;
    CnTextBuilder text;
    CnError error = {0};
    uint64_t before = cn_world_hash(world);
    cn_array_init(&text, allocator);
    bool done =
        cn_scene_write_text(world, &text, NULL, &error) && cn_scene_schema(world, &text, &error);
    if (!done)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    assert_true(cn_world_hash(world) == before);
    cn_array_fini(&text);
    cn_world_destroy(world);
    return done;
}

static void writing_changes_nothing_when_memory_runs_out(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(write_a_scene, NULL) > 50);
}

static void the_old_file_stays_when_writing_fails(void **state)
{
    (void)state;
    Scratch scratch;
    FaultyFiles faulty;
    CnFileBytes bytes;
    scratch_init(&scratch);
    faulty_files_init(&faulty, cn_native_files());
    const char *path = scratch_path(&scratch, "scene.json");
    assert_true(cn_file_write_all(cn_native_files(), path, "old", 3, NULL));
    CnWorld *world = make_world(NULL);
    const FaultyOperation operations[] = {FAULT_OPEN, FAULT_WRITE, FAULT_SYNC, FAULT_RENAME};
    for (uint32_t i = 0; i < CN_COUNT_OF(operations); i++) {
        CnError error = {0};
        faulty_files_fail(&faulty, operations[i], 0, FAULT_ONCE);
        assert_false(cn_scene_write(world, &faulty.files, path, NULL, &error));
        assert_int_equal(error.code, CN_ERROR_IO);
        assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL));
        assert_string_equal((const char *)bytes.data, "old");
        cn_file_bytes_free(&bytes);
    }
    assert_int_equal(scratch_count(&scratch), 1);
    cn_world_destroy(world);
    scratch_fini(&scratch);
}

static void a_file_that_cannot_be_read_changes_nothing(void **state)
{
    (void)state;
    FaultyFiles faulty;
    CnWorld *world = make_world(NULL);
    uint64_t before = cn_world_hash(world);
    faulty_files_init(&faulty, &memory.files);
    for (uint32_t nth = 0; nth < 2; nth++) { /* of the scene, of the prefab */
        CnError error = {0};
        faulty_files_fail(&faulty, FAULT_READ, nth, FAULT_ONCE);
        assert_false(cn_scene_read(world, &faulty.files, "scene.json", NULL, &error));
        assert_int_equal(error.code, CN_ERROR_IO);
        assert_true(cn_world_hash(world) == before);
    }
    cn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_read_as_a_whole_or_not_at_all),
        cmocka_unit_test(a_prefab_is_spawned_as_a_whole_or_not_at_all),
        cmocka_unit_test(a_deferred_prefab_survives_the_lack_of_memory),
        cmocka_unit_test(writing_changes_nothing_when_memory_runs_out),
        cmocka_unit_test(the_old_file_stays_when_writing_fails),
        cmocka_unit_test(a_file_that_cannot_be_read_changes_nothing),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
