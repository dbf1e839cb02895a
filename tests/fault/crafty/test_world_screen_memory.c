/* The list of worlds when memory ends: an error at the start, or a list without pictures, never a
 * crash or a hang, and all of it when there is memory again. */
#include "failing_heap.h"
#include "world_screen_fixture.h"

/* Lists two worlds, one with a picture, opens every dialog and creates a world. */
static bool use_list(CnAllocator *allocator, void *user)
{
    Shelf *shelf = user;
    CnError error = {0};
    shelf->screen = crafty_world_screen_create(shelf->scratch.folder, allocator, &error);
    if (!shelf->screen) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    crafty_world_screen_show(shelf->screen, NULL, NULL);
    shelf_settle(shelf);
    assert_int_equal(shelf->screen->list.count, 2);
    for (int dialog = CRAFTY_DIALOG_CREATE; dialog <= CRAFTY_DIALOG_MESSAGE; dialog++) {
        crafty_world_screen_open_dialog(shelf->screen, (CraftyWorldDialog)dialog);
        run_frames(shelf->engine, 2);
        shelf_settle(shelf);
    }
    uint32_t pictures = 0;
    for (uint32_t i = 0; i < 2; i++)
        pictures +=
            crafty_thumbnail_cache_get(shelf->screen->thumbnails, &shelf->screen->list.items[i])
                .id != 0;
    crafty_world_screen_destroy(shelf->screen, shelf->engine);
    shelf->screen = NULL;
    return pictures == 1;
}

static void draw_if_there(CnEngine *engine, void *user)
{
    Shelf *shelf = user;
    if (shelf->screen)
        shelf->event = crafty_world_screen_frame(shelf->screen, engine);
}

static void without_memory_the_list_has_no_pictures_or_is_not_made(void **state)
{
    (void)state;
    Shelf shelf = {0};
    scratch_init(&shelf.scratch);
    shelf_add_world(&shelf, "One", 1);
    shelf_add_world(&shelf, "Two", 2);
    shelf_set_picture(&shelf, "Two", 160, 90);
    shelf.engine = make_engine(&(CnEngineDesc){.width = SHELF_WIDTH, .height = SHELF_HEIGHT});
    cn_engine_before_frame(shelf.engine, draw_if_there, &shelf);
    assert_true(run_with_failing_allocations(use_list, &shelf) > 3);
    end_engine(shelf.engine);
    scratch_fini(&shelf.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_the_list_has_no_pictures_or_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
