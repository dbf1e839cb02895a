#include "place.h"

#include "systems.h"

#include <cairn/voxel/water.h>

#define MAX_COORDINATE 1e9f /* beyond the limits of the world */
#define DEEPEST 64          /* maximum number of blocks tested */
#define LIGHT_OF_WATER 2.0f /* light levels lost per block of water */
#define LIGHT_OUTSIDE 6.0f  /* sky light at and above which the position counts as outside */

float crafty_water_above(CnVoxels *voxels, CnVec3 eye)
{
    CnCell cell = {(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.y), (int32_t)cn_floorf(eye.z)};
    float surface = eye.y;
    for (int32_t i = 0; i < DEEPEST; i++, cell.y++) {
        uint32_t level = cn_water_level(cn_voxels_get(voxels, cell));
        if (level == 0)
            break;
        CnCell next = {cell.x, cell.y + 1, cell.z};
        bool is_full = cn_water_level(cn_voxels_get(voxels, next)) > 0;
        surface = (float)cell.y + (is_full ? 1 : (float)(7 * level / 4) / 16);
    }
    return surface > eye.y ? surface - eye.y : 0;
}

/* Interpolates sky light between the eight cells around the eye, so that it changes smoothly. */
float crafty_shelter(CnVoxels *voxels, CnVec3 eye, float water_above)
{
    CnVec3 corner = cn_vec3_sub(eye, cn_vec3(0.5f, 0.5f, 0.5f));
    CnCell low = {(int32_t)cn_floorf(corner.x), (int32_t)cn_floorf(corner.y),
                  (int32_t)cn_floorf(corner.z)};
    CnVec3 part = {corner.x - (float)low.x, corner.y - (float)low.y, corner.z - (float)low.z};
    float sky = LIGHT_OF_WATER * water_above;
    for (int32_t i = 0; i < 8; i++) {
        int32_t x = i & 1, y = i >> 1 & 1, z = i >> 2;
        float weight =
            (x ? part.x : 1 - part.x) * (y ? part.y : 1 - part.y) * (z ? part.z : 1 - part.z);
        CnCell cell = {low.x + x, low.y + y, low.z + z};
        bool is_open = cell.y > cn_voxels_height(voxels, cell.x, cell.z);
        sky += weight * (float)(is_open ? 15 : cn_voxels_light(voxels, cell) >> 4);
    }
    float open = sky < LIGHT_OUTSIDE ? sky / LIGHT_OUTSIDE : 1;
    return 1 - open * open * (3 - 2 * open);
}

static void update_biome(const CraftyBiomes *biomes, int32_t x, int32_t z, CraftyPlace *place)
{
    if (place->is_known && place->column[0] == x && place->column[1] == z)
        return;
    place->biome = cn_generate_column(biomes->generator, biomes->scratch, x, z).biome;
    place->is_known = true;
    place->column[0] = x;
    place->column[1] = z;
}

static void update(const CraftyBlocks *blocks, CnVec3 eye, CraftyPlace *place)
{
    if (!(cn_fabsf(eye.x) < MAX_COORDINATE && cn_fabsf(eye.y) < MAX_COORDINATE &&
          cn_fabsf(eye.z) < MAX_COORDINATE))
        return;
    if (blocks->biomes.generator)
        update_biome(&blocks->biomes, (int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.z), place);
    place->water_above = crafty_water_above(blocks->voxels, eye);
    place->shelter = crafty_shelter(blocks->voxels, eye, place->water_above);
}

/* The result does not depend on the order of the players. */
static void update_all(CnWorld *world, CnQuery *query)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    uint32_t first = UINT32_MAX;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        CraftyPlace *places = cn_column(&view, CraftyPlace);
        const CnTransform *transforms = cn_column_const(&view, CnTransform);
        const CnPlayerActions *players = cn_column_const(&view, CnPlayerActions);
        for (uint32_t i = 0; i < view.count; i++) {
            update(blocks, transforms[i].position, &places[i]);
            if (players[i].player < first) {
                first = players[i].player;
                weather->biome = places[i].biome;
            }
        }
    }
}

static CnQueryDesc place_query(void)
{
    return (CnQueryDesc){
        .all = {cn_writes(CraftyPlace), cn_reads(CnTransform), cn_reads(CnPlayerActions)}};
}

bool crafty_place_update(CnWorld *world, CnError *error)
{
    CnQueryDesc desc = place_query();
    CnQuery *query = cn_query_acquire(world, &desc, error);
    if (!query)
        return false;
    update_all(world, query);
    cn_query_release(query);
    return true;
}

static void run_places(CnSystemContext *context)
{
    update_all(context->world, context->query);
}

bool crafty_place_add(CnWorld *world, CnError *error)
{
    CnSystemDesc desc = {.name = "CraftyPlaces",
                         .run = run_places,
                         .stage = CN_STAGE_PRE_UPDATE,
                         .query = place_query(),
                         .alone = true}; /* accesses the voxel world */
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
