/* Allocations that fail while mods show elements and ask: each change happens completely or not at
 * all, and saved bytes that cannot be restored leave an empty screen. */
#include "faulty_allocator.h"
#include "sim_fixture.h"

#include <crafty/sim/mod/hud.h>

#define MOST 200u /* allocations that are tried */
#define TEXT "{\"kind\":\"text\",\"text\":\"Hello\"}"
#define PANEL                                                                                      \
    "{\"kind\":\"panel\",\"children\":[{\"kind\":\"grid\",\"columns\":2,\"rows\":1,"               \
    "\"colors\":\"ff000000ff00\"}," TEXT "]}"
#define DIALOG "{\"title\":\"T\",\"text\":\"Q\",\"choices\":[\"Yes\",\"No\"]}"

static SimFixture fixture;
static FaultyAllocator faulty;

static int begin(void **state)
{
    (void)state;
    faulty = faulty_allocator(cn_system_allocator());
    faulty.fail_at = UINT64_MAX;
    fixture_make_with(&fixture, 1, &faulty.base);
    assert_true(crafty_mod_hud_add(fixture.world, NULL));
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_mod_hud_remove(fixture.world);
    fixture_end(&fixture);
    return 0;
}

static void fail_from(uint64_t allocation)
{
    faulty.calls = 0;
    faulty.fail_at = allocation;
    faulty.lasting = true;
}

static void recover(void)
{
    faulty.fail_at = UINT64_MAX;
}

static void an_element_is_set_completely_or_not_at_all(void **state)
{
    (void)state;
    bool done = false;
    for (uint64_t i = 0; i < MOST && !done; i++) {
        uint64_t before = crafty_mod_hud_hash(fixture.world);
        CnError error = {0};
        fail_from(i);
        done = crafty_mod_hud_set(fixture.world, 1, "quest", cn_text("a"), cn_text(PANEL), &error);
        recover();
        assert_true(done || error.code == CN_ERROR_MEMORY);
        assert_true(done == (crafty_mod_hud_hash(fixture.world) != before));
    }
    assert_true(done);
}

static void a_dialog_is_opened_completely_or_not_at_all(void **state)
{
    (void)state;
    bool done = false, opened;
    for (uint64_t i = 0; i < MOST && !done; i++) {
        uint64_t before = crafty_mod_hud_hash(fixture.world);
        CnError error = {0};
        fail_from(i);
        done = crafty_mod_dialog_ask(fixture.world, 1, "quest", cn_text("q"), cn_text(DIALOG),
                                     &opened, &error);
        recover();
        assert_true(done || error.code == CN_ERROR_MEMORY);
        assert_true(done == (crafty_mod_hud_hash(fixture.world) != before));
    }
    assert_true(done);
}

static void a_view_is_copied_completely_or_not_at_all(void **state)
{
    (void)state;
    CraftyModHudView view;
    FaultyAllocator own = faulty_allocator(cn_system_allocator());
    bool done = false;
    assert_true(crafty_mod_hud_set(fixture.world, 1, "quest", cn_text("a"), cn_text(PANEL), NULL));
    crafty_mod_hud_view_init(&view, &own.base);
    for (uint64_t i = 0; i < MOST && !done; i++) {
        own.calls = 0;
        own.fail_at = i;
        own.lasting = true;
        done = crafty_mod_hud_view_update(&view, fixture.world, 1);
        assert_int_equal(view.element_count, done ? 3 : 0);
    }
    assert_true(done);
    crafty_mod_hud_view_fini(&view);
}

static void a_restore_succeeds_or_leaves_nothing(void **state)
{
    (void)state;
    CnU8Array saved = {.allocator = cn_system_allocator()};
    bool done = false, opened;
    assert_true(crafty_mod_hud_set(fixture.world, 1, "quest", cn_text("a"), cn_text(PANEL), NULL));
    assert_true(crafty_mod_dialog_ask(fixture.world, 1, "quest", cn_text("q"), cn_text(DIALOG),
                                      &opened, NULL));
    uint64_t hash = crafty_mod_hud_hash(fixture.world);
    assert_true(crafty_mod_hud_write(fixture.world, &saved, NULL));
    for (uint64_t i = 0; i < MOST && !done; i++) {
        fail_from(i);
        done = crafty_mod_hud_restore(fixture.world, saved.items, saved.count, NULL);
        recover();
        assert_int_equal(crafty_mod_hud_hash(fixture.world), done ? hash : 0);
    }
    assert_true(done);
    cn_array_fini(&saved);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_element_is_set_completely_or_not_at_all),
        TEST(a_dialog_is_opened_completely_or_not_at_all),
        TEST(a_view_is_copied_completely_or_not_at_all),
        TEST(a_restore_succeeds_or_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
