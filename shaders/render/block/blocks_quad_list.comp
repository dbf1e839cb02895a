#version 460
/* Lists the visible quads, with everything precomputed that all corners share: blocks_quad_culling.glsl. */
#extension GL_EXT_control_flow_attributes : require

#include "render/block/blocks_quad_culling.glsl"

layout(set = 0, binding = 12, std430) buffer Lists {
    uint list_quads[4]; /* requested */
    uint list_draws[4];
    uint drawn_quads; /* of all lists */
    uint list_head[7];
    uint draws[]; /* indexed indirect draws; each list has space for those of all its quads */
};
/* blocks_quad_entries.glsl */
layout(set = 0, binding = 9, std430) writeonly buffer Entries { uvec2 entries[]; };

/* quads that need clipping, which is slow, have their own list */
const uint LIST_OPAQUE = 0u, LIST_CUT = 1u, LIST_CLIPPED = 2u;
const uint DRAW_QUADS = 16384u;

/* Climate tint at the quad's cell, 6 bits each. */
uvec3 greens_of(ivec3 cell, uint appearance)
{
    uvec3 greens = uvec3(32u);
    if ((appearance & APPEARANCE_CLIMATE) != 0u) {
        vec2 at = vec2(cell.xz & (CELL_PERIOD - 1));
        greens = uvec3(textureLod(block_climate, at / float(CELL_PERIOD), 0.0).rgb * (63.0 * 255.0 / 252.0) + 0.5);
    }
    return greens;
}

/* Whether it is smaller than a cell: a face of a shape. */
bool is_small(BlockVertex v)
{
    return min(v.size.x, v.size.y) < 1.0;
}

uint size_of_entry(BlockVertex v)
{
    uvec2 size = uvec2(v.size);
    if (is_small(v)) /* size - 1 and position in the cell, in 1/16 */
        size = uvec2(v.size * 16.0 - 1.0) | uvec2(tile_offset(v) * 16.0) << 4;
    return size.x | size.y << 10;
}

/* The bits of an entry that follow its part: depth in the cell, whether it is small, turns of the
 * tile. */
uint shape_of_entry(BlockVertex v)
{
    float depth = dot(fract(v.cell), abs(face_normal(v.face)));
    uint turns = v.face == 5u ? block_table[v.block].appearance >> TOP_TURN_SHIFT & 3u : 0u;
    return uint(depth * 16.0) | uint(is_small(v)) << 4 | turns << 5;
}

/* A block with a front glows only there, and less: this path does not read the details of tiles. */
uint glowing_tint(BlockRow row, uint face)
{
    uint front = row.appearance >> FRONT_FACE_SHIFT & 7u, glow = row.tint >> 24;
    glow = front == 7u ? glow : front == face ? glow / 4u : 0u;
    return row.tint & 0xFFFFFFu | glow << 24;
}

/* As look_of. */
uvec4 lit_look_of(BlockVertex v, ivec3 chunk_position, bool is_far, float there)
{
    BlockRow row = block_table[v.block];
    bool is_prop = v.part == PART_PROPS;
    uint layer = v.is_skirt ? row.top & 0xFFFFu : face_layer(row, v.face);
    uint face = is_prop ? 1u : v.is_skirt ? 5u : v.face;
    uint light = v.light | (is_prop ? 0xFFu : 0u);
    if (is_far && (row.top >> 24 & 1u) != 0u)
        light = light & ~0x55u | (face < 4u ? CROWN_FOOT : 0u);
    uvec3 greens = greens_of(chunk_position * 16 + ivec3(v.cell), row.appearance);
    return uvec4(light, layer | face << 16 | (row.appearance / APPEARANCE_FOLIAGE & 1u) << 19 | v.part << 20 | greens.b << 22 | uint(there * 15.0) << 28,
                 glowing_tint(row, v.face), size_of_entry(v) | greens.r << 20 | greens.g << 26);
}

/* Returns false if the list is full. Quads that need clipping are few and may go to the other
 * lists. */
bool append(uint list, uvec4 look, uvec2 cell)
{
    uint room = quad_cull.numbers.z, few = room / 8u, slot = atomicAdd(list_quads[list], 1u);
    if (slot >= (list < LIST_CLIPPED ? room : few))
        return false;
    uint first = quad_cull.picking.w + (list < LIST_CLIPPED ? list * room : 2u * room + (list - LIST_CLIPPED) * few);
    uint draw = slot / DRAW_QUADS, at = (list * (room / DRAW_QUADS) + draw) * 5u;
    if (slot % DRAW_QUADS == 0u) {
        atomicMax(list_draws[list], draw + 1u);
        draws[at + 1u] = 1u;
        draws[at + 3u] = (first + slot) * 4u;
    }
    atomicAdd(draws[at], 6u);
    atomicAdd(drawn_quads, 1u);
    uint entry = (first + slot) * 3u;
    entries[entry] = cell;
    entries[entry + 1u] = look.xy;
    entries[entry + 2u] = look.zw;
    return true;
}

void list_quad(Side side, BlockVertex v, bool is_inside)
{
    float there = side.level > 0u ? clamp((frame.camera.w - block_records[side.record].fade_start) / FADE_SECONDS, 0.0, 1.0) : 1.0;
    ivec3 cell = (side.chunk_position - eye_chunk()) * 16 + ivec3(v.cell);
    uvec2 packed = uvec2(uint(cell.x) & 0xFFFFu | uint(cell.z) << 16, uint(cell.y) & 0xFFFFu | v.face << 16 | v.part << 19 | shape_of_entry(v) << 21);
    uvec4 look = lit_look_of(v, side.chunk_position, side.level > 0u, there);
    uint list = v.part == PART_OPAQUE && there == 1.0 ? LIST_OPAQUE : LIST_CUT;
    /* A loop, so that the code is not duplicated: see blocks_cull.glsl. */
    bool is_listed = false;
    [[dont_unroll]] for (uint i = is_inside ? 1u : 0u; i < 2u && !is_listed; i++)
        is_listed = append(i == 0u ? list + LIST_CLIPPED : list, look, packed);
}

/* A quad listed for the last frame may have been replaced by another quad or record, but must
 * exist. */
bool is_still_there(uint number, uint part, uint face, uint quad)
{
    if (number >= quad_cull.numbers.w || block_records[number].level > 15u)
        return false;
    uint end = part == PART_PROPS ? 18u : part * 6u + face, at = quad - block_records[number].first;
    return at < block_records[number].ends[end] && at >= (end == 0u ? 0u : block_records[number].ends[end - 1u]);
}

void main()
{
    begin_quad_culling();
    uint list = quad_cull.picking.x, end = min(visible_quad_counts[list], quad_cull.numbers.z);
    for (uint i = gl_WorkGroupID.x * THREADS + gl_LocalInvocationIndex; i < end; i += gl_NumWorkGroups.x * THREADS) {
        uvec2 visible_count = visible_quads[list * quad_cull.numbers.z + i];
        uint number = visible_count.x & 0xFFFFu, part = visible_count.x >> 16 & 3u, face = visible_count.x >> 18 & 7u, quad = visible_count.y;
        if (is_still_there(number, part, face, quad)) {
            Side side = side_of(number, part, face);
            BlockVertex v;
            bool is_there = read_side_quad(side, block_quads[quad], v);
            ScreenBounds bounds = screen_bounds(side, v);
            if (is_there && is_on_screen(bounds)) {
                atomicOr(drawn[quad >> 5], 1u << (quad & 31u));
                list_quad(side, v, bounds.is_inside);
            }
        }
    }
}
