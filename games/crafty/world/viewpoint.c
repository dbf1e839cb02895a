#include "viewpoint.h"

/* ---- Visibility ---- */

static bool is_free(CraftyWorld *world, CnVec3 at)
{
    CnCell cell = {(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y), (int32_t)cn_floorf(at.z)};
    return cn_voxels_get(crafty_world_voxels(world), cell) == CN_BLOCK_AIR;
}

static CnVec3 direction(float yaw, float pitch)
{
    return cn_quat_rotate(cn_quat_from_euler(cn_vec3(pitch, yaw, 0)), cn_vec3(0, 0, -1));
}

/* Maximum length of the rays whose mean length is the openness. */
#define REACH 72.0f
#define WIDE_ENOUGH 45.0f
float crafty_openness(CraftyWorld *world, CnVec3 eye, float yaw)
{
    static const float fan[][2] = {{0, -4}, {-18, -2}, {18, -2}, {0, 4}};
    float sum = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(fan); i++) {
        CnVoxelHit hit;
        CnVec3 way = direction(yaw + fan[i][0], fan[i][1]);
        bool stopped = cn_voxels_raycast(crafty_world_voxels(world), eye, way, REACH,
                                         CN_VOXEL_RAY_LIQUID, &hit);
        sum += stopped ? hit.distance : REACH;
    }
    return sum / CN_COUNT_OF(fan);
}

/* Returns how much the ground rises and falls along a view; hills and shores make a good view. */
static float relief(CraftyWorld *world, CnVec3 eye, float yaw)
{
    CnVec3 way = direction(yaw, 0);
    float lowest = 1e9f, highest = -1e9f;
    for (float distance = 24; distance <= 120; distance += 24) {
        CnColumn column = cn_generate_column(
            crafty_world_generator(world), crafty_world_scratch(world),
            (int32_t)(eye.x + way.x * distance), (int32_t)(eye.z + way.z * distance));
        float height = column.underwater ? (float)CN_SEA_LEVEL : column.height;
        lowest = height < lowest ? height : lowest;
        highest = height > highest ? height : highest;
    }
    float range = highest - lowest;
    return range > 40 ? 40 : range;
}

CnVec3 crafty_eye_at(CraftyWorld *world, int32_t x, int32_t z, float above)
{
    int32_t ground = cn_voxels_height(crafty_world_voxels(world), x, z);
    if (ground < CN_SEA_LEVEL)
        ground = CN_SEA_LEVEL;
    CnVec3 eye = {(float)x + 0.5f, (float)ground + 1 + above, (float)z + 0.5f};
    for (uint32_t i = 0; i < 32 && !is_free(world, eye); i++)
        eye.y++;
    return eye;
}

/* Returns whether (x, z) is ground under the open sky. Leaves and water dim light but do not hide
 * the sky. */
static bool stands_at(CraftyWorld *world, int32_t x, int32_t z, CnVec3 *eye)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    CnCell top = {x, cn_voxels_height(voxels, x, z), z};
    if (top.y < CN_SEA_LEVEL ||
        !(cn_voxels_blocks(voxels)->flags[cn_voxels_get(voxels, top)] & CN_BLOCK_IS_OPAQUE))
        return false;
    *eye = cn_vec3((float)x + 0.5f, (float)top.y + 1 + CRAFTY_EYE_HEIGHT, (float)z + 0.5f);
    return true;
}

#define GROUND_RADIUS 16

CnVec3 crafty_ground_near(CraftyWorld *world, CnVec3 eye)
{
    int32_t x = (int32_t)cn_floorf(eye.x), z = (int32_t)cn_floorf(eye.z);
    CnVec3 found;
    for (int32_t ring = 0; ring <= GROUND_RADIUS; ring++)
        for (int32_t k = -ring; k <= ring; k++)
            for (int32_t i = -ring; i <= ring; i += k > -ring && k < ring && ring ? 2 * ring : 1)
                if (stands_at(world, x + i, z + k, &found))
                    return found;
    return eye;
}

/* Finds the direction with the widest view. Returns its openness. */
static float look_around(CraftyWorld *world, CraftyPose *pose)
{
    float best = -1, open = 0;
    for (int32_t turn = 0; turn < 12; turn++) {
        float yaw = 30.0f * (float)turn - 180;
        float openness = crafty_openness(world, pose->position, yaw);
        float score = openness + relief(world, pose->position, yaw);
        if (score > best) {
            best = score;
            open = openness;
            pose->yaw = yaw;
        }
    }
    return open;
}

CraftyPose crafty_viewpoint(CraftyWorld *world, int32_t x, int32_t z, float above)
{
    CraftyPose pose = {.pitch = -6};
    for (uint32_t i = 0; i < 4; i++) { /* move up if tree crowns or rocks are close */
        pose.position = crafty_eye_at(world, x, z, above + 5 * (float)i);
        if (look_around(world, &pose) > WIDE_ENOUGH)
            break;
    }
    return pose;
}

/* ---- Biomes ---- */

#define BIOME_STEP 48

bool crafty_find_biome(CraftyWorld *world, CnBiome biome, int32_t x, int32_t z, int32_t radius,
                       CnCell *found)
{
    /* Erosion does not change biomes and costs far more than everything else. */
    CnGenerator *generator = cn_generator_create(
        &(CnGeneratorDesc){.blocks = crafty_world_blocks(world),
                           .seed = cn_generator_seed(crafty_world_generator(world)),
                           .no_erosion = true},
        NULL);
    CnGenerateScratch *scratch = generator ? cn_generate_scratch_create(generator) : NULL;
    bool is_found = false;
    for (int32_t ring = 0; scratch && !is_found && ring * BIOME_STEP <= radius; ring++)
        for (int32_t k = -ring; k <= ring && !is_found; k++)
            for (int32_t i = -ring; i <= ring && !is_found; i++) {
                if (i > -ring && i < ring && k > -ring && k < ring)
                    continue;
                CnCell cell = {x + i * BIOME_STEP, 0, z + k * BIOME_STEP};
                CnColumn column = cn_generate_column(generator, scratch, cell.x, cell.z);
                is_found = column.biome == biome && column.blend < 0.15f && !column.underwater &&
                           column.ground > CN_SEA_LEVEL + 1;
                if (is_found)
                    *found = (CnCell){cell.x, column.ground, cell.z};
            }
    cn_generate_scratch_destroy(scratch);
    cn_generator_destroy(generator);
    return is_found;
}
