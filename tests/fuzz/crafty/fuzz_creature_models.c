/*
 * The models of creatures, as a mod may change them: whatever the file contains, an error is
 * reported with the file, or every part, box and track refers to parts that exist, and the model
 * can be drawn.
 */
#include "fuzz_surface.h"

#include <crafty/client/creature_model.h>

#include <string.h>

static const char *const words[] = {"\"models\":",
                                    "\"name\":",
                                    "\"young\":",
                                    "\"parts\":",
                                    "\"boxes\":",
                                    "\"tracks\":",
                                    "\"part\":",
                                    "\"parent\":",
                                    "\"pivot\":",
                                    "\"turn\":",
                                    "\"from\":",
                                    "\"size\":",
                                    "\"all\":",
                                    "\"front\":",
                                    "\"color\":",
                                    "\"when\":",
                                    "\"tinted\":",
                                    "\"tints\":",
                                    "\"in\":",
                                    "\"kind\":",
                                    "\"hold\":",
                                    "\"swing\":",
                                    "\"keys\":",
                                    "\"rate\":",
                                    "\"walk\"",
                                    "\"grow\"",
                                    "\"pig\"",
                                    "\"a\"",
                                    "\"#E9A63A\"",
                                    "[1, 2, 3]",
                                    "[0, 0, 0, 0]",
                                    "true",
                                    "1e308",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds,
                  "{\"models\": [{\"name\": \"a\", \"young\": \"b\", \"texels\": 2, \"tints\": "
                  "[\"#FFFFFF\"], \"parts\": [{\"name\": \"x\", \"pivot\": [0, 4, 0]}, {\"name\": "
                  "\"y\", \"parent\": \"x\", \"looks\": 1}], \"boxes\": [{\"part\": \"y\", "
                  "\"from\": [0, 0, 0], \"size\": [4, 4, 4], \"all\": [\"pig\", 8, 8], \"front\": "
                  "\"pig\", \"tinted\": true, \"when\": \"tame\"}], \"tracks\": [{\"in\": "
                  "\"walk\", \"part\": \"x\", \"swing\": [30, 0, 0], \"rate\": 1.2}, {\"in\": "
                  "\"hurt\", \"part\": \"y\", \"keys\": [[0, 1, 2, 3], [1, 0, 0, 0]]}]}, "
                  "{\"name\": \"b\"}]}");
}

static void check(const CraftyCreatureModel *model, CnBlockModels *list)
{
    FUZZ_CHECK(model->part_count <= CRAFTY_MODEL_MAX_PARTS && model->variant_count > 0);
    FUZZ_CHECK(model->variant_count <= CRAFTY_MODEL_MAX_VARIANTS);
    for (uint32_t i = 0; i < model->part_count; i++)
        FUZZ_CHECK(model->parts[i].parent == CRAFTY_MODEL_NO_PART || model->parts[i].parent < i);
    for (uint32_t i = 0; i < model->box_count; i++)
        FUZZ_CHECK(model->boxes[i].part < model->part_count);
    for (uint32_t i = 0; i < model->track_count; i++)
        FUZZ_CHECK(model->tracks[i].part < model->part_count);
    for (uint32_t variant = 0; variant < 3; variant++) {
        CraftyCreaturePose pose = {.variant = variant, .is_young = variant & 1u};
        for (uint32_t i = 0; i < CRAFTY_ANIMATION_COUNT; i++) {
            pose.weights[i] = 1;
            pose.clocks[i] = 0.7f;
        }
        cn_block_models_begin(list);
        crafty_creature_model_add(model, &pose, list);
        cn_block_models_end(list);
    }
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    CraftyCreatureModels *models = crafty_creature_models_create(
        &(CraftyCreatureModelsDesc){.file = "file", .text = {(const char *)bytes, size}}, &error);
    FUZZ_CHECK(models || strcmp(error.file, "file") == 0);
    if (!models)
        return false;
    CnBlockModels *list = cn_block_models_create(NULL, NULL);
    FUZZ_CHECK(list != NULL);
    for (uint32_t i = 0; i < crafty_creature_models_count(models); i++)
        check(crafty_creature_model_at(models, i), list);
    cn_block_models_destroy(list);
    crafty_creature_models_destroy(models);
    return true;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .words = words, .add_seeds = add_seeds, .run = run};
