#version 460
/* Writes the G-buffer and depth of the quads stored in pixels; elsewhere copies the previous
 * contents. */
#include "render/block/blocks_raster_views.glsl"
#include "render/block/blocks_surface.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

/* quad, depth */
layout(set = 0, binding = 10, std430) readonly buffer Visible { uvec2 visible[]; };
layout(set = 0, binding = 11, std430) writeonly buffer Depths { uint depths[]; };
layout(set = 0, binding = 12) uniform sampler2D old_albedo;
layout(set = 0, binding = 13) uniform sampler2D old_normal;
layout(set = 0, binding = 14) uniform sampler2D old_hdr;
layout(set = 0, binding = 15, rgba16f) writeonly uniform image2D albedo;
layout(set = 0, binding = 16, rgba16f) writeonly uniform image2D normal;
layout(set = 0, binding = 17, rgba16f) writeonly uniform image2D hdr;
layout(set = 0, binding = 18, rg8) writeonly uniform image2D baked;
/* 1 or 0: whether previous ones exist */
layout(push_constant) uniform Constants { float has_surfaces, has_hdr; };

void keep(ivec2 pixel)
{
    imageStore(albedo, pixel, texelFetch(old_albedo, pixel, 0) * has_surfaces);
    imageStore(normal, pixel, texelFetch(old_normal, pixel, 0) * has_surfaces);
    imageStore(hdr, pixel, texelFetch(old_hdr, pixel, 0) * has_hdr);
    imageStore(baked, pixel, vec4(1.0)); /* no baked light */
}

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    RasterView raster_view = raster_views[0];
    if (any(greaterThanEqual(pixel, ivec2(raster_view.size.xy))))
        return;
    uint index = uint(pixel.x) + raster_view.size.x * uint(pixel.y);
    uvec2 seen = visible[index];
    depths[index] = seen.y;
    if (seen.x == 0u) {
        keep(pixel);
        return;
    }
    uint number = seen.x - 1u;
    BlockItem item = read_item(number >> 6);
    BlockVertex v = read_quad(item.record, item.part, item.face, item.first + (number & 63u));
    BlockPlane plane = plane_of(item.record, v);
    uvec4 look = look_of(v, item.record);
    BlockRay ray = ray_of(raster_view, vec2(pixel) + 0.5);
    float t = meet(plane, ray);
    vec2 at = place_at(plane, ray, t) + plane.offset;
    TileCoords tile = tile_coords_at(look, at, position_derivative(raster_view, plane, ray, t, 0), position_derivative(raster_view, plane, ray, t, 1));
    vec4 color = textureGrad(block_colors, tile.tile, tile.dx, tile.dy);
    BlockSurface s = surface_at(look, at, tile, color, is_in_front(raster_view, plane));
    imageStore(albedo, pixel, s.albedo);
    imageStore(normal, pixel, s.normal);
    imageStore(hdr, pixel, s.emission);
    imageStore(baked, pixel, vec4(s.baked, 0.0, 0.0));
}
