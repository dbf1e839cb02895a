#include "session.h"

#include "swarm/swarm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool report(const CnError *error)
{
    char text[512];
    fprintf(stderr, "cairn: %s\n", cn_error_text(error, text, sizeof text));
    return false;
}

/* ---- Beginning and end ---- */

static bool add_demo(Session *session, CnError *error)
{
    const char *demo = session->desc.demo;
    if (!strcmp(demo, "swarm"))
        return swarm_add(session->sim, &(SwarmDesc){session->desc.entities}, error);
    if (!strcmp(demo, "empty"))
        return true;
    return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no demo %s; there are swarm and empty",
                        demo);
}

static bool load_plugins(Session *session, CnError *error)
{
    const OptionList *plugins = &session->desc.plugins;
    for (uint32_t i = 0; i < plugins->count; i++)
        if (!cn_plugin_load(session->plugins, plugins->items[i], error))
            return false;
    return true;
}

bool session_begin(Session *session, const SessionDesc *desc)
{
    CnError error = {0};
    *session = (Session){.desc = *desc};
    session->heap = cn_heap_create(NULL);
    if (desc->threads != 1) {
        uint32_t workers = desc->threads ? desc->threads - 1 : CN_JOBS_AUTO;
        session->jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = workers});
    }
    if (!session->heap || (desc->threads != 1 && !session->jobs)) {
        cn_error_set(&error, CN_ERROR_MEMORY, "out of memory or threads");
        return report(&error);
    }
    session->sim = cn_sim_create(&(CnSimDesc){.allocator = cn_heap_tag(session->heap, "sim"),
                                              .jobs = session->jobs,
                                              .tick_hz = desc->tick_hz,
                                              .seed = desc->seed},
                                 &error);
    if (!session->sim)
        return report(&error);
    session->plugins = cn_plugin_host_create(session->sim, &error);
    if (!session->plugins || !add_demo(session, &error) ||
        !cn_modules_add(session->sim, cn_module_table, &error) || !load_plugins(session, &error))
        return report(&error);
    return true;
}

void session_end(Session *session)
{
    cn_plugin_host_destroy(session->plugins);
    cn_sim_destroy(session->sim);
    cn_job_pool_destroy(session->jobs);
    if (session->heap)
        cn_heap_destroy(session->heap);
    *session = (Session){0};
}

bool session_save(const Session *session, const char *path)
{
    CnError error = {0};
    CnSnapshot snapshot;
    if (!cn_sim_save(session->sim, &snapshot, &error))
        return report(&error);
    bool done = cn_file_write_all(cn_native_files(), path, snapshot.bytes, snapshot.size, &error);
    cn_snapshot_free(&snapshot);
    return done || report(&error);
}

/* ---- Settings of recordings ---- */

void session_settings(const SessionDesc *desc, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "demo=%s entities=%u hand=%" PRIu64, desc->demo, desc->entities,
             desc->hand);
}

static bool word_value(const char *text, const char *name, char *value, size_t bytes)
{
    const char *at = strstr(text, name);
    if (!at)
        return false;
    at += strlen(name);
    size_t length = strcspn(at, " ");
    if (length >= bytes)
        return false;
    memcpy(value, at, length);
    value[length] = '\0';
    return true;
}

bool session_from_settings(SessionDesc *desc, const char *text)
{
    static char demo[64];
    char number[32];
    if (!word_value(text, "demo=", demo, sizeof demo) ||
        !word_value(text, "entities=", number, sizeof number))
        return false;
    desc->demo = demo;
    desc->entities = (uint32_t)strtoul(number, NULL, 10);
    return desc->entities > 0;
}

/* ---- Running ---- */

void session_report(const Session *session)
{
    char text[128];
    if (strcmp(session->desc.demo, "swarm"))
        return;
    swarm_report(session->sim, text, sizeof text);
    printf("%s\n", text);
}

static void show_progress(uint64_t done, uint64_t total, uint64_t start_ns, bool last)
{
    static uint64_t shown_ns;
    uint64_t now = cn_clock_ns();
    if (!isatty(STDERR_FILENO) || (!last && now - shown_ns < 250000000u))
        return;
    shown_ns = now;
    double seconds = cn_seconds(now - start_ns);
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " ticks, %.0f a second%s", done, total,
            seconds > 0 ? (double)done / seconds : 0, last ? "\n" : "   ");
}

bool session_run(Session *session, uint64_t ticks)
{
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    for (uint64_t i = 0; i < ticks; i++) {
        if (session->desc.hand)
            swarm_play(session->sim, session->desc.hand, cn_sim_tick(session->sim));
        if (!cn_sim_tick_n(session->sim, 1, &error))
            return report(&error);
        if (i % 16 == 0)
            show_progress(i, ticks, start, false);
    }
    show_progress(ticks, ticks, start, true);
    return true;
}
