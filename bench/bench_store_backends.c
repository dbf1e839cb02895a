/*
 * Stores in a file and in a PostgreSQL database beside each other: how long a commit takes until it
 * is durable, in turns, and rows per second. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/postgres.h>
#include <cairn/store.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKS, EDITS, TABLES, ROW_BYTES = 24, CHUNK_BYTES = 4096, MAX_COMMITS = 10000 };
enum { FLUSH_MS = 60000, ROWS_PER_BATCH = 10000 };

static const CnStoreTableDesc tables[TABLES] = {
    [CHUNKS] = {.name = "chunks", .kind = CN_STORE_BY_NUMBER},
    [EDITS] = {.name = "edits", .kind = CN_STORE_LOG},
};

typedef struct Side {
    const char *name, *path;
    const CnStoreBackend *backend;
    CnStore *store;
    uint64_t times[MAX_COMMITS];
    double rows_per_second, read_ms, open_ms;
} Side;

static Side sides[2] = {{.name = "SQLite", .path = "bench_store_backends.cairn"},
                        {.name = "PostgreSQL"}};

/* A batch as a game saves it. */
typedef struct Load {
    const char *name;
    uint32_t rows, chunks;
} Load;

static const Load loads[] = {
    {"1 row of 24 bytes", 1, 0},
    {"200 rows of 24 bytes", 200, 0},
    {"50 chunks of 4 KiB, 200 rows", 200, 50},
};

static void must(bool done, const CnError *error)
{
    if (done)
        return;
    fprintf(stderr, "bench_store_backends: %s\n", error->message);
    exit(1);
}

static void open_side(Side *side)
{
    CnError error = {0};
    CnStoreDesc desc = {.path = side->path,
                        .application = "bench",
                        .version = 1,
                        .tables = tables,
                        .table_count = TABLES,
                        .queue_capacity = 1024,
                        .backend = side->backend};
    uint64_t start = cn_clock_ns();
    side->store = cn_store_create(&desc, &error);
    must(side->store, &error);
    side->open_ms = (double)(cn_clock_ns() - start) * 1e-6;
}

static void close_side(Side *side)
{
    cn_store_destroy(side->store);
    side->store = NULL;
}

static CnStoreBatch *make_batch(CnStore *store, const Load *load, uint64_t seed)
{
    CnError error = {0};
    CnStoreBatch *batch = cn_store_batch_create(store, &error);
    must(batch, &error);
    for (uint32_t i = 0; i < load->rows; i++) {
        uint64_t row[ROW_BYTES / 8] = {seed, i, seed * 31 + i};
        must(cn_store_batch_append(batch, EDITS, row, sizeof row, &error), &error);
    }
    for (uint32_t i = 0; i < load->chunks; i++) {
        uint64_t chunk[CHUNK_BYTES / 8];
        for (uint32_t k = 0; k < CN_COUNT_OF(chunk); k++)
            chunk[k] = (seed + i * 977 + k) * UINT64_C(0x9e3779b97f4a7c15);
        CnStoreKey key = cn_store_number((int64_t)((seed * 7 + i) % 1000));
        must(cn_store_batch_put(batch, CHUNKS, key, chunk, sizeof chunk, &error), &error);
    }
    return batch;
}

static void print(const char *side, const char *name, double value, const char *unit, bool json)
{
    if (json)
        printf("{\"workload\":\"%s, %s\",\"value\":%.3f,\"unit\":\"%s\"}\n", side, name, value,
               unit);
    else
        printf("%-10s  %-42s %12.1f %s\n", side, name, value, unit);
}

/* The sides take turns, so that both meet the same load of the machine. */
static void measure_commits(const Load *load, uint32_t commits, bool json)
{
    CnError error = {0};
    for (uint32_t i = 0; i < commits; i++)
        for (uint32_t k = 0; k < CN_COUNT_OF(sides); k++) {
            CnStoreBatch *batch = make_batch(sides[k].store, load, i);
            uint64_t start = cn_clock_ns();
            must(cn_store_submit(sides[k].store, batch) > 0, &(CnError){.message = "full"});
            must(cn_store_flush(sides[k].store, FLUSH_MS, &error), &error);
            sides[k].times[i] = cn_clock_ns() - start;
        }
    for (uint32_t k = 0; k < CN_COUNT_OF(sides); k++) {
        char name[96];
        measure_summarize(sides[k].times, commits); /* sorts */
        static const uint32_t percents[] = {50, 99};
        for (uint32_t i = 0; i < CN_COUNT_OF(percents); i++) {
            cn_format(name, sizeof name, "%s, %u %%", load->name, percents[i]);
            print(sides[k].name, name,
                  (double)sides[k].times[(commits - 1) * percents[i] / 100] * 1e-3, "us", json);
        }
    }
    print("ratio", load->name,
          (double)sides[1].times[commits / 2] / (double)sides[0].times[commits / 2],
          "PostgreSQL / SQLite, medians", json);
}

static bool count_row(const CnStoreRow *row, void *user, CnError *error)
{
    (void)error;
    *(uint64_t *)user += row->size;
    return true;
}

static void measure_rows(Side *side, uint32_t rows)
{
    CnError error = {0};
    uint64_t start = cn_clock_ns(), bytes = 0;
    for (uint32_t done = 0; done < rows; done += ROWS_PER_BATCH) {
        Load load = {"", rows - done < ROWS_PER_BATCH ? rows - done : ROWS_PER_BATCH, 0};
        CnStoreBatch *batch = make_batch(side->store, &load, done);
        while (!cn_store_submit(side->store, batch))
            must(cn_store_flush(side->store, FLUSH_MS, &error), &error);
    }
    must(cn_store_flush(side->store, FLUSH_MS, &error), &error);
    side->rows_per_second = rows / cn_seconds(cn_clock_ns() - start);
    start = cn_clock_ns();
    must(cn_store_each(side->store, EDITS, NULL, NULL, count_row, &bytes, &error), &error);
    side->read_ms = (double)(cn_clock_ns() - start) * 1e-6;
}

static void measure_large(uint32_t rows, bool json)
{
    for (uint32_t k = 0; k < CN_COUNT_OF(sides); k++)
        measure_rows(&sides[k], rows);
    for (uint32_t k = 0; k < CN_COUNT_OF(sides); k++) {
        close_side(&sides[k]);
        open_side(&sides[k]);
        print(sides[k].name, "rows written", sides[k].rows_per_second, "per second", json);
        print(sides[k].name, "read all rows", sides[k].read_ms, "ms", json);
        print(sides[k].name, "open", sides[k].open_ms, "ms", json);
    }
}

static void remove_file(void)
{
    remove("bench_store_backends.cairn");
    remove("bench_store_backends.cairn-wal");
}

int main(int argc, char **argv)
{
    bool json = false;
    uint32_t commits = 200, rows = 200000;
    const char *uri = NULL;
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_TEXT("--postgres", "URI", "an unused schema, with its server running", &uri),
        BENCH_OPTION_NUMBER("--commits", "measured commits of each size", &commits, 1, MAX_COMMITS),
        BENCH_OPTION_NUMBER("--rows", "rows of the large store", &rows, 1, 100000000)};
    bench_read_options(&(BenchUsage){"bench_store_backends",
                                     "Stores in a file in the current folder and in a PostgreSQL "
                                     "database: commits in turns, and\nrows per second.",
                                     options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    if (!uri) {
        fprintf(stderr, "bench_store_backends: --postgres URI is missing; see --help\n");
        return 2;
    }
    sides[1].path = uri;
    sides[1].backend = cn_store_postgres();
    machine_print(json);
    remove_file();
    for (uint32_t k = 0; k < CN_COUNT_OF(sides); k++)
        open_side(&sides[k]);
    for (uint32_t i = 0; i < CN_COUNT_OF(loads); i++)
        measure_commits(&loads[i], commits, json);
    measure_large(rows, json);
    for (uint32_t k = 0; k < CN_COUNT_OF(sides); k++)
        close_side(&sides[k]);
    remove_file();
}
