/*
 * Saved worlds of Crafty: opening them, what an autosave adds to a tick, bytes per edit, and a year
 * of play. `--help` lists the options.
 */
#include "bench_save/scenarios.h"
#include "measure.h"
#include "options.h"

static bool is_chosen(const char *only, const char *name)
{
    return strcmp(only, "all") == 0 || strcmp(only, name) == 0;
}

static void measure_autosaves(uint32_t edits, uint32_t saves, uint32_t pace_us)
{
    const AutosaveDesc descs[] = {
        {"autosave 1e3", 1000, 0, 0, saves, pace_us},
        {"autosave 1e5", 100000, 0, 0, saves, pace_us},
        {"autosave 1e6", edits, 0, 0, saves, pace_us},
        {"autosave water", 1000, 100000, 0, saves, pace_us},
        {"autosave entities", 1000, 0, 10000, saves, pace_us},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        scenario_autosave(&descs[i]);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"all",  "open",      "autosave", "burst",
                                        "year", "scattered", NULL};
    uint32_t edits = 1000000, year = 100000000, runs = 5, saves = 20, chunks = 4096, pace_us = 4000;
    const char *only = names[0];
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&saved_world_prints_json),
        BENCH_OPTION_CHOICE("--only", "NAME", "run one scenario", &only, names),
        BENCH_OPTION_NUMBER("--edits", "edits of the large world", &edits, 1, 100000000),
        BENCH_OPTION_NUMBER("--year", "edits of a year", &year, 1000, 1000000000),
        BENCH_OPTION_NUMBER("--chunks", "chunks that change at once", &chunks, 1, 100000),
        BENCH_OPTION_NUMBER("--saves", "saves in parts, and synchronous ones", &saves, 1, 1000),
        BENCH_OPTION_NUMBER("--pace", "microseconds from tick to tick", &pace_us, 1, 100000),
        BENCH_OPTION_NUMBER("--runs", "times a world is opened", &runs, 1, 1000)};
    bench_read_options(&(BenchUsage){"bench_save",
                                     "Saved worlds of Crafty, in the current folder: opening them, "
                                     "what an autosave adds to a\ntick, bytes per edit, and a year "
                                     "of play.",
                                     options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    machine_print(saved_world_prints_json);
    if (is_chosen(only, "open"))
        scenario_open(edits, runs);
    if (is_chosen(only, "autosave"))
        measure_autosaves(edits, saves, pace_us);
    if (is_chosen(only, "burst"))
        scenario_burst(chunks, saves, pace_us);
    if (is_chosen(only, "year"))
        scenario_year(year, runs);
    if (is_chosen(only, "scattered"))
        scenario_scattered(year, runs);
}
