#version 460
/* Which records a picture shows, as draws: CniBlockCull in src/render/block_draws.c. One thread a record. */

#define BLOCKS_CULL
#include "render/blocks.glsl"

layout(local_size_x = 64) in;

struct Cull {
    vec4 planes[6]; /* from the eye; inside is positive */
    vec4 viewer;    /* from the eye, w 1; or a direction towards what looks, w 0 */
    uvec4 numbers;  /* records, room for each, lists and more (bits), quads that may be drawn in vain to save a draw */
    mat4 eye_to_clip;
    uvec4 picture; /* width, height; phase */
};
layout(set = 0, binding = 2, std140) uniform Culls { Cull culls[4]; };
#define cull culls[gl_GlobalInvocationID.y]
layout(set = 0, binding = 3, std430) buffer Draws { uint draws[]; };
layout(set = 0, binding = 4, std430) buffer Seen { uint seen[]; }; /* by record: in the last picture that had phases */
layout(set = 0, binding = 5, std430) readonly buffer Squares { float squares[]; }; /* blocks_depth.comp */
layout(set = 0, binding = 6, std430) buffer Items { uint item_heads[8]; uvec2 items[]; }; /* blocks_items.glsl */

const uint PHASE_ALL = 0u;  /* by frustum */
const uint PHASE_SEEN = 1u; /* what was seen in the last picture: it hides much of the rest */
const uint PHASE_REST = 2u; /* and what is not hidden by that */
const uint HEAD = 16u; /* counts of the lists; from 8 on records and quads drawn */
const uint MOST_QUADS = 16384u;
const uint LIST_SEMI = 4u, LIST_WATER = 5u, LIST_PROPS = 6u; /* those before are bands of what is opaque */
const vec3 BANDS = vec3(24.0 * 24.0, 56.0 * 56.0, 120.0 * 120.0);
const uint CROSSES = 16u, NO_FAR = 32u, ITEMS = 64u, FACES = 128u;
const int MOST_SQUARES = 16; /* that are looked at, each way */
const uint FACE_SHIFT = 19u; /* in a part: from bit 20 on in instances */
const uint ITEM_QUADS = 64u, MOST_GROUPS = 8192u;

bool is_outside(vec3 low, vec3 high)
{
    for (int i = 0; i < 6; i++) {
        vec4 plane = cull.planes[i];
        if (dot(plane.xyz, mix(low, high, greaterThan(plane.xyz, vec3(0.0)))) + plane.w < 0.0)
            return true;
    }
    return false;
}

/* Bits of the faces that look to the viewer. */
uint seen_faces(vec3 low, vec3 high)
{
    bvec3 back = lessThan(cull.viewer.xyz, high * cull.viewer.w);
    bvec3 front = greaterThan(cull.viewer.xyz, low * cull.viewer.w);
    return uint(back.z) | uint(front.z) << 1 | uint(back.x) << 2 | uint(front.x) << 3 | uint(back.y) << 4 | uint(front.y) << 5;
}

/* Opaque draws stand in bands by distance, the nearest first: what they hide need not be shaded. */
uint find_band(vec3 low, vec3 high)
{
    vec3 nearest = clamp(cull.viewer.xyz * cull.viewer.w, low, high) - cull.viewer.xyz * cull.viewer.w;
    float away = dot(nearest, nearest);
    return uint(away > BANDS.x) + uint(away > BANDS.y) + uint(away > BANDS.z);
}

/* Each list has room for 3 draws a record. What fades in is cut out. */
void add(uint list, uint part, uint record, uint begin, uint end, uint instances)
{
    if (begin >= end)
        return;
    uint number = atomicAdd(draws[list], 1u);
    if (number >= 3u * cull.numbers.y)
        return; /* all faces of nearly all records, which nobody sees at once; who draws does not read further either */
    uint at = HEAD + (list * 3u * cull.numbers.y + number) * 5u;
    atomicAdd(draws[9], end - begin);
    draws[at] = min(end - begin, MOST_QUADS) * 6u;
    draws[at + 1u] = instances;
    draws[at + 2u] = 0u;
    draws[at + 3u] = (block_records[record].first + begin) * 4u;
    draws[at + 4u] = record * 8u + part * 2u;
}

/* Runs of faces that are seen; small ones between them are drawn in vain. */
void add_seen(uint list, uint part, uint record, uint faces)
{
    uint from = part == 0u ? 0u : block_records[record].ends[part * 6u - 1u], begin = from, end = 0u;
    for (uint face = 0u; face < 6u; face++) {
        uint to = block_records[record].ends[part * 6u + face];
        if ((faces >> face & 1u) != 0u && to > from) {
            if (from > end + cull.numbers.w || end == 0u) {
                add(list, part, record, begin, end, 1u);
                begin = from;
            }
            end = to;
        }
        from = to;
    }
    add(list, part, record, begin, end, 1u);
}

/* Faces that are seen, each as a draw of its own: vertex shaders need not look for it. */
void add_one_by_one(uint list, uint part, uint record, uint faces)
{
    uint from = part == 0u ? 0u : block_records[record].ends[part * 6u - 1u];
    for (uint face = 0u; face < 6u; face++) {
        uint to = block_records[record].ends[part * 6u + face];
        if ((faces >> face & 1u) != 0u)
            add(list, part | face << FACE_SHIFT, record, from, to, 1u);
        from = to;
    }
}

/* Quads of one face, as items. */
void add_items(uint part, uint record, uint face, uint begin, uint end)
{
    if (begin >= end)
        return;
    bool is_rest = cull.picture.z == PHASE_REST;
    uint head = is_rest ? 4u : 0u, count = (end - begin + ITEM_QUADS - 1u) / ITEM_QUADS;
    uint place = atomicAdd(item_heads[head + 3u], count), first = block_records[record].first;
    atomicMax(item_heads[head], min(place + count, MOST_GROUPS));
    atomicAdd(draws[9], end - begin);
    place += is_rest ? item_heads[3] : 0u;
    for (uint i = 0u; i < count && place + i < uint(items.length()); i++) {
        uint from = begin + i * ITEM_QUADS, quads = min(end - from, ITEM_QUADS);
        items[place + i] = uvec2(record | part << 16 | face << 18 | gl_GlobalInvocationID.y << 21 | (quads - 1u) << 23, first + from);
    }
}

void add_faces(uint part, uint record, uint faces)
{
    uint from = part == PART_OPAQUE ? 0u : block_records[record].ends[part * 6u - 1u];
    for (uint face = 0u; face < 6u; face++) {
        uint to = block_records[record].ends[part * 6u + face];
        if ((faces >> face & 1u) != 0u)
            add_items(part, record, face, from, to);
        from = to;
    }
}

/* Leaves have two sides; in shadows far away one does, and what is as thin as grass throws none. */
void add_solid_items(uint record, uint faces)
{
    const uint all_faces = 63u;
    uint shot = gl_GlobalInvocationID.y;
    uint props = block_records[record].ends[17], props_end = block_records[record].ends[18];
    bool crosses = (cull.numbers.z & CROSSES) != 0u;
    add_faces(PART_OPAQUE, record, faces);
    add_faces(PART_SEMI, record, shot < 2u ? all_faces : faces);
    if (shot > 2u)
        return;
    add_items(PART_PROPS, record, crosses ? 1u : 0u, props, props_end);
    if (crosses)
        add_items(PART_PROPS, record, 2u, props, props_end);
}

/* The faces of a box that look to the eye: depth on the screen is x and y times the first two, and the third. What is
 * seen of the box is nowhere nearer than any of them. */
int front_planes(vec3 low, vec3 high, out vec3 fronts[3])
{
    mat4 back = inverse(cull.eye_to_clip);
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        float at = low[axis] > 0.0 ? low[axis] : high[axis];
        vec4 plane = vec4(back[0][axis], back[1][axis], back[2][axis], back[3][axis]) -
                     at * vec4(back[0].w, back[1].w, back[2].w, back[3].w);
        if (low[axis] * high[axis] > 0.0 && abs(plane.z) > 1e-12)
            fronts[count++] = -plane.xyw / plane.z;
    }
    return count;
}

/* Whether all of a box lies behind what is drawn. */
bool is_hidden(vec3 low, vec3 high)
{
    vec3 from = vec3(1e30), to = vec3(-1e30);
    for (int i = 0; i < 8; i++) {
        vec4 at = cull.eye_to_clip * vec4(mix(low, high, bvec3(i & 1, i & 2, i & 4)), 1.0);
        if (at.w < 0.05)
            return false;
        from = min(from, at.xyz / at.w);
        to = max(to, at.xyz / at.w);
    }
    ivec2 size = ivec2(cull.picture.xy);
    ivec2 first = clamp(ivec2((from.xy * 0.5 + 0.5) * vec2(size)) - 1, ivec2(0), size - 1);
    ivec2 last = clamp(ivec2((to.xy * 0.5 + 0.5) * vec2(size)) + 1, ivec2(0), size - 1);
    vec3 fronts[3];
    int front_count = front_planes(low, high, fronts);
    int begin = 0;
    for (int level = 0; level < 3; level++) {
        size = (size + 3) / 4;
        first /= 4;
        last /= 4;
        ivec2 span = last - first + 1;
        if (max(span.x, span.y) > MOST_SQUARES) {
            begin += size.x * size.y;
            continue;
        }
        vec2 wide = vec2(float(4 << 2 * level)) / vec2(cull.picture.xy); /* half of a square, in clip space */
        bool is_hidden = true;
        for (int y = first.y; y <= last.y && is_hidden; y++)
            for (int x = first.x; x <= last.x && is_hidden; x++) {
                vec2 middle = (vec2(x, y) * 2.0 + 1.0) * wide - 1.0;
                float nearest = to.z;
                for (int i = 0; i < front_count; i++)
                    nearest = min(nearest, dot(fronts[i].xy, middle) + dot(abs(fronts[i].xy), wide) + fronts[i].z);
                is_hidden = nearest * 1.0005 < squares[begin + x + size.x * y];
            }
        return is_hidden;
    }
    return false;
}

/* Whether this phase draws a record that is in view. */
bool is_drawn(uint record, vec3 low, vec3 high)
{
    uint phase = cull.picture.z;
    if (phase == PHASE_ALL)
        return true;
    bool was_seen = seen[record] != 0u;
    if (phase == PHASE_SEEN)
        return was_seen;
    bool is_seen = !is_hidden(low, high);
    seen[record] = uint(is_seen);
    return is_seen && !was_seen;
}

bool wants(uint part)
{
    return (cull.numbers.z >> part & 1u) != 0u;
}

void main()
{
    uint record = gl_GlobalInvocationID.x;
    bool has_items = (cull.numbers.z & ITEMS) != 0u;
    if (has_items && gl_GlobalInvocationID.xy == uvec2(0u)) {
        uint head = cull.picture.z == PHASE_REST ? 4u : 0u;
        item_heads[head + 1u] = item_heads[head + 2u] = 1u;
    }
    if (record >= cull.numbers.x || block_records[record].level > 15u)
        return;
    bool is_far = block_records[record].level > 0u;
    if (is_far && (cull.numbers.z & NO_FAR) != 0u)
        return;
    if (cull.viewer.w == 0.0 && block_records[record].is_dark != 0u && (cull.numbers.z & NO_FAR) != 0u)
        return;
    vec3 corner = record_from_eye(block_records[record]);
    vec3 low = corner + block_records[record].low, high = corner + block_records[record].high;
    if (is_outside(low, high)) {
        if (cull.picture.z == PHASE_REST)
            seen[record] = 0u;
        return;
    }
    if (!is_drawn(record, low, high))
        return;
    atomicAdd(draws[8], 1u);
    bool fades = is_far && frame.camera.w - block_records[record].born < FADE_SECONDS;
    uint opaque_end = block_records[record].ends[5], semi_end = block_records[record].ends[11];
    uint water_end = block_records[record].ends[17];
    if (has_items)
        add_solid_items(record, seen_faces(low, high));
    bool has_faces = (cull.numbers.z & FACES) != 0u;
    if (wants(PART_OPAQUE) && has_faces)
        add_one_by_one(fades ? LIST_SEMI : find_band(low, high), PART_OPAQUE, record, seen_faces(low, high));
    else if (wants(PART_OPAQUE))
        add_seen(fades ? LIST_SEMI : find_band(low, high), PART_OPAQUE, record, seen_faces(low, high));
    if (wants(PART_SEMI) && has_faces)
        add_one_by_one(LIST_SEMI, PART_SEMI, record, seen_faces(low, high));
    else if (wants(PART_SEMI))
        add(LIST_SEMI, PART_SEMI, record, opaque_end, semi_end, 1u);
    if (wants(PART_WATER))
        add(LIST_WATER, PART_WATER, record, semi_end, water_end, 1u);
    if (wants(PART_PROPS))
        add(LIST_PROPS, PART_PROPS, record, water_end, block_records[record].ends[18], (cull.numbers.z & CROSSES) != 0u ? 2u : 1u);
}
