/* Writes faces of blocks to the G-buffer. */
#include "render/block/blocks_surface.glsl"

layout(location = 0) in vec2 in_at;
layout(location = 1) flat in uvec4 in_look;

layout(location = 0) out vec4 out_albedo;   /* alpha: roughness */
layout(location = 1) out vec4 out_normal;   /* alpha: metallic */
layout(location = 2) out vec4 out_emission; /* alpha: occlusion, until lighting */
layout(location = 3) out vec2 out_baked;    /* sky light, block light */

void main()
{
    TileCoords coords = tile_coords_at(in_look, in_at, dFdx(in_at), dFdy(in_at));
    vec4 color = textureGrad(block_colors, coords.tile, coords.dx, coords.dy);
    bool is_front = true;
#ifdef CUT_OUT
    if (is_hole(in_look, color.a, gl_FragCoord.xy))
        discard;
    is_front = gl_FrontFacing;
#endif
    BlockSurface s = surface_at(in_look, in_at, coords, color, is_front);
    out_albedo = s.albedo;
    out_normal = s.normal;
    out_emission = s.emission;
    out_baked = s.baked;
}
