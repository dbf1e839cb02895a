/* Finds the pixels that quads cover. BLOCK_TILES: processes tiles instead of items; BLOCK_SHADOWS:
 * only the nearest depth, of all views. */
#ifndef BLOCK_SHADOWS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif

#include "render/block/blocks_raster_views.glsl"
#include "render/block/blocks_surface.glsl"

layout(local_size_x = 64) in;

layout(set = 0, binding = 10, std430) buffer BlockTiles {
    uint tile_heads[8];  /* like those of items */
    uvec2 block_tiles[]; /* quad as stored in pixels; x, y */
};
#ifdef BLOCK_SHADOWS
layout(set = 0, binding = 11, std430) buffer Target { uint target[]; };
#else
layout(set = 0, binding = 11, std430) buffer Target { uint64_t target[]; }; /* depth, quad */
#endif
layout(push_constant) uniform Constants { uint phase; };

const int TILE = 32, MAX_ALONE = 32; /* pixels that one thread processes */
const uint TILE_THREADS = 16u, TILES_OF_A_GROUP = 4u;
const uint MAX_GROUPS = 8192u, NO_QUAD = 0u;

/* A quad, and the region of the image that it may cover. */
struct Raster {
    BlockPlane plane;
    uvec4 look;
    bool has_holes;
    ivec2 from, to; /* pixels; `to` is exclusive */
    uint id;
};

void widen(RasterView raster_view, vec4 at, inout vec2 low, inout vec2 high)
{
    vec2 pixel = (at.xy / at.w * 0.5 + 0.5) * vec2(raster_view.size.xy);
    low = min(low, pixel);
    high = max(high, pixel);
}

/* Pixels whose centers may be inside the quad; the parts of its edges in front of the near plane do
 * not count. */
void find_bounds(RasterView raster_view, inout Raster r)
{
    const float least = 1e-3;
    vec2 low = vec2(1e9), high = vec2(-1e9);
    vec4 corners[4];
    for (int i = 0; i < 4; i++) {
        vec2 at = vec2(i == 1 || i == 2 ? r.plane.size.x : 0.0, i >= 2 ? r.plane.size.y : 0.0);
        corners[i] = raster_view.eye_to_clip * vec4(r.plane.corner + r.plane.right * at.x + r.plane.up * at.y, 1.0);
    }
    for (int i = 0; i < 4; i++) {
        vec4 a = corners[i], b = corners[(i + 1) & 3];
        if (a.w >= least)
            widen(raster_view, a, low, high);
        if ((a.w >= least) != (b.w >= least))
            widen(raster_view, vec4(mix(a.xy, b.xy, (least - a.w) / (b.w - a.w)), 0.0, least), low, high);
    }
    vec2 size = vec2(raster_view.size.xy);
    r.from = ivec2(clamp(ceil(low - 0.51), vec2(0.0), size));
    r.to = ivec2(clamp(floor(high - 0.49) + 1.0, vec2(0.0), size));
}

bool is_coming(uint number)
{
    return block_records[number].level > 0u && frame.camera.w - block_records[number].fade_start < FADE_SECONDS;
}

/* Returns false if no part of it is visible. */
bool set_up(RasterView raster_view, BlockItem item, uint id, out Raster r)
{
    r.id = id;
    BlockVertex v = read_quad(item.record, item.part, item.face, item.first + (id - 1u & 63u));
    if (is_left_out(item.record, v))
        return false;
    r.plane = plane_of(item.record, v);
    if (item.part == PART_OPAQUE && !is_in_front(raster_view, r.plane))
        return false;
    find_bounds(raster_view, r);
    r.has_holes = item.part != PART_OPAQUE || is_coming(item.record);
    if (r.has_holes)
        r.look = look_of(v, item.record);
    return all(lessThan(r.from, r.to));
}

void draw_pixel(RasterView raster_view, Raster r, ivec2 pixel)
{
    vec2 middle = vec2(pixel) + 0.5;
    BlockRay ray = ray_of(raster_view, middle);
    float t = meet(r.plane, ray);
    vec2 at = place_at(r.plane, ray, t);
    if (!(all(greaterThanEqual(at, vec2(-QUAD_OVERLAP))) && all(lessThanEqual(at, r.plane.size + QUAD_OVERLAP)) && t >= raster_view.depth.w))
        return;
    if (r.has_holes) {
        TileCoords coords = tile_coords_at(r.look, at + r.plane.offset, position_derivative(raster_view, r.plane, ray, t, 0), position_derivative(raster_view, r.plane, ray, t, 1));
        if (is_hole(r.look, textureGrad(block_colors, coords.tile, coords.dx, coords.dy).a, middle))
            return;
    }
    float depth = raster_view.depth.x + raster_view.depth.y / t + raster_view.depth.z * t;
    uint index = raster_view.size.z + uint(pixel.x) + raster_view.size.x * uint(pixel.y);
#ifdef BLOCK_SHADOWS
    uint value = floatBitsToUint(clamp(depth, 0.0, 1.0));
    if (value < target[index])
        atomicMin(target[index], value);
#else
    uint64_t value = uint64_t(floatBitsToUint(depth)) << 32 | uint64_t(r.id);
    if (depth > 0.0 && value > target[index])
        atomicMax(target[index], value);
#endif
}

#ifdef BLOCK_TILES

void main()
{
    uint count = min(tile_heads[phase * 4u + 3u], uint(block_tiles.length()));
    uint thread = gl_LocalInvocationIndex % TILE_THREADS, first = gl_WorkGroupID.x * TILES_OF_A_GROUP + gl_LocalInvocationIndex / TILE_THREADS;
    for (uint i = first; i < count; i += gl_NumWorkGroups.x * TILES_OF_A_GROUP) {
        uvec2 tile = block_tiles[i];
        if (tile.x == NO_QUAD)
            continue;
        BlockItem item = read_item(tile.x - 1u >> 6);
        RasterView raster_view = raster_views[item.raster_view];
        Raster r;
        set_up(raster_view, item, tile.x, r);
        ivec2 from = r.from + TILE * ivec2(tile.y & 0xFFFFu, tile.y >> 16), to = min(from + TILE, r.to);
        for (int y = from.y + int(thread >> 2); y < to.y; y += 4)
            for (int x = from.x + int(thread & 3u); x < to.x; x += 4)
                draw_pixel(raster_view, r, ivec2(x, y));
    }
}

#else

/* Returns false if there is no space. */
bool leave_to_tiles(Raster r)
{
    uvec2 tiles = uvec2(r.to - r.from + TILE - 1) / uint(TILE);
    uint head = phase * 4u, count = tiles.x * tiles.y, begin = atomicAdd(tile_heads[head + 3u], count);
    uint room = uint(block_tiles.length());
    bool has_room = begin + count <= room;
    for (uint i = 0u; i < count && begin + i < room; i++)
        block_tiles[begin + i] = uvec2(has_room ? r.id : NO_QUAD, i % tiles.x | i / tiles.x << 16);
    atomicMax(tile_heads[head], min((begin + count + TILES_OF_A_GROUP - 1u) / TILES_OF_A_GROUP, MAX_GROUPS));
    tile_heads[head + 1u] = tile_heads[head + 2u] = 1u;
    return has_room;
}

void main()
{
    uint begin = phase == 0u ? 0u : item_heads[3], end = min(begin + item_heads[phase * 4u + 3u], uint(block_items.length()));
    for (uint i = begin + gl_WorkGroupID.x; i < end; i += gl_NumWorkGroups.x) {
        BlockItem item = read_item(i);
        RasterView raster_view = raster_views[item.raster_view];
        Raster r;
        if (gl_LocalInvocationIndex >= item.count || !set_up(raster_view, item, (i << 6 | gl_LocalInvocationIndex) + 1u, r))
            continue;
        ivec2 size = r.to - r.from;
        if (size.x * size.y > MAX_ALONE && leave_to_tiles(r))
            continue;
        for (int y = r.from.y; y < r.to.y; y++)
            for (int x = r.from.x; x < r.to.x; x++)
                draw_pixel(raster_view, r, ivec2(x, y));
    }
}

#endif
