/*
 * The cost of saving: what handing a batch to the writer thread costs a tick, beside writing the
 * same rows synchronously in the tick; commits per second, bytes per row, and opening a large
 * store. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/base/file.h>
#include <cairn/store.h>

#include <stdio.h>
#include <string.h>

enum { CHUNKS, EDITS, TABLES, ROW_BYTES = 24, TICK_ROWS = 200, MAX_TICKS = 1000 };

static const CnStoreTableDesc tables[TABLES] = {
    [CHUNKS] = {.name = "chunks", .kind = CN_STORE_BY_NUMBER, .compress_above_bytes = 256},
    [EDITS] = {.name = "edits", .kind = CN_STORE_LOG},
};

static const char *path = "bench_store.cairn";

static void remove_file(void)
{
    remove(path);
    remove("bench_store.cairn-wal");
}

static CnStore *open_store(void)
{
    CnError error = {0};
    CnStoreDesc desc = {.path = path,
                        .application = "bench",
                        .version = 1,
                        .tables = tables,
                        .table_count = TABLES,
                        .queue_capacity = 1024};
    CnStore *store = cn_store_create(&desc, &error);
    if (!store) {
        fprintf(stderr, "bench_store: %s\n", error.message);
        exit(1);
    }
    return store;
}

static void must(bool done, const CnError *error)
{
    if (!done) {
        fprintf(stderr, "bench_store: %s\n", error->message);
        exit(1);
    }
}

static CnStoreBatch *make_batch(CnStore *store, uint32_t rows, uint64_t seed)
{
    CnError error = {0};
    CnStoreBatch *batch = cn_store_batch_create(store, &error);
    must(batch, &error);
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t row[ROW_BYTES / 8] = {seed, i, seed * 31 + i};
        must(cn_store_batch_append(batch, EDITS, row, sizeof row, &error), &error);
    }
    return batch;
}

static void print(const char *name, double value, const char *unit, bool json)
{
    if (json)
        printf("{\"workload\":\"%s\",\"value\":%.3f,\"unit\":\"%s\"}\n", name, value, unit);
    else
        printf("%-34s %14.1f %s\n", name, value, unit);
}

static double percentile(const uint64_t *sorted, uint32_t count, uint32_t percent)
{
    return (double)sorted[(count - 1) * percent / 100];
}

static void print_times(const char *name, uint64_t *times, uint32_t count, bool json)
{
    char label[64];
    measure_summarize(times, count); /* sorts */
    static const uint32_t percents[] = {50, 99, 100};
    static const char *const names[] = {"median", "99 %", "largest"};
    for (uint32_t i = 0; i < CN_COUNT_OF(percents); i++) {
        cn_format(label, sizeof label, "%s, %s", name, names[i]);
        print(label, percentile(times, count, percents[i]), "ns", json);
    }
}

/* A tick that hands its batch over, and one that waits until it is durable. */
static void measure_ticks(uint32_t ticks, bool json)
{
    static uint64_t build[MAX_TICKS], hand_over[MAX_TICKS], own[MAX_TICKS], wait[MAX_TICKS];
    CnError error = {0};
    CnStore *store = open_store();
    for (uint32_t i = 0; i < ticks; i++) {
        uint64_t start = cn_clock_ns();
        CnStoreBatch *batch = make_batch(store, TICK_ROWS, i);
        uint64_t before = cn_clock_thread_ns(), built = cn_clock_ns();
        must(cn_store_submit(store, batch) > 0, &(CnError){.message = "the queue is full"});
        hand_over[i] = cn_clock_ns() - built;
        own[i] = cn_clock_thread_ns() - before;
        build[i] = built - start;
        cn_clock_sleep_ns(2000000);
    }
    must(cn_store_flush(store, 60000, &error), &error);
    for (uint32_t i = 0; i < ticks; i++) {
        CnStoreBatch *batch = make_batch(store, TICK_ROWS, i);
        uint64_t start = cn_clock_ns();
        must(cn_store_submit(store, batch) > 0, &(CnError){.message = "the queue is full"});
        must(cn_store_flush(store, 60000, &error), &error);
        wait[i] = cn_clock_ns() - start;
    }
    cn_store_destroy(store);
    print_times("build a batch of 200 rows", build, ticks, json);
    print_times("hand it over", hand_over, ticks, json);
    print_times("hand it over, CPU time", own, ticks, json);
    print_times("save it synchronously", wait, ticks, json);
    double total = 0;
    for (uint32_t i = 0; i < ticks; i++)
        total += (double)wait[i];
    print("durable commits", (double)ticks / (total * 1e-9), "per second", json);
}

static bool count_row(const CnStoreRow *row, void *user, CnError *error)
{
    (void)error;
    *(uint64_t *)user += row->size;
    return true;
}

static void measure_large(uint32_t rows, bool json)
{
    CnError error = {0};
    CnFileInfo info;
    CnStore *store = open_store();
    uint64_t start = cn_clock_ns();
    for (uint32_t done = 0; done < rows; done += 10000) {
        CnStoreBatch *batch = make_batch(store, rows - done < 10000 ? rows - done : 10000, done);
        while (!cn_store_submit(store, batch))
            must(cn_store_flush(store, 60000, &error), &error);
    }
    must(cn_store_flush(store, 60000, &error), &error);
    double seconds = cn_seconds(cn_clock_ns() - start);
    cn_store_destroy(store);
    CnFileSystem *files = cn_native_files();
    must(files->info(files, path, &info, &error), &error);
    print("rows written", rows / seconds, "per second", json);
    print("bytes per row of 24 bytes", (double)info.size_bytes / rows, "bytes", json);
    start = cn_clock_ns();
    store = open_store();
    print("open", (double)(cn_clock_ns() - start) * 1e-6, "ms", json);
    uint64_t bytes = 0;
    start = cn_clock_ns();
    must(cn_store_each(store, EDITS, NULL, NULL, count_row, &bytes, &error), &error);
    print("read all rows", (double)(cn_clock_ns() - start) * 1e-6, "ms", json);
    cn_store_destroy(store);
}

int main(int argc, char **argv)
{
    bool json = false;
    uint32_t ticks = 200, rows = 1000000;
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--ticks", "measured ticks", &ticks, 1, MAX_TICKS),
        BENCH_OPTION_NUMBER("--rows", "rows of the large store", &rows, 1, 100000000)};
    bench_read_options(&(BenchUsage){"bench_store",
                                     "Saving in a store, in the current folder: what a tick pays "
                                     "when it hands a batch to the\nwriter thread and when it "
                                     "waits for the disk, and a large store.",
                                     options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    machine_print(json);
    remove_file();
    measure_ticks(ticks, json);
    remove_file();
    measure_large(rows, json);
    remove_file();
}
