/*
 * The spawn: a clearing near the origin, with trees within a short walk and an open view of water,
 * hills and several biomes. A coarse terrain map is scored first; around the best candidates, best
 * first, clearings are searched in the actual blocks, and the direction in which rays go farthest.
 */
#include "viewpoint.h"

#include <string.h>

#define STEP 16  /* blocks between columns of the map */
#define SIDE 53  /* columns of the map: 416 blocks in each direction from the origin */
#define MARGIN 9 /* border columns used for views only, not as candidates */
#define TURNS 12
#define TRIED 32u

#define CLEARING 3 /* blocks around the player that are free and flat */
#define SEARCH 24  /* blocks around a candidate in which clearings are searched */
#define SEARCH_STEP 4
#define LOOKS 24         /* directions */
#define SIGHT 64.0f      /* blocks; farther is not better */
#define WIDE_SIGHT 48.0f /* enough for a spawn */
#define WOODS 40         /* blocks to walk to a tree, at most */
#define WOODS_STEP 3

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

/* ---- Blocks ---- */

/* Returns whether the topmost block at (x, z) is ground, at this height or one block off it: then
 * there is neither a tree nor water. */
static bool is_level(CnVoxels *voxels, int32_t x, int32_t z, int32_t ground)
{
    int32_t top = cn_voxels_height(voxels, x, z);
    CnBlock block = cn_voxels_get(voxels, (CnCell){x, top, z});
    return top >= ground - 1 && top <= ground + 1 &&
           (cn_voxels_blocks(voxels)->flags[block] & CN_BLOCK_IS_OPAQUE);
}

/* Plants that are taller than a block hide the view, too. */
static bool is_free(CnVoxels *voxels, int32_t x, int32_t z, int32_t ground)
{
    const CnBlockTable *blocks = cn_voxels_blocks(voxels);
    for (int32_t y = ground + 2; y <= ground + 3; y++)
        if (!(blocks->flags[cn_voxels_get(voxels, (CnCell){x, y, z})] & CN_BLOCK_IS_AIR))
            return false;
    return true;
}

static bool is_clearing(CnVoxels *voxels, int32_t x, int32_t z, CnVec3 *eye)
{
    int32_t ground = cn_voxels_height(voxels, x, z);
    if (ground <= CN_SEA_LEVEL)
        return false;
    for (int32_t k = -CLEARING; k <= CLEARING; k++)
        for (int32_t i = -CLEARING; i <= CLEARING; i++)
            if (!is_level(voxels, x + i, z + k, ground) || !is_free(voxels, x + i, z + k, ground))
                return false;
    *eye = cn_vec3((float)x + 0.5f, (float)ground + 1 + CRAFTY_EYE_HEIGHT, (float)z + 0.5f);
    return true;
}

/* Rays of a view: the sight is at most `limit` times the length of the ray; 0: at most SIGHT. */
typedef struct Ray {
    float yaw, pitch, limit;
} Ray;

static float ray_length(CnVoxels *voxels, CnVec3 eye, float yaw, const Ray *ray)
{
    CnQuat turn = cn_quat_from_euler(cn_vec3(ray->pitch, yaw + ray->yaw, 0));
    CnVoxelHit hit;
    return cn_voxels_raycast(voxels, eye, cn_quat_rotate(turn, cn_vec3(0, 0, -1)), SIGHT,
                             CN_VOXEL_RAY_SOLID, &hit)
               ? hit.distance
               : SIGHT;
}

/* Returns how far a player sees in this direction, in blocks: the mean length of rays ahead. Blocks
 * straight ahead and steps in the ground right before the player reduce it. */
static float sight(CnVoxels *voxels, CnVec3 eye, float yaw)
{
    static const Ray ahead[] = {{0, 0.5f, 1}, {-10, 0.5f, 1.5f}, {10, 0.5f, 1.5f},
                                {0, 6, 0},    {-24, 2, 0},       {24, 2, 0}};
    static const Ray down[] = {{0, -8, 6}, {-15, -8, 6}, {15, -8, 6}};
    float sum = 0, most = SIGHT;
    for (uint32_t i = 0; i < CN_COUNT_OF(ahead) + CN_COUNT_OF(down); i++) {
        bool is_ahead = i < CN_COUNT_OF(ahead);
        const Ray *ray = is_ahead ? &ahead[i] : &down[i - CN_COUNT_OF(ahead)];
        float length = ray_length(voxels, eye, yaw, ray);
        if (ray->limit > 0 && length * ray->limit < most)
            most = length * ray->limit;
        sum += is_ahead ? length : 0;
    }
    float mean = sum / CN_COUNT_OF(ahead);
    return mean < most ? mean : most;
}

/* Leaves are the topmost block of a tree. */
static bool has_trees_near(CnVoxels *voxels, CnVec3 eye)
{
    const CnBlockTable *blocks = cn_voxels_blocks(voxels);
    int32_t x = (int32_t)cn_floorf(eye.x), z = (int32_t)cn_floorf(eye.z);
    for (int32_t ring = CLEARING; ring <= WOODS; ring += WOODS_STEP)
        for (int32_t k = -ring; k <= ring; k += WOODS_STEP)
            for (int32_t i = -ring; i <= ring; i += WOODS_STEP) {
                if (i > -ring && i < ring && k > -ring && k < ring)
                    continue;
                CnCell top = {x + i, cn_voxels_height(voxels, x + i, z + k), z + k};
                const char *name = cn_block_info(blocks, cn_voxels_get(voxels, top))->name;
                if (strstr(name, "leaves") && strcmp(name, "fallen_leaves") != 0)
                    return true;
            }
    return false;
}

/* ---- The spawn ---- */

typedef struct Spot {
    CraftyPose pose;
    float sight;
    bool has_trees;
} Spot;

/* Of the directions that are open enough, the best view on the map counts, otherwise the widest. */
static Spot look_around(CnVoxels *voxels, const CnColumn *map, const Candidate *near, CnVec3 eye)
{
    Spot best = {.pose = {.position = eye, .pitch = -4}, .sight = -1};
    float best_score = -1;
    for (int32_t turn = 0; turn < LOOKS; turn++) {
        float yaw = 360.0f / LOOKS * (float)turn - 180;
        float length = sight(voxels, eye, yaw);
        bool is_wide = length >= WIDE_SIGHT;
        float score = is_wide ? 1000 + length + view_score(map, near->x, near->z, yaw) : length;
        if (score > best_score) {
            best_score = score;
            best.pose.yaw = yaw;
            best.sight = length;
        }
    }
    return best;
}

/* Returns whether `one` is better than `other`. */
static bool is_better(const Spot *one, const Spot *other)
{
    bool wide = one->sight >= WIDE_SIGHT, other_wide = other->sight >= WIDE_SIGHT;
    if (wide != other_wide)
        return wide;
    if (one->has_trees != other->has_trees)
        return one->has_trees;
    return one->sight > other->sight;
}

/* Searches the blocks around a candidate; returns whether the best spot cannot be improved. */
static bool search(CraftyWorld *world, const CnColumn *map, const Candidate *near, Spot *best)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    int32_t x = (near->x - SIDE / 2) * STEP, z = (near->z - SIDE / 2) * STEP;
    for (int32_t ring = 0; ring <= SEARCH; ring += SEARCH_STEP)
        for (int32_t k = -ring; k <= ring; k += SEARCH_STEP)
            for (int32_t i = -ring; i <= ring; i += SEARCH_STEP) {
                CnVec3 eye;
                if ((i > -ring && i < ring && k > -ring && k < ring) ||
                    !is_clearing(voxels, x + i, z + k, &eye))
                    continue;
                Spot spot = look_around(voxels, map, near, eye);
                spot.has_trees = spot.sight >= WIDE_SIGHT && has_trees_near(voxels, eye);
                if (is_better(&spot, best))
                    *best = spot;
                if (best->sight >= WIDE_SIGHT && best->has_trees)
                    return true;
            }
    return false;
}

/* Without a clearing: over the ground, or the crowns of trees, of the best candidate. */
static CraftyPose above_candidate(CraftyWorld *world, const Candidate *one)
{
    if (!(one->score > 0))
        return (CraftyPose){.position = {0.5f, 80, 0.5f}, .pitch = -10};
    int32_t x = (one->x - SIDE / 2) * STEP, z = (one->z - SIDE / 2) * STEP;
    return (CraftyPose){
        .position = crafty_eye_at(world, x, z, CRAFTY_EYE_HEIGHT), .yaw = one->yaw, .pitch = -5};
}

CraftyPose crafty_find_spawn(CraftyWorld *world)
{
    Candidate kept[TRIED] = {0};
    Spot best = {.sight = -1};
    CnAllocator *allocator = cn_system_allocator();
    CnColumn *map = cn_alloc(allocator, sizeof *map * SIDE * SIDE);
    bool has_map = map && make_map(world, map);
    for (int32_t z = MARGIN; has_map && z < SIDE - MARGIN; z++)
        for (int32_t x = MARGIN; x < SIDE - MARGIN; x++) {
            Candidate one = best_view(map, x, z);
            keep(kept, &one);
        }
    for (uint32_t i = 0; has_map && i < TRIED && kept[i].score > 0; i++)
        if (search(world, map, &kept[i], &best))
            break;
    cn_free(allocator, map, sizeof *map * SIDE * SIDE);
    return best.sight >= 0 ? best.pose : above_candidate(world, &kept[0]);
}
