/*
 * Decorations and structures, as a mod may register them: whatever the text contains, an error is
 * reported with the file, or a generator accepts the placements.
 */
#include "fuzz_surface.h"

#include <crafty/world/features.h>

#include <string.h>

static const char *const words[] = {"\"decorations\":",
                                    "\"structures\":",
                                    "\"name\":",
                                    "\"biomes\":",
                                    "\"on\":",
                                    "\"heights\":",
                                    "\"uneven\":",
                                    "\"sunk\":",
                                    "\"per_chunk\":",
                                    "\"chance\":",
                                    "\"salt\":",
                                    "\"variants\":",
                                    "\"blocks\":",
                                    "\"layers\":",
                                    "\"palette\":",
                                    "\"turn\":",
                                    "\"spacing\":",
                                    "\"separation\":",
                                    "\"foundation\":",
                                    "\"weight\":",
                                    "\"block\":",
                                    "\"height\":",
                                    "\"rock\"",
                                    "\"forest\"",
                                    "\"rr\"",
                                    "48",
                                    "4096",
                                    "1e308",
                                    "-1",
                                    "true",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "{\"decorations\": [{\"name\": \"a\", \"blocks\": [\"rock\", \"air\"], "
                         "\"per_chunk\": 4, \"biomes\": [\"forest\"], \"on\": [\"rock\"], "
                         "\"heights\": [20, 90]}], \"structures\": []}");
    fuzz_add_text(seeds, "{\"structures\": [{\"name\": \"b\", \"spacing\": 64, \"separation\": 9, "
                         "\"palette\": {\"r\": [\"rock\", \"air\"]}, \"foundation\": \"rock\", "
                         "\"sunk\": 1, \"variants\": [{\"layers\": [[\"rr\", \" r\"], [\"  \", "
                         "\"r \"]], \"weight\": 3}, {\"block\": \"rock\", \"height\": 4}]}]}");
}

/* The blocks are the same in all runs. */
static const CnBlockTable *blocks_of_the_test(void)
{
    static CnBlockTable *blocks;
    if (blocks)
        return blocks;
    blocks = cn_block_table_create(NULL, NULL);
    CnBlockInfo rock = cn_block_info_default("rock");
    FUZZ_CHECK(blocks && cn_block_table_add(blocks, &rock, NULL, NULL));
    cn_block_table_close(blocks);
    return blocks;
}

static void check_patterns(const CnPlacement *placement, const CnBlockTable *blocks)
{
    for (uint32_t i = 0; i < placement->pattern_count; i++) {
        const CnPattern *pattern = &placement->patterns[i];
        const size_t cells = (size_t)pattern->width * pattern->height * pattern->depth;
        for (size_t k = 0; k < cells; k++)
            FUZZ_CHECK(pattern->blocks[k] == CN_BLOCK_NONE || pattern->blocks[k] < blocks->count);
    }
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    const CnBlockTable *blocks = blocks_of_the_test();
    CraftyFeatures *features = crafty_features_create(
        &(CraftyFeaturesDesc){
            .blocks = blocks, .file = "file", .text = {(const char *)bytes, size}},
        &error);
    FUZZ_CHECK(features || strcmp(error.file, "file") == 0);
    bool good = features != NULL;
    if (good) {
        const CnPlacement *placements = crafty_features_placements(features);
        const uint32_t count = crafty_features_count(features);
        FUZZ_CHECK(cn_placements_check(placements, count, NULL));
        for (uint32_t i = 0; i < count; i++)
            check_patterns(&placements[i], blocks);
        FUZZ_CHECK((crafty_features_hash(features) != 0) == (count > 0));
    }
    crafty_features_destroy(features);
    return good;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .words = words, .add_seeds = add_seeds, .run = run};
