#include "metrics.h"

#include "event_log.h"

#include <cairn/base/version.h>

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Upper bounds in microseconds; a tick of 60 per second has 16,667. */
static const uint32_t bounds_us[CRAFTY_HISTOGRAM_BUCKETS] = {
    250,   500,   1000,  2000,  4000,   6000,   8000,    10000,   12000,
    16667, 25000, 33333, 50000, 100000, 250000, 1000000, 5000000, 30000000};

static const char *const refusal_names[] = {"name",    "name_taken", "banned",   "not_allowed",
                                            "full",    "version",    "protocol", "limit",
                                            "timeout", "memory"};

void crafty_histogram_add(CraftyHistogram *histogram, uint64_t duration_ns)
{
    uint32_t bucket = 0;
    while (bucket < CRAFTY_HISTOGRAM_BUCKETS && duration_ns > bounds_us[bucket] * 1000ull)
        bucket++;
    atomic_fetch_add_explicit(&histogram->counts[bucket], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&histogram->sum_ns, duration_ns, memory_order_relaxed);
}

uint64_t crafty_histogram_percentile(const CraftyHistogram *histogram, uint32_t percent)
{
    uint64_t total = 0, below = 0;
    for (uint32_t i = 0; i <= CRAFTY_HISTOGRAM_BUCKETS; i++)
        total += atomic_load(&histogram->counts[i]);
    for (uint32_t i = 0; i < CRAFTY_HISTOGRAM_BUCKETS && total > 0; i++) {
        below += atomic_load(&histogram->counts[i]);
        if (below * 100 >= total * percent)
            return bounds_us[i] * 1000ull;
    }
    return total > 0 ? UINT64_MAX : 0;
}

void crafty_metrics_set_memory(CraftyWorldMetrics *metrics, const char *tag, uint64_t bytes)
{
    for (uint32_t i = 0; i < CRAFTY_MEMORY_TAGS; i++) {
        const char *found = NULL;
        if (!atomic_compare_exchange_strong(&metrics->memory[i].tag, &found, tag) &&
            strcmp(found, tag))
            continue;
        atomic_store(&metrics->memory[i].bytes, bytes);
        return;
    }
}

const char *crafty_server_refusal_name(CraftyServerRefusal refusal)
{
    return refusal_names[refusal];
}

/* ---- Prometheus' text format ---- */

typedef struct Output {
    CnTextBuilder *text;
    bool failed;
} Output;

static void add(Output *output, const char *format, ...) CN_PRINTF_LIKE(2, 3);
static void add(Output *output, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(line, sizeof line, format, arguments);
    va_end(arguments);
    output->failed = output->failed || !cn_text_append(output->text, cn_text(line));
}

static void describe(Output *output, const char *name, const char *type, const char *help)
{
    add(output, "# HELP crafty_%s %s\n# TYPE crafty_%s %s\n", name, help, name, type);
}

/* Writes the name of a world as the value of a label. */
static const char *label(const CraftyWorldMetrics *world, char text[256])
{
    char escaped[128];
    uint32_t size = 0;
    cn_text_escape(cn_text(world->name), escaped, sizeof escaped);
    for (const char *at = escaped; *at; at++) {
        if (*at == '"' || *at == '\\')
            text[size++] = '\\';
        text[size++] = *at;
    }
    text[size] = '\0';
    return text;
}

static void add_histogram(Output *output, const char *name, const char *world,
                          const CraftyHistogram *histogram)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i <= CRAFTY_HISTOGRAM_BUCKETS; i++) {
        count += atomic_load(&histogram->counts[i]);
        if (i < CRAFTY_HISTOGRAM_BUCKETS)
            add(output, "crafty_%s_bucket{world=\"%s\",le=\"%g\"} %" PRIu64 "\n", name, world,
                bounds_us[i] * 1e-6, count);
    }
    add(output, "crafty_%s_bucket{world=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name, world, count);
    add(output, "crafty_%s_sum{world=\"%s\"} %.9f\n", name, world,
        (double)atomic_load(&histogram->sum_ns) * 1e-9);
    add(output, "crafty_%s_count{world=\"%s\"} %" PRIu64 "\n", name, world, count);
}

typedef enum Width { NUMBER_32, NUMBER_64 } Width;

static const struct {
    const char *name, *type, *help;
    size_t offset;
    Width width;
} numbers[] = {
#define NUMBER(member, width, name, type, help)                                                    \
    {                                                                                              \
        name, type, help, offsetof(CraftyWorldMetrics, member), width                              \
    }
    NUMBER(is_up, NUMBER_32, "world_up", "gauge", "1 while the world runs."),
    NUMBER(players, NUMBER_32, "players", "gauge", "Players in the world."),
    NUMBER(chunks, NUMBER_64, "chunks", "gauge", "Chunks in memory."),
    NUMBER(ticks_late, NUMBER_64, "ticks_late_total", "counter",
           "Ticks that began more than a tick after they were due."),
    NUMBER(ticks_skipped, NUMBER_64, "ticks_skipped_total", "counter",
           "Ticks left out because the server could not catch up."),
    NUMBER(saves, NUMBER_64, "saves_total", "counter", "Saves that are durable."),
    NUMBER(saves_failed, NUMBER_64, "saves_failed_total", "counter", "Saves that failed."),
    NUMBER(saved_at, NUMBER_64, "saved_timestamp_seconds", "gauge", "Time of the last save."),
    NUMBER(backups, NUMBER_64, "backups_total", "counter", "Backups that were verified."),
    NUMBER(backups_failed, NUMBER_64, "backups_failed_total", "counter", "Backups that failed."),
    NUMBER(backup_at, NUMBER_64, "backup_timestamp_seconds", "gauge", "Time of the last backup."),
    NUMBER(backup_bytes, NUMBER_64, "backup_bytes", "gauge", "Size of the last backup."),
    NUMBER(commands_refused, NUMBER_64, "commands_refused_total", "counter",
           "Commands of players that the rules refused."),
    NUMBER(joins, NUMBER_64, "joins_total", "counter", "Players who joined."),
    NUMBER(leaves, NUMBER_64, "leaves_total", "counter", "Players who left."),
    NUMBER(bytes_in, NUMBER_64, "received_bytes_total", "counter", "Bytes received."),
    NUMBER(bytes_out, NUMBER_64, "sent_bytes_total", "counter", "Bytes sent."),
    NUMBER(packets_in, NUMBER_64, "received_packets_total", "counter", "Packets received."),
    NUMBER(packets_out, NUMBER_64, "sent_packets_total", "counter", "Packets sent."),
    NUMBER(packets_dropped, NUMBER_64, "dropped_packets_total", "counter",
           "Packets that were dropped as garbage or above a limit."),
#undef NUMBER
};

static void add_numbers(Output *output, const CraftyServerMetrics *metrics)
{
    char text[256];
    for (uint32_t i = 0; i < CN_COUNT_OF(numbers); i++) {
        describe(output, numbers[i].name, numbers[i].type, numbers[i].help);
        for (uint32_t k = 0; k < metrics->world_count; k++) {
            const void *at = (const uint8_t *)&metrics->worlds[k] + numbers[i].offset;
            uint64_t value = numbers[i].width == NUMBER_32
                                 ? atomic_load((const _Atomic uint32_t *)at)
                                 : atomic_load((const _Atomic uint64_t *)at);
            add(output, "crafty_%s{world=\"%s\"} %" PRIu64 "\n", numbers[i].name,
                label(&metrics->worlds[k], text), value);
        }
    }
}

static void add_tables(Output *output, const CraftyServerMetrics *metrics)
{
    char text[256];
    describe(output, "connections_refused_total", "counter", "Connections refused, by reason.");
    for (uint32_t k = 0; k < metrics->world_count; k++)
        for (uint32_t i = 0; i < CRAFTY_SERVER_REFUSED_COUNT; i++)
            add(output,
                "crafty_connections_refused_total{world=\"%s\",reason=\"%s\"} %" PRIu64 "\n",
                label(&metrics->worlds[k], text), refusal_names[i],
                atomic_load(&metrics->worlds[k].refused[i]));
    describe(output, "memory_bytes", "gauge", "Memory of a world, by use.");
    for (uint32_t k = 0; k < metrics->world_count; k++)
        for (uint32_t i = 0; i < CRAFTY_MEMORY_TAGS; i++) {
            uint64_t bytes = atomic_load(&metrics->worlds[k].memory[i].bytes);
            if (bytes > 0)
                add(output, "crafty_memory_bytes{world=\"%s\",tag=\"%s\"} %" PRIu64 "\n",
                    label(&metrics->worlds[k], text),
                    atomic_load(&metrics->worlds[k].memory[i].tag), bytes);
        }
    describe(output, "tick_seconds", "histogram", "Time of a tick, with the network.");
    for (uint32_t k = 0; k < metrics->world_count; k++)
        add_histogram(output, "tick_seconds", label(&metrics->worlds[k], text),
                      &metrics->worlds[k].tick);
    describe(output, "save_seconds", "histogram", "Time from the begin of a save until durable.");
    for (uint32_t k = 0; k < metrics->world_count; k++)
        add_histogram(output, "save_seconds", label(&metrics->worlds[k], text),
                      &metrics->worlds[k].save);
}

static uint64_t resident_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void add_process(Output *output, const CraftyServerMetrics *metrics)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                 (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    describe(output, "build_info", "gauge", "The version of the program.");
    add(output, "crafty_build_info{version=\"%s\"} 1\n", cn_version());
    describe(output, "start_timestamp_seconds", "gauge", "When the server was started.");
    add(output, "crafty_start_timestamp_seconds %" PRIu64 "\n", metrics->started_at);
    describe(output, "cpu_seconds_total", "counter", "CPU time of the process.");
    add(output, "crafty_cpu_seconds_total %.3f\n", cpu);
    describe(output, "resident_memory_bytes", "gauge", "Memory of the process.");
    add(output, "crafty_resident_memory_bytes %" PRIu64 "\n", resident_bytes());
    describe(output, "reloads_total", "counter", "Times that the settings were read again.");
    add(output, "crafty_reloads_total{result=\"done\"} %" PRIu64 "\n",
        atomic_load(&metrics->reloads));
    add(output, "crafty_reloads_total{result=\"failed\"} %" PRIu64 "\n",
        atomic_load(&metrics->reloads_failed));
    describe(output, "log_lines_lost_total", "counter", "Lines of the log that were not written.");
    add(output, "crafty_log_lines_lost_total %" PRIu64 "\n", crafty_event_log_lost());
}

bool crafty_metrics_write(const CraftyServerMetrics *metrics, CnTextBuilder *text)
{
    Output output = {.text = text};
    add_process(&output, metrics);
    add_numbers(&output, metrics);
    add_tables(&output, metrics);
    return !output.failed;
}
