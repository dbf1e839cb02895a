/*
 * Quad culling for CPU devices: all cores run compute shaders, but only one processes vertices and
 * triangles. Each quad is therefore tested before it is drawn: quads that face away, cover no pixel
 * center or are occluded are dropped. blocks_quad_cull.comp culls the quads, and blocks_quad_list.comp lists
 * the visible ones for blocks_visibility.vert: those of the last frame, then the new ones. See
 * src/render/block/quad_culling.c.
 *
 * CPUs process 8 lanes at a time, execute both sides of every if and at least one iteration of
 * every loop; buffer reads and writes are expensive, because each lane is handled separately.
 */
#ifndef RENDER_BLOCK_BLOCKS_QUAD_CULLING_GLSL
#define RENDER_BLOCK_BLOCKS_QUAD_CULLING_GLSL

#define COPY_UNIFORMS
#include "render/block/blocks_vertex.glsl"

const uint THREADS = 8u;
layout(local_size_x = THREADS) in;

struct QuadCullData {
    mat4 eye_to_clip;
    mat4 clip_to_eye;
    vec4 viewer;   /* position relative to the camera, w 1; or direction towards the viewer, w 0 */
    uvec4 numbers; /* width, height; capacity of a list; records */
    /* index of the list that is read, and of the one that is written; 1: drop occluded quads; start
     * of entries */
    uvec4 picking;
};
layout(set = 0, binding = 8, std140) uniform QuadCull { QuadCullData quad_cull_uniform; };
QuadCullData quad_cull;

/* Call it at the start of main: see frame.glsl. */
void begin_quad_culling()
{
    copy_frame();
    quad_cull = quad_cull_uniform;
}

layout(set = 0, binding = 10, std430) buffer VisibleQuads {
    uint visible_quad_counts[4];
    /* three lists of equal capacity: of every other frame, and of new quads. Record, part, face;
     * quad */
    uvec2 visible_quads[];
};
/* bits of quads: drawn in this frame */
layout(set = 0, binding = 11, std430) buffer Drawn { uint drawn[]; };
const uint NEW_VISIBLE_QUADS = 2u;

const float NEAREST = 0.05;

/* Values shared by the quads of one face of a record. Props have no such plane. */
struct Side {
    uint record, part, face, level;
    ivec3 chunk_position;
    vec3 corner;      /* of the record, relative to the camera */
    vec3 normal;
    vec4 right, up;   /* one block along its plane, in clip space */
    vec4 depth_ahead; /* of a plane through the camera */
};

Side side_of(uint record, uint part, uint face)
{
    Side side;
    side.record = record;
    side.part = part;
    side.face = face;
    side.level = block_records[record].level;
    side.chunk_position = block_records[record].chunk_position;
    side.corner = vec3((side.chunk_position - eye_chunk()) * 16) - eye_in_chunk();
    side.normal = face_normal(face);
    side.right = quad_cull.eye_to_clip * vec4(on_plane(face, vec2(1.0, 0.0)), 0.0);
    side.up = quad_cull.eye_to_clip * vec4(on_plane(face, vec2(0.0, 1.0)), 0.0);
    side.depth_ahead = vec4(side.normal, 0.0) * quad_cull.clip_to_eye;
    return side;
}

/* Returns false if chunks replace it or it faces away. */
bool read_side_quad(Side side, uvec2 words, out BlockVertex v)
{
    v.part = side.part;
    v.face = side.face;
    v.is_skirt = false;
    read_near(words, v);
    bool is_left_out = false;
    if (side.level > 0u) {
        read_far(words, side.level & 15u, v);
        is_left_out = side.level <= CUT_LEVEL && is_covered(side.chunk_position, v);
    }
    bool turns_away = dot(side.normal, quad_cull.viewer.xyz - (side.corner + v.cell) * quad_cull.viewer.w) <= 0.0 && side.part != PART_PROPS;
    return !is_left_out && !turns_away;
}

/* A quad on the screen. */
struct ScreenBounds {
    vec3 low, high; /* in clip space, after the division */
    ivec2 from, to; /* pixels whose centers it may cover */
    bool is_near;   /* it reaches behind the camera: the other values are undefined */
    bool is_inside; /* and needs no clipping */
    vec3 front;     /* depth on its plane: x and y times the first two, plus the third */
};

ScreenBounds screen_bounds(Side side, BlockVertex v)
{
    vec3 corner = side.corner + v.cell, normal = side.normal;
    vec4 right = side.right, ahead = side.depth_ahead;
    float overlap = QUAD_OVERLAP;
    if (side.part == PART_PROPS) {
        vec3 middle = corner + vec3(0.5, 0.0, 0.5), aside = prop_right(middle);
        corner = middle - 0.5 * aside;
        right = quad_cull.eye_to_clip * vec4(aside, 0.0);
        normal = vec3(-aside.z, 0.0, aside.x);
        ahead = vec4(normal, 0.0) * quad_cull.clip_to_eye;
        overlap = 4.0 * QUAD_OVERLAP;
    }
    vec4 a = quad_cull.eye_to_clip * vec4(corner, 1.0) - (right + side.up) * overlap;
    vec4 b = a + right * (v.size.x + 2.0 * overlap), up = side.up * (v.size.y + 2.0 * overlap);
    vec4 c = a + up, d = b + up;
    ScreenBounds bounds;
    bounds.is_near = min(min(a.w, b.w), min(c.w, d.w)) < NEAREST;
    vec3 p = a.xyz / a.w, q = b.xyz / b.w, r = c.xyz / c.w, s = d.xyz / d.w;
    bounds.low = min(min(p, q), min(r, s));
    bounds.high = max(max(p, q), max(r, s));
    vec2 size = vec2(quad_cull.numbers.xy);
    bounds.from = ivec2(clamp(ceil((bounds.low.xy * 0.5 + 0.5) * size - 0.51), vec2(0.0), size));
    bounds.to = ivec2(clamp(floor((bounds.high.xy * 0.5 + 0.5) * size - 0.49), vec2(-1.0), size - 1.0));
    bounds.is_inside = !bounds.is_near && all(greaterThan(bounds.low, vec3(-1.0, -1.0, 0.0))) && all(lessThan(bounds.high, vec3(1.0)));
    vec4 plane = ahead - dot(normal, corner) * vec4(quad_cull.clip_to_eye[0].w, quad_cull.clip_to_eye[1].w, quad_cull.clip_to_eye[2].w, quad_cull.clip_to_eye[3].w);
    bounds.front = -plane.xyw / (abs(plane.z) > 1e-12 ? plane.z : 1e-12);
    return bounds;
}

/* Returns whether it covers a pixel center. */
bool is_on_screen(ScreenBounds bounds)
{
    return bounds.is_near || all(lessThanEqual(bounds.from, bounds.to));
}

#endif
