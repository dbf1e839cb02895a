/*
 * A session with mods whose code is in the test: a player stands on a stone floor in the sky and
 * looks down at it. Include it once.
 *
 *     mod_game_add(&game, "castle", "on('join', function(e) storage.set('n', 1) end)");
 *     mod_game_open(&game);
 *     mod_game_ticks(&game, 2);
 *     assert_string_equal(mod_game_stored(&game, "castle", "n"), "1");
 *     mod_game_close(&game);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_MOD_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_MOD_FIXTURE_H

#include "memory_files.h"
#include "player_input.h"

#include <crafty/replay/session.h>
#include <crafty/sim/chat.h>
#include <crafty/sim/hand.h>
#include <crafty/sim/mod/mod_permission.h>
#include <crafty/sim/mod/mods_internal.h>

#include <cairn/base/log.h>

#define MOD_GAME_MODS 4u
#define MOD_GAME_FLOOR 300
#define MOD_GAME_LINES 64u

typedef struct ModGame {
    MemoryFiles files;
    CraftyModSource sources[MOD_GAME_MODS + 1];
    char folders[MOD_GAME_MODS + 1][64], paths[MOD_GAME_MODS + 1][96];
    uint32_t source_count;
    uint32_t threads; /* 0: 1 */
    CraftyPlayerMode mode;
    CraftyDifficulty difficulty; /* none: there are no creatures */
    const char *path;            /* of the world; NULL: it is not saved */
    uint64_t instructions_per_call, instructions_per_tick;
    uint32_t watchdog_ms;
    CraftySave *save;
    CraftyMods *mods;
    CraftySession *session;
    CnSim *sim;
    CnWorld *world;
    CnVoxels *voxels;
    CnEntity player;
    PlayerInput input;
    CnEventReader *chat;
    CraftyChatLine lines[MOD_GAME_LINES]; /* all since it was opened */
    uint32_t line_count;
} ModGame;

static inline void mod_game_init(ModGame *game)
{
    memset(game, 0, sizeof *game);
    memory_files_init(&game->files);
    game->mode = CRAFTY_MODE_CREATIVE;
    game->sources[game->source_count++] = crafty_mods_base();
}

/* Adds a mod with all permissions. */
static inline CraftyModSource *mod_game_add(ModGame *game, const char *name, const char *code)
{
    uint32_t i = game->source_count++;
    snprintf(game->folders[i], sizeof game->folders[i], "mods/%s", name);
    snprintf(game->paths[i], sizeof game->paths[i], "mods/%s/main.lua", name);
    memory_files_set(&game->files, game->paths[i], code);
    game->sources[i] = (CraftyModSource){.name = name,
                                         .files = &game->files.files,
                                         .folder = game->folders[i],
                                         .permissions = CRAFTY_MOD_MAY_ALL};
    return &game->sources[i];
}

static inline void mod_game_read_chat(ModGame *game)
{
    for (const CraftyChatLine *line; (line = cn_read_next(game->chat, CraftyChatLine));)
        if (game->line_count < MOD_GAME_LINES)
            game->lines[game->line_count++] = *line;
}

static inline void mod_game_ticks(ModGame *game, uint32_t count)
{
    CnError error = {0};
    for (uint32_t i = 0; i < count; i++) {
        input_send(&game->input);
        if (!cn_sim_tick_n(game->sim, 1, &error))
            fail_msg("%s", error.message);
        mod_game_read_chat(game);
    }
}

static inline void mod_game_lay_floor(ModGame *game)
{
    for (int32_t x = -4; x <= 4; x++)
        for (int32_t z = -4; z <= 4; z++) {
            CnEdit edit = {.kind = CN_EDIT_PLACE,
                           .face = CN_EDIT_NO_FACE,
                           .cell = {x, MOD_GAME_FLOOR, z},
                           .new_block = cn_block_find(cn_voxels_blocks(game->voxels), "stone")};
            assert_true(cn_voxels_edit(game->voxels, &edit, NULL));
        }
}

static inline CraftySessionDesc mod_game_desc(const ModGame *game)
{
    CraftyPose pose = {{0.5f, MOD_GAME_FLOOR + 1 + CRAFTY_PLAYER_EYE + 0.01f, 0.5f}, 0, -60};
    return (CraftySessionDesc){.start = {.seed = 42,
                                         .viewer = CRAFTY_VIEWER_WALKS,
                                         .mode = game->mode,
                                         .commands = true,
                                         .difficulty = game->difficulty,
                                         .hours = 9.5f,
                                         .pose = pose},
                               .threads = game->threads ? game->threads : 1,
                               .mods = game->mods,
                               .save = game->save};
}

static inline void mod_game_load(ModGame *game)
{
    CnError error = {0};
    game->mods =
        crafty_mods_create(&(CraftyModsDesc){.sources = game->sources,
                                             .source_count = game->source_count,
                                             .instructions_per_tick = game->instructions_per_tick,
                                             .instructions_per_call = game->instructions_per_call,
                                             .watchdog_ms = game->watchdog_ms},
                           &error);
    if (!game->mods)
        fail_msg("%s", error.message);
}

/* Without checking whether the mods are good. */
static inline void mod_game_open_any(ModGame *game)
{
    CnError error = {0};
    mod_game_load(game);
    if (game->path)
        game->save = crafty_save_open(&(CraftySaveDesc){.path = game->path, .seed = 42}, &error);
    if (game->path && !game->save)
        fail_msg("%s", error.message);
    bool is_new = !game->save || crafty_save_is_new(game->save);
    CraftySessionDesc desc = mod_game_desc(game);
    game->session = crafty_session_create(&desc, &error);
    if (!game->session)
        fail_msg("%s", error.message);
    game->sim = crafty_session_sim(game->session);
    game->world = cn_sim_world(game->sim);
    game->voxels = crafty_world_voxels(crafty_session_world(game->session));
    game->player = cn_camera_active(game->world);
    game->input = make_input(game->world, 1);
    game->line_count = 0;
    game->chat = cn_event_reader_create(cn_channel(game->world, CraftyChatLine), NULL);
    assert_non_null(game->chat);
    if (is_new)
        mod_game_lay_floor(game);
    assert_true(crafty_player_capture(game->world, game->player, true));
}

static inline void mod_game_open(ModGame *game)
{
    mod_game_open_any(game);
    for (uint32_t i = 0; i < crafty_mods_count(game->mods); i++) {
        CraftyModStatus status = crafty_mods_status(game->mods, i);
        if (status.is_disabled)
            fail_msg("%s:%d: %s", status.error.file, status.error.line, status.error.message);
    }
}

static inline void mod_game_close(ModGame *game)
{
    if (game->chat)
        cn_event_reader_destroy(game->chat);
    if (game->input.connection)
        end_input(&game->input);
    game->chat = NULL;
    game->input = (PlayerInput){0};
    crafty_session_destroy(game->session);
    crafty_mods_destroy(game->mods);
    crafty_save_close(game->save);
    game->session = NULL;
    game->mods = NULL;
    game->save = NULL;
}

/* Returns what a mod has stored, as JSON; "" if there is nothing. Valid until the next tick. */
static inline const char *mod_game_stored(const ModGame *game, const char *mod, const char *key)
{
    for (uint32_t i = 0; i < game->mods->count; i++)
        if (strcmp(game->mods->list[i].source->name, mod) == 0) {
            CnText text = crafty_mod_store_get(&game->mods->list[i].store, cn_text(key));
            return text.size ? text.data : "";
        }
    fail_msg("there is no mod %s", mod);
    return "";
}

static inline void mod_game_type(ModGame *game, const char *text)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    cn_copy_text(command.text, sizeof command.text, cn_text(text));
    assert_true(crafty_connection_send_command(game->input.connection, &command));
    mod_game_ticks(game, 2);
}

/* Returns whether a line of the chat contains the text. */
static inline bool mod_game_was_told(const ModGame *game, const char *text)
{
    for (uint32_t i = 0; i < game->line_count; i++)
        if (strstr(game->lines[i].text, text))
            return true;
    return false;
}

/* Presses a mouse button for a tick. */
static inline void mod_game_click(ModGame *game, uint32_t button)
{
    input_button(&game->input, button, true);
    mod_game_ticks(game, 1);
    input_button(&game->input, button, false);
    mod_game_ticks(game, 2);
}

static inline CnBlock mod_game_block(const ModGame *game, const char *name)
{
    CnBlock block = cn_block_find(cn_voxels_blocks(game->voxels), name);
    if (block == CN_BLOCK_NONE)
        fail_msg("there is no block %s", name);
    return block;
}

static inline void mod_game_put(ModGame *game, CnCell cell, const char *name)
{
    CnEdit edit = {.kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = mod_game_block(game, name)};
    assert_true(cn_voxels_edit(game->voxels, &edit, NULL));
}

static inline const char *mod_game_at(const ModGame *game, CnCell cell)
{
    return cn_block_info(cn_voxels_blocks(game->voxels), cn_voxels_get(game->voxels, cell))->name;
}

/* The cell that the player aims at. */
static inline CnCell mod_game_aim(ModGame *game)
{
    mod_game_ticks(game, 2);
    const CraftyHand *hand = cn_get(game->world, game->player, CraftyHand);
    assert_true(hand->aiming);
    return (CnCell){hand->target_cell[0], hand->target_cell[1], hand->target_cell[2]};
}

/* Gives the player an item for the hand. */
static inline void mod_game_hold(ModGame *game, const char *item)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_TAKE_ITEM, .count = 8};
    cn_copy_text(command.item, sizeof command.item, cn_text(item));
    assert_true(crafty_connection_send_command(game->input.connection, &command));
    mod_game_ticks(game, 2);
}

#endif
