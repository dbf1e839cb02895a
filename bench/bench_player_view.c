/*
 * The cost of hand and drops: frames of Crafty without a window, with and without them. Frames with
 * different numbers of drops alternate. CPU time of all threads is measured, because other programs
 * disturb the wall clock; on a CPU device it contains the drawing. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include "crafty/client/game.h"

#include <stdio.h>
#include <time.h>

#define MAX_RUNS 400u
#define SIDE 1.2f /* blocks between drops */

static const uint32_t counts[] = {0, 100, 1000};
#define STEPS CN_COUNT_OF(counts)

static void die(const char *what, const CnError *error)
{
    fprintf(stderr, "bench_player_view: %s: %s\n", what, error->message);
    exit(1);
}

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* A list as a frame of the game makes it: drops in a square before the camera, and a hand. */
static void fill(CnBlockModels *models, const CraftyItemModels *table, const Crafty *crafty,
                 uint32_t drops, bool has_hand)
{
    const CnWorld *world = cn_engine_world(crafty->engine);
    CnVec3 eye = cn_get(world, crafty->play->camera, CnTransform)->position;
    CraftyDropsFrame frame = {
        .item_models = table, .voxels = crafty_terrain_voxels(crafty->play->terrain), .eye = eye};
    cn_block_models_begin(models);
    for (uint32_t i = 0; i < drops; i++) {
        CnVec3 at = {eye.x + SIDE * ((float)(i % 32) - 16), eye.y - 1,
                     eye.z - 1 - SIDE * (float)(i / 32)};
        CraftyShownDrop drop = {.position = at,
                                .item = crafty_items_at(crafty->play->sim.items, i % 40),
                                .count = 1 + i % 64,
                                .age = (float)i,
                                .seed = i};
        crafty_drop_model_add(&frame, &drop, models);
    }
    CraftyHeldItem held = {.raised = 1};
    if (has_hand)
        crafty_held_item_frame(
            &held,
            &(CraftyHeldFrame){.items = crafty->play->sim.items,
                               .blocks = cn_voxels_blocks(frame.voxels),
                               .item = crafty_items_at(crafty->play->sim.items, 0),
                               .swing_ticks = CRAFTY_SWING_TICKS,
                               .aspect = 1.8f,
                               .light = {1, 0}},
            models);
    cn_block_models_end(models);
}

typedef struct List {
    const CraftyItemModels *table;
    uint32_t drops;
    bool has_hand;
    uint64_t fill_ns;
} List;

/* After the hook of the game, which publishes its own list. */
static void replace_list(CnEngine *engine, void *user)
{
    (void)engine;
    Crafty *crafty = ((void **)user)[0];
    List *list = ((void **)user)[1];
    uint64_t begin_ns = cn_clock_ns();
    fill(crafty_player_view_models(crafty->play->view), list->table, crafty, list->drops,
         list->has_hand);
    list->fill_ns = cn_clock_ns() - begin_ns;
}

int main(int argc, char **argv)
{
    uint32_t runs = 60, size[2] = {1280, 720};
    bool json = false;
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--runs", "frames of each kind", &runs, 1, MAX_RUNS)};
    bench_read_options(&(BenchUsage){"bench_player_view", "Measures frames with a hand and drops.",
                                     options, 2, NULL},
                       argc, argv);
    CnError error = {0};
    CraftyOptions game = {.engine = {.headless = true, .width = size[0], .height = size[1]},
                          .seed = 42,
                          .hours = 12,
                          .has_quality = true,
                          .mode = CRAFTY_MODE_CREATIVE,
                          .view_distance = 4,
                          .frames = UINT32_MAX};
    Crafty *crafty = crafty_create(&game, &error);
    if (!crafty)
        die("cannot start", &error);
    List list = {.table = crafty_item_models_create(
                     crafty->play->sim.items,
                     cn_voxels_blocks(crafty_terrain_voxels(crafty->play->terrain)), &error)};
    if (!list.table)
        die("no models", &error);
    void *user[2] = {crafty, &list};
    cn_engine_after_ticks(crafty->engine, replace_list, user);
    static uint64_t frame_ns[STEPS + 1][MAX_RUNS], fill_ns[STEPS + 1][MAX_RUNS];
    CnGpu *gpu = cn_engine_gpu(crafty->engine);
    for (uint32_t run = 0; run < runs + 3; run++)
        for (uint32_t i = 0; i <= STEPS; i++) {
            list.has_hand = i > 0;
            list.drops = i > 0 ? counts[i - 1] : 0;
            uint64_t begin_ns = cpu_ns();
            if (!cn_engine_frame(crafty->engine))
                die("frame", cn_engine_error(crafty->engine));
            cn_gpu_wait(gpu, NULL);
            if (run >= 3) {
                frame_ns[i][run - 3] = cpu_ns() - begin_ns;
                fill_ns[i][run - 3] = list.fill_ns;
            }
        }
    machine_print(json);
    if (!json)
        printf("%-20s %14s %14s %14s\n", "", "list us", "CPU ms best", "median");
    for (uint32_t i = 0; i <= STEPS; i++) {
        MeasureTimes frame = measure_summarize(frame_ns[i], runs),
                     fills = measure_summarize(fill_ns[i], runs);
        char name[32];
        snprintf(name, sizeof name, i ? "hand, %u drops" : "nothing", i ? counts[i - 1] : 0);
        const char *format = json ? "{\"name\": \"%s\", \"list_us\": %.1f, \"cpu_ms_best\": %.2f, "
                                    "\"cpu_ms_median\": %.2f}\n"
                                  : "%-20s %14.1f %14.2f %14.2f\n";
        printf(format, name, fills.best_ns * 1e-3, frame.best_ns * 1e-6, frame.median_ns * 1e-6);
    }
    crafty_item_models_destroy((CraftyItemModels *)list.table);
    crafty_destroy(crafty);
    return 0;
}
