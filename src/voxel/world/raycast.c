/*
 * Ray casting: visits cells in the order in which the ray meets them (digital differential
 * analyser). Each crossing of a grid plane is computed from the origin, because sums would drift.
 * Uses doubles, because floats lose their fraction far from the origin. In the cell of a block with
 * a shape, the ray is cut with its boxes.
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

/* The part of its cell in which a plain prop is aimed at. */
static const CnBlockShape aimed_prop = {1, {{{2, 0, 2}, {14, 14, 14}}}};

static bool stops(uint8_t flags, CnBlock block, CnVoxelRayFilter filter)
{
    if (filter == CN_VOXEL_RAY_SOLID)
        return (flags & CN_BLOCK_COLLIDES) != 0;
    if (flags & CN_BLOCK_IS_WATER)
        return filter == CN_VOXEL_RAY_LIQUID ||
               (filter == CN_VOXEL_RAY_SOURCE && block == CN_BLOCK_WATER);
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

/* Where a ray enters something. */
typedef struct Entry {
    double distance;
    int axis;     /* of the plane; -1: the ray starts inside */
    double plane; /* coordinate of the plane along the axis */
} Entry;

static CnVoxelHit hit_of(const Ray *ray, CnBlock block, const Entry *entry)
{
    static const uint8_t faces[3][2] = {{CN_FACE_NEG_X, CN_FACE_POS_X},
                                        {CN_FACE_NEG_Y, CN_FACE_POS_Y},
                                        {CN_FACE_NEG_Z, CN_FACE_POS_Z}};
    float point[3], normal[3] = {0, 0, 0};
    uint8_t face = CN_EDIT_NO_FACE;
    int axis = entry->axis;
    for (int i = 0; i < 3; i++)
        point[i] = (float)(ray->origin[i] + ray->direction[i] * entry->distance);
    if (axis >= 0) {
        bool positive = ray->step[axis] < 0;
        face = faces[axis][positive];
        normal[axis] = positive ? 1.0f : -1.0f;
        point[axis] = (float)entry->plane; /* exactly on the face */
    }
    return (CnVoxelHit){.cell = cell_of(ray),
                        .block = block,
                        .face = face,
                        .distance = (float)entry->distance,
                        .point = {point[0], point[1], point[2]},
                        .normal = {normal[0], normal[1], normal[2]}};
}

/* Returns whether the ray meets a box of the cell, and where: at the last of the planes through
 * which it enters, unless it leaves through another one before. */
static bool enter_box(const Ray *ray, const CnBlockBox *box, Entry *entry)
{
    double leaves = DBL_MAX;
    *entry = (Entry){0, -1, 0};
    for (int i = 0; i < 3; i++) {
        double low = ray->cell[i] + box->low[i] * (1.0 / CN_BLOCK_SHAPE_UNITS);
        double high = ray->cell[i] + box->high[i] * (1.0 / CN_BLOCK_SHAPE_UNITS);
        if (ray->step[i] == 0) {
            if (ray->origin[i] < low || ray->origin[i] >= high)
                return false;
            continue;
        }
        double near = ray->step[i] > 0 ? low : high, far = ray->step[i] > 0 ? high : low;
        double enters = (near - ray->origin[i]) / ray->direction[i];
        double exits = (far - ray->origin[i]) / ray->direction[i];
        if (enters > entry->distance || (enters == 0 && entry->axis < 0))
            *entry = (Entry){enters, i, near};
        leaves = exits < leaves ? exits : leaves;
    }
    return entry->distance < leaves;
}

/* Returns whether the ray meets the shape, and where first. */
static bool enter_shape(const Ray *ray, const CnBlockShape *shape, CnVoxelRayFilter filter,
                        Entry *first)
{
    bool found = false;
    for (uint32_t i = 0; i < shape->count; i++) {
        Entry entry;
        if (!enter_box(ray, &shape->boxes[i], &entry) ||
            (entry.axis < 0 && filter == CN_VOXEL_RAY_AIMED))
            continue;
        if (!found || entry.distance < first->distance)
            *first = entry;
        found = true;
    }
    return found;
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
    const CnBlockTable *table = cn_voxels_blocks(world);
    double distance = 0;
    int axis = -1;
    while (distance <= end && cn_cell_is_in_world(cell_of(&ray))) {
        CnBlock block = cn_voxels_get(world, cell_of(&ray));
        if (stops(table->flags[block], block, filter)) {
            const CnBlockShape *shape = cn_block_shape(table, block);
            if (filter == CN_VOXEL_RAY_AIMED && axis >= 0 && cn_block_is_plain_prop(table, block))
                shape = &aimed_prop;
            Entry entry = {distance, axis, axis < 0 ? 0 : ray.cell[axis] + (ray.step[axis] < 0)};
            bool is_met = shape ? enter_shape(&ray, shape, filter, &entry)
                                : axis >= 0 || filter != CN_VOXEL_RAY_AIMED;
            if (is_met && entry.distance <= end) {
                *hit = hit_of(&ray, block, &entry);
                return true;
            }
        }
        distance = ray.next[0];
        distance = ray.next[1] < distance ? ray.next[1] : distance;
        distance = ray.next[2] < distance ? ray.next[2] : distance;
        axis = advance(&ray);
    }
    return false;
}
