#include "lamps.h"

#include "crafty/sim/systems.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/math.h>
#include <cairn/ecs/system.h>
#include <cairn/scene/presentation.h>
#include <cairn/sim/loop.h>

#define TORCH_HEIGHT 0.9f /* of the light above the bottom of its cell */
#define FLAME_HEIGHT 0.7f /* of the flame above the bottom of the cell */
#define OUTSIDE 0.56f     /* distance from the center of an opaque block to its light */
#define BRIGHTNESS 2.2f   /* times that of the block: a bright spot close by, baked light beyond */
#define FADE_PART 0.25f   /* of the reach */
#define REACH_STEP 1.0f   /* blocks per tick, so that lamps fade smoothly */

/* How the brightness of a lamp varies. */
typedef enum Flicker {
    FLICKER_NONE,  /* lanterns and other blocks without an open flame */
    FLICKER_FLAME, /* torches */
    FLICKER_MOLTEN /* magma */
} Flicker;

typedef struct Lamp {
    uint64_t chunk;
    CnEntity entity; /* identifies the light in the next snapshot */
    CnVec3 position, color;
    float range, phase; /* phase of the flicker, 0 to 2 pi */
    uint32_t flags;
    Flicker flicker;
} Lamp;

struct CraftyLamps {
    CnAllocator *allocator;
    CnBlock torch, magma; /* blocks that flicker; CN_BLOCK_NONE: not in the table */
    CN_ARRAY(Lamp) lamps;
    CnHashMap chunks; /* only chunks that have lamps, by key */
    CnVec3 eye;
    float reach;
};

CraftyLamps *crafty_lamps_create(CnAllocator *allocator, const CnBlockTable *blocks)
{
    allocator = allocator ? allocator : cn_system_allocator();
    CraftyLamps *lamps = cn_alloc_zeroed(allocator, sizeof *lamps);
    if (!lamps)
        return NULL;
    lamps->allocator = allocator;
    lamps->reach = CRAFTY_LAMPS_REACH;
    lamps->torch = cn_block_find(blocks, "torch");
    lamps->magma = cn_block_find(blocks, "magma");
    cn_array_init(&lamps->lamps, allocator);
    cn_hash_map_init(&lamps->chunks, allocator, 1);
    return lamps;
}

void crafty_lamps_destroy(CraftyLamps *lamps)
{
    if (!lamps)
        return;
    cn_array_fini(&lamps->lamps);
    cn_hash_map_fini(&lamps->chunks);
    cn_free(lamps->allocator, lamps, sizeof *lamps);
}

void crafty_lamps_set_eye(CraftyLamps *lamps, CnVec3 eye)
{
    lamps->eye = eye;
}

uint32_t crafty_lamps_count(const CraftyLamps *lamps)
{
    return lamps->lamps.count;
}

uint32_t crafty_lamps_flames(const CraftyLamps *lamps, CnVec3 eye, float reach, CnVec3 *flames,
                             uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lamps->lamps.count && count < most; i++) {
        const Lamp *lamp = &lamps->lamps.items[i];
        if (lamp->flicker == FLICKER_FLAME &&
            cn_vec3_length(cn_vec3_sub(lamp->position, eye)) < reach)
            flames[count++] =
                cn_vec3_add(lamp->position, cn_vec3(0, FLAME_HEIGHT - TORCH_HEIGHT, 0));
    }
    return count;
}

/* ---- Finding lamps ---- */

/* Finds the direction from the center of an opaque block to its open side. Returns false if it is
 * enclosed. */
static bool find_way_out(CnVoxels *voxels, CnCell cell, CnVec3 *way)
{
    static const int8_t steps[6][3] = {{0, 0, -1}, {0, 0, 1},  {-1, 0, 0},
                                       {1, 0, 0},  {0, -1, 0}, {0, 1, 0}};
    bool is_open = false;
    *way = cn_vec3(0, 0, 0);
    for (uint32_t i = 0; i < 6; i++) {
        CnCell next = {cell.x + steps[i][0], cell.y + steps[i][1], cell.z + steps[i][2]};
        if (!cn_cell_is_in_world(next) ||
            cn_voxels_blocks(voxels)->flags[cn_voxels_get(voxels, next)] & CN_BLOCK_IS_OPAQUE)
            continue;
        is_open = true;
        *way = cn_vec3_add(*way, cn_vec3(steps[i][0], steps[i][1], steps[i][2]));
    }
    /* Uses the axis with the most open cells; up if opposite sides are equally open. */
    float x = cn_fabsf(way->x), y = cn_fabsf(way->y), z = cn_fabsf(way->z);
    if (y >= x && y >= z)
        *way = cn_vec3(0, way->y < 0 ? -OUTSIDE : OUTSIDE, 0);
    else if (x >= z)
        *way = cn_vec3(way->x < 0 ? -OUTSIDE : OUTSIDE, 0, 0);
    else
        *way = cn_vec3(0, 0, way->z < 0 ? -OUTSIDE : OUTSIDE);
    return is_open;
}

/* Returns a value from 0 to 2 pi that differs between neighbors. */
static float phase_of(CnCell cell)
{
    double turns = (127.1 * cell.x + 311.7 * cell.y + 74.3 * cell.z) / (2 * CN_PI);
    return (float)((turns - cn_floor(turns)) * 2 * CN_PI);
}

static CnEntity entity_of(CnCell cell)
{
    uint64_t mixed = cn_hash_mix((uint64_t)(uint32_t)cell.x | (uint64_t)(uint32_t)cell.z << 32);
    return (CnEntity){cn_hash_mix(mixed + (uint32_t)cell.y) | 1};
}

static Flicker flicker_of(const CraftyLamps *lamps, CnBlock block)
{
    return block == lamps->torch   ? FLICKER_FLAME
           : block == lamps->magma ? FLICKER_MOLTEN
                                   : FLICKER_NONE;
}

static bool add_lamp(CraftyLamps *lamps, CnVoxels *voxels, CnCell cell, CnBlock block)
{
    const CnBlockInfo *info = cn_block_info(cn_voxels_blocks(voxels), block);
    bool is_opaque = info->material == CN_BLOCK_MATERIAL_OPAQUE;
    CnVec3 offset = cn_vec3(0, TORCH_HEIGHT - 0.5f, 0);
    if (is_opaque && !find_way_out(voxels, cell, &offset))
        return true;
    CnVec3 middle = cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f);
    CnVec3 color = cn_vec3(info->light_color[0], info->light_color[1], info->light_color[2]);
    Lamp lamp = {.chunk = cn_chunk_key(cn_chunk_of(cell)),
                 .entity = entity_of(cell),
                 .position = cn_vec3_add(middle, offset),
                 .color = cn_vec3_scale(color, BRIGHTNESS * info->light_intensity),
                 .range = info->light_radius,
                 .phase = phase_of(cell),
                 .flags = CN_RENDER_LEVEL(info->light_level),
                 .flicker = flicker_of(lamps, block)};
    if (!is_opaque)
        lamp.flags |= CN_RENDER_CASTS_SHADOWS;
    return cn_array_push(&lamps->lamps, lamp);
}

void crafty_lamps_remove(CraftyLamps *lamps, CnChunkPos position)
{
    uint64_t key = cn_chunk_key(position);
    if (!cn_hash_map_remove(&lamps->chunks, key))
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < lamps->lamps.count; i++)
        if (lamps->lamps.items[i].chunk != key)
            lamps->lamps.items[kept++] = lamps->lamps.items[i];
    lamps->lamps.count = kept;
}

bool crafty_lamps_update(CraftyLamps *lamps, CnVoxels *voxels, CnChunkPos position)
{
    crafty_lamps_remove(lamps, position);
    const CnChunk *chunk = cn_voxels_chunk(voxels, position);
    if (!chunk || cn_chunk_light_count(chunk) == 0)
        return true;
    if (!cn_hash_map_set(&lamps->chunks, cn_chunk_key(position), NULL))
        return false;
    const CnBlockInfo *info = cn_voxels_blocks(voxels)->info;
    CnBlock blocks[CN_CHUNK_BLOCKS];
    cn_chunk_unpack(chunk, blocks);
    for (int32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        CnCell cell = {position.x * CN_CHUNK_SIZE + (i & 15),
                       position.y * CN_CHUNK_SIZE + (i >> 4 & 15),
                       position.z * CN_CHUNK_SIZE + (i >> 8)};
        if (info[blocks[i]].light_radius > 0 && !add_lamp(lamps, voxels, cell, blocks[i]))
            return false;
    }
    return true;
}

/* ---- Extracting lights ---- */

static float distance_of(const CraftyLamps *lamps, const Lamp *lamp)
{
    return cn_vec3_length(cn_vec3_sub(lamp->position, lamps->eye));
}

/* Returns the largest distance at which all nearer lamps fit into the limit. */
static float find_reach(const CraftyLamps *lamps)
{
    uint32_t at_distance[CRAFTY_LAMPS_REACH] = {0}, sum = 0, reach = 0;
    for (uint32_t i = 0; i < lamps->lamps.count; i++) {
        float distance = distance_of(lamps, &lamps->lamps.items[i]);
        if (distance < CRAFTY_LAMPS_REACH)
            at_distance[(uint32_t)distance]++;
    }
    while (reach < CRAFTY_LAMPS_REACH && sum + at_distance[reach] <= CRAFTY_MAX_SHOWN_LAMPS)
        sum += at_distance[reach++];
    return (float)reach;
}

/* Returns a value from -1 to 1 that oscillates at `rate` radians per second. */
static float wave(double seconds, double rate, float phase)
{
    double turns = seconds * rate / (2 * CN_PI);
    return cn_sinf((float)((turns - cn_floor(turns)) * 2 * CN_PI) + phase);
}

/* The rates have no common period, so that the pattern does not repeat soon. Torches vary by at
 * most 16 %, like candles; magma varies slowly, by at most 34 %. */
static float brightness_of(const Lamp *lamp, double seconds)
{
    const float phase = lamp->phase;
    switch (lamp->flicker) {
    case FLICKER_FLAME:
        return 1 + 0.08f * wave(seconds, 11.7, phase) + 0.05f * wave(seconds, 7.3, 1.7f * phase) +
               0.03f * wave(seconds, 23.1, 0.5f * phase);
    case FLICKER_MOLTEN:
        return 1 + 0.20f * wave(seconds, 1.9, phase) + 0.09f * wave(seconds, 3.1, 1.7f * phase) +
               0.05f * wave(seconds, 4.7, 0.5f * phase);
    default:
        return 1;
    }
}

static CnRenderLight light_of(const CraftyLamps *lamps, const Lamp *lamp, double seconds)
{
    float left = (lamps->reach - distance_of(lamps, lamp)) / (FADE_PART * lamps->reach);
    float strength = brightness_of(lamp, seconds) * (left < 1 ? left : 1);
    return (CnRenderLight){.entity = lamp->entity,
                           .kind = CN_LIGHT_POINT,
                           .position = lamp->position,
                           .color = cn_vec3_scale(lamp->color, strength),
                           .range = lamp->range,
                           .flags = lamp->flags};
}

void crafty_lamps_extract(CraftyLamps *lamps, CnRenderOut *out, double seconds)
{
    float reach = find_reach(lamps);
    /* The reach shrinks at once and grows gradually. */
    lamps->reach = reach < lamps->reach + REACH_STEP ? reach : lamps->reach + REACH_STEP;
    uint32_t count = 0;
    for (uint32_t i = 0; i < lamps->lamps.count; i++)
        count += distance_of(lamps, &lamps->lamps.items[i]) < lamps->reach;
    CnRenderLight *lights = cn_extract_lights(out, count);
    for (uint32_t i = 0, shown = 0; lights && i < lamps->lamps.count && shown < count; i++)
        if (distance_of(lamps, &lamps->lamps.items[i]) < lamps->reach)
            lights[shown++] = light_of(lamps, &lamps->lamps.items[i], seconds);
}

static void show_lamps(CnSystemContext *context)
{
    CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
    const CnTickInfo *info = cn_resource(context->world, CnTickInfo);
    if (out && info)
        crafty_lamps_extract(context->user, out, info->elapsed);
}

bool crafty_lamps_add(CnWorld *world, CraftyLamps *lamps, CnError *error)
{
    CnSystemDesc desc = {.name = "ShowLamps",
                         .run = show_lamps,
                         .user = lamps,
                         .stage = CN_STAGE_PRE_EXTRACT,
                         .access = {cn_reads(CnTickInfo), cn_writes(CnRenderOut)}};
    return crafty_system_add(world, &desc, error);
}
