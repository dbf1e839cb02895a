/*
 * The cost of drawing creatures on the main thread: posing the models of 1,000 creatures in view,
 * as a frame does, compared with copying as many parts (the reference of the same run). `--help`
 * lists the options.
 */
#include "measure.h"
#include "options.h"

#include "crafty/client/creature_motion.h"
#include "crafty/world/game_data.h"

#include <stdio.h>
#include <string.h>

#define CREATURES 1000u
#define MAX_RUNS 400u

static const char *const names[] = {"duck", "pig", "sheep", "cow", "chicken", "wolf", "zombie"};

/* Adds all creatures, walking. Returns the number of parts. */
static uint32_t pose_all(const CraftyCreatureModels *table, CnBlockModels *models, uint32_t frame)
{
    uint32_t parts = 0;
    cn_block_models_begin(models);
    for (uint32_t i = 0; i < CREATURES; i++) {
        CraftyCreatureMotion motion;
        CraftyCreature creature = {.state = CRAFTY_CREATURE_WALK};
        crafty_creature_motion_begin(&motion, i);
        crafty_creature_motion_tick(
            &motion, &(CraftyCreatureInput){.creature = &creature, .way = 0.02f, .stride = 1},
            1.0f / 60);
        CraftyCreaturePose pose = {.feet = {(float)(i % 40), 0, (float)(i / 40)},
                                   .yaw = (float)(i + frame),
                                   .casts_shadow = true,
                                   .light = {1, 0}};
        crafty_creature_motion_pose(&motion, &motion, 0.5f, &pose);
        const CraftyCreatureModel *model =
            crafty_creature_model_find(table, names[i % CN_COUNT_OF(names)]);
        parts += crafty_creature_model_add(model, &pose, models);
    }
    cn_block_models_end(models);
    return parts;
}

/* The reference: the list alone. */
static void copy_all(CnBlockModels *models, uint32_t parts)
{
    static const CnBlockModelPart part = {.high = {16, 16, 16}, .sky = 1};
    cn_block_models_begin(models);
    for (uint32_t i = 0; i < parts; i++) {
        CnBlockModelPart *added = cn_block_models_add(models, CN_MODEL_LAYER_WORLD, 1);
        if (added)
            *added = part;
    }
    cn_block_models_end(models);
}

int main(int argc, char **argv)
{
    uint32_t runs = 100;
    bool json = false;
    const BenchOption options[] = {BENCH_OPTION_JSON(&json),
                                   BENCH_OPTION_NUMBER("--runs", "frames", &runs, 1, MAX_RUNS)};
    bench_read_options(&(BenchUsage){"bench_creature_models", "Measures the models of creatures.",
                                     options, 2, NULL},
                       argc, argv);
    CnError error = {0};
    CraftyCreatureModels *table = crafty_creature_models_create(
        &(CraftyCreatureModelsDesc){.file = "creature_models.json",
                                    .text = crafty_creature_models_text()},
        &error);
    CnBlockModels *models = table ? cn_block_models_create(NULL, &error) : NULL;
    if (!models) {
        fprintf(stderr, "bench_creature_models: %s\n", error.message);
        return 1;
    }
    static uint64_t pose_ns[MAX_RUNS], copy_ns[MAX_RUNS];
    uint32_t parts = 0;
    for (uint32_t run = 0; run < runs + 3; run++) {
        uint64_t begin_ns = cn_clock_ns();
        parts = pose_all(table, models, run);
        uint64_t middle_ns = cn_clock_ns();
        copy_all(models, parts);
        if (run >= 3) {
            pose_ns[run - 3] = middle_ns - begin_ns;
            copy_ns[run - 3] = cn_clock_ns() - middle_ns;
        }
    }
    MeasureTimes pose = measure_summarize(pose_ns, runs), copy = measure_summarize(copy_ns, runs);
    machine_print(json);
    const char *format = json ? "{\"creatures\": %u, \"parts\": %u, \"pose_ms_best\": %.3f, "
                                "\"pose_ms_median\": %.3f, \"copy_ms_best\": %.3f, "
                                "\"ratio\": %.1f}\n"
                              : "%u creatures, %u parts: %.3f ms best, %.3f ms median; copying the "
                                "parts %.3f ms; ratio %.1f\n";
    printf(format, CREATURES, parts, pose.best_ns * 1e-6, pose.median_ns * 1e-6,
           copy.best_ns * 1e-6, pose.best_ns / copy.best_ns);
    cn_block_models_destroy(models);
    crafty_creature_models_destroy(table);
    return 0;
}
