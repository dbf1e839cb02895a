/*
 * Blocks drawn by compute shaders, on devices where that pays: each thread finds the pixels that one quad of an item covers,
 * what is wide is left to tiles of 32 x 32. A pixel remembers the nearest quad: the number of its item, 64 times, and its
 * place in it, plus 1. src/render/block_raster.c.
 */
#ifndef RENDER_BLOCKS_SHOTS_GLSL
#define RENDER_BLOCKS_SHOTS_GLSL

#include "render/blocks_items.glsl"

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

struct BlockRay {
    vec3 origin, way;
};

BlockRay ray_of(BlockShot shot, vec2 pixel)
{
    return BlockRay(shot.origin[0].xyz * pixel.x + shot.origin[1].xyz * pixel.y + shot.origin[2].xyz,
                    shot.way[0].xyz * pixel.x + shot.way[1].xyz * pixel.y + shot.way[2].xyz);
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

#endif
