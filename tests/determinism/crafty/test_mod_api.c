/* A mod that uses the whole API plays the same with 1, 2 and 4 threads, and after its world was
 * saved and restored in the middle. */
#include "mod_game.h"

#define TICKS 240u
#define SAVED_AT 100u

static const char mod[] =
    "block { name = 'pulse', slots = 3,\n"
    "        on_tick = function(e) world.schedule(e.x, e.y, e.z, 7) end }\n"
    "block { name = 'core', on_tick = function(e)\n"
    "    local own = data.get(e.x, e.y, e.z) or { n = 0 }\n"
    "    own.n = own.n + world.random(5)\n"
    "    data.set(e.x, e.y, e.z, own)\n"
    "    world.schedule(e.x, e.y, e.z, 3 + world.random(9))\n"
    "end }\n"
    "on('join', function(e)\n"
    "    world.set(4, 301, 4, 'castle:pulse') world.schedule(4, 301, 4, 5)\n"
    "    world.set(6, 301, 4, 'castle:core') world.schedule(6, 301, 4, 5)\n"
    "    players.give(e.player, 'apple', 9)\n"
    "    hud.ask(e.player, { choices = { 'A', 'B' } }, 'first')\n"
    "end)\n"
    "on('tick', function(e)\n"
    "    local x, z = world.random(-8, 8), world.random(-8, 8)\n"
    "    world.set(x, 302, z, world.random() < 0.5 and 'glowstone' or 'air')\n"
    "    slots.add(4, 301, 4, 'coal', world.random(3)) slots.take(4, 301, 4, 'coal', 1)\n"
    "    world.drop('stick', 2, x + 0.5, 304, z + 0.5)\n"
    "    local pig = creatures.spawn('pig', x + 0.5, 303, z + 0.5)\n"
    "    if pig then creatures.walk(pig, -x + 0.5, 301, -z + 0.5) end\n"
    "    if pig then creatures.name(pig, 'P' .. x) end\n"
    "    local found = creatures.near(0, 301, 0, 20)\n"
    "    if #found > 12 then creatures.remove(found[#found]) end\n"
    "    if found[1] then creatures.hurt(found[1], 1) end\n"
    "    for _, p in ipairs(players.list()) do\n"
    "        local info = players.get(p)\n"
    "        players.push(p, world.random(-2, 2), 3, world.random(-2, 2))\n"
    "        if info.position.y < 295 then players.teleport(p, 0.5, 301, 0.5) end\n"
    "        players.hurt(p, 1) players.heal(p, 2) players.take(p, 'apple', 1)\n"
    "        hud.set(p, 'info', { kind = 'text', text = info.health .. ' ' .. #found .. ' ' ..\n"
    "            tostring(world.color(x, z)) .. ' ' .. tostring(world.light(x, 303, z)) .. ' ' ..\n"
    "            tostring(world.surface(x, z)) .. ' ' .. tostring(world.biome(x, z)) })\n"
    "    end\n"
    "    chat.send(1, 'tick ' .. e.tick) sound.play('bell', x, 301, z)\n"
    "    world.particles('poof', x, 303, z, 3)\n"
    "    storage.set('n', (storage.get('n') or 0) + 1)\n"
    "    if e.tick % 100 == 0 then\n"
    "        world.explode(9.5, 301, 9.5, 2) world.setTime(world.random(0, 23))\n"
    "        world.setWeather(world.random() < 0.5 and 'light-rain' or 'clear')\n"
    "    end\n"
    "end, 10)\n"
    "on('stepped', function(e) world.set(e.x, e.y, e.z, 'oak_planks') end)\n";

static ModGame game;

typedef struct Hashes {
    uint64_t world, blocks;
} Hashes;

static void begin(uint32_t threads)
{
    mod_game_add(&game, "castle", mod);
    mod_game_begin(&game, threads);
}

static void run(uint32_t from, uint32_t to, Hashes hashes[TICKS])
{
    for (uint32_t i = from; i < to; i++) {
        mod_game_ticks(&game, 1);
        hashes[i] = (Hashes){cn_world_hash(game.world), cn_voxels_hash(game.voxels)};
    }
    mod_game_check(&game);
}

static void compare(const Hashes *a, const Hashes *b, uint32_t from)
{
    for (uint32_t i = from; i < TICKS; i++)
        if (a[i].world != b[i].world || a[i].blocks != b[i].blocks)
            fail_msg("tick %u differs", i);
}

static int end(void **state)
{
    (void)state;
    mod_game_end(&game);
    return 0;
}

static void any_number_of_threads_gives_the_same_states(void **state)
{
    (void)state;
    static Hashes one[TICKS], other[TICKS];
    begin(1);
    run(0, TICKS, one);
    mod_game_end(&game);
    for (uint32_t threads = 2; threads <= 4; threads += 2) {
        begin(threads);
        run(0, TICKS, other);
        mod_game_end(&game);
        compare(one, other, 0);
    }
}

static void a_restored_simulation_runs_on_as_before(void **state)
{
    (void)state;
    static Hashes straight[TICKS], restored[TICKS];
    CnSnapshot saved;
    CnError error = {0};
    begin(1);
    run(0, SAVED_AT, straight);
    assert_true(cn_sim_save(game.sim, &saved, NULL));
    run(SAVED_AT, TICKS, straight);
    mod_game_end(&game);
    /* The blocks of the same first part, then the saved state instead of that of the ticks. */
    begin(1);
    run(0, SAVED_AT, restored);
    if (!cn_sim_restore(game.sim, saved.bytes, saved.size, &error))
        fail_msg("%s", error.message);
    run(SAVED_AT, TICKS, restored);
    compare(straight, restored, SAVED_AT);
    cn_snapshot_free(&saved);
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(any_number_of_threads_gives_the_same_states),
        TEST(a_restored_simulation_runs_on_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
