/* Saving a world of a server: autosaves and saves that are waited for. */
#include "world_host_internal.h"

#include <cairn/base/clock.h>

#include <time.h>

#define FLUSH_MS 30000u
#define HURRY_MS 3000u
#define FLUSH_STEP_MS 100u

static uint64_t now_seconds(void)
{
    return (uint64_t)time(NULL);
}

/* Notes a save that has become durable. */
static void note_saved(CraftyWorldHost *host)
{
    CraftyWorldMetrics *metrics = host->desc.metrics;
    if (!host->save_began_ns || crafty_save_is_building(host->save) ||
        crafty_save_durable_tick(host->save) < host->save_began_tick)
        return;
    crafty_histogram_add(&metrics->save, cn_clock_ns() - host->save_began_ns);
    atomic_fetch_add(&metrics->saves, 1);
    atomic_store(&metrics->saved_at, now_seconds());
    host->save_began_ns = 0;
}

static bool begin_or_continue(CraftyWorldHost *host, CnError *error)
{
    CraftyWorld *world = crafty_session_world(host->session);
    CnSim *sim = crafty_session_sim(host->session);
    uint64_t pause_ns = host->settings.autosave * UINT64_C(1000000000), now = cn_clock_ns();
    bool is_due = !crafty_save_is_building(host->save) && host->save_began_ns == 0 &&
                  now - host->last_save_ns >= pause_ns;
    if (!is_due)
        return crafty_save_continue(host->save, world, error);
    host->save_began_ns = host->last_save_ns = now;
    host->save_began_tick = cn_sim_tick(sim);
    return crafty_save_begin(host->save, world, sim, error);
}

/* A failed save is reported once; the next one contains everything. */
void crafty_world_host_save_if_due(CraftyWorldHost *host)
{
    CnError error = {0};
    CnStoreStatus status = {0};
    bool done = begin_or_continue(host, &error);
    if (!done)
        host->save_began_ns = 0;
    note_saved(host);
    if (done) {
        cn_store_status(crafty_save_store(host->save), &status);
        done = status.state == CN_STORE_OK;
        error = status.error;
    }
    if (!done && !host->save_failed) {
        atomic_fetch_add(&host->desc.metrics->saves_failed, 1);
        crafty_world_host_log_error(host, "save_failed", &error);
        if (host->network && host->desc.network->say)
            host->desc.network->say(host->network, "The server cannot save at the moment.");
    } else if (done && host->save_failed) {
        CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "save_works_again",
                     CRAFTY_FIELD("world", host->world->name));
    }
    host->save_failed = !done;
}

/* Waits until everything submitted is durable; shorter once the server hurries. */
static bool flush(CraftyWorldHost *host, CnError *error)
{
    uint64_t begin_ns = cn_clock_ns();
    for (;;) {
        uint64_t limit_ms = atomic_load(&host->hurries) ? HURRY_MS : FLUSH_MS;
        if (crafty_save_flush(host->save, FLUSH_STEP_MS, error))
            return true;
        if (cn_clock_ns() - begin_ns > limit_ms * 1000000)
            return false;
        cn_error_clear(error);
    }
}

bool crafty_world_host_save_now(CraftyWorldHost *host, CnError *error)
{
    host->save_began_ns = cn_clock_ns();
    host->save_began_tick = cn_sim_tick(crafty_session_sim(host->session));
    bool done = crafty_save_write(host->save, crafty_session_world(host->session),
                                  crafty_session_sim(host->session), error) &&
                flush(host, error);
    if (done)
        note_saved(host);
    else
        atomic_fetch_add(&host->desc.metrics->saves_failed, 1);
    host->save_began_ns = 0;
    return done;
}
