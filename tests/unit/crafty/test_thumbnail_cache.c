/* Pictures of worlds: read on a thread, kept in a bounded number, and never larger than allowed. */
#include "world_screen_fixture.h"

static CnTexture texture_of(const Shelf *shelf, uint32_t index)
{
    return crafty_thumbnail_cache_get(shelf->screen->thumbnails, &shelf->screen->list.items[index]);
}

/* Draws until pictures were read. */
static void draw(Shelf *shelf)
{
    for (uint32_t i = 0; i < 4; i++)
        shelf_settle(shelf);
}

static void a_world_shows_its_picture(void **state)
{
    (void)state;
    Shelf shelf = {0};
    scratch_init(&shelf.scratch);
    shelf_add_world(&shelf, "Home", 1);
    shelf_set_picture(&shelf, "Home", 160, 90);
    shelf_open(&shelf);
    draw(&shelf);
    assert_true(shelf.screen->list.items[0].info.has_thumbnail);
    assert_int_not_equal(texture_of(&shelf, 0).id, 0);
    shelf_end(&shelf);
}

static void a_picture_that_is_too_large_is_not_decoded(void **state)
{
    (void)state;
    Shelf shelf = {0};
    scratch_init(&shelf.scratch);
    shelf_add_world(&shelf, "Home", 1);
    shelf_set_picture(&shelf, "Home", 1025, 1024);
    shelf_open(&shelf);
    draw(&shelf);
    assert_int_equal(texture_of(&shelf, 0).id, 0);
    shelf_end(&shelf);
}

static void a_world_that_was_played_again_shows_its_new_picture(void **state)
{
    (void)state;
    Shelf shelf = {0};
    scratch_init(&shelf.scratch);
    shelf_add_world(&shelf, "Home", 1);
    shelf_set_picture(&shelf, "Home", 160, 90);
    shelf_open(&shelf);
    draw(&shelf);
    CnTexture before = texture_of(&shelf, 0);
    shelf.screen->list.items[0].played_ms++;
    draw(&shelf);
    CnTexture after = texture_of(&shelf, 0);
    assert_true(after.id != 0 && after.id != before.id);
    shelf_end(&shelf);
}

/* Frames in which other worlds are seen. */
static void scroll_over(Shelf *shelf, CraftyWorldEntry entry, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        entry.played_ms = i;
        for (uint32_t k = 0; k < 2000; k++) {
            if (crafty_thumbnail_cache_get(shelf->screen->thumbnails, &entry).id)
                break;
            run_frames(shelf->engine, 1);
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        }
        assert_int_not_equal(crafty_thumbnail_cache_get(shelf->screen->thumbnails, &entry).id, 0);
    }
}

static void many_pictures_are_dropped_again(void **state)
{
    (void)state;
    Shelf shelf = {0};
    scratch_init(&shelf.scratch);
    shelf_add_world(&shelf, "Home", 1);
    shelf_set_picture(&shelf, "Home", 16, 9);
    shelf_open(&shelf);
    CraftyWorldEntry entry = shelf.screen->list.items[0];
    scroll_over(&shelf, entry, 2 * CRAFTY_THUMBNAIL_CACHE);
    entry.played_ms = 0; /* the first one is no longer there */
    assert_int_equal(crafty_thumbnail_cache_get(shelf.screen->thumbnails, &entry).id, 0);
    shelf_end(&shelf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_shows_its_picture),
        cmocka_unit_test(a_picture_that_is_too_large_is_not_decoded),
        cmocka_unit_test(a_world_that_was_played_again_shows_its_new_picture),
        cmocka_unit_test(many_pictures_are_dropped_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
