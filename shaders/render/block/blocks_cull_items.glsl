/* Writes the visible records of views as items: blocks_items.glsl. Only water is written as
 * draws. */
#define CULL_ITEMS
#include "render/block/blocks_cull.glsl"

layout(set = 0, binding = 6, std430) buffer Items { uint item_heads[8]; uvec2 items[]; };

const uint ITEM_QUADS = 64u, MAX_GROUPS = 8192u;

/* Adds the quads of one face as items. */
void add_items(uint part, uint record, uint face, uint begin, uint end)
{
    bool is_rest = per_thread(cull.target.z) == PHASE_REST;
    uint head = is_rest ? 4u : 0u, count = (end - begin + ITEM_QUADS - 1u) / ITEM_QUADS;
    uint first_item = atomicAdd(item_heads[head + 3u], count), first = block_records[record].first;
    atomicMax(item_heads[head], min(first_item + count, MAX_GROUPS));
    atomicAdd(draws[9], end - begin);
    first_item += is_rest ? item_heads[3] : 0u;
    for (uint i = 0u; i < count && first_item + i < uint(items.length()); i++) {
        uint from = begin + i * ITEM_QUADS, quads = min(end - from, ITEM_QUADS);
        items[first_item + i] = uvec2(record | part << 16 | face << 18 | gl_GlobalInvocationID.y << 21 | (quads - 1u) << 23, first + from);
    }
}

/* Faces to test, a bit for each end of a record. Leaves have two sides; one is sufficient in
 * distant shadows and in the lightweight path, and thin plants such as grass cast no shadow. A
 * cross counts twice. */
uint shown_ends(uint faces)
{
    uint raster_view = gl_GlobalInvocationID.y;
    uint semi = raster_view < 2u && (cull.numbers.z & QUAD_ITEMS) == 0u ? ALL_FACES : faces;
    uint props = raster_view > 2u ? 0u : (cull.numbers.z & CROSSES) != 0u ? 3u : 1u;
    return faces | semi << 6 | props << PROPS_END;
}

void add_solid_items(uint record, uint faces)
{
    uint shown = shown_ends(faces), from = 0u;
    [[dont_unroll]] for (uint i = 0u; i <= PROPS_END + 1u; i++) {
        uint to = block_records[record].ends[min(i, PROPS_END)], part = i / 6u;
        uint face = i < PROPS_END ? i - part * 6u : (cull.numbers.z & CROSSES) != 0u ? 1u + i - PROPS_END : 0u;
        if (to > from && (shown >> i & 1u) != 0u)
            add_items(part, record, face, from, to);
        from = i < PROPS_END ? to : from; /* all props are between the same two ends */
    }
}

void main()
{
    begin_cull();
    uint record = gl_GlobalInvocationID.x, head = per_thread(cull.target.z) == PHASE_REST ? 4u : 0u;
    if (gl_GlobalInvocationID.xy == uvec2(0u))
        item_heads[head + 1u] = item_heads[head + 2u] = 1u;
    Box box;
    if (!is_shown(record, box))
        return;
    atomicAdd(draws[8], 1u);
    add_solid_items(record, seen_faces(box.low, box.high));
    uint semi_end = block_records[record].ends[11], water_end = block_records[record].ends[17];
    if (semi_end < water_end && (per_thread(cull.numbers.z) >> PART_WATER & 1u) != 0u)
        add_draw(LIST_WATER, PART_WATER, record, semi_end, water_end, 1u);
}
