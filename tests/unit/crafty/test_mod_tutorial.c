/* The tutorial of docs/modding.md: its pieces of code, one after the other, are a mod that works.
 */
#include "mod_game.h"

#include <crafty/mods/mod_manifest.h>
#include <crafty/sim/mod/hud.h>

#define DOCS "docs/modding.md"
#define STEPS 6u

static ModGame game;
static CnFileBytes docs;
static char code[MOD_GAME_CODE_BYTES];

static int begin(void **state)
{
    (void)state;
    return cn_file_read_all(cn_native_files(), DOCS, NULL, &docs, NULL) ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    mod_game_end(&game);
    cn_file_bytes_free(&docs);
    return 0;
}

/* Returns the piece of code with this number in a language; an empty text if there is none. */
static CnText piece(const char *language, uint32_t number)
{
    char fence[16];
    size_t fence_size, at = 0;
    cn_format(fence, sizeof fence, "```%s\n", language);
    fence_size = strlen(fence);
    const char *text = (const char *)docs.data;
    for (; at + fence_size < docs.size; at++) {
        if (memcmp(text + at, fence, fence_size) != 0)
            continue;
        size_t from = at + fence_size, to = from;
        while (to + 3 < docs.size && memcmp(text + to, "```", 3) != 0)
            to++;
        if (number-- == 0)
            return (CnText){text + from, to - from};
        at = to;
    }
    return (CnText){NULL, 0};
}

/* Starts a game with the first pieces. */
static void play(uint32_t steps)
{
    size_t size = 0;
    for (uint32_t i = 0; i < steps; i++) {
        CnText text = piece("lua", i);
        assert_true(text.size > 0 && size + text.size < sizeof code);
        memcpy(code + size, text.data, text.size);
        size += text.size;
    }
    code[size] = 0;
    mod_game_add(&game, "geyser", code);
    mod_game_begin(&game, 1);
    mod_game_check(&game);
    mod_game_ticks(&game, 2);
}

static void step_on_vent(void)
{
    mod_game_set(&game, 0, MOD_GAME_FLOOR, 0, "geyser:vent");
    crafty_mods_note(game.world, &(CraftyModNote){.event = CRAFTY_MOD_STEPPED,
                                                  .player = 1,
                                                  .block = mod_game_block(&game, "geyser:vent"),
                                                  .cell = {0, MOD_GAME_FLOOR, 0}});
    mod_game_ticks(&game, 5);
    mod_game_check(&game);
}

static void the_manifest_is_valid(void **state)
{
    (void)state;
    CraftyModManifest manifest;
    CnError error = {0};
    if (!crafty_mod_manifest_read(&manifest, "mod.json", piece("json", 0), &error))
        fail_msg("%s", error.message);
    assert_string_equal(manifest.name, "geyser");
}

static void every_step_is_a_mod(void **state)
{
    (void)state;
    for (uint32_t steps = 1; steps <= STEPS; steps++) {
        play(steps);
        step_on_vent();
        mod_game_end(&game);
    }
    assert_int_equal(piece("lua", STEPS).size, 0);
}

static void a_vent_throws_players(void **state)
{
    (void)state;
    play(2);
    step_on_vent();
    assert_true(cn_get(game.world, game.players[0], CnTransform)->position.y >
                MOD_GAME_FLOOR + 1 + CRAFTY_PLAYER_EYE + 0.5f);
}

static void a_vent_tires_and_rests(void **state)
{
    (void)state;
    play(STEPS);
    mod_game_set(&game, 3, MOD_GAME_FLOOR, 3, "geyser:vent");
    for (uint32_t i = 0; i < 3; i++) {
        crafty_mods_note(game.world, &(CraftyModNote){.event = CRAFTY_MOD_STEPPED,
                                                      .player = 1,
                                                      .block = mod_game_block(&game, "geyser:vent"),
                                                      .cell = {3, MOD_GAME_FLOOR, 3}});
        mod_game_ticks(&game, 2);
    }
    assert_string_equal(mod_game_get(&game, 3, MOD_GAME_FLOOR, 3), "geyser:tired_vent");
    mod_game_ticks(&game, 600);
    assert_string_equal(mod_game_get(&game, 3, MOD_GAME_FLOOR, 3), "geyser:vent");
    mod_game_check(&game);
}

static void flights_are_counted_and_forgotten(void **state)
{
    (void)state;
    CraftyModHudView view;
    play(STEPS);
    step_on_vent();
    crafty_mod_hud_view_init(&view, cn_system_allocator());
    crafty_mod_hud_view_update(&view, game.world, 1);
    assert_string_equal(view.elements[0].text, "Flights: 1");
    mod_game_type(&game, 1, "/flights");
    crafty_mod_hud_view_update(&view, game.world, 1);
    assert_string_equal(view.dialog.title, "Flights");
    assert_true(crafty_mods_choose(game.world, 1, view.dialog.number, 1));
    mod_game_ticks(&game, 2);
    crafty_mod_hud_view_update(&view, game.world, 1);
    assert_string_equal(view.elements[0].text, "Flights: 0");
    crafty_mod_hud_view_fini(&view);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_manifest_is_valid),
        TEST(every_step_is_a_mod),
        TEST(a_vent_throws_players),
        TEST(a_vent_tires_and_rests),
        TEST(flights_are_counted_and_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
