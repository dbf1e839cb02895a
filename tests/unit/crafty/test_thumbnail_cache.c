/* Pictures of worlds: read on a thread, kept in a bounded number, and never larger than allowed. */
#include "world_screen_fixture.h"

static CnTexture texture_of(const ScreenFixture *fixture, uint32_t index)
{
    return crafty_thumbnail_cache_get(fixture->screen->thumbnails,
                                      &fixture->screen->list.items[index]);
}

/* Draws until pictures were read. */
static void draw(ScreenFixture *fixture)
{
    for (uint32_t i = 0; i < 4; i++)
        screen_fixture_settle(fixture);
}

/* A list with one world, which has a picture of this size. */
static void open_with_picture(ScreenFixture *fixture, uint32_t width, uint32_t height)
{
    scratch_init(&fixture->scratch);
    screen_fixture_add_world(fixture, "Home", 1);
    screen_fixture_set_picture(fixture, "Home", width, height);
    screen_fixture_open(fixture);
}

static void a_world_shows_its_picture(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    open_with_picture(&fixture, 160, 90);
    draw(&fixture);
    assert_true(fixture.screen->list.items[0].info.has_thumbnail);
    assert_int_not_equal(texture_of(&fixture, 0).id, 0);
    screen_fixture_end(&fixture);
}

static void a_picture_that_is_too_large_is_not_decoded(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    open_with_picture(&fixture, 1025, 1024);
    draw(&fixture);
    assert_int_equal(texture_of(&fixture, 0).id, 0);
    screen_fixture_end(&fixture);
}

static void a_world_that_was_played_again_shows_its_new_picture(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    open_with_picture(&fixture, 160, 90);
    draw(&fixture);
    CnTexture before = texture_of(&fixture, 0);
    fixture.screen->list.items[0].played_ms++;
    draw(&fixture);
    CnTexture after = texture_of(&fixture, 0);
    assert_true(after.id != 0 && after.id != before.id);
    screen_fixture_end(&fixture);
}

/* Frames in which other worlds are seen. */
static void scroll_over(ScreenFixture *fixture, CraftyWorldEntry entry, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        entry.played_ms = i;
        for (uint32_t k = 0; k < 2000; k++) {
            if (crafty_thumbnail_cache_get(fixture->screen->thumbnails, &entry).id)
                break;
            run_frames(fixture->engine, 1);
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        }
        assert_int_not_equal(crafty_thumbnail_cache_get(fixture->screen->thumbnails, &entry).id, 0);
    }
}

static void many_pictures_are_dropped_again(void **state)
{
    (void)state;
    ScreenFixture fixture = {0};
    open_with_picture(&fixture, 16, 9);
    CraftyWorldEntry entry = fixture.screen->list.items[0];
    scroll_over(&fixture, entry, 2 * CRAFTY_THUMBNAIL_CACHE);
    entry.played_ms = 0; /* the first one is no longer there */
    assert_int_equal(crafty_thumbnail_cache_get(fixture.screen->thumbnails, &entry).id, 0);
    screen_fixture_end(&fixture);
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
