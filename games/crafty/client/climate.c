#include "climate.h"

#include <cairn/base/math.h>

/* The map is updated in squares; each remembers the world position it holds. */
#define SQUARE 16
#define SQUARES (CN_CLIMATE_SIZE / SQUARE)
#define SQUARE_BLOCKS (SQUARE * CN_CLIMATE_BLOCKS)

typedef struct Square {
    bool there;
    int32_t x, z;
} Square;

struct CraftyClimate {
    CnAllocator *allocator;
    CraftyBiomes biomes;
    Square squares[SQUARES * SQUARES];
    CnColumn columns[SQUARE * SQUARE];
    uint8_t factors[CN_CLIMATE_SIZE * CN_CLIMATE_SIZE][4];
};

/* Red, green and blue in percent. */
static const uint8_t greens[CN_BIOME_COUNT][3] = {
    [CN_BIOME_GRASSY_PLAINS] = {106, 100, 84},
    [CN_BIOME_FOREST] = {86, 94, 80},
    [CN_BIOME_SAVANNA] = {155, 108, 64},
    [CN_BIOME_DESERT] = {150, 110, 80},
    [CN_BIOME_JUNGLE] = {76, 92, 60},
    [CN_BIOME_SWAMP] = {84, 80, 62},
    [CN_BIOME_TAIGA] = {84, 92, 108},
    [CN_BIOME_SNOWY_PLAINS] = {96, 96, 118},
    [CN_BIOME_SNOWY_MOUNTAINS] = {90, 92, 112},
    [CN_BIOME_ROCKY_MOUNTAINS] = {98, 94, 98},
    [CN_BIOME_BADLANDS] = {158, 104, 74},
    [CN_BIOME_CHERRY_GROVE] = {104, 112, 100},
    [CN_BIOME_MUSHROOM_FIELDS] = {90, 100, 100},
};

CraftyClimate *crafty_climate_create(CnAllocator *allocator, CraftyBiomes biomes, CnError *error)
{
    CraftyClimate *climate = cn_alloc_zeroed(allocator, sizeof *climate);
    if (!climate) {
        cn_error_memory(error, "the climate");
        return NULL;
    }
    climate->allocator = allocator;
    climate->biomes = biomes;
    return climate;
}

void crafty_climate_destroy(CraftyClimate *climate)
{
    if (climate)
        cn_free(climate->allocator, climate, sizeof *climate);
}

/* Samples the center of each cell of the square and blends its biome with the second one. */
static void make_square(CraftyClimate *climate, int32_t x, int32_t z)
{
    const int32_t middle = CN_CLIMATE_BLOCKS / 2;
    cn_generate_columns(climate->biomes.generator, climate->biomes.scratch,
                        &(CnColumnGrid){.x = x * SQUARE_BLOCKS + middle,
                                        .z = z * SQUARE_BLOCKS + middle,
                                        .step = CN_CLIMATE_BLOCKS,
                                        .count = SQUARE},
                        climate->columns);
    int32_t left = (x & (SQUARES - 1)) * SQUARE, top = (z & (SQUARES - 1)) * SQUARE;
    for (int32_t i = 0; i < SQUARE * SQUARE; i++) {
        const CnColumn *column = &climate->columns[i];
        int32_t at = left + i % SQUARE + CN_CLIMATE_SIZE * (top + i / SQUARE);
        for (int32_t k = 0; k < 3; k++) {
            float own = greens[column->biome][k], other = greens[column->other][k];
            float hundredths = own + (other - own) * column->blend;
            climate->factors[at][k] = (uint8_t)(hundredths * 1.28f + 0.5f);
        }
        int32_t height = column->ground < 0 ? 0 : column->ground > 255 ? 255 : column->ground;
        climate->factors[at][3] = (uint8_t)(255 - height);
    }
}

void crafty_climate_stream(CraftyClimate *climate, CnBlockView *view, float x, float z, bool all)
{
    int32_t first_x = (int32_t)cn_floorf(x / SQUARE_BLOCKS + 0.5f) - SQUARES / 2;
    int32_t first_z = (int32_t)cn_floorf(z / SQUARE_BLOCKS + 0.5f) - SQUARES / 2;
    bool changed = false;
    for (int32_t i = 0; i < SQUARES * SQUARES && (all || !changed); i++) {
        Square square = {true, first_x + i % SQUARES, first_z + i / SQUARES};
        Square *known =
            &climate->squares[(square.x & (SQUARES - 1)) + SQUARES * (square.z & (SQUARES - 1))];
        if (known->there && known->x == square.x && known->z == square.z)
            continue;
        *known = square;
        make_square(climate, square.x, square.z);
        changed = true;
    }
    if (changed)
        cn_block_view_set_climate(view, (const uint8_t(*)[4])climate->factors);
}
