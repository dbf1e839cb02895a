/* What flies about in Crafty: which bursts there are, where it rains, and no heap calls. */
#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include "render/feature/particle_system.h"

#include <crafty/client/emitters.h>

#include <cairn/base/vector.h>

/* High above the ground, so that only what a test builds is there. */
#define HIGH 300

typedef struct Stand {
    CnHeap *heap;
    VoxelWorld blocks;
    CnGenerateScratch *scratch;
    CraftyLamps *lamps;
    CraftyEmitters *emitters;
    CnParticleSystem *particles;
} Stand;

static void mesh_changed(void *user, CnChunkPos position, const CnChunkMesh *mesh)
{
    (void)mesh;
    Stand *stand = user;
    assert_true(crafty_lamps_update(stand->lamps, stand->blocks.world, position));
}

static void begin(Stand *stand)
{
    *stand = (Stand){.heap = cn_heap_create(NULL, NULL)};
    stand->lamps = crafty_lamps_create(cn_heap_tag(stand->heap, "lamps"), standard_blocks());
    stand->blocks =
        voxel_world_create(cn_heap_tag(stand->heap, "blocks"), 0,
                           &(CnVoxelsHooks){.user = stand, .mesh_changed = mesh_changed});
    stand->scratch = cn_generate_scratch_create(stand->blocks.generator);
    stand->emitters = crafty_emitters_create(NULL);
    assert_true(stand->scratch && stand->lamps && stand->emitters);
    stand->particles = crafty_emitters_particles(stand->emitters);
}

static void end(Stand *stand)
{
    crafty_emitters_destroy(stand->emitters);
    cn_generate_scratch_destroy(stand->scratch);
    voxel_world_destroy(&stand->blocks);
    crafty_lamps_destroy(stand->lamps);
    assert_int_equal(cn_heap_stats(stand->heap).live_blocks, 0);
    cn_heap_destroy(stand->heap);
}

static void pass_frame(Stand *stand, CnBiome biome, float rain, float snow)
{
    crafty_emitters_frame(stand->emitters,
                          &(CraftyEmittersFrame){.voxels = stand->blocks.world,
                                                 .lamps = stand->lamps,
                                                 .generator = stand->blocks.generator,
                                                 .scratch = stand->scratch,
                                                 .eye = {8, HIGH, 8},
                                                 .biome = biome,
                                                 .rain = rain,
                                                 .snow = snow,
                                                 .seconds = 0.12f});
}

static CnBurst hand(Stand *stand, CnInteractKind kind, CnCell cell)
{
    stand->particles->burst_count = 0;
    const CnInteractEvent event = {.kind = kind, .cell = cell, .color = {0.5f, 0.25f, 0.1f}};
    crafty_emitters_interact(stand->emitters, stand->blocks.world, &event, 1);
    return stand->particles->burst_count ? stand->particles->bursts[0] : (CnBurst){0};
}

static void a_chip_is_four_and_a_break_fourteen_of_the_color(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    const CnCell cell = {3, HIGH, 5};
    CnBurst chip = hand(&stand, CN_INTERACT_CHIP, cell);
    assert_int_equal(chip.count, 4);
    assert_float_equal(chip.color.y, 0.25f, 0);
    assert_float_equal(chip.position.y, HIGH + 0.5f, 0);
    assert_float_equal(chip.sky_light, 1, 0);
    assert_false(chip.has_floor);
    assert_int_equal(hand(&stand, CN_INTERACT_BREAK, cell).count, 14);
    assert_int_equal(hand(&stand, CN_INTERACT_PLACE, cell).count, 0);
    end(&stand);
}

/* Taos 17, blockBreakConfig. */
static void chips_are_as_large_fast_and_lasting_as_the_document_says(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    const CnBurst chip = hand(&stand, CN_INTERACT_CHIP, (CnCell){3, HIGH, 5});
    const CnEmitterDesc *desc = &stand.particles->emitters[chip.emitter];
    assert_int_equal(desc->max_particles, 1024);
    assert_float_equal(desc->radius, 0.15f, 0);
    assert_float_equal(desc->size[0], 0.025f, 0);
    assert_float_equal(desc->size[1], 0.05f, 0);
    assert_float_equal(desc->speed[0], 2.0f, 0);
    assert_float_equal(desc->speed[1], 4.5f, 0);
    assert_float_equal(desc->lifetime[0], 0.5f, 0);
    assert_float_equal(desc->lifetime[1], 1.0f, 0);
    assert_float_equal(desc->gravity, 14, 0);
    assert_float_equal(desc->drag, 0.6f, 0);
    end(&stand);
}

static void under_a_roof_chips_fall_to_the_next_floor(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    assert_true(voxel_set(stand.blocks.world, (CnCell){3, HIGH + 4, 5}, BLOCK_STONE));
    assert_true(voxel_set(stand.blocks.world, (CnCell){3, HIGH - 3, 5}, BLOCK_STONE));
    CnBurst chip = hand(&stand, CN_INTERACT_CHIP, (CnCell){3, HIGH, 5});
    assert_true(chip.has_floor);
    assert_float_equal(chip.floor, HIGH - 2, 0);
    end(&stand);
}

static void torches_burn(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    assert_true(voxel_set(stand.blocks.world, (CnCell){3, HIGH, 5}, BLOCK_TORCH));
    voxel_show(stand.blocks.world, cn_chunk_of((CnCell){0, HIGH, 0}));
    pass_frame(&stand, CN_BIOME_FOREST, 0, 0);
    assert_true(stand.particles->burst_count > 0);
    assert_float_equal(stand.particles->bursts[0].position.x, 3.5f, 0.01f);
    end(&stand);
}

/* Bits of the emitters that fall on some columns. */
static uint32_t falling(const Stand *stand)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < stand->particles->ground.size * stand->particles->ground.size; i++)
        bits |= stand->particles->ground.columns[i].falls;
    return bits;
}

static void it_rains_and_snows_by_the_biome_of_the_column(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    CnBiome biome = cn_generate_column(stand.blocks.generator, stand.scratch, -24, -24).biome;
    bool is_cold = crafty_weather_weight(biome, CRAFTY_LIGHT_SNOW) > 0;
    pass_frame(&stand, biome, is_cold ? 0 : 1, is_cold ? 1 : 0);
    assert_int_equal(stand.particles->ground.size, 64);
    uint16_t here = stand.particles->ground.columns[0].falls;
    /* What the eye's own biome does not have was asked for: it falls everywhere, and is something
     * else. */
    pass_frame(&stand, biome, is_cold ? 1 : 0, is_cold ? 0 : 1);
    for (uint32_t i = 1; i < 8; i++)
        pass_frame(&stand, biome, is_cold ? 1 : 0, is_cold ? 0 : 1);
    uint32_t asked = falling(&stand);
    assert_true(here != 0 && asked != 0);
    assert_int_equal(asked & (asked - 1), 0);
    assert_int_equal(asked & here, 0);
    end(&stand);
}

static void a_rainy_frame_makes_no_heap_call(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    assert_true(voxel_set(stand.blocks.world, (CnCell){3, HIGH, 5}, BLOCK_TORCH));
    for (uint32_t i = 0; i < 10; i++)
        pass_frame(&stand, CN_BIOME_FOREST, 1, 0);
    uint64_t calls = cn_heap_stats(stand.heap).calls;
    for (uint32_t i = 0; i < 10; i++)
        pass_frame(&stand, CN_BIOME_FOREST, 1, 0);
    assert_int_equal(cn_heap_stats(stand.heap).calls, calls);
    end(&stand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chip_is_four_and_a_break_fourteen_of_the_color),
        cmocka_unit_test(chips_are_as_large_fast_and_lasting_as_the_document_says),
        cmocka_unit_test(under_a_roof_chips_fall_to_the_next_floor),
        cmocka_unit_test(torches_burn),
        cmocka_unit_test(it_rains_and_snows_by_the_biome_of_the_column),
        cmocka_unit_test(a_rainy_frame_makes_no_heap_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
