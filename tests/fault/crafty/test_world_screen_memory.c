/* The list of worlds when memory ends: an error at the start, or a list without pictures, never a
 * crash or a hang, and all of it when there is memory again. */
#include "failing_heap.h"
#include "world_screen_fixture.h"

/* Lists two worlds, one with a picture, opens every dialog and creates a world. */
static bool use_list(CnAllocator *allocator, void *user)
{
    ScreenFixture *fixture = user;
    CnError error = {0};
    fixture->screen = crafty_world_screen_create(fixture->scratch.folder, allocator, &error);
    if (!fixture->screen) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    crafty_world_screen_show(fixture->screen, NULL, NULL);
    screen_fixture_settle(fixture);
    assert_int_equal(fixture->screen->list.count, 2);
    for (int dialog = CRAFTY_DIALOG_CREATE; dialog <= CRAFTY_DIALOG_MESSAGE; dialog++) {
        crafty_world_screen_open_dialog(fixture->screen, (CraftyWorldDialog)dialog);
        run_frames(fixture->engine, 2);
        screen_fixture_settle(fixture);
    }
    uint32_t pictures = 0;
    for (uint32_t i = 0; i < 2; i++)
        pictures +=
            crafty_thumbnail_cache_get(fixture->screen->thumbnails, &fixture->screen->list.items[i])
                .id != 0;
    crafty_world_screen_destroy(fixture->screen, fixture->engine);
    fixture->screen = NULL;
    return pictures == 1;
}

static void draw_if_there(CnEngine *engine, void *user)
{
    ScreenFixture *fixture = user;
    if (fixture->screen)
        fixture->event = crafty_world_screen_frame(fixture->screen, engine, (CraftyLandscape){0});
}

static void without_memory_the_list_has_no_pictures_or_is_not_made(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    scratch_init(&fixture.scratch);
    screen_fixture_add_world(&fixture, "One", 1);
    screen_fixture_add_world(&fixture, "Two", 2);
    screen_fixture_set_picture(&fixture, "Two", 160, 90);
    fixture.engine = make_engine(
        &(CnEngineDesc){.width = SCREEN_FIXTURE_WIDTH, .height = SCREEN_FIXTURE_HEIGHT});
    cn_engine_before_frame(fixture.engine, draw_if_there, &fixture);
    assert_true(run_with_failing_allocations(use_list, &fixture) > 3);
    end_engine(fixture.engine);
    scratch_fini(&fixture.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_the_list_has_no_pictures_or_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
