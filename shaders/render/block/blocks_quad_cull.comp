#version 460
/* Culls the quads of items, one group per item: blocks_quad_culling.glsl. */
#include "render/block/blocks_quad_culling.glsl"
#include "render/block/blocks_items.glsl"

/* blocks_depth_pyramid.glsl */
layout(set = 0, binding = 12, std430) readonly buffer DepthPyramid { float depth_pyramid[]; };
layout(set = 0, binding = 13) uniform sampler2D depth;

const int MAX_SQUARES = 3; /* tested at most, per axis */

/* Returns whether the whole quad is occluded. */
bool is_hidden(ScreenBounds bounds)
{
    vec2 pixel = 2.0 / vec2(quad_cull.numbers.xy);
    /* the exact depth within a pixel is unknown */
    bool is_steep = dot(abs(bounds.front.xy), pixel) > 0.25 * bounds.high.z;
    vec3 front = is_steep ? vec3(0.0, 0.0, bounds.high.z) : bounds.front;
    ivec2 size = ivec2(quad_cull.numbers.xy), first = bounds.from, last = bounds.to;
    int begin = 0, level = 0;
    while (level < 4 && max(last.x - first.x, last.y - first.y) >= MAX_SQUARES) {
        begin += level > 0 ? size.x * size.y : 0;
        size = (size + 3) / 4;
        first /= 4;
        last /= 4;
        level++;
    }
    float wide = float(1 << 2 * level);
    vec2 step = pixel * wide;
    front.z += dot(abs(front.xy), level > 0 ? 0.5 * step : 0.05 * pixel);
    ivec2 at = first;
    bool is_hidden = level < 4;
    while (is_hidden && at.y <= last.y) {
        float nearest = min(bounds.high.z, dot(front.xy, (vec2(at) + 0.5) * step - 1.0) + front.z), drawn = 0.0;
        if (level > 0)
            drawn = depth_pyramid[begin + at.x + size.x * at.y];
        else
            drawn = texelFetch(depth, at, 0).r;
        is_hidden = nearest * 1.0005 < drawn; /* see rank_of in blocks_visibility.vert */
        at = at.x < last.x ? ivec2(at.x + 1, at.y) : ivec2(first.x, at.y + 1);
    }
    return is_hidden;
}

void cull_quad(uint list, uvec2 quad)
{
    uint slot = atomicAdd(visible_quad_counts[list], 1u);
    if (slot < quad_cull.numbers.z) /* quads that do not fit are drawn in the next frame */
        visible_quads[list * quad_cull.numbers.z + slot] = quad;
}

void main()
{
    begin_quad_culling();
    uint end = min(item_heads[3] + item_heads[7], uint(block_items.length()));
    for (uint i = gl_WorkGroupID.x; i < end; i += gl_NumWorkGroups.x) {
        BlockItem item = read_item(i);
        Side side = side_of(item.record, item.part, item.face);
        for (uint k = gl_LocalInvocationIndex; k < item.count; k += THREADS) {
            uint quad = item.first + k;
            BlockVertex v;
            bool is_there = read_side_quad(side, block_quads[quad], v);
            ScreenBounds bounds = screen_bounds(side, v);
            uint hidden = uint(is_hidden(bounds) && !bounds.is_near) & quad_cull.picking.z;
            bool is_seen = is_there && is_on_screen(bounds) && hidden == 0u;
            bool is_new = is_seen && (drawn[quad >> 5] >> (quad & 31u) & 1u) == 0u;
            uvec2 visible_count = uvec2(item.record | item.part << 16 | item.face << 18, quad);
            if (is_seen)
                cull_quad(quad_cull.picking.y, visible_count);
            if (is_new)
                cull_quad(NEW_VISIBLE_QUADS, visible_count);
        }
    }
}
