/* Memory or files that fail while action maps are created, read and written. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "faulty_files.h"
#include "memory_files.h"
#include "scratch.h"

#include <cairn/ecs.h>
#include <cairn/input.h>

static const CnBinding jump[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_SPACE)}};
static const CnActionDesc descs[] = {{.name = "jump", .bindings = jump, .binding_count = 1}};
static const CnActionList list = {descs, 1};
static const char text[] = "{\"version\": 1, \"gamepad\": 2, \"actions\": {\"jump\": []}}";

static CnActionMap *make_map(CnAllocator *allocator)
{
    CnError error = {0};
    CnActionMap *map =
        cn_action_map_create(&(CnActionMapDesc){.lists = {list}, .allocator = allocator}, &error);
    if (!map)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    return map;
}

static bool read_a_map(CnAllocator *allocator, void *user)
{
    (void)user;
    MemoryFiles memory;
    memory_files_init(&memory);
    memory_files_set(&memory, "keys.json", text);
    CnActionMap *map = make_map(allocator);
    if (!map)
        return false;
    CnError error = {0};
    bool done = cn_action_map_read(map, &memory.files, "keys.json", &error);
    if (!done)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    assert_int_equal(cn_action_map_gamepad(map), done ? 2 : 0);
    assert_int_equal(cn_action_map_actions(map).actions[0].binding_count, done ? 0 : 1);
    cn_action_map_destroy(map);
    return done;
}

static void a_map_is_read_as_a_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(read_a_map, NULL) >= 3);
}

static bool write_a_map(CnAllocator *allocator, void *user)
{
    (void)user;
    CnActionMap *map = make_map(allocator);
    if (!map)
        return false;
    CnTextBuilder out;
    cn_array_init(&out, allocator);
    CnError error = {0};
    bool done = cn_action_map_write_text(map, &out, &error);
    if (!done)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    cn_array_fini(&out);
    cn_action_map_destroy(map);
    return done;
}

static void writing_reports_that_memory_is_out(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(write_a_map, NULL) >= 2);
}

static bool add_players(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!world)
        return false;
    CnError error = {0};
    bool done = cn_player_actions_add(world, list, &error);
    if (!done)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    assert_int_equal(cn_player_actions_list(world).count, done ? 1 : 0);
    cn_world_destroy(world);
    return done;
}

static void adding_player_actions_reports_that_memory_is_out(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(run_with_failing_allocations(add_players, NULL) > 3);
}

static void the_old_file_stays_when_writing_fails(void **state)
{
    (void)state;
    Scratch scratch;
    FaultyFiles faulty;
    CnFileBytes bytes;
    scratch_init(&scratch);
    faulty_files_init(&faulty, cn_native_files());
    const char *path = scratch_path(&scratch, "keys.json");
    assert_true(cn_file_write_all(cn_native_files(), path, "old", 3, NULL));
    CnActionMap *map = make_map(NULL);
    const FaultyOperation operations[] = {FAULT_OPEN, FAULT_WRITE, FAULT_SYNC, FAULT_RENAME};
    for (uint32_t i = 0; i < CN_COUNT_OF(operations); i++) {
        CnError error = {0};
        faulty_files_fail(&faulty, operations[i], 0, FAULT_ONCE);
        assert_false(cn_action_map_write(map, &faulty.files, path, &error));
        assert_int_equal(error.code, CN_ERROR_IO);
        assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL));
        assert_string_equal((const char *)bytes.data, "old");
        cn_file_bytes_free(&bytes);
    }
    cn_action_map_destroy(map);
    scratch_fini(&scratch);
}

static void a_file_that_cannot_be_read_changes_nothing(void **state)
{
    (void)state;
    MemoryFiles memory;
    FaultyFiles faulty;
    memory_files_init(&memory);
    memory_files_set(&memory, "keys.json", text);
    faulty_files_init(&faulty, &memory.files);
    faulty_files_fail(&faulty, FAULT_READ, 0, FAULT_ONCE);
    CnActionMap *map = make_map(NULL);
    CnError error = {0};
    assert_false(cn_action_map_read(map, &faulty.files, "keys.json", &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_int_equal(cn_action_map_gamepad(map), 0);
    cn_action_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_read_as_a_whole_or_not_at_all),
        cmocka_unit_test(writing_reports_that_memory_is_out),
        cmocka_unit_test(adding_player_actions_reports_that_memory_is_out),
        cmocka_unit_test(the_old_file_stays_when_writing_fails),
        cmocka_unit_test(a_file_that_cannot_be_read_changes_nothing),
    };
    return cmocka_run_group_tests_name("input_memory", tests, NULL, NULL);
}
