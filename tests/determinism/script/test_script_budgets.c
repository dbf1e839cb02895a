/* Budgets stop scripts at the same instruction, however fast the machine is. */
#include "cmocka_tests.h"
#include "script_owners.h"

#include <pthread.h>
#include <stdatomic.h>

#define TICKS 30
#define THREADS 6

static const char *const mods[] = {
    /* Each leaves a trace of how far it came. */
    "function on_update() local n = 0 pcall(function() while true do n = n + 1 "
    "this.position = Vec3(n, 0, 0) end end) end",
    "local x = ('x'):rep(30000) local a, b = x .. 'a', x .. 'b' local n = 0\n"
    "function on_update() for i = 1, 40 do "
    "if a < b then n = n + 1 end this.position = Vec3(n, i, 0) "
    "end end",
    "local n = 0 for i = 1, 200 do subscribe('own', function(e) n = n + #e "
    "this.position = Vec3(n, 0, 0) end) end\n"
    "function on_update() for i = 1, 30 do send('own', {1, 2, 3}) end end",
};

/* Stores the hash after each tick. */
static void run(uint64_t hashes[TICKS])
{
    static const CnScriptDesc limits = {
        .memory_bytes = 4u << 20, .instructions_per_call = 100000, .instructions_per_tick = 300000};
    static char paths[CN_COUNT_OF(mods)][32]; /* files keep them */
    ScriptOwners w;
    assert_true(script_owners_init(&w, &limits));
    for (uint32_t i = 0; i < CN_COUNT_OF(mods); i++) {
        cn_format(paths[i], sizeof paths[i], "mods://mod%u/a.lua", i);
        script_owners_add(&w, paths[i], mods[i]);
    }
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_true(script_owners_tick(&w, 1));
        hashes[i] = cn_sim_hash(w.world.sim);
    }
    assert_int_equal(cn_script_stats(w.world.world).watchdog_stops, 0);
    script_owners_fini(&w);
}

static atomic_bool ends;

static void *spin(void *user)
{
    (void)user;
    while (!atomic_load(&ends)) {
    }
    return NULL;
}

static void a_busy_machine_gives_the_same_states(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint64_t alone[TICKS], busy[TICKS];
    pthread_t threads[THREADS];
    run(alone);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, spin, NULL), 0);
    run(busy);
    atomic_store(&ends, true);
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_memory_equal(alone, busy, sizeof alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_busy_machine_gives_the_same_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
