/*
 * A simulation with mods from texts: two players in survival on a floor high above the terrain.
 *
 *     static ModGame game;
 *     mod_game_add(&game, "castle", "on('join', function(e) chat.send(e.player, 'Hello') end)");
 *     mod_game_begin(&game, 1);
 *     mod_game_ticks(&game, 1);
 *     mod_game_end(&game);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_MOD_GAME_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_MOD_GAME_H

#include "cmocka_tests.h"
#include "memory_files.h"
#include "player_input.h"

#include <crafty/sim/chat.h>
#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/creature/difficulty.h>
#include <crafty/sim/mod/mod_permission.h>
#include <crafty/sim/mod/mod_run.h>
#include <crafty/world/world.h>

#include <cairn/base/log.h>

#include <string.h>

#define MOD_GAME_FLOOR 300 /* y of the floor */
#define MOD_GAME_SIDE 12
#define MOD_GAME_PLAYERS 2u
#define MOD_GAME_MODS 4u
#define MOD_GAME_LINES 256u

#define MOD_GAME_FILES 8u
#define MOD_GAME_CODE_BYTES 8192u

typedef struct ModGame {
    MemoryFiles files;
    char paths[MOD_GAME_FILES][CN_LUA_PATH_BYTES];
    uint32_t path_count;
    char code[MOD_GAME_CODE_BYTES]; /* of mod_game_play */
    CraftyModSource sources[MOD_GAME_MODS + 1];
    uint32_t source_count;
    uint32_t permissions;  /* of mods that are added; 0: all */
    CraftyViewer viewer;   /* 0: CRAFTY_VIEWER_WALKS */
    uint32_t player_count; /* 0: MOD_GAME_PLAYERS */
    /* Of each mod; 0: the default. */
    uint64_t instructions_per_call, instructions_per_tick;
    size_t memory_bytes;
    CraftyMods *mods;
    CraftyWorld *land;
    CnJobPool *jobs;
    CraftySimDesc desc;
    CnSim *sim;
    CnWorld *world;
    CnVoxels *voxels;
    CnEntity players[MOD_GAME_PLAYERS];
    PlayerInput inputs[MOD_GAME_PLAYERS];
    CnEventReader *reader;
    CraftyChatLine lines[MOD_GAME_LINES]; /* since the last mod_game_forget_lines */
    uint32_t line_count;
} ModGame;

/* Adds a file of a mod, such as "castle/main.lua". */
static inline void mod_game_file(ModGame *game, const char *path, const char *text)
{
    if (game->path_count == 0)
        memory_files_init(&game->files);
    assert_true(game->path_count < MOD_GAME_FILES);
    char *own = game->paths[game->path_count++];
    assert_true(cn_copy_text(own, CN_LUA_PATH_BYTES, cn_text(path)));
    memory_files_set(&game->files, own, text);
}

static inline void mod_game_source(ModGame *game, const char *name)
{
    assert_true(game->source_count < MOD_GAME_MODS + 1);
    if (game->source_count == 0)
        game->sources[game->source_count++] = crafty_mods_base();
    game->sources[game->source_count++] = (CraftyModSource){
        .name = name,
        .files = &game->files.files,
        .folder = name,
        .permissions = game->permissions ? game->permissions : CRAFTY_MOD_MAY_ALL};
}

static inline void mod_game_add(ModGame *game, const char *name, const char *code)
{
    char path[CN_LUA_PATH_BYTES];
    cn_format(path, sizeof path, "%s/main.lua", name);
    mod_game_file(game, path, code);
    mod_game_source(game, name);
}

/* Adds one of the mods that come with the game. The test runs in the root of the project. */
static inline void mod_game_add_example(ModGame *game, const char *name)
{
    char *folder = game->paths[game->path_count++];
    cn_format(folder, CN_LUA_PATH_BYTES, "games/crafty/mods/examples/%s", name);
    mod_game_source(game, name);
    game->sources[game->source_count - 1].files = cn_native_files();
    game->sources[game->source_count - 1].folder = folder;
}

/* Fails if a mod is disabled. */
static inline void mod_game_check(const ModGame *game)
{
    for (uint32_t i = 0; i < crafty_mods_count(game->mods); i++) {
        CraftyModStatus status = crafty_mods_status(game->mods, i);
        if (status.is_disabled)
            fail_msg("%s:%d: %s", status.error.file, status.error.line, status.error.message);
    }
}

static inline CnBlock mod_game_block(const ModGame *game, const char *name)
{
    CnBlock block = cn_block_find(cn_voxels_blocks(game->voxels), name);
    if (block == CN_BLOCK_NONE)
        fail_msg("there is no block %s", name);
    return block;
}

static inline void mod_game_set(ModGame *game, int32_t x, int32_t y, int32_t z, const char *name)
{
    CnEdit edit = {.kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = {x, y, z},
                   .new_block = mod_game_block(game, name)};
    assert_true(cn_voxels_edit(game->voxels, &edit, NULL));
}

static inline const char *mod_game_get(const ModGame *game, int32_t x, int32_t y, int32_t z)
{
    CnBlock block = cn_voxels_get(game->voxels, (CnCell){x, y, z});
    return cn_block_info(cn_voxels_blocks(game->voxels), block)->name;
}

static inline CraftyItem mod_game_item(const ModGame *game, const char *name)
{
    CraftyItem item = crafty_items_find(crafty_world_items(game->land), name);
    if (item == CRAFTY_NO_ITEM)
        fail_msg("there is no item %s", name);
    return item;
}

static inline CraftyPlayer *mod_game_player(ModGame *game, uint32_t number)
{
    return cn_get_mut(game->world, game->players[number - 1], CraftyPlayer);
}

static inline void mod_game_read_lines(ModGame *game)
{
    for (const CraftyChatLine *line; (line = cn_read_next(game->reader, CraftyChatLine));)
        if (game->line_count < MOD_GAME_LINES)
            game->lines[game->line_count++] = *line;
}

static inline void mod_game_ticks(ModGame *game, uint64_t ticks)
{
    CnError error = {0};
    for (uint64_t i = 0; i < ticks; i++) {
        for (uint32_t k = 0; k < game->player_count; k++)
            input_send(&game->inputs[k]);
        if (!cn_sim_tick_n(game->sim, 1, &error))
            fail_msg("%s", error.message);
        mod_game_read_lines(game);
    }
}

static inline bool mod_game_has_line(const ModGame *game, const char *part)
{
    for (uint32_t i = 0; i < game->line_count; i++)
        if (strstr(game->lines[i].text, part))
            return true;
    return false;
}

static inline void mod_game_forget_lines(ModGame *game)
{
    game->line_count = 0;
}

/* A player types a line; one tick. */
static inline void mod_game_type(ModGame *game, uint32_t player, const char *text)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    cn_copy_text(command.text, sizeof command.text, cn_text(text));
    assert_true(crafty_connection_send_command(game->inputs[player - 1].connection, &command));
    mod_game_ticks(game, 1);
}

static inline void mod_game_make_floor(ModGame *game)
{
    for (int32_t x = -MOD_GAME_SIDE; x <= MOD_GAME_SIDE; x++)
        for (int32_t z = -MOD_GAME_SIDE; z <= MOD_GAME_SIDE; z++)
            mod_game_set(game, x, MOD_GAME_FLOOR, z, "stone");
}

/* The same world and simulation for every call with the same mods. */
static inline void mod_game_begin(ModGame *game, uint32_t threads)
{
    CnError error = {0};
    uint32_t workers = threads > 1 ? threads - 1 : CN_JOBS_NONE;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    game->player_count = game->player_count ? game->player_count : MOD_GAME_PLAYERS;
    game->mods =
        crafty_mods_create(&(CraftyModsDesc){.sources = game->sources,
                                             .source_count = game->source_count,
                                             .instructions_per_call = game->instructions_per_call,
                                             .instructions_per_tick = game->instructions_per_tick,
                                             .memory_bytes = game->memory_bytes},
                           &error);
    if (!game->mods)
        fail_msg("%s", error.message);
    game->land = crafty_world_create(&(CraftyWorldDesc){.content = crafty_mods_content(game->mods),
                                                        .seed = 42,
                                                        .workers = workers},
                                     &error);
    if (!game->land)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    game->voxels = crafty_world_voxels(game->land);
    game->jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = workers}, &error);
    assert_non_null(game->jobs);
    mod_game_make_floor(game);
    game->desc = (CraftySimDesc){
        .voxels = game->voxels,
        .items = crafty_world_items(game->land),
        .recipes = crafty_world_recipes(game->land),
        .block_rules = crafty_world_block_rules(game->land),
        .families = crafty_world_families(game->land),
        .creatures = crafty_world_creatures(game->land),
        .trades = crafty_world_trades(game->land),
        .biomes = crafty_world_biomes(game->land),
        .mods = game->mods,
        .start = {
            .seed = 42,
            .viewer = game->viewer ? game->viewer : CRAFTY_VIEWER_WALKS,
            .mode = CRAFTY_MODE_SURVIVAL,
            .players = game->player_count,
            .difficulty = CRAFTY_PEACEFUL,
            .hours = 12,
            .pose = {.position = {0.5f, MOD_GAME_FLOOR + 1 + CRAFTY_PLAYER_EYE + 0.01f, 0.5f}}}};
    CnPlugin scene = cn_scene_plugin(), crafty = crafty_sim_plugin(&game->desc);
    game->sim = cn_sim_create(
        &(CnSimDesc){.jobs = game->jobs, .seed = 42, .core = &scene, .core_count = 1}, &error);
    assert_non_null(game->sim);
    if (!cn_sim_add_plugin(game->sim, &crafty, &error))
        fail_msg("%s", error.message);
    game->world = cn_sim_world(game->sim);
    game->reader = cn_event_reader_create(cn_channel(game->world, CraftyChatLine), NULL);
    CnQuery *query =
        cn_query_acquire(game->world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions)}}, NULL);
    for (uint32_t i = 0; i < game->player_count; i++) {
        game->players[i] = crafty_player_find(query, i + 1);
        game->inputs[i] = make_input(game->world, i + 1);
    }
    cn_query_release(query);
}

/* Starts a game with the mod `castle`: `main` is its main.lua, `body` that of the command /test,
 * which the first player then types. Fails if the mod fails. */
static inline void mod_game_play(ModGame *game, const char *main, const char *body)
{
    assert_true(cn_format(game->code, sizeof game->code,
                          "%s\ncommand { name = 'test', run = function(e)\n%s\nend }", main, body));
    mod_game_add(game, "castle", game->code);
    mod_game_begin(game, 1);
    mod_game_ticks(game, 2);
    mod_game_type(game, 1, "/test");
    mod_game_check(game);
}

/* Types /test and checks that the call fails with a message that contains `part`. */
static inline void mod_game_refuse(ModGame *game, const char *body, const char *part)
{
    cn_format(game->code, sizeof game->code,
              "command { name = 'test', run = function(e)\n%s\nend }", body);
    mod_game_add(game, "castle", game->code);
    mod_game_begin(game, 1);
    mod_game_ticks(game, 2);
    mod_game_type(game, 1, "/test");
    CraftyModStatus status = crafty_mods_status(game->mods, 1);
    if (!status.is_disabled || !strstr(status.error.message, part))
        fail_msg("'%s' is not in '%s'", part, status.error.message);
    assert_string_equal(status.error.file, "castle/main.lua");
    assert_int_equal(status.error.line, 2);
}

static inline void mod_game_end(ModGame *game)
{
    for (uint32_t i = 0; i < game->player_count && game->sim; i++)
        end_input(&game->inputs[i]);
    cn_event_reader_destroy(game->reader);
    cn_sim_destroy(game->sim);
    cn_job_pool_destroy(game->jobs);
    crafty_world_destroy(game->land);
    crafty_mods_destroy(game->mods);
    *game = (ModGame){0};
}

#endif
