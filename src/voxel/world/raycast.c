/*
 * Ray casting: visits cells in the order in which the ray meets them (digital differential
 * analyser). Each crossing of a grid plane is computed from the origin, because sums would drift.
 * Uses doubles, because floats lose their fraction far from the origin.
 */
#include <cairn/base/assert.h>
#include <cairn/base/math.h>
#include <cairn/voxel/voxels.h>

#include <float.h>

typedef struct Ray {
    double origin[3], direction[3]; /* of length 1 */
    int32_t cell[3];
    int32_t step[3];
    double next[3]; /* distance to the next plane along each axis */
} Ray;

static bool stops(uint8_t flags, CnVoxelRayFilter filter)
{
    if (filter == CN_VOXEL_RAY_SOLID)
        return (flags & CN_BLOCK_COLLIDES) != 0;
    if (flags & CN_BLOCK_IS_WATER)
        return filter == CN_VOXEL_RAY_LIQUID;
    return !(flags & CN_BLOCK_IS_AIR);
}

static double distance_to_plane(const Ray *ray, int axis)
{
    if (ray->step[axis] == 0)
        return DBL_MAX; /* never */
    double plane = ray->cell[axis] + (ray->step[axis] > 0 ? 1 : 0);
    return (plane - ray->origin[axis]) / ray->direction[axis];
}

static CnCell cell_of(const Ray *ray)
{
    return (CnCell){ray->cell[0], ray->cell[1], ray->cell[2]};
}

/* Returns false if the ray is not valid. */
static bool begin(Ray *ray, CnVec3 origin, CnVec3 direction)
{
    double x = direction.x, y = direction.y, z = direction.z;
    double length = cn_sqrt(x * x + y * y + z * z);
    *ray = (Ray){.origin = {origin.x, origin.y, origin.z}};
    if (!(length > 0 && length <= DBL_MAX))
        return false;
    ray->direction[0] = x / length;
    ray->direction[1] = y / length;
    ray->direction[2] = z / length;
    for (int axis = 0; axis < 3; axis++) {
        double whole = cn_floor(ray->origin[axis]);
        if (!(whole >= -CN_CELL_LIMIT && whole < CN_CELL_LIMIT))
            return false;
        ray->cell[axis] = (int32_t)whole;
        ray->step[axis] = (ray->direction[axis] > 0) - (ray->direction[axis] < 0);
        ray->next[axis] = distance_to_plane(ray, axis);
    }
    return true;
}

/* Moves to the next cell through the nearest plane and returns the axis of that plane. */
static int advance(Ray *ray)
{
    int axis = 0;
    for (int other = 1; other < 3; other++)
        if (ray->next[other] < ray->next[axis])
            axis = other;
    ray->cell[axis] += ray->step[axis];
    ray->next[axis] = distance_to_plane(ray, axis);
    return axis;
}

static CnVoxelHit hit_of(const Ray *ray, CnBlock block, double distance, int axis)
{
    static const uint8_t faces[3][2] = {{CN_FACE_NEG_X, CN_FACE_POS_X},
                                        {CN_FACE_NEG_Y, CN_FACE_POS_Y},
                                        {CN_FACE_NEG_Z, CN_FACE_POS_Z}};
    float point[3], normal[3] = {0, 0, 0};
    uint8_t face = CN_EDIT_NO_FACE;
    for (int i = 0; i < 3; i++)
        point[i] = (float)(ray->origin[i] + ray->direction[i] * distance);
    if (axis >= 0) {
        bool positive = ray->step[axis] < 0;
        face = faces[axis][positive];
        normal[axis] = positive ? 1.0f : -1.0f;
        point[axis] = (float)(ray->cell[axis] + positive); /* exactly on the face */
    }
    return (CnVoxelHit){.cell = cell_of(ray),
                        .block = block,
                        .face = face,
                        .distance = (float)distance,
                        .point = {point[0], point[1], point[2]},
                        .normal = {normal[0], normal[1], normal[2]}};
}

bool cn_voxels_raycast(CnVoxels *world, CnVec3 origin, CnVec3 direction, float length,
                       CnVoxelRayFilter filter, CnVoxelHit *hit)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(hit, "%s: hit is NULL", __func__);
    Ray ray;
    if (!(length >= 0) || !begin(&ray, origin, direction))
        return false;
    double end = length < CN_VOXEL_RAY_MAX ? length : CN_VOXEL_RAY_MAX;
    const uint8_t *flags = cn_voxels_blocks(world)->flags;
    double distance = 0;
    int axis = -1;
    while (distance <= end && cn_cell_is_in_world(cell_of(&ray))) {
        CnBlock block = cn_voxels_get(world, cell_of(&ray));
        bool is_left = filter == CN_VOXEL_RAY_AIMED && axis < 0;
        if (stops(flags[block], filter) && !is_left) {
            *hit = hit_of(&ray, block, distance, axis);
            return true;
        }
        distance = ray.next[0];
        distance = ray.next[1] < distance ? ray.next[1] : distance;
        distance = ray.next[2] < distance ? ray.next[2] : distance;
        axis = advance(&ray);
    }
    return false;
}
