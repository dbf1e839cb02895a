/*
 * Numbers about a server that runs, as Prometheus reads them.
 *
 *     atomic_fetch_add(&metrics->bytes_in, size);              // any thread
 *     crafty_histogram_add(&metrics->worlds[0].tick, tick_ns);
 *     crafty_metrics_write(metrics, &text);                    // any thread
 *
 * Counters only grow; gauges are set. Each number is consistent in itself, not with the others.
 */
#ifndef CRAFTY_SERVER_METRICS_H
#define CRAFTY_SERVER_METRICS_H

#include "settings.h"

#include <stdatomic.h>

#define CRAFTY_HISTOGRAM_BUCKETS 18u
#define CRAFTY_MEMORY_TAGS 16u

/* Times in nanoseconds. */
typedef struct CraftyHistogram {
    _Atomic uint64_t counts[CRAFTY_HISTOGRAM_BUCKETS + 1]; /* the last one: longer than all */
    _Atomic uint64_t sum_ns;
} CraftyHistogram;

void crafty_histogram_add(CraftyHistogram *histogram, uint64_t duration_ns);
/* Returns an upper bound of the time that `percent` of all are below; 0 without any. */
uint64_t crafty_histogram_percentile(const CraftyHistogram *histogram, uint32_t percent);

typedef enum CraftyServerRefusal {
    CRAFTY_SERVER_REFUSED_NAME,
    CRAFTY_SERVER_REFUSED_NAME_TAKEN,
    CRAFTY_SERVER_REFUSED_BANNED,
    CRAFTY_SERVER_REFUSED_NOT_ALLOWED,
    CRAFTY_SERVER_REFUSED_FULL,
    CRAFTY_SERVER_REFUSED_VERSION,
    CRAFTY_SERVER_REFUSED_PROTOCOL, /* malformed or out of order */
    CRAFTY_SERVER_REFUSED_LIMIT,    /* too many from one address, or in total */
    CRAFTY_SERVER_REFUSED_TIMEOUT,
    CRAFTY_SERVER_REFUSED_MEMORY,
    CRAFTY_SERVER_REFUSED_COUNT
} CraftyServerRefusal;

typedef struct CraftyWorldMetrics {
    char name[64]; /* set before the metrics are read */
    _Atomic uint32_t is_up;
    _Atomic uint32_t players;
    _Atomic uint64_t chunks;
    CraftyHistogram tick;           /* time of a tick with the hooks of the network */
    _Atomic uint64_t ticks_late;    /* began more than a tick after they were due */
    _Atomic uint64_t ticks_skipped; /* left out, because the server could not catch up */
    _Atomic uint64_t saves, saves_failed;
    CraftyHistogram save;      /* from the begin of a save until it is durable */
    _Atomic uint64_t saved_at; /* seconds since 1970; 0: not yet */
    _Atomic uint64_t backups, backups_failed, backup_at, backup_bytes;
    _Atomic uint64_t commands_refused; /* of players */
    /* The network. */
    _Atomic uint64_t joins, leaves;
    _Atomic uint64_t bytes_in, bytes_out, packets_in, packets_out, packets_dropped;
    _Atomic uint64_t refused[CRAFTY_SERVER_REFUSED_COUNT];
    struct {
        _Atomic(const char *) tag;
        _Atomic uint64_t bytes;
    } memory[CRAFTY_MEMORY_TAGS];
} CraftyWorldMetrics;

typedef struct CraftyServerMetrics {
    CraftyWorldMetrics worlds[CRAFTY_SERVER_WORLDS];
    uint32_t world_count;
    uint64_t started_at; /* seconds since 1970 */
    _Atomic uint64_t reloads, reloads_failed;
} CraftyServerMetrics;

/* Sets the memory for a use, such as "blocks"; any thread. `tag` is a string literal. Uses beyond
 * CRAFTY_MEMORY_TAGS are left out. */
void crafty_metrics_set_memory(CraftyWorldMetrics *metrics, const char *tag, uint64_t bytes);
const char *crafty_server_refusal_name(CraftyServerRefusal refusal); /* "name_taken" */
/* Appends everything in Prometheus' text format. Returns false when out of memory. */
bool crafty_metrics_write(const CraftyServerMetrics *metrics, CnTextBuilder *text);

#endif
