/*
 * The compute rasteriser for blocks, used on devices where it is faster: each thread finds the
 * pixels that one quad of an item covers; wide quads are split into tiles of 32 x 32. A pixel
 * stores the nearest quad: 64 times the index of its item, plus its index in the item, plus 1. See
 * src/render/block/block_compute_raster.c.
 */
#ifndef RENDER_BLOCK_BLOCKS_RASTER_VIEWS_GLSL
#define RENDER_BLOCK_BLOCKS_RASTER_VIEWS_GLSL

#include "render/block/blocks_items.glsl"

/* A view to rasterise. */
struct RasterView {
    mat4 eye_to_clip;
    vec4 origin[3]; /* of the ray of a pixel: per x, per y, of the corner; relative to the camera */
    vec4 way[3];    /* the same for its direction, whose length ends at the near plane */
    vec4 viewer;    /* position relative to the camera, w 1; or direction towards the viewer, w 0 */
    vec4 depth;     /* at t ray lengths, depth is x + y / t + z t; w: the minimum t */
    uvec4 size;     /* width, height, index of the first pixel in the target */
};
layout(set = 0, binding = 8, std140) uniform RasterViews { RasterView raster_views[4]; };

struct BlockRay {
    vec3 origin, way;
};

BlockRay ray_of(RasterView raster_view, vec2 pixel)
{
    return BlockRay(raster_view.origin[0].xyz * pixel.x + raster_view.origin[1].xyz * pixel.y + raster_view.origin[2].xyz,
                    raster_view.way[0].xyz * pixel.x + raster_view.way[1].xyz * pixel.y + raster_view.way[2].xyz);
}

/* Returns where a ray intersects a plane, in ray lengths. */
float meet(BlockPlane plane, BlockRay ray)
{
    return dot(plane.normal, plane.corner - ray.origin) / dot(plane.normal, ray.way);
}

vec2 place_at(BlockPlane plane, BlockRay ray, float t)
{
    vec3 from_corner = ray.origin + t * ray.way - plane.corner;
    return vec2(dot(from_corner, plane.right_dual), dot(from_corner, plane.up_dual));
}

/* Returns the change of a position per x (0) or y (1) of the pixel. */
vec2 position_derivative(RasterView raster_view, BlockPlane plane, BlockRay ray, float t, int axis)
{
    vec3 moved = raster_view.origin[axis].xyz + t * raster_view.way[axis].xyz;
    vec3 change = moved - ray.way * (dot(plane.normal, moved) / dot(plane.normal, ray.way));
    return vec2(dot(change, plane.right_dual), dot(change, plane.up_dual));
}

bool is_in_front(RasterView raster_view, BlockPlane plane)
{
    return dot(plane.normal, raster_view.viewer.xyz - plane.corner * raster_view.viewer.w) > 0.0;
}

#endif
