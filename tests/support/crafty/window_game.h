/*
 * Crafty in a window, for tests of gamepads and touch screens: the whole client with the events of
 * SDL, except that a null device draws unless `draws` is set. Frames last one tick, whatever the
 * machine does.
 *
 *     WindowGame game;
 *     window_game_begin(&game, "survival");   // looks at a block of dirt on a floor in the air
 *     window_game_say(&game, "/give stick 2");
 *     SDL_PushEvent(&event);
 *     window_game_wait(&game, is_broken);     // frames until the condition is true
 *     window_game_end(&game);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_WINDOW_GAME_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_WINDOW_GAME_H

#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/client/game.h>
#include <crafty/sim/inventory.h>
#include <crafty/sim/vitals.h>

#include <SDL.h>

#include <stdlib.h>
#include <string.h>

#define WINDOW_GAME_FLOOR 120
#define WINDOW_GAME_FRAMES 3600u /* most that a test waits for something */

/* The block in front of the player. */
static const CnCell window_game_target = {0, WINDOW_GAME_FLOOR + 1, -2};

typedef struct WindowGame {
    bool draws; /* with Vulkan; set before window_game_begin */
    Scratch scratch;
    Crafty *crafty;
} WindowGame;

/* ---- Frames ---- */

static inline void window_game_frame(WindowGame *game)
{
    assert_true(cn_engine_frame_with_delta(game->crafty->engine, 1.0 / 60));
    game->crafty->frame++;
    if (game->crafty->play)
        game->crafty->play->frame++;
    crafty_leave_end(game->crafty);
}

static inline void window_game_frames(WindowGame *game, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        window_game_frame(game);
}

/* Returns whether the condition became true. */
static inline bool window_game_wait(WindowGame *game, bool (*condition)(const WindowGame *game))
{
    for (uint32_t i = 0; i < WINDOW_GAME_FRAMES && !condition(game); i++)
        window_game_frame(game);
    return condition(game);
}

/* ---- State ---- */

static inline const CnWorld *window_game_world(const WindowGame *game)
{
    return cn_engine_world(game->crafty->engine);
}

static inline const CraftyPlayer *window_game_player(const WindowGame *game)
{
    return cn_get(window_game_world(game), game->crafty->play->camera, CraftyPlayer);
}

static inline const char *window_game_block(const WindowGame *game, CnCell cell)
{
    CnVoxels *voxels = crafty_terrain_voxels(game->crafty->play->terrain);
    return cn_block_info(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell))->name;
}

/* Returns how many items of this name the player has in slots and at the cursor. */
static inline uint32_t window_game_count(const WindowGame *game, const char *name)
{
    const CraftyPlayer *player = window_game_player(game);
    CraftyItem item = crafty_items_find(game->crafty->play->sim.items, name);
    uint32_t count = player->carried.item == item ? player->carried.count : 0;
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        count += player->slots[i].item == item ? player->slots[i].count : 0;
    for (uint32_t i = 0; i < CRAFTY_INVENTORY_SLOTS; i++)
        count += player->inventory[i].item == item ? player->inventory[i].count : 0;
    return count;
}

static inline bool window_game_is_loaded(const WindowGame *game)
{
    return !game->crafty->play->is_loading;
}

/* ---- Begin and end ---- */

/* Sends a line of the chat, and lets it be applied. */
static inline void window_game_say(WindowGame *game, const char *line)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    cn_copy_text(command.text, sizeof command.text, cn_text(line));
    assert_true(crafty_connection_send_command(game->crafty->play->connection, &command));
    window_game_frames(game, 3);
}

/* Windows of other drivers of SDL, which need no display, never get the focus. */
static inline bool window_game_has_display(void)
{
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return false;
    const char *driver = SDL_GetCurrentVideoDriver();
    bool has_one = !strcmp(driver, "x11") || !strcmp(driver, "wayland");
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return has_one;
}

static inline Crafty *window_game_create(const WindowGame *game)
{
    char settings[512], world[512];
    cn_copy_text(settings, sizeof settings, cn_text(scratch_path(&game->scratch, "settings.json")));
    cn_copy_text(world, sizeof world, cn_text(scratch_path(&game->scratch, "test.crafty")));
    char *arguments[] = {"crafty",
                         "--world",
                         world,
                         "--mode",
                         "creative",
                         "--camera",
                         "0.5,122.7,0.5,0,-35",
                         "--size",
                         "640x360",
                         "--view-distance",
                         "2",
                         "--quality",
                         "low",
                         "--off",
                         "all",
                         "--threads",
                         "1",
                         "--settings",
                         settings};
    CraftyOptions options;
    CnError error = {0};
    assert_int_equal(crafty_options_read(&options, CN_COUNT_OF(arguments), arguments),
                     CN_OPTIONS_CONTINUE);
    options.engine.backend = game->draws ? CN_GPU_DEFAULT : CN_GPU_NULL;
    Crafty *crafty = crafty_create(&options, &error);
    if (!crafty)
        fail_msg("%s", error.message);
    return crafty;
}

/* The test is skipped without a display. */
static inline void window_game_begin(WindowGame *game, const char *mode)
{
    char line[64];
    if (!window_game_has_display())
        skip();
    scratch_init(&game->scratch);
    setenv("XDG_STATE_HOME", game->scratch.folder, 1);
    setenv("XDG_CONFIG_HOME", game->scratch.folder, 1);
    game->crafty = window_game_create(game);
    assert_true(window_game_wait(game, window_game_is_loaded));
    window_game_say(game, "/fill -3 120 -4 3 120 3 stone");
    window_game_say(game, "/fill 0 121 -2 0 121 -2 dirt");
    window_game_say(game, "/clear");
    window_game_say(game, "/tp 0 121 0");
    cn_format(line, sizeof line, "/gamemode %s", mode);
    window_game_say(game, line);
    assert_string_equal(window_game_block(game, window_game_target), "dirt");
}

static inline void window_game_end(WindowGame *game)
{
    CnGpuStats stats = cn_gpu_stats(cn_engine_gpu(game->crafty->engine));
    crafty_destroy(game->crafty);
    scratch_fini(&game->scratch);
    assert_int_equal(stats.wrong_calls, 0);
}

#endif
