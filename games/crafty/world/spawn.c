/*
 * The spawn: a dry position near the origin with water, hills and several biomes in view. A coarse
 * terrain map is scored first; the best candidates are then tested with rays through the actual
 * blocks.
 */
#include "viewpoint.h"

#define STEP 16  /* blocks between columns of the map */
#define SIDE 53  /* columns of the map: 416 blocks in each direction from the origin */
#define MARGIN 9 /* border columns used for views only, not as candidates */
#define TURNS 12
#define TRIED 8u

typedef struct Candidate {
    int32_t x, z; /* in the map */
    float yaw, score;
} Candidate;

static const float beauty[CN_BIOME_COUNT] = {
    [CN_BIOME_GRASSY_PLAINS] = 12, [CN_BIOME_FOREST] = 12,       [CN_BIOME_SAVANNA] = 8,
    [CN_BIOME_DESERT] = 2,         [CN_BIOME_JUNGLE] = 6,        [CN_BIOME_SWAMP] = 2,
    [CN_BIOME_TAIGA] = 8,          [CN_BIOME_CHERRY_GROVE] = 20, [CN_BIOME_BADLANDS] = 6,
    [CN_BIOME_ROCKY_MOUNTAINS] = 4};

/* ---- Map ---- */

/* Without erosion, which costs more than everything else and does not matter here. */
static bool make_map(CraftyWorld *world, CnColumn *map)
{
    CnGenerator *generator = cn_generator_create(
        &(CnGeneratorDesc){.blocks = crafty_world_blocks(world),
                           .seed = cn_generator_seed(crafty_world_generator(world)),
                           .no_erosion = true,
                           .no_features = true},
        NULL);
    CnGenerateScratch *scratch = generator ? cn_generate_scratch_create(generator) : NULL;
    CnColumnGrid grid = {-SIDE / 2 * STEP, -SIDE / 2 * STEP, STEP, SIDE};
    if (scratch)
        cn_generate_columns(generator, scratch, &grid, map);
    cn_generate_scratch_destroy(scratch);
    cn_generator_destroy(generator);
    return scratch != NULL;
}

/* Scores the view ahead: some water, but not only water; hills; several biomes; ground lower than
 * here. */
static float view_score(const CnColumn *map, int32_t x, int32_t z, float yaw)
{
    CnVec3 way = cn_quat_rotate(cn_quat_from_euler(cn_vec3(0, yaw, 0)), cn_vec3(0, 0, -1));
    const CnColumn *here = &map[x + SIDE * z];
    float lowest = 1e9f, highest = -1e9f, wet = 0, below = 0;
    uint32_t biomes = 0, count = 0;
    for (int32_t ahead = 2; ahead <= 7; ahead++)
        for (int32_t aside = -ahead / 2; aside <= ahead / 2; aside++) {
            float i = (float)x + way.x * (float)ahead - way.z * (float)aside;
            float k = (float)z + way.z * (float)ahead + way.x * (float)aside;
            const CnColumn *there =
                &map[(int32_t)cn_floorf(i + 0.5f) + SIDE * (int32_t)cn_floorf(k + 0.5f)];
            lowest = there->height < lowest ? there->height : lowest;
            highest = there->height > highest ? there->height : highest;
            wet += there->underwater;
            below += there->height < here->height;
            biomes |= there->underwater ? 0 : 1u << there->biome;
            count++;
        }
    float share = wet / (float)count, range = highest - lowest;
    float water = share < 0.4f ? share * 80 : share < 0.7f ? 32 : 10;
    return water + (range < 40 ? range : 40) + 20 * below / (float)count +
           5 * (float)__builtin_popcount(biomes);
}

static Candidate best_view(const CnColumn *map, int32_t x, int32_t z)
{
    const CnColumn *here = &map[x + SIDE * z];
    Candidate best = {x, z, 0, -1};
    if (here->underwater || here->ground <= CN_SEA_LEVEL || here->ground > 80)
        return best;
    for (int32_t turn = 0; turn < TURNS; turn++) {
        float yaw = 360.0f / TURNS * (float)turn - 180;
        float score = view_score(map, x, z, yaw);
        if (score > best.score)
            best = (Candidate){x, z, yaw, score};
    }
    float dx = (float)(x - SIDE / 2), dz = (float)(z - SIDE / 2);
    best.score += beauty[here->biome] - 0.6f * cn_sqrtf(dx * dx + dz * dz);
    return best;
}

/* ---- Candidates ---- */

/* Keeps the best candidates, sorted best first. */
static void keep(Candidate *kept, const Candidate *one)
{
    uint32_t place = TRIED;
    while (place > 0 && one->score > kept[place - 1].score)
        place--;
    for (uint32_t i = TRIED; i-- > place + 1;)
        kept[i] = kept[i - 1];
    if (place < TRIED)
        kept[place] = *one;
}

CraftyPose crafty_find_spawn(CraftyWorld *world)
{
    CraftyPose best = {.position = {0.5f, 80, 0.5f}, .pitch = -10};
    Candidate kept[TRIED] = {0};
    CnAllocator *allocator = cn_system_allocator();
    CnColumn *map = cn_alloc(allocator, sizeof *map * SIDE * SIDE);
    if (map && make_map(world, map))
        for (int32_t z = MARGIN; z < SIDE - MARGIN; z++)
            for (int32_t x = MARGIN; x < SIDE - MARGIN; x++) {
                Candidate one = best_view(map, x, z);
                keep(kept, &one);
            }
    cn_free(allocator, map, sizeof *map * SIDE * SIDE);
    float best_score = 0;
    for (uint32_t i = 0; i < TRIED && kept[i].score > 0; i++) {
        int32_t x = (kept[i].x - SIDE / 2) * STEP, z = (kept[i].z - SIDE / 2) * STEP;
        CnVec3 eye = crafty_eye_at(world, x, z, CRAFTY_EYE_HEIGHT);
        float score = kept[i].score + crafty_openness(world, eye, kept[i].yaw);
        if (score > best_score) {
            best_score = score;
            best = (CraftyPose){.position = eye, .yaw = kept[i].yaw, .pitch = -5};
        }
    }
    return best;
}
