/*
 * Bytes as a mod that calls all functions of the API with fitting and other arguments: while
 * main.lua runs again, in handlers of `before`, of events, commands, blocks and creatures. Beside
 * it runs a mod that counts its ticks. Whatever comes, the other mod misses no tick, errors name
 * the file and the line, and nothing takes more than its budget.
 *
 * Worlds and sandboxes are expensive, so both are used for many inputs. After each of them,
 * creatures and drops are removed and the floor is repaired. Some inputs run in a new sandbox, as
 * after a change of main.lua; the others run in that of the input before, which gets new handlers.
 */
#include "fuzz_surface.h"

#include "mod_game.h"
#include "mod_program.h"

#include <crafty/sim/drops.h>
#include <crafty/sim/mod/hud.h>
#include <crafty/sim/mod/mods_internal.h>
#include <crafty/sim/player.h>
#include <crafty/sim/vitals.h>

#define TICKS 2u
#define RUNS_OF_A_WORLD 5000u
#define RUNS_OF_A_SANDBOX 16u
#define SIDE 3
#define TICK_INSTRUCTIONS 200000u
#define CALL_INSTRUCTIONS 110000u
#define MEMORY_BYTES (1u << 20)

static const char victim[] = "on('tick', function() storage.set('n', (storage.get('n') or 0) + 1) "
                             "end, 1)";

static ModGame game;
static ModProgram program;
static uint32_t runs;
static uint64_t ticks;

static void begin_game(void)
{
    if (game.sim)
        mod_game_end(&game);
    mod_program_init(&program, NULL, 0);
    mod_program_handlers(&program);
    game.player_count = 1;
    game.instructions_per_tick = TICK_INSTRUCTIONS;
    game.instructions_per_call = CALL_INSTRUCTIONS;
    game.memory_bytes = MEMORY_BYTES;
    mod_game_add(&game, "fuzz", program.code);
    mod_game_add(&game, "victim", victim);
    mod_game_begin(&game, 1);
    mod_game_check(&game);
    ticks = 0;
}

/* ---- What happens to the mod ---- */

static void tell(uint8_t event, CnBlock block)
{
    CraftyModNote note = {.event = event,
                          .player = 1,
                          .block = block,
                          .count = 1,
                          .value = 1,
                          .cell = {1, MOD_GAME_FLOOR + 1, 2},
                          .text = "fuzz:k"}; /* of a choice: mod and dialog */
    crafty_mods_ask(game.world, &note);
    crafty_mods_note(game.world, &note);
}

static void use_everything(void)
{
    CnBlock box = mod_game_block(&game, "fuzz:box"), core = mod_game_block(&game, "fuzz:core");
    CnCell cell = {1, MOD_GAME_FLOOR + 1, 2};
    mod_game_set(&game, cell.x, cell.y, cell.z, "fuzz:box");
    mod_game_set(&game, -2, MOD_GAME_FLOOR + 1, 2, "fuzz:core");
    tell(CRAFTY_MOD_BREAK, box);
    tell(CRAFTY_MOD_PLACE, box);
    tell(CRAFTY_MOD_STEPPED, box);
    tell(CRAFTY_MOD_HURT, box);
    tell(CRAFTY_MOD_CHAT, box);
    tell(CRAFTY_MOD_CHOICE, box);
    tell(CRAFTY_MOD_TALK, box);
    tell(CRAFTY_MOD_JOIN, box);
    crafty_mods_use_block(game.world, game.players[0], cell, box);
    crafty_mods_block_tick(game.world, cell, box, false);
    crafty_mods_block_tick(game.world, cell, box, true);
    crafty_mods_block_tick(game.world, (CnCell){-2, MOD_GAME_FLOOR + 1, 2}, core, false);
    crafty_mods_run_command(game.world, 1, cn_text("go"), cn_text("one two"));
}

/* ---- Afterwards ---- */

static void destroy_all(const CnQueryDesc *desc)
{
    static CnEntity found[8192];
    CnChunkView view;
    uint32_t count = 0;
    CnQuery *query = cn_query_acquire(game.world, desc, NULL);
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && count < CN_COUNT_OF(found); i++)
            found[count++] = view.entities[i];
    cn_query_release(query);
    for (uint32_t i = 0; i < count; i++)
        cn_destroy(game.world, found[i]);
}

static void repair_world(void)
{
    destroy_all(&(CnQueryDesc){.all = {cn_reads(CraftyDrop)}});
    destroy_all(&(CnQueryDesc){.all = {cn_reads(CraftyCreature)}});
    CnBlock stone = mod_game_block(&game, "stone"), air = CN_BLOCK_AIR;
    for (int32_t x = -SIDE; x <= SIDE; x++)
        for (int32_t z = -SIDE; z <= SIDE; z++)
            for (int32_t y = 0; y < 4; y++) {
                CnCell cell = {x, MOD_GAME_FLOOR + y, z};
                CnBlock wanted = y == 0 ? stone : air;
                CnEdit edit = {.kind = CN_EDIT_PLACE,
                               .face = CN_EDIT_NO_FACE,
                               .cell = cell,
                               .new_block = wanted};
                if (cn_voxels_get(game.voxels, cell) != wanted)
                    cn_voxels_edit(game.voxels, &edit, NULL);
            }
    destroy_all(&(CnQueryDesc){.all = {cn_reads(CraftyDrop)}}); /* of containers */
    crafty_player_move_to(game.world, game.players[0], cn_vec3(0.5f, MOD_GAME_FLOOR + 1, 0.5f));
    CraftyVitals *vitals = cn_get_mut(game.world, game.players[0], CraftyVitals);
    vitals->health = CRAFTY_MAX_HEALTH;
    vitals->dead = false;
}

static void check_error(const CraftyModStatus *status)
{
    if (!status->is_disabled)
        return;
    bool is_named = strncmp(status->error.file, "fuzz/", 5) == 0 && status->error.line > 0;
    if (!is_named || !status->error.message[0])
        fprintf(stderr, "%s:%d: %s\n%s", status->error.file, status->error.line,
                status->error.message, program.code);
    FUZZ_CHECK(is_named && status->error.message[0]);
}

static void check_game(void)
{
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    check_error(&status);
    FUZZ_CHECK(status.lua.peak_bytes <= MEMORY_BYTES);
    FUZZ_CHECK(status.lua.tick_instructions <= TICK_INSTRUCTIONS + 2 * CALL_INSTRUCTIONS ||
               status.lua.handlers);
    CraftyModStatus other = crafty_mods_status(game.mods, 2);
    FUZZ_CHECK(!other.is_disabled && !other.skipped);
    char expected[24];
    cn_format(expected, sizeof expected, "%llu", (unsigned long long)ticks);
    FUZZ_CHECK(cn_text_equal(crafty_mod_store_get(&game.mods->list[2].store, cn_text("n")),
                             cn_text(expected)));
}

/* ---- Runs ---- */

static void clear_hooks(CraftyModHooks *hooks)
{
    hooks->handlers.count = hooks->blocks.count = hooks->commands.count = 0;
    hooks->creatures.count = 0;
}

/* Runs the program in the sandbox of the input before. */
static bool run_again(CraftyModState *mod, CnError *error)
{
    game.mods->phase = CRAFTY_MODS_REDEFINE;
    mod->is_disabled = false;
    mod->error = (CnError){0};
    clear_hooks(&mod->hooks);
    cn_lua_sandbox_begin_tick(mod->sandbox);
    bool good = cn_lua_sandbox_run(mod->sandbox, "fuzz/main.lua", cn_text(program.code), error);
    game.mods->phase = CRAFTY_MODS_IDLE;
    return good && crafty_mods_index(game.mods->run, error);
}

static bool load_program(CnError *error)
{
    bool changes;
    if (runs % RUNS_OF_A_SANDBOX && run_again(&game.mods->list[1], error))
        return true;
    *error = (CnError){0}; /* such as the memory that is left for this input */
    memory_files_set(&game.files, "fuzz/main.lua", program.code);
    return crafty_mods_reload(game.mods, "fuzz", &changes, error);
}

static bool run_handlers(void)
{
    CnError error = {0};
    mod_program_handlers(&program);
    if (!load_program(&error)) {
        check_error(&(CraftyModStatus){.is_disabled = true, .error = error});
        return false;
    }
    use_everything();
    for (uint32_t i = 0; i < TICKS; i++) {
        input_send(&game.inputs[0]);
        FUZZ_CHECK(cn_sim_tick_n(game.sim, 1, NULL));
        ticks++;
        check_game();
    }
    bool is_good = !crafty_mods_status(game.mods, 1).is_disabled;
    repair_world();
    return is_good;
}

static bool run(const uint8_t *bytes, size_t size)
{
    if (runs++ % RUNS_OF_A_WORLD == 0)
        begin_game();
    mod_program_init(&program, bytes, size);
    return run_handlers();
}

static void add_seeds(FuzzSeeds *seeds)
{
    TestRandom random = {22};
    for (uint32_t i = 0; i < 60; i++) {
        uint8_t bytes[160];
        for (uint32_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)test_random_below(&random, 256);
        fuzz_add(seeds, bytes, sizeof bytes);
    }
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 160, .test_runs = 300, .keeps_state = true, .add_seeds = add_seeds, .run = run};
