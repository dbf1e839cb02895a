/* Work on worlds on a thread: results, progress and cancellation. */
#include "random.h"
#include "world_screen_fixture.h"

#include <string.h>

#define BIG_BYTES (8u << 20)
#define TRIES 50u /* a copy may end before it is canceled */

/* Gives a world so many bytes that copying it takes several steps. */
static void make_big(const ScreenFixture *fixture, const char *name, char path[CN_STORE_PATH_BYTES])
{
    static uint8_t bytes[BIG_BYTES];
    TestRandom random = {3};
    for (uint32_t i = 0; i < BIG_BYTES; i++)
        bytes[i] = (uint8_t)test_random_below(&random, 256);
    assert_true(crafty_world_path(name, fixture->scratch.folder, path, NULL));
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = path}, NULL);
    assert_non_null(save);
    CnStoreBatch *batch = cn_store_batch_create(crafty_save_store(save), NULL);
    assert_true(batch && cn_store_batch_put(batch, CRAFTY_SAVE_INFO,
                                            cn_store_text(CRAFTY_SAVE_KEY_THUMBNAIL), bytes,
                                            sizeof bytes, NULL));
    assert_true(cn_store_submit(crafty_save_store(save), batch));
    crafty_save_close(save);
}

static CraftyWorldResult wait_for(CraftyWorldTask *task)
{
    CraftyWorldResult result;
    for (uint32_t i = 0; i < 60000; i++) {
        if (crafty_world_task_take(task, &result))
            return result;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fail_msg("a task does not end");
    return result;
}

static void a_canceled_copy_leaves_nothing(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    CraftyWorldOrder order = {.kind = CRAFTY_TASK_COPY};
    bool was_canceled = false;
    scratch_init(&fixture.scratch);
    screen_fixture_add_world(&fixture, "Big", 1);
    make_big(&fixture, "Big", order.path);
    CraftyWorldTask *task = crafty_world_task_create(fixture.scratch.folder, NULL, NULL);
    assert_non_null(task);
    for (uint32_t i = 0; i < TRIES && !was_canceled; i++) {
        cn_format(order.name, sizeof order.name, "Copy %u", i);
        crafty_world_task_start(task, &order);
        assert_true(crafty_world_task_is_busy(task) && !crafty_world_task_is_idle(task));
        crafty_world_task_cancel(task);
        CraftyWorldResult result = wait_for(task);
        was_canceled = result.was_canceled;
        assert_true(was_canceled != result.succeeded);
        assert_true(result.succeeded || strstr(result.error.message, "canceled"));
        assert_int_equal(result.list.count, was_canceled ? i + 1 : i + 2);
        crafty_worlds_list_free(&result.list);
    }
    assert_true(was_canceled);
    assert_true(crafty_world_task_is_idle(task));
    crafty_world_task_destroy(task);
    scratch_fini(&fixture.scratch);
}

static void a_copy_reports_its_progress(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    CraftyWorldOrder order = {.kind = CRAFTY_TASK_COPY, .name = "Copy"};
    scratch_init(&fixture.scratch);
    screen_fixture_add_world(&fixture, "Big", 1);
    make_big(&fixture, "Big", order.path);
    CraftyWorldTask *task = crafty_world_task_create(fixture.scratch.folder, NULL, NULL);
    assert_non_null(task);
    crafty_world_task_start(task, &order);
    CraftyWorldResult result = wait_for(task);
    if (!result.succeeded)
        fail_msg("%s", result.error.message);
    float share = crafty_world_task_share(task); /* the last one that was reported */
    assert_true(share > 0 && share <= 1);
    crafty_worlds_list_free(&result.list);
    crafty_world_task_destroy(task);
    scratch_fini(&fixture.scratch);
}

static void a_task_that_is_destroyed_is_waited_for(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    CraftyWorldOrder order = {.kind = CRAFTY_TASK_BACK_UP};
    scratch_init(&fixture.scratch);
    screen_fixture_add_world(&fixture, "Home", 1);
    assert_true(crafty_world_path("Home", fixture.scratch.folder, order.path, NULL));
    CraftyWorldTask *task = crafty_world_task_create(fixture.scratch.folder, NULL, NULL);
    assert_non_null(task);
    crafty_world_task_start(task, &order);
    crafty_world_task_destroy(task);
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = order.path}, NULL);
    assert_non_null(save); /* nothing uses the file */
    crafty_save_close(save);
    scratch_fini(&fixture.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_canceled_copy_leaves_nothing),
        cmocka_unit_test(a_copy_reports_its_progress),
        cmocka_unit_test(a_task_that_is_destroyed_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
