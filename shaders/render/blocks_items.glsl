/*
 * Blocks worked out by compute shaders, on devices where that pays: culling lists items of up to 64 quads that lie on one
 * face of a record, each thread finds the pixels that one quad covers, what is wide is left to tiles of 32 x 32.
 * A pixel remembers the nearest quad: the number of its item, 64 times, and its place in it, plus 1. src/render/block_raster.c.
 */
#ifndef RENDER_BLOCKS_ITEMS_GLSL
#define RENDER_BLOCKS_ITEMS_GLSL

#include "render/blocks_vertex.glsl"

const uint CROSS_FACES = 1u; /* of props: face 0 turns to the eye, 1 and 2 are the two of a cross */

/* From where a picture is taken. */
struct BlockShot {
    mat4 eye_to_clip;
    vec4 origin[3]; /* of the ray of a pixel: by x, by y, of the corner; from the eye */
    vec4 way[3];    /* the same of its direction: one of its lengths is at the near plane */
    vec4 viewer;    /* from the eye, w 1; or a direction towards what looks, w 0 */
    vec4 depth;     /* at t lengths it is x + y / t + z t; w: the least t */
    uvec4 size;     /* width, height, the first pixel's place in the target */
};
layout(set = 0, binding = 8, std140) uniform BlockShots { BlockShot block_shots[4]; };

/* Of two phases: groups each way and number of items. Those of the second follow those of the first. */
layout(set = 0, binding = 9, std430) readonly buffer BlockItems {
    uint item_heads[8];
    uvec2 block_items[]; /* record, part, face, shot, quads - 1; first quad */
};

struct BlockRay {
    vec3 origin, way;
};

BlockRay ray_of(BlockShot shot, vec2 pixel)
{
    return BlockRay(shot.origin[0].xyz * pixel.x + shot.origin[1].xyz * pixel.y + shot.origin[2].xyz,
                    shot.way[0].xyz * pixel.x + shot.way[1].xyz * pixel.y + shot.way[2].xyz);
}

/* A rectangle: places on it are multiples of two vectors, whose duals find them. */
struct BlockPlane {
    vec3 corner, right, up;
    vec3 right_dual, up_dual, normal;
    vec2 size;
};

BlockPlane plane_of(uint number, BlockVertex v)
{
    BlockPlane plane;
    plane.corner = record_from_eye(block_records[number]) + v.cell;
    plane.size = vec2(v.size);
    plane.right = on_plane(v.face, vec2(1.0, 0.0));
    plane.up = on_plane(v.face, vec2(0.0, 1.0));
    plane.normal = face_normal(v.face);
    if (v.part == PART_PROPS) {
        vec3 middle = plane.corner + vec3(0.5, 0.0, 0.5);
        plane.right = v.face == 0u ? prop_right(middle) : vec3(1.0, 0.0, v.face == CROSS_FACES ? 1.0 : -1.0);
        plane.up = vec3(0.0, 1.0, 0.0);
        plane.corner = middle - 0.5 * plane.right;
        plane.normal = cross(plane.right, plane.up);
    }
    plane.right_dual = plane.right / dot(plane.right, plane.right);
    plane.up_dual = plane.up;
    return plane;
}

/* Where a ray meets a plane, in its lengths. */
float meet(BlockPlane plane, BlockRay ray)
{
    return dot(plane.normal, plane.corner - ray.origin) / dot(plane.normal, ray.way);
}

vec2 place_at(BlockPlane plane, BlockRay ray, float t)
{
    vec3 from_corner = ray.origin + t * ray.way - plane.corner;
    return vec2(dot(from_corner, plane.right_dual), dot(from_corner, plane.up_dual));
}

/* How a place changes with x (0) or y (1) of the pixel. */
vec2 place_change(BlockShot shot, BlockPlane plane, BlockRay ray, float t, int axis)
{
    vec3 moved = shot.origin[axis].xyz + t * shot.way[axis].xyz;
    vec3 change = moved - ray.way * (dot(plane.normal, moved) / dot(plane.normal, ray.way));
    return vec2(dot(change, plane.right_dual), dot(change, plane.up_dual));
}

bool is_in_front(BlockShot shot, BlockPlane plane)
{
    return dot(plane.normal, shot.viewer.xyz - plane.corner * shot.viewer.w) > 0.0;
}

struct BlockItem {
    uint record, part, face, shot, count, first;
};

BlockItem read_item(uint index)
{
    uvec2 words = block_items[index];
    return BlockItem(words.x & 0xFFFFu, words.x >> 16 & 3u, words.x >> 18 & 7u, words.x >> 21 & 3u, (words.x >> 23 & 63u) + 1u, words.y);
}

#endif
