#version 460
/* Writes the visible records of one view as draws. */
#define CULL_ONE
#include "render/block/blocks_cull.glsl"

const vec3 BANDS = vec3(24.0 * 24.0, 56.0 * 56.0, 120.0 * 120.0);
const uint NO_PART = 4u;

/* Opaque draws are grouped in distance bands, nearest first, so that occluded fragments are not
 * shaded. */
uint find_band(vec3 low, vec3 high)
{
    vec3 nearest = clamp(cull.viewer.xyz * cull.viewer.w, low, high) - cull.viewer.xyz * cull.viewer.w;
    float away = dot(nearest, nearest);
    return uint(away > BANDS.x) + uint(away > BANDS.y) + uint(away > BANDS.z);
}

/* Adds runs of visible faces, part by part; small gaps between them are drawn as well. The last
 * iteration ends the last run. */
void add_runs(uint record, uint faces, uint opaque_list)
{
    uint from = 0u, begin = 0u, end = 0u, run_part = NO_PART;
    [[dont_unroll]] for (uint i = 0u; i <= PROPS_END + 1u; i++) {
        uint part = i / 6u, face = i - part * 6u, to = block_records[record].ends[min(i, PROPS_END)];
        uint shown = part == PART_OPAQUE ? faces : ALL_FACES;
        bool is_seen = to > from && ((cull.numbers.z >> part & shown >> face) & 1u) != 0u;
        bool is_new = is_seen && (part != run_part || from > end + cull.numbers.w);
        if (end > begin && (is_new || i > PROPS_END)) {
            uint list = run_part == PART_OPAQUE ? opaque_list : LIST_SEMI - PART_SEMI + run_part;
            bool is_cross = run_part == PART_PROPS && (cull.numbers.z & CROSSES) != 0u;
            add_draw(list, run_part, record, begin, end, is_cross ? 2u : 1u);
        }
        if (is_new) {
            begin = from;
            run_part = part;
        }
        end = is_seen ? to : end;
        from = to;
    }
}

void main()
{
    begin_cull();
    uint record = gl_GlobalInvocationID.x;
    Box box;
    if (!is_shown(record, box))
        return;
    atomicAdd(draws[8], 1u);
    bool fades = block_records[record].level > 0u && frame.camera.w - block_records[record].fade_start < FADE_SECONDS;
    /* fading tiles are drawn as cut-out */
    add_runs(record, seen_faces(box.low, box.high), fades ? LIST_SEMI : find_band(box.low, box.high));
}
