/*
 * The simulation in a world file, with a checksum that fits, so that what is behind it is read: a
 * state is refused, or it is restored, is the same when it is saved and restored again, and the
 * game runs on from it.
 */
#include "fuzz_surface.h"

#include "sim/sim_internal.h"

#include <crafty/replay/session.h>

#include <cairn/base/log.h>
#include <cairn/sim/save.h>

#include <string.h>

enum { TRAILER_BYTES = 24, TICK_EVERY = 16 };

static CraftySession *session;

static CnSim *sim(void)
{
    if (!session) { /* kept: creating one takes long */
        cn_log_set_level(CN_LOG_LEVEL_OFF);
        session =
            crafty_session_create(&(CraftySessionDesc){.start = {.seed = 42,
                                                                 .viewer = CRAFTY_VIEWER_FLIES,
                                                                 .pose = {.position = {8, 300, 8}},
                                                                 .hours = 9.5f,
                                                                 .torches = 1},
                                                       .threads = 1},
                                  NULL);
        FUZZ_CHECK(session);
    }
    return crafty_session_sim(session);
}

static void save(CnSnapshot *snapshot)
{
    FUZZ_CHECK(cn_sim_save(sim(), snapshot, NULL));
}

static void add_seed(FuzzSeeds *seeds)
{
    CnSnapshot snapshot;
    save(&snapshot);
    uint8_t *row = cn_alloc(NULL, snapshot.size + TRAILER_BYTES);
    FUZZ_CHECK(row);
    const uint64_t numbers[2] = {cn_sim_tick(sim()), cn_sim_hash(sim())};
    memcpy(row, snapshot.bytes, snapshot.size);
    memcpy(row + snapshot.size, numbers, sizeof numbers);
    memcpy(row + snapshot.size + sizeof numbers, "CNSAVE1\n", 8);
    fuzz_add(seeds, row, snapshot.size + TRAILER_BYTES);
    cn_free(NULL, row, snapshot.size + TRAILER_BYTES);
    cn_snapshot_free(&snapshot);
}

static void add_seeds(FuzzSeeds *seeds)
{
    add_seed(seeds);
    FUZZ_CHECK(cn_sim_tick_n(sim(), 3, NULL));
    add_seed(seeds);
}

static void check_again(void)
{
    CnSnapshot snapshot;
    uint64_t hash = cn_sim_hash(sim());
    save(&snapshot);
    FUZZ_CHECK(cn_sim_restore(sim(), snapshot.bytes, snapshot.size, NULL));
    FUZZ_CHECK(cn_sim_hash(sim()) == hash);
    cn_snapshot_free(&snapshot);
}

/* Computes the checksum of the world's data anew. */
static void reseal(uint8_t *row, size_t size)
{
    size_t world_size;
    if (size < TRAILER_BYTES + 8 ||
        !cni_sim_state_sections_split(row, size - TRAILER_BYTES, &world_size, &(CnError){0}) ||
        world_size < 8)
        return;
    uint64_t checksum = cn_hash_bytes(row, world_size - 8, 0);
    memcpy(row + world_size - 8, &checksum, sizeof checksum);
}

static bool restore(const uint8_t *bytes, size_t size, CnError *error)
{
    CnSimSaved saved;
    uint8_t *row = cn_alloc(NULL, size ? size : 1);
    FUZZ_CHECK(row);
    if (size)
        memcpy(row, bytes, size);
    reseal(row, size);
    bool accepted = cni_sim_restore_row(sim(), row, size, &saved, error);
    cn_free(NULL, row, size ? size : 1);
    return accepted;
}

static bool run(const uint8_t *bytes, size_t size)
{
    static uint32_t accepted_count;
    CnError error = {0};
    bool accepted = restore(bytes, size, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    if (accepted) {
        FUZZ_CHECK(crafty_sim_complete(cn_sim_world(sim()), &error));
        check_again();
        if (accepted_count++ % TICK_EVERY == 0)
            cn_sim_tick_n(sim(), 1, &error); /* it may refuse, but not crash */
    }
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 65536, .test_runs = 500, .add_seeds = add_seeds, .run = run};
