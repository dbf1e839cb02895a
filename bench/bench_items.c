/*
 * The cost of recipes and furnaces of Crafty. Matching is compared with a search through all
 * recipes, and the tick of burning furnaces with writing the data of each one in every tick; both
 * sides alternate in the same run. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/furnace.h>
#include <crafty/world/world.h>

#include <cairn/scene.h>

#include <stdio.h>

#define RUNS 21u
#define GRIDS 1000u
#define FURNACES 10000u

static CraftyWorld *blocks;
static CnSim *sim;
static CraftyItem grids[GRIDS][CRAFTY_GRID_SLOTS];
static CnCell cells[FURNACES];

static void stop(const CnError *error)
{
    fprintf(stderr, "bench_items: %s\n", error->message);
    exit(1);
}

/* ---- Recipes ---- */

/* The ingredients of a recipe; every second grid has one stick too many and makes nothing. */
static void fill_grids(void)
{
    const CraftyRecipes *recipes = crafty_world_recipes(blocks);
    CraftyItem stick = crafty_items_find(crafty_world_items(blocks), "stick");
    for (uint32_t i = 0; i < GRIDS; i++) {
        const CraftyRecipe *recipe =
            crafty_recipes_at(recipes, i * 7 % crafty_recipes_count(recipes));
        for (uint32_t k = 0; k < CRAFTY_GRID_SLOTS; k++)
            if (recipe->cells[k])
                grids[i][k] = crafty_ingredient_at(recipes, recipe->cells[k], 0);
        if (i % 2)
            grids[i][CRAFTY_GRID_SLOTS - 1] = stick;
    }
}

static uint64_t match_grids(void)
{
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < GRIDS; i++)
        measure_keep(crafty_recipes_match(crafty_world_recipes(blocks), grids[i], 3));
    return cn_clock_ns() - start;
}

/* Compares the first cell with that of every recipe: less than a complete search does. */
static uint64_t search_grids(void)
{
    const CraftyRecipes *recipes = crafty_world_recipes(blocks);
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < GRIDS; i++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < crafty_recipes_count(recipes); k++)
            found += crafty_ingredient_accepts(recipes, crafty_recipes_at(recipes, k)->cells[0],
                                               grids[i][0]);
        measure_keep(found);
    }
    return cn_clock_ns() - start;
}

/* ---- Furnaces ---- */

/* In the air, 100 in each of 100 chunks; they burn longer than the benchmark runs. */
static void place_furnaces(void)
{
    const CraftyItems *items = crafty_world_items(blocks);
    CnVoxels *voxels = crafty_world_voxels(blocks);
    CraftyFurnace furnace = {.slots = {{.item = crafty_items_find(items, "raw_iron"), .count = 64},
                                       {.item = crafty_items_find(items, "coal"), .count = 64}}};
    CnError error = {0};
    for (uint32_t i = 0; i < FURNACES; i++) {
        cells[i] = (CnCell){(int32_t)(i / 100 % 10 * 16 + i % 10), 400,
                            (int32_t)(i / 1000 * 16 + i / 10 % 10)};
        CnEdit edit = {.kind = CN_EDIT_PLACE,
                       .cell = cells[i],
                       .new_block = cn_block_find(cn_voxels_blocks(voxels), "furnace_north")};
        if (!cn_voxels_edit(voxels, &edit, &error) ||
            !crafty_furnace_write(cn_sim_world(sim), cells[i], &furnace, &error))
            stop(&error);
    }
}

static uint64_t run_tick(void)
{
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    if (!cn_sim_tick_n(sim, 1, &error))
        stop(&error);
    return cn_clock_ns() - start;
}

/* What a furnace would do that stores its progress. */
static uint64_t write_all(void)
{
    static uint8_t count;
    CnVoxels *voxels = crafty_world_voxels(blocks);
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    count++;
    for (uint32_t i = 0; i < FURNACES; i++) {
        CnBlockData data;
        uint8_t bytes[CN_BLOCK_DATA_BYTES];
        if (!cn_block_data_get(voxels, cells[i], &data))
            continue;
        memcpy(bytes, data.bytes, data.size);
        bytes[data.size - 1] = count; /* the highest byte of the progress */
        data.bytes = bytes;
        if (!cn_block_data_set(voxels, cells[i], &data, &error))
            stop(&error);
    }
    return cn_clock_ns() - start;
}

/* ---- Measuring ---- */

typedef uint64_t (*RunFn)(void);

static void measure(const char *name, uint32_t n, RunFn ours, RunFn other, bool json)
{
    uint64_t times[RUNS], other_times[RUNS];
    ours();
    other();
    for (uint32_t i = 0; i < RUNS; i++) {
        times[i] = ours();
        other_times[i] = other();
    }
    double ns = measure_summarize(times, RUNS).best_ns / n;
    double other_ns = measure_summarize(other_times, RUNS).best_ns / n;
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n", name,
               n, ns, other_ns);
    else
        printf("%-16s %8u %8.1f %12.1f %8.2f\n", name, n, ns, other_ns, ns / other_ns);
}

int main(int argc, char **argv)
{
    bool json = false;
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(
        &(BenchUsage){"bench_items",
                      "Nanoseconds per grid and per furnace and tick, best of 21 runs, compared "
                      "with a search through all recipes and with writing the data of a furnace.",
                      options, CN_COUNT_OF(options), NULL},
        argc, argv);
    CnError error = {0};
    blocks = crafty_world_create(&(CraftyWorldDesc){.seed = 1, .workers = CN_JOBS_NONE}, &error);
    if (!blocks)
        stop(&error);
    CraftySimDesc desc = {.voxels = crafty_world_voxels(blocks),
                          .items = crafty_world_items(blocks),
                          .recipes = crafty_world_recipes(blocks),
                          .block_rules = crafty_world_block_rules(blocks),
                          .start = {.freeze_blocks = true}};
    CnPlugin scene = cn_scene_plugin(), crafty = crafty_sim_plugin(&desc);
    sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, &error);
    if (!sim || !cn_sim_add_plugin(sim, &crafty, &error))
        stop(&error);
    machine_print(json);
    if (!json)
        printf("%-16s %8s %8s %12s %8s\n", "workload", "n", "ns", "reference ns", "ratio");
    fill_grids();
    measure("recipe_match", GRIDS, match_grids, search_grids, json);
    place_furnaces();
    measure("furnace_tick", FURNACES, run_tick, write_all, json);
    cn_sim_destroy(sim);
    crafty_world_destroy(blocks);
    return 0;
}
