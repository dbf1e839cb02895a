/*
 * Culls records for a view: CniRenderBlockCull in src/render/block/chunk_culling.c. One thread per record. With
 * CULL_ONE a dispatch handles one view instead of several; main starts with begin_cull().
 *
 * CPU drivers compile this on the first start, while the user waits: code without duplication, in
 * loops that are not unrolled, takes a fraction of the time.
 */
#ifndef RENDER_BLOCK_BLOCKS_CULL_GLSL
#define RENDER_BLOCK_BLOCKS_CULL_GLSL

#extension GL_EXT_control_flow_attributes : require

#define BLOCKS_CULL
#ifdef CULL_ONE
#define COPY_UNIFORMS
#endif
#include "render/block/blocks.glsl"

layout(local_size_x = 64) in;

struct Cull {
    vec4 planes[6]; /* relative to the camera; inside is positive */
    vec4 viewer;    /* position relative to the camera, w 1; or direction towards the viewer, w 0 */
    /* records; capacity per record; list bits and flags; quads that may be drawn needlessly to save
     * a draw */
    uvec4 numbers;
    mat4 eye_to_clip, clip_to_eye;
    /* width, height; phase; reach: a float, meters along each axis, 0 means no limit */
    uvec4 target;
};
layout(set = 0, binding = 2, std140) uniform Culls { Cull culls[4]; };
#ifdef CULL_ONE
Cull cull;
void begin_cull()
{
    copy_frame();
    cull = culls[0];
}
#else
#define cull culls[gl_GlobalInvocationID.y]
void begin_cull()
{
}
#endif
layout(set = 0, binding = 3, std430) buffer Draws { uint draws[]; };
/* by record: in the last frame with phases */
layout(set = 0, binding = 4, std430) buffer Seen { uint seen[]; };
/* blocks_depth_pyramid.comp */
layout(set = 0, binding = 5, std430) readonly buffer DepthPyramid { float depth_pyramid[]; };

const uint PHASE_ALL = 0u;  /* by frustum only */
const uint PHASE_PREVIOUSLY_VISIBLE = 1u; /* visible in the last frame: occludes much of the rest */
const uint PHASE_REST = 2u; /* not occluded by those */
const uint HEAD = 16u; /* counts of the lists; from 8 on drawn records and quads */
/* the lists before are bands of opaque quads */
const uint LIST_SEMI = 4u, LIST_WATER = 5u, LIST_PROPS = 6u;
/* Where the quads of draws are counted: separately from those of items, which may be culled again
 * individually. */
#ifdef CULL_ITEMS
const uint DRAW_QUADS_AT = 15u;
const uint FIRST_LIST = LIST_WATER, MOST_DRAWS = 1u; /* of a record, in one list */
#else
const uint DRAW_QUADS_AT = 9u;
const uint FIRST_LIST = 0u, MOST_DRAWS = 3u;
#endif
const uint MAX_QUADS = 16384u;
const uint CROSSES = 16u, NO_FAR = 32u, QUAD_ITEMS = 64u;
const uint ALL_FACES = 63u;
const uint PROPS_END = 18u; /* the last of a record's ends */
const int MAX_SQUARES = 16; /* tested at most, per axis */
const float OVERLAP = 1.0 / 1024.0; /* more than QUAD_OVERLAP */

/* See per_pixel.glsl. */
uint per_thread(uint value)
{
    return min(value, gl_GlobalInvocationID.x + 65536u);
}

/* Relative to the camera. */
struct Box {
    vec3 low, high;
};

bool is_outside(vec3 low, vec3 high)
{
    for (int i = 0; i < 6; i++) {
        vec4 plane = cull.planes[i];
        if (dot(plane.xyz, mix(low, high, greaterThan(plane.xyz, vec3(0.0)))) + plane.w < 0.0)
            return true;
    }
    return false;
}

/* Whether a box is out of reach of the viewer. */
bool is_beyond_reach(vec3 low, vec3 high)
{
    float reach = uintBitsToFloat(cull.target.w);
    vec3 away = max(low - cull.viewer.xyz, cull.viewer.xyz - high);
    return reach > 0.0 && max(max(away.x, away.y), away.z) > reach;
}

/* Bits of the faces that face the viewer. */
uint seen_faces(vec3 low, vec3 high)
{
    bvec3 back = lessThan(cull.viewer.xyz, high * cull.viewer.w);
    bvec3 front = greaterThan(cull.viewer.xyz, low * cull.viewer.w);
    return uint(back.z) | uint(front.z) << 1 | uint(back.x) << 2 | uint(front.x) << 3 | uint(back.y) << 4 | uint(front.y) << 5;
}

/* Each list has space for MOST_DRAWS draws per record. Only chunks full of shaped blocks need more
 * than one draw for a run. */
void add_draw(uint list, uint part, uint record, uint begin, uint end, uint instances)
{
    [[dont_unroll]] for (; begin < end; begin += MAX_QUADS) {
        uint number = atomicAdd(draws[list], 1u);
        /* full: all faces of nearly all records would have to be visible; consumers do not read
         * further either */
        if (number >= MOST_DRAWS * cull.numbers.y)
            return;
        uint at = HEAD + ((list - FIRST_LIST) * MOST_DRAWS * cull.numbers.y + number) * 5u;
        uint quads = min(end - begin, MAX_QUADS);
        atomicAdd(draws[DRAW_QUADS_AT], quads * instances);
        draws[at] = quads * 6u;
        draws[at + 1u] = instances;
        draws[at + 2u] = 0u;
        draws[at + 3u] = (block_records[record].first + begin) * 4u;
        draws[at + 4u] = record * 8u + part * 2u;
    }
}

/* The faces of a box that face the camera: depth on the screen is x and y times the first two, plus
 * the third. The visible part of the box is nowhere nearer than any of them. */
vec3 front_plane(vec3 low, vec3 high, int axis)
{
    float at = low[axis] > 0.0 ? low[axis] : high[axis];
    mat4 back = cull.clip_to_eye;
    vec4 plane = vec4(back[0][axis], back[1][axis], back[2][axis], back[3][axis]) -
                 at * vec4(back[0].w, back[1].w, back[2].w, back[3].w);
    bool is_front = low[axis] * high[axis] > 0.0 && abs(plane.z) > 1e-12;
    return is_front ? -plane.xyw / plane.z : vec3(0.0, 0.0, 1e30);
}

/* Returns whether the fronts are behind all texels of a span, which are 4 << 2 * level pixels
 * wide. */
bool is_behind(ivec4 span, int level, int begin, int wide, mat3 fronts, float nearest)
{
    vec2 half_square = vec2(float(4 << 2 * level)) / vec2(cull.target.xy); /* in clip space */
    bool is_hidden = true;
    for (int y = span.y; y <= span.w && is_hidden; y++)
        for (int x = span.x; x <= span.z && is_hidden; x++) {
            vec2 middle = (vec2(x, y) * 2.0 + 1.0) * half_square - 1.0;
            vec3 depths = vec3(middle, 1.0) * fronts + half_square.x * abs(vec3(fronts[0].x, fronts[1].x, fronts[2].x)) +
                          half_square.y * abs(vec3(fronts[0].y, fronts[1].y, fronts[2].y));
            float depth = min(min(nearest, depths.x), min(depths.y, depths.z));
            is_hidden = depth * 1.0005 < depth_pyramid[begin + x + wide * y];
        }
    return is_hidden;
}

/* Returns whether the whole box is occluded. */
bool is_hidden(vec3 low, vec3 high)
{
    vec3 from = vec3(1e30), to = vec3(-1e30);
    float nearest_w = 1e30;
    [[dont_unroll]] for (int i = 0; i < 8; i++) {
        vec4 at = cull.eye_to_clip * vec4(mix(low, high, bvec3(i & 1, i & 2, i & 4)), 1.0);
        nearest_w = min(nearest_w, at.w);
        from = min(from, at.xyz / at.w);
        to = max(to, at.xyz / at.w);
    }
    ivec2 size = ivec2(cull.target.xy);
    ivec4 span = ivec4((vec4(from.xy, to.xy) * 0.5 + 0.5) * vec4(size, size)) + ivec4(-1, -1, 1, 1);
    span = clamp(span, ivec4(0), ivec4(size, size) - 1);
    int begin = 0, level = 0;
    [[dont_unroll]] for (; level < 3; level++) {
        size = (size + 3) / 4;
        span /= 4;
        if (max(span.z - span.x, span.w - span.y) < MAX_SQUARES)
            break;
        begin += size.x * size.y;
    }
    mat3 fronts = mat3(front_plane(low, high, 0), front_plane(low, high, 1), front_plane(low, high, 2));
    return nearest_w >= 0.05 && level < 3 && is_behind(span, level, begin, size.x, fronts, to.z);
}

/* Returns whether this phase draws a record that is in view. */
bool is_drawn(uint record, vec3 low, vec3 high)
{
    uint phase = per_thread(cull.target.z);
    if (phase == PHASE_ALL)
        return true;
    bool lists_quad_items = (per_thread(cull.numbers.z) & QUAD_ITEMS) != 0u; /* `seen` does not exist */
    bool was_seen = !lists_quad_items && seen[record] != 0u;
    if (phase == PHASE_PREVIOUSLY_VISIBLE)
        return was_seen;
    bool is_seen = !is_hidden(low, high);
    if (!lists_quad_items)
        seen[record] = uint(is_seen);
    return is_seen && !was_seen;
}

/* Returns whether a record is to be drawn, and its box. */
bool is_shown(uint record, out Box box)
{
    if (record >= cull.numbers.x || block_records[record].level > 15u)
        return false;
    uint is_dark = block_records[record].is_dark & uint(cull.viewer.w == 0.0);
    if ((per_thread(cull.numbers.z) & NO_FAR) != 0u && (block_records[record].level | is_dark) != 0u)
        return false;
    vec3 corner = record_from_eye(block_records[record]);
    box = Box(corner + block_records[record].low - OVERLAP, corner + block_records[record].high + OVERLAP);
    bool is_in_view = !is_outside(box.low, box.high) && !is_beyond_reach(box.low, box.high);
    if (!is_in_view && per_thread(cull.target.z) == PHASE_REST && (per_thread(cull.numbers.z) & QUAD_ITEMS) == 0u)
        seen[record] = 0u;
    return is_in_view && is_drawn(record, box.low, box.high);
}

#endif
