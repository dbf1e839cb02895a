/* crafty-bots: connects many clients without a screen to a server, and reports how they fared. */
#include "bot.h"
#include "options.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define TICK_HZ 60u
#define TICK_NS (1000000000u / TICK_HZ)
#define JOIN_SECONDS 60u /* that all bots may take to join, beside the pauses between them */
#define LEAVE_TICKS 30u

/* The bots of one thread. */
typedef struct Crew {
    const CraftyBotsOptions *options;
    uint32_t first, count; /* numbers from `first` on */
    CraftyBot **bots;
    uint64_t *due_ns; /* when the next tick of a bot is due */
    uint64_t start_ns, end_ns;
    uint64_t bytes_sent, bytes_received; /* at the start */
    CnError error;
    bool has_failed;
} Crew;

static bool fail(Crew *crew, const CnError *error)
{
    if (!crew->has_failed)
        crew->error = *error;
    crew->has_failed = true;
    return false;
}

static bool begin_bot(Crew *crew, uint32_t index)
{
    const CraftyBotsOptions *options = crew->options;
    CnError error = {0};
    CraftyBotDesc desc = {.address = options->server,
                          .seed = options->seed,
                          .number = crew->first + index,
                          .view_distance = options->view_distance,
                          .conditions = options->conditions,
                          .is_quiet = options->quiet,
                          .stays = options->stay};
    crew->bots[index] = crafty_bot_create(&desc, &error);
    crew->due_ns[index] = cn_clock_ns();
    return crew->bots[index] || fail(crew, &error);
}

/* Runs the ticks that are due, and returns when the next one is. */
static uint64_t run_due(Crew *crew)
{
    uint64_t now = cn_clock_ns(), next = now + TICK_NS;
    for (uint32_t i = 0; i < crew->count; i++) {
        CnError error = {0};
        if (!crew->bots[i])
            continue;
        if (crew->due_ns[i] <= now) {
            if (!crafty_bot_tick(crew->bots[i], &error))
                fail(crew, &error);
            float scale = crafty_bot_time_scale(crew->bots[i]);
            crew->due_ns[i] += (uint64_t)((float)TICK_NS / scale);
            if (crew->due_ns[i] + 15 * (uint64_t)TICK_NS < now) /* this machine is too slow */
                crew->due_ns[i] = now;
        }
        next = crew->due_ns[i] < next ? crew->due_ns[i] : next;
    }
    return next;
}

static void wait_until(uint64_t time_ns)
{
    uint64_t now = cn_clock_ns();
    if (time_ns > now)
        cn_clock_sleep_ns(time_ns - now);
}

static bool all_play(const Crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        CraftyBotReport report;
        if (!crew->bots[i])
            return false;
        crafty_bot_report(crew->bots[i], &report);
        if (report.state != CRAFTY_NET_PLAYS && report.state != CRAFTY_NET_LEFT)
            return false;
    }
    return true;
}

static void count_bytes(const Crew *crew, uint64_t *sent, uint64_t *received)
{
    *sent = *received = 0;
    for (uint32_t i = 0; i < crew->count; i++) {
        CraftyBotReport report = {0};
        if (crew->bots[i])
            crafty_bot_report(crew->bots[i], &report);
        *sent += report.connection.bytes_sent;
        *received += report.connection.bytes_received;
    }
}

static void *run_crew(void *user)
{
    Crew *crew = user;
    const CraftyBotsOptions *options = crew->options;
    uint64_t begin = cn_clock_ns();
    uint64_t pause = 1000000000ull * options->threads / options->joins_per_second;
    uint64_t limit = begin + pause * crew->count + JOIN_SECONDS * 1000000000ull;
    for (uint32_t joined = 0; !crew->has_failed && cn_clock_ns() < limit && !all_play(crew);) {
        if (joined < crew->count && cn_clock_ns() >= begin + pause * joined &&
            !begin_bot(crew, joined++))
            return NULL;
        wait_until(run_due(crew));
    }
    crew->start_ns = cn_clock_ns();
    count_bytes(crew, &crew->bytes_sent, &crew->bytes_received);
    crew->end_ns = crew->start_ns + options->seconds * 1000000000ull;
    while (!crew->has_failed && cn_clock_ns() < crew->end_ns)
        wait_until(run_due(crew));
    return NULL;
}

/* ---- The result ---- */

typedef struct Total {
    uint32_t bots, connected;
    uint64_t corrections, ticks, snapshots, edits, chunks, compared, different;
    uint64_t broken, placed, said, heard, entities;
    uint64_t bytes_down, bytes_up; /* in a second */
    uint64_t rtt_us;
    float largest_correction;
    char reason[CN_NET_REASON_BYTES]; /* of the first bot that left */
} Total;

static void add_crew(Total *total, Crew *crew)
{
    uint64_t sent, received;
    count_bytes(crew, &sent, &received);
    total->bytes_up += (sent - crew->bytes_sent) / crew->options->seconds;
    total->bytes_down += (received - crew->bytes_received) / crew->options->seconds;
    for (uint32_t i = 0; i < crew->count; i++) {
        CraftyBotReport report = {0};
        if (crew->bots[i])
            crafty_bot_report(crew->bots[i], &report);
        bool plays = report.state == CRAFTY_NET_PLAYS;
        total->bots++;
        total->connected += plays;
        total->corrections += report.client.corrections;
        total->ticks += report.client.ticks;
        total->snapshots += report.client.snapshots;
        total->edits += report.client.edits;
        total->chunks += report.client.chunks;
        total->compared += report.client.columns_compared;
        total->different += report.client.columns_different;
        total->broken += report.broken;
        total->placed += report.placed;
        total->said += report.said;
        total->heard += report.heard;
        total->entities += report.client.entities;
        total->rtt_us += report.connection.rtt_us;
        if (report.client.largest_correction > total->largest_correction)
            total->largest_correction = report.client.largest_correction;
        if (!plays && !total->reason[0])
            cn_copy_text(total->reason, sizeof total->reason,
                         cn_text(report.reason[0] ? report.reason : "It has not joined in time."));
    }
}

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void print_total(const Total *total, bool json, double cpu)
{
    const char *form =
        json ? "{\"bots\": %u, \"connected\": %u, \"ticks\": %" PRIu64 ", \"snapshots\": %" PRIu64
               ", \"corrections\": %" PRIu64 ", \"largest_correction\": %.3f, \"edits\": %" PRIu64
               ", \"chunks\": %" PRIu64 ", \"columns_compared\": %" PRIu64
               ", \"columns_different\": %" PRIu64 ", \"broken\": %" PRIu64 ", \"placed\": %" PRIu64
               ", \"said\": %" PRIu64 ", \"heard\": %" PRIu64
               ", \"bytes_down_per_second\": %" PRIu64 ", \"bytes_up_per_second\": %" PRIu64
               ", \"entities\": %.1f, \"rtt_ms\": %.2f, \"cpu_seconds\": %.2f}\n"
             : "bots %u, connected %u\nticks %" PRIu64 ", snapshots %" PRIu64
               ", corrections %" PRIu64 " (largest %.3f blocks)\nedits %" PRIu64 ", chunks %" PRIu64
               ", columns compared %" PRIu64 ", different %" PRIu64 "\nblocks broken %" PRIu64
               ", placed %" PRIu64 "; lines said %" PRIu64 ", heard %" PRIu64
               "\nbytes a second for each: %" PRIu64 " down, %" PRIu64
               " up; entities %.1f; round trip %.2f ms; CPU %.2f s\n";
    double bots = total->bots ? total->bots : 1;
    printf(form, total->bots, total->connected, total->ticks, total->snapshots, total->corrections,
           (double)total->largest_correction, total->edits, total->chunks, total->compared,
           total->different, total->broken, total->placed, total->said, total->heard,
           (uint64_t)((double)total->bytes_down / bots), (uint64_t)((double)total->bytes_up / bots),
           (double)total->entities / bots, (double)total->rtt_us / bots / 1000, cpu);
}

static void end_crew(Crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->bots[i])
            crafty_bot_leave(crew->bots[i]);
    for (uint32_t tick = 0; tick < LEAVE_TICKS; tick++)
        wait_until(run_due(crew));
    for (uint32_t i = 0; i < crew->count; i++)
        crafty_bot_destroy(crew->bots[i]);
    free(crew->bots);
    free(crew->due_ns);
}

static bool make_crew(Crew *crew, const CraftyBotsOptions *options, uint32_t number)
{
    uint32_t first = (uint32_t)((uint64_t)options->count * number / options->threads);
    uint32_t end = (uint32_t)((uint64_t)options->count * (number + 1) / options->threads);
    *crew = (Crew){.options = options, .first = first + 1, .count = end - first};
    crew->bots = calloc(crew->count + 1, sizeof *crew->bots);
    crew->due_ns = calloc(crew->count + 1, sizeof *crew->due_ns);
    return crew->bots && crew->due_ns;
}

static int run(const CraftyBotsOptions *options)
{
    Crew *crews = calloc(options->threads, sizeof *crews);
    pthread_t *threads = calloc(options->threads, sizeof *threads);
    Total total = {0};
    bool has_failed = !crews || !threads;
    for (uint32_t i = 0; i < options->threads && !has_failed; i++)
        has_failed = !make_crew(&crews[i], options, i) ||
                     pthread_create(&threads[i], NULL, run_crew, &crews[i]) != 0;
    if (has_failed) {
        cn_print_error("crafty-bots: not enough memory for the bots");
        exit(1); /* threads may run */
    }
    for (uint32_t i = 0; i < options->threads; i++) {
        pthread_join(threads[i], NULL);
        if (crews[i].has_failed)
            cn_print_error("crafty-bots: %s", crews[i].error.message);
        has_failed = has_failed || crews[i].has_failed;
    }
    for (uint32_t i = 0; i < options->threads; i++)
        add_crew(&total, &crews[i]);
    print_total(&total, options->json, cpu_seconds());
    if (total.connected < total.bots)
        cn_print_error("crafty-bots: %u of %u bots left: %s", total.bots - total.connected,
                       total.bots, total.reason);
    for (uint32_t i = 0; i < options->threads; i++)
        end_crew(&crews[i]);
    free(threads);
    free(crews);
    bool agrees = total.different == 0 && total.compared > 0;
    return has_failed || total.connected < total.bots || !agrees;
}

int main(int count, char **arguments)
{
    CraftyBotsOptions options;
    CraftyBotsParse parsed = crafty_bots_options_read(&options, count, arguments);
    if (parsed != CRAFTY_BOTS_RUN)
        return parsed == CRAFTY_BOTS_HELPED ? 0 : 2;
    if (options.threads > options.count)
        options.threads = options.count;
    return run(&options);
}
