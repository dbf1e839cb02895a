/* Hot reload whose n-th allocation fails. */
#include "cmocka_tests.h"
#include "engine/hot_reload.h"
#include "failing_heap.h"
#include "scratch.h"

#include <cairn/base/log.h>
#include <stdio.h>
#include <string.h>

static Scratch scratch;
static CnVfs *vfs;
static CnScenes *scenes;

static void put(const char *text)
{
    FILE *file = fopen(scratch_path(&scratch, "main.json"), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    put("{\"id\": \"S\", \"nodes\": []}");
    vfs = cn_vfs_create(NULL, NULL);
    scenes = cn_scenes_create(&(CnScenesDesc){.reloadable = true}, NULL);
    return vfs && scenes && cn_vfs_mount(vfs, "project", scratch.folder, CN_MOUNT_READ, NULL) &&
                   cn_scene_load(scenes, cn_vfs_files(vfs), "project://main.json", NULL)
               ? 0
               : -1;
}

static int end(void **state)
{
    (void)state;
    cn_scenes_destroy(scenes);
    cn_vfs_destroy(vfs);
    scratch_fini(&scratch);
    return 0;
}

/* A scene that is wrong, and then right again. */
static bool reload_twice(CnAllocator *allocator, void *user)
{
    static const char *const paths[] = {"project://main.json"};
    (void)user;
    CnError errors[2], error = {0};
    CnHotReload *reload = cn_hot_reload_create(
        &(CnHotReloadDesc){.allocator = allocator, .vfs = vfs, .scenes = scenes}, &error);
    if (!reload) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    bool is_watched = cn_file_watch_folder_count(reload->watch) == 1;
    put("nonsense");
    reload->changes = (CnFileChanges){paths, 1, 0};
    cn_hot_reload_apply(reload);
    uint32_t wrong = cn_hot_reload_errors(reload, errors, CN_COUNT_OF(errors));
    put("{\"id\": \"S\", \"nodes\": []}");
    reload->changes = (CnFileChanges){paths, 1, 0};
    cn_hot_reload_apply(reload);
    uint32_t right = cn_hot_reload_errors(reload, errors, CN_COUNT_OF(errors));
    cn_hot_reload_destroy(reload);
    return is_watched && wrong == 1 && right == 0;
}

static void failed_allocations_do_no_harm(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(reload_twice, NULL) > 4);
    assert_int_equal(cn_scenes_count(scenes), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(failed_allocations_do_no_harm, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
