/* Matching the items of two snapshots, and interpolation between them. */
#include <cairn/sim/extract.h>

#include <cairn/base/linear.h>
#include <string.h>

/* ---- Matching ---- */

void cn_snapshot_match_init(CnSnapshotMatch *match, CnAllocator *allocator)
{
    CN_ASSERT(match, "%s: match is NULL", __func__);
    cn_array_init(&match->previous, allocator);
    cn_array_init(&match->heads, allocator);
    cn_array_init(&match->next, allocator);
}

void cn_snapshot_match_fini(CnSnapshotMatch *match)
{
    cn_array_fini(&match->previous);
    cn_array_fini(&match->heads);
    cn_array_fini(&match->next);
}

/* Matches the common prefix, which is everything as long as no entities are created or
 * destroyed. */
static uint32_t match_prefix(CnSnapshotMatch *match, const CnRenderSnapshot *previous,
                             const CnRenderSnapshot *current)
{
    uint32_t shorter =
        previous->item_count < current->item_count ? previous->item_count : current->item_count;
    uint32_t i = 0;
    for (; i < shorter && cn_entity_equal(previous->items[i].entity, current->items[i].entity); i++)
        match->previous.items[i] = cn_entity_is_null(current->items[i].entity) ? CN_NO_MATCH : i;
    return i;
}

/* Fibonacci hashing; the high bits are the well-mixed ones. */
static uint32_t *bucket(const CnSnapshotMatch *match, CnEntity entity)
{
    uint64_t mixed = (entity.id ^ entity.id >> 32) * 0x9e3779b97f4a7c15u;
    return &match->heads.items[(mixed >> 32) & (match->heads.count - 1)];
}

/* Fills the buckets with items of the previous snapshot from `from` on, in push order. */
static bool fill_buckets(CnSnapshotMatch *match, const CnRenderSnapshot *previous, uint32_t from)
{
    uint32_t left = previous->item_count - from;
    uint64_t buckets = 1;
    while (buckets < left)
        buckets *= 2;
    if (!cn_array_reserve(&match->heads, buckets) ||
        !cn_array_reserve(&match->next, previous->item_count))
        return false;
    match->heads.count = (uint32_t)buckets;
    memset(match->heads.items, 0xff, buckets * sizeof *match->heads.items);
    for (uint32_t i = previous->item_count; i-- > from;) {
        uint32_t *head = bucket(match, previous->items[i].entity);
        match->next.items[i] = *head;
        *head = i;
    }
    return true;
}

/* Removes the first item of the entity from its bucket, so that the entity's next item matches
 * the second. */
static uint32_t take_match(CnSnapshotMatch *match, const CnRenderItem *items, CnEntity entity)
{
    if (cn_entity_is_null(entity))
        return CN_NO_MATCH;
    uint32_t *link = bucket(match, entity);
    while (*link != CN_NO_MATCH && !cn_entity_equal(items[*link].entity, entity))
        link = &match->next.items[*link];
    uint32_t found = *link;
    if (found != CN_NO_MATCH)
        *link = match->next.items[found];
    return found;
}

bool cn_snapshot_match(CnSnapshotMatch *match, const CnRenderSnapshot *previous,
                       const CnRenderSnapshot *current)
{
    CN_ASSERT(match, "%s: match is NULL", __func__);
    match->previous.count = 0;
    if (!cn_array_reserve(&match->previous, current->item_count))
        return false;
    uint32_t done = previous ? match_prefix(match, previous, current) : 0;
    bool has_more = previous && done < previous->item_count && done < current->item_count;
    if (has_more && !fill_buckets(match, previous, done))
        return false;
    for (uint32_t i = done; i < current->item_count; i++)
        match->previous.items[i] =
            has_more ? take_match(match, previous->items, current->items[i].entity) : CN_NO_MATCH;
    match->previous.count = current->item_count;
    return true;
}

/* ---- Interpolation ---- */

/* Exact when both are equal, so that resting objects do not jitter. */
static float lerp(float a, float b, float t)
{
    return a + (b - a) * t;
}

static CnVec3 lerp_vec3(CnVec3 a, CnVec3 b, float t)
{
    return (CnVec3){lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t)};
}

/* Interpolates along the shorter arc: q and -q are the same rotation. */
static CnQuat lerp_quat(CnQuat a, CnQuat b, float t)
{
    float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    float sign = dot < 0 ? -1.0f : 1.0f;
    CnQuat q = {lerp(a.x, sign * b.x, t), lerp(a.y, sign * b.y, t), lerp(a.z, sign * b.z, t),
                lerp(a.w, sign * b.w, t)};
    float squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(squared > 0)) /* also for NaN */
        return b;
    float scale = 1.0f / cn_sqrtf(squared);
    return (CnQuat){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

void cn_render_item_lerp(const CnRenderItem *previous, const CnRenderItem *current, float alpha,
                         CnRenderItem *out)
{
    CN_ASSERT(previous, "%s: previous is NULL", __func__);
    CN_ASSERT(current, "%s: current is NULL", __func__);
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CnRenderItem between = *current;
    between.position = lerp_vec3(previous->position, current->position, alpha);
    between.rotation = lerp_quat(previous->rotation, current->rotation, alpha);
    between.scale = lerp_vec3(previous->scale, current->scale, alpha);
    *out = between;
}

void cn_render_camera_lerp(const CnRenderCamera *previous, const CnRenderCamera *current,
                           float alpha, CnRenderCamera *out)
{
    CN_ASSERT(previous, "%s: previous is NULL", __func__);
    CN_ASSERT(current, "%s: current is NULL", __func__);
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CnRenderCamera between = *current;
    if (previous->valid && current->valid) {
        between.position = lerp_vec3(previous->position, current->position, alpha);
        between.rotation = lerp_quat(previous->rotation, current->rotation, alpha);
        between.fov = lerp(previous->fov, current->fov, alpha);
        between.near_plane = lerp(previous->near_plane, current->near_plane, alpha);
        between.far_plane = lerp(previous->far_plane, current->far_plane, alpha);
        if (previous->height > 0 && current->height > 0) /* do not mix kinds of projection */
            between.height = lerp(previous->height, current->height, alpha);
    }
    *out = between;
}

static CnVec3 lerp_direction(CnVec3 a, CnVec3 b, float alpha)
{
    CnVec3 between = lerp_vec3(a, b, alpha);
    return cn_vec3_dot(between, between) > 0 ? cn_vec3_normalize(between) : b;
}

/* Interpolates a value with the period `turn`. */
static float lerp_around(float a, float b, float turn, float alpha)
{
    float way = b - a;
    way -= turn * cn_roundf(way / turn);
    float between = a + way * alpha;
    return between - turn * cn_floorf(between / turn);
}

void cn_render_atmosphere_lerp(const CnRenderAtmosphere *previous,
                               const CnRenderAtmosphere *current, float alpha,
                               CnRenderAtmosphere *out)
{
    CN_ASSERT(previous, "%s: previous is NULL", __func__);
    CN_ASSERT(current, "%s: current is NULL", __func__);
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CnRenderAtmosphere between = *current;
    if (previous->valid && current->valid) {
        between.to_sun = lerp_direction(previous->to_sun, current->to_sun, alpha);
        between.to_moon = lerp_direction(previous->to_moon, current->to_moon, alpha);
        between.moon_phase = lerp_around(previous->moon_phase, current->moon_phase, 1, alpha);
        between.star_rotation =
            lerp_around(previous->star_rotation, current->star_rotation, 2 * CN_PIF, alpha);
        between.cloud_cover = lerp(previous->cloud_cover, current->cloud_cover, alpha);
        between.cloud_bottom = lerp(previous->cloud_bottom, current->cloud_bottom, alpha);
        between.cloud_top = lerp(previous->cloud_top, current->cloud_top, alpha);
        between.wind.x = lerp(previous->wind.x, current->wind.x, alpha);
        between.wind.y = lerp(previous->wind.y, current->wind.y, alpha);
        between.fog = lerp(previous->fog, current->fog, alpha);
        between.rain = lerp(previous->rain, current->rain, alpha);
        between.snow = lerp(previous->snow, current->snow, alpha);
        between.wetness = lerp(previous->wetness, current->wetness, alpha);
        between.shelter = lerp(previous->shelter, current->shelter, alpha);
        /* murk is not interpolated: the camera is either under water or not */
    }
    *out = between;
}
