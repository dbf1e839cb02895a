/* Light through cells of any loss, more than the table of blocks has, from lamps of any level. */
#include "cmocka_tests.h"
#include "random.h"

#include "voxel/light/light_field.h"

#include <cairn/base/cpu.h>

#include <string.h>

#define SIDE CNI_VOXEL_LIGHT_FIELD_EDGE
#define CELLS (SIDE * SIDE * SIDE)
#define MAX_LOSS 4

typedef struct Field {
    uint8_t loss[CELLS], glow[CELLS], level[CELLS];
    int32_t open[9][256];
} Field;

static uint32_t level_of(const Field *field, int32_t cell, uint32_t seen)
{
    static const int32_t steps[6] = {1, -1, SIDE, -SIDE, SIDE * SIDE, -SIDE * SIDE};
    const int32_t at[3] = {cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE};
    uint32_t level = seen;
    for (uint32_t i = 0; i < 6; i++) {
        if (at[i / 2] == (i % 2 ? 0 : SIDE - 1))
            continue;
        uint32_t near = field->level[cell + steps[i]], taken = 1u + field->loss[cell];
        if (near > taken && near - taken > level)
            level = near - taken;
    }
    return level;
}

/* Until nothing rises any more. */
static void relax(Field *field, bool sky)
{
    memset(field->level, 0, sizeof field->level);
    for (bool rises = true; rises;) {
        rises = false;
        for (int32_t cell = 0; cell < CELLS; cell++) {
            int32_t x = cell % SIDE, y = cell / SIDE % SIDE, z = cell / SIDE / SIDE;
            bool under = y >= field->open[x / 16 + 3 * (z / 16)][x % 16 + 16 * (z % 16)];
            uint32_t level = level_of(field, cell, sky ? (under ? 15 : 0) : field->glow[cell]);
            rises = rises || level > field->level[cell];
            field->level[cell] = (uint8_t)level;
        }
    }
}

static void make_field(Field *field, uint64_t seed)
{
    TestRandom random = {seed};
    for (uint32_t i = 0; i < 9 * 256; i++)
        field->open[i / 256][i % 256] = 20 + (int32_t)test_random_below(&random, 20);
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        uint32_t x = cell % SIDE, y = cell / SIDE % SIDE, z = cell / SIDE / SIDE;
        int32_t open = field->open[x / 16 + 3 * (z / 16)][x % 16 + 16 * (z % 16)];
        uint32_t dice = test_random_below(&random, 100);
        uint32_t loss = dice < 60 ? 0 : dice < 90 ? 1 + dice % MAX_LOSS : 15;
        field->loss[cell] = (int32_t)y >= open ? 0 : (uint8_t)loss;
        field->glow[cell] =
            test_random_below(&random, 1500) == 0 ? (uint8_t)(1 + dice % CNI_VOXEL_LIGHT_FULL) : 0;
    }
}

static void put_field(const Field *field, CnLightScratch *scratch)
{
    memset(scratch->free, 0, sizeof scratch->free);
    memset(scratch->dim, 0, MAX_LOSS * sizeof(CniVoxelLightRows));
    memset(scratch->glow, 0, CNI_VOXEL_LIGHT_FULL * sizeof(CniVoxelLightRows));
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        uint32_t row = cell / SIDE, loss = field->loss[cell], glow = field->glow[cell];
        uint64_t bit = 1ull << cell % SIDE;
        if (loss == 0)
            scratch->free[row] |= bit;
        else if (loss <= MAX_LOSS)
            scratch->dim[loss - 1][row] |= bit;
        if (glow > 0)
            scratch->glow[glow - 1][row] |= bit;
    }
    scratch->losses = MAX_LOSS;
    scratch->glowing = (1u << CNI_VOXEL_LIGHT_FULL) - 1;
    scratch->glow_span = (CniVoxelLightSpan){{0, SIDE - 1}, {0, SIDE - 1}, false};
}

static void expect_levels(const Field *field, const CnLightBox *box, uint32_t shift)
{
    for (uint32_t i = 0; i < sizeof box->cells; i++) {
        uint32_t x = 15 + i % CN_CHUNK_PADDED_SIZE,
                 y = 15 + i / CN_CHUNK_PADDED_SIZE % CN_CHUNK_PADDED_SIZE,
                 z = 15 + i / CN_CHUNK_PADDED_LAYER;
        uint32_t expected = field->level[x + SIDE * (y + SIDE * z)];
        if ((box->cells[i] >> shift & 15) != expected)
            fail_msg("%u instead of %u at %u, %u, %u", box->cells[i] >> shift & 15, expected, x, y,
                     z);
    }
}

static void light_takes_the_way_of_least_loss(void **state)
{
    (void)state;
    CnSimdPath before = cn_simd_path();
    CniVoxelLightKinds kinds = {.max_loss = MAX_LOSS, .level_count = CNI_VOXEL_LIGHT_FULL};
    for (uint8_t i = 0; i < CNI_VOXEL_LIGHT_FULL; i++)
        kinds.levels[i] = (uint8_t)(i + 1);
    CnLightScratch *scratch = cni_voxel_light_scratch_create(NULL, kinds);
    Field *sky = test_malloc(sizeof *sky), *block = test_malloc(sizeof *block);
    make_field(sky, 7);
    *block = *sky;
    relax(sky, true);
    relax(block, false);
    CnLightSky columns;
    for (uint32_t i = 0; i < 9; i++)
        columns.open[i] = sky->open[i];
    for (int path = 0; path < CN_SIMD_PATH_COUNT; path++) {
        if (!cn_simd_force((CnSimdPath)path))
            continue;
        CnLightBox box;
        put_field(sky, scratch);
        CniVoxelLightSky rows = cni_voxel_light_sky(&columns, 0);
        cni_voxel_light_propagate_sky(scratch, &rows);
        cni_voxel_light_propagate_blocks(scratch);
        cni_voxel_light_write_cells(scratch, &box);
        expect_levels(sky, &box, 4);
        expect_levels(block, &box, 0);
    }
    cn_simd_force(before);
    cn_light_scratch_destroy(scratch);
    test_free(sky);
    test_free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_takes_the_way_of_least_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
