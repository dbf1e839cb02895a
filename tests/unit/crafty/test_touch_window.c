/* Fingers play Crafty in a window, as events of SDL: break, place, walk, craft, close. */
/* test-labels: window */
#include "window_game.h"

#include "engine/engine_internal.h"
#include "engine/window.h"

#define TAP_FRAMES 4u

static WindowGame game;

static int begin(void **state)
{
    (void)state;
    window_game_begin(&game, "survival");
    return 0;
}

static int end(void **state)
{
    (void)state;
    window_game_end(&game);
    return 0;
}

/* ---- Fingers ---- */

static void touch(uint32_t type, CnVec2 at)
{
    CnVec2 area = game.crafty->touch.area;
    SDL_Event event = {.tfinger = {.type = type,
                                   .touchId = 1,
                                   .fingerId = 7,
                                   .x = at.x / area.x,
                                   .y = at.y / area.y,
                                   .windowID = game.crafty->engine->window->id}};
    assert_true(SDL_PushEvent(&event) >= 0);
    window_game_frames(&game, TAP_FRAMES);
}

static void tap(CnVec2 at)
{
    touch(SDL_FINGERDOWN, at);
    touch(SDL_FINGERUP, at);
}

static CnVec2 right_half(void)
{
    CnVec2 area = game.crafty->touch.area;
    return (CnVec2){area.x * 0.7f, area.y * 0.5f};
}

static CnVec2 items_button(void)
{
    return (CnVec2){game.crafty->touch.area.x - 44, 40};
}

/* The first finger only lets the game have the input. */
static void start_playing(void)
{
    tap((CnVec2){game.crafty->touch.area.x * 0.25f, game.crafty->touch.area.y * 0.5f});
    assert_true(crafty_player_aims(window_game_world(&game), game.crafty->play->camera));
}

static void tap_slot(uint32_t number)
{
    const CraftySlotView *view = &game.crafty->menu.inventory.slots;
    for (uint32_t i = 0; i < view->count; i++)
        if (view->slots[i].number == number) {
            CnRect rect = view->slots[i].rect;
            tap((CnVec2){rect.x + rect.width / 2, rect.y + rect.height / 2});
            window_game_frames(&game, 30); /* not a double click */
            return;
        }
    fail_msg("no slot %u is shown", number);
}

/* ---- Conditions ---- */

static bool is_broken(const WindowGame *of)
{
    return strcmp(window_game_block(of, window_game_target), "air") == 0;
}

static bool is_placed(const WindowGame *of)
{
    return strcmp(window_game_block(of, window_game_target), "crafting_table") == 0;
}

/* ---- Tests ---- */

static void a_finger_that_rests_breaks_and_a_tap_places(void **state)
{
    (void)state;
    window_game_say(&game, "/give crafting_table");
    start_playing();
    touch(SDL_FINGERDOWN, right_half());
    assert_true(window_game_wait(&game, is_broken));
    touch(SDL_FINGERUP, right_half());
    tap(right_half());
    assert_true(window_game_wait(&game, is_placed));
    assert_int_equal(window_game_count(&game, "crafting_table"), 0);
}

static void the_stick_walks(void **state)
{
    (void)state;
    const CnEntity player = game.crafty->play->camera;
    start_playing();
    float before = cn_get(window_game_world(&game), player, CnTransform)->position.x;
    touch(SDL_FINGERDOWN, (CnVec2){100, 200});
    touch(SDL_FINGERMOTION, (CnVec2){140, 200});
    window_game_frames(&game, 20);
    touch(SDL_FINGERUP, (CnVec2){140, 200});
    float after = cn_get(window_game_world(&game), player, CnTransform)->position.x;
    assert_true(after > before + 0.5f);
}

static void taps_open_the_inventory_craft_and_close_it(void **state)
{
    (void)state;
    window_game_say(&game, "/give oak_log");
    start_playing();
    tap(items_button());
    assert_int_equal(window_game_player(&game)->open, CRAFTY_OPEN_INVENTORY);
    window_game_frames(&game, 30);
    tap_slot(0);
    tap_slot(CRAFTY_SLOT_GRID);
    tap_slot(CRAFTY_SLOT_RESULT);
    tap_slot(0);
    assert_int_equal(window_game_player(&game)->slots[0].count, 4);
    assert_int_equal(window_game_count(&game, "oak_planks"), 4);
    const CraftyShownSlot *corner = &game.crafty->menu.inventory.slots.slots[0];
    CnRect last = {0};
    for (uint32_t i = 0; i < game.crafty->menu.inventory.slots.count; i++)
        if (game.crafty->menu.inventory.slots.slots[i].number == CRAFTY_SLOTS - 1)
            last = game.crafty->menu.inventory.slots.slots[i].rect;
    /* The button is at the right end of the title, which is above the grid. */
    tap((CnVec2){last.x + last.width - 10, corner->rect.y - 16 - 28 + 15});
    window_game_frames(&game, TAP_FRAMES);
    assert_int_equal(window_game_player(&game)->open, CRAFTY_OPEN_NOTHING);
    assert_int_equal(game.crafty->menu.page, CRAFTY_MENU_CLOSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_finger_that_rests_breaks_and_a_tap_places, begin, end),
        cmocka_unit_test_setup_teardown(the_stick_walks, begin, end),
        cmocka_unit_test_setup_teardown(taps_open_the_inventory_craft_and_close_it, begin, end),
    };
    if (!window_game_has_display()) {
        print_message("skipped: without a display\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
