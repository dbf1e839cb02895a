/* test-labels: threads slow */
/*
 * Recordings of sessions with mods replay with the same hash of the state after every tick, for any
 * number of threads and on a busy machine: of a mod that uses the whole API, and of a mod that
 * floods everything beside one that loses nothing by it.
 */
#include "cmocka_tests.h"
#include "mod_recording.h"
#include "scratch.h"

#include <crafty/sim/drops.h>
#include <crafty/sim/mod/hud.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define TICKS 120u
#define FIRST 20u                  /* of recordings: before it, the floor was laid */
#define TICK_INSTRUCTIONS 1000000u /* of each mod */

static Scratch scratch;
static ModGame game;

static const char whole_api[] =
    "block { name = 'pulse', slots = 3, on_use = function(e) storage.set('used', e.player) end,\n"
    "        on_tick = function(e) world.schedule(e.x, e.y, e.z, 7) end }\n"
    "block { name = 'core', on_tick = function(e)\n"
    "    local own = data.get(e.x, e.y, e.z) or { n = 0 }\n"
    "    own.n = own.n + world.random(5)\n"
    "    data.set(e.x, e.y, e.z, own) world.schedule(e.x, e.y, e.z, 3 + world.random(9))\n"
    "end }\n"
    "before('break', function(e) return (e.x + e.z) % 3 ~= 0, 'Not this one.' end)\n"
    "command { name = 'go', run = function(e) storage.set('go', e.text) return 'Gone.' end }\n"
    "on('choice', function(e) storage.set('choice', { e.dialog, e.choice, world.tick() }) end)\n"
    "on('chat', function(e) storage.set('line', e.text) end)\n"
    "on('break', function(e) storage.set('broken', { e.x, e.y, e.z }) end)\n"
    "on('join', function(e)\n"
    "    world.set(3, 301, 3, 'castle:pulse') world.schedule(3, 301, 3, 5)\n"
    "    world.set(-3, 301, 3, 'castle:core') world.schedule(-3, 301, 3, 5)\n"
    "    players.give(e.player, 'apple', 9)\n"
    "end)\n"
    "on('tick', function(e)\n"
    "    local x, z = world.random(-4, 4), world.random(-4, 4)\n"
    "    world.set(x, 304, z, world.random() < 0.5 and 'glowstone' or 'air')\n"
    "    slots.add(3, 301, 3, 'coal', 3) slots.take(3, 301, 3, 'coal', 1)\n"
    "    slots.set(3, 301, 3, 3, 'apple', world.random(9))\n"
    "    world.drop('stick', 2, x + 0.5, 305, z + 0.5)\n"
    "    local pig = creatures.spawn('pig', x + 0.5, 301, z + 0.5, { name = 'P' })\n"
    "    if pig then creatures.walk(pig, -x + 0.5, 301, -z + 0.5) end\n"
    "    local found = creatures.near(0, 301, 0, 20)\n"
    "    if #found > 6 then creatures.remove(found[#found]) end\n"
    "    if found[1] then creatures.hurt(found[1], 1) end\n"
    "    for _, p in ipairs(players.list()) do\n"
    "        local info = players.get(p)\n"
    "        players.push(p, world.random(-2, 2), 2, world.random(-2, 2))\n"
    "        players.heal(p, 2) players.take(p, 'apple', 1)\n"
    "        if info.position.y < 295 then players.teleport(p, 0.5, 301, 0.5) end\n"
    "        hud.set(p, 'info', { kind = 'text', text = info.health .. ' ' .. #found .. ' ' ..\n"
    "            tostring(world.color(x, z)) .. tostring(world.light(x, 303, z)) ..\n"
    "            tostring(world.surface(x, z)) .. tostring(world.biome(x, z)) })\n"
    "        hud.ask(p, { title = 'T', choices = { 'A', 'B' } }, 'ask' .. e.tick)\n"
    "    end\n"
    "    chat.broadcast('tick ' .. e.tick) sound.play('bell', x, 301, z)\n"
    "    world.particles('poof', x, 303, z, 3)\n"
    "    storage.set('n', (storage.get('n') or 0) + 1)\n"
    "    if e.tick % 60 == 0 then\n"
    "        world.explode(9.5, 301, 9.5, 2) world.setTime(world.random(0, 23))\n"
    "        world.setWeather(world.random() < 0.5 and 'light-rain' or 'clear')\n"
    "    end\n"
    "end, 5)\n";

static const char flood[] =
    "block { name = 'bomb', on_tick = function(e)\n"
    "    for i = 1, 1e9 do world.schedule(e.x, e.y, e.z, 1) end\n"
    "end }\n"
    "on('tick', function(e)\n"
    "    world.set(2, 301, 2, 'flood:bomb')\n"
    "    local work = {\n"
    "        function(i) chat.broadcast('flood ' .. i) end,\n"
    "        function(i) world.particles('poof', 0, 302, 0, 64) end,\n"
    "        function(i) sound.play('bell', 0, 302, 0) end,\n"
    "        function(i) world.drop('stick', 1, (i % 9) - 4, 302, 0) end,\n"
    "        function(i) creatures.spawn('pig', 0.5, 301, 0.5) end,\n"
    "        function(i) world.schedule(2, 301, 2, 1 + i % 1200) end,\n"
    "        function(i) world.set(i % 9 - 4, 306, 0, i % 2 == 0 and 'stone' or 'air') end,\n"
    "        function(i) storage.set('k' .. i % 4096, ('x'):rep(2000) .. i) end,\n"
    "        function(i) hud.set(1, 'k' .. i % 64, { kind = 'text', text = 'flood' .. i }) end,\n"
    "        function(i) players.hurt(1, 0.01) players.heal(1, 1) end,\n"
    "        function(i) world.explode(20, 320, 20, 8) end,\n"
    "    }\n"
    "    local f = work[e.tick % #work + 1]\n"
    "    for i = 1, 1e9 do pcall(f, i) end\n"
    "end, 1)\n"
    "for i = 1, 100 do on('tick', function() while true do end end, 1) end\n";

static const char victim[] =
    "local function count(key) storage.set(key, (storage.get(key) or 0) + 1) end\n"
    "on('tick', function(e)\n"
    "    count('ticks') storage.set('roll', world.random(1e6))\n"
    "    chat.send(1, 'victim ' .. e.tick)\n"
    "    hud.set(1, 'own', { kind = 'text', text = 'tick ' .. e.tick })\n"
    "    if e.tick % 10 == 0 then\n"
    "        if world.drop('apple', 1, 3.5, 303, 3.5) == 1 then count('drops') end\n"
    "        if creatures.spawn('duck', 3.5, 301, 3.5) then count('ducks') end\n"
    "    end\n"
    "end, 1)\n"
    "on('chat', function(e) count('lines') end)\n"
    "on('break', function(e) count('breaks') end)\n";

/* ---- Playing ---- */

/* Answers the open dialog with its second button. */
static void choose(void)
{
    CraftyModHudView view;
    crafty_mod_hud_view_init(&view, NULL);
    if (crafty_mod_hud_view_update(&view, game.world, 1) && view.dialog.number)
        crafty_connection_send_command(game.input.connection,
                                       &(CraftyCommand){.kind = CRAFTY_COMMAND_CHOOSE,
                                                        .player = 1,
                                                        .cell = {(int32_t)view.dialog.number, 0, 0},
                                                        .choice = 2});
    crafty_mod_hud_view_fini(&view);
}

static void play_tick(uint64_t tick)
{
    PlayerInput *input = &game.input;
    input_key(input, CN_KEY_W, tick % 50 < 10);
    input_button(input, CN_MOUSE_LEFT, tick % 30 < 8);
    input_button(input, CN_MOUSE_RIGHT, tick % 30 >= 20);
    input_event(input, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dx = (float)(tick % 7) * 4});
    if (tick % 90 == 25)
        mod_game_send_line(&game, tick % 180 == 25 ? "/go now" : "hello");
    if (tick % 20 == 11)
        choose();
    input_send(input);
    assert_true(cn_sim_tick_n(game.sim, 1, NULL));
    mod_game_read_chat(&game);
}

static void add_mods(const char *const *codes)
{
    static const char *const names[] = {"castle", "flood", "victim"};
    mod_game_init(&game);
    game.difficulty = CRAFTY_PEACEFUL;
    game.instructions_per_tick = TICK_INSTRUCTIONS;
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        if (codes[i])
            mod_game_add(&game, names[i], codes[i]);
}

static void play(const char *const *codes, uint32_t threads, uint64_t hashes[TICKS])
{
    add_mods(codes);
    game.threads = threads;
    mod_game_open(&game);
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        play_tick(tick);
        hashes[tick] = cn_sim_hash(game.sim);
    }
}

static const ModPlay recorded = {FIRST, TICKS, play_tick};

static void record(const char *const *codes, const char *world, const char *path,
                   uint64_t hashes[TICKS])
{
    add_mods(codes);
    game.path = world;
    mod_game_open(&game);
    mod_game_record(&game, path, &recorded, hashes);
}

static void expect_recording(const char *const *codes, const char *name)
{
    uint64_t hashes[TICKS];
    char file[64];
    cn_format(file, sizeof file, "%s.crafty", name);
    char *world = strdup(scratch_path(&scratch, file));
    cn_format(file, sizeof file, "%s.cnr", name);
    char *path = strdup(scratch_path(&scratch, file));
    record(codes, world, path, hashes);
    mod_game_close(&game);
    for (uint32_t threads = 1; threads <= 4; threads *= 2)
        mod_game_expect_replay(&game, path, &recorded, hashes, threads);
    free(world);
    free(path);
}

/* ---- Facts ---- */

static const char *const with_api[] = {whole_api, NULL, NULL};
static const char *const with_flood[] = {NULL, flood, victim};
static const char *const without_flood[] = {NULL, NULL, victim};

static void a_recording_with_the_whole_api_replays(void **state)
{
    (void)state;
    expect_recording(with_api, "api");
}

static void a_recording_uses_the_whole_api(void **state)
{
    (void)state;
    static uint64_t hashes[TICKS];
    static const char *const keys[] = {"n", "go", "line", "choice", "broken"};
    play(with_api, 1, hashes);
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++)
        if (!*mod_game_stored(&game, "castle", keys[i]))
            fail_msg("%s is not stored", keys[i]);
    mod_game_close(&game);
}

static void a_recording_with_a_flood_replays(void **state)
{
    (void)state;
    expect_recording(with_flood, "flood");
}

/* What a player sees and stores of the victim: all of it, beside the flood and without it. */
static void expect_victim(const char *const *codes, char *stored, size_t stored_bytes)
{
    static uint64_t hashes[TICKS];
    play(codes, 1, hashes);
    cn_format(stored, stored_bytes, "%s %s %s %s", mod_game_stored(&game, "victim", "ticks"),
              mod_game_stored(&game, "victim", "roll"), mod_game_stored(&game, "victim", "drops"),
              mod_game_stored(&game, "victim", "ducks"));
    for (uint32_t i = 0; i < crafty_mods_count(game.mods); i++) {
        CraftyModStatus status = crafty_mods_status(game.mods, i);
        if (strcmp(status.name, "victim") == 0)
            assert_true(!status.is_disabled && !status.skipped);
        if (strcmp(status.name, "flood") == 0)
            assert_true(status.skipped > 100);
    }
    mod_game_close(&game);
}

static void a_flood_takes_nothing_from_another_mod(void **state)
{
    (void)state;
    char beside[128], alone[128];
    expect_victim(without_flood, alone, sizeof alone);
    expect_victim(with_flood, beside, sizeof beside);
    assert_string_equal(beside, alone);
    assert_int_equal(strncmp(beside, "120 ", 4), 0);
}

static void a_flood_leaves_room_for_the_drops_and_creatures_of_players(void **state)
{
    (void)state;
    static uint64_t hashes[TICKS];
    play(with_flood, 1, hashes);
    assert_true(crafty_drop_count(game.world) < CRAFTY_MAX_DROP_ENTITIES / 2);
    mod_game_close(&game);
}

static atomic_bool stops;

static void *compete(void *unused)
{
    (void)unused;
    for (volatile uint64_t n = 0; !atomic_load(&stops); n++)
        ;
    return NULL;
}

static void a_busy_machine_gives_the_same_states(void **state)
{
    (void)state;
    static uint64_t quiet[TICKS], busy[TICKS];
    pthread_t threads[4];
    play(with_flood, 1, quiet);
    mod_game_close(&game);
    atomic_store(&stops, false);
    for (uint32_t i = 0; i < CN_COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, compete, NULL), 0);
    play(with_flood, 2, busy);
    atomic_store(&stops, true);
    for (uint32_t i = 0; i < CN_COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    mod_game_close(&game);
    assert_memory_equal(quiet, busy, sizeof quiet);
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        one_thread_test(a_recording_uses_the_whole_api),
        cmocka_unit_test(a_recording_with_the_whole_api_replays),
        one_thread_test(a_flood_takes_nothing_from_another_mod),
        one_thread_test(a_flood_leaves_room_for_the_drops_and_creatures_of_players),
        one_thread_test(a_recording_with_a_flood_replays),
        one_thread_test(a_busy_machine_gives_the_same_states),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
