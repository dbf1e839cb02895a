/* Tiles of the lightweight path: one texel per pixel. */
#ifndef RENDER_BLOCK_BLOCKS_NEAREST_TEXEL_GLSL
#define RENDER_BLOCK_BLOCKS_NEAREST_TEXEL_GLSL

const float TEXELS = 16.0;

/* Returns the nearest texel of the nearest mip; dx and dy: change of uv per pixel. */
vec4 read_tile(vec2 uv, vec2 dx, vec2 dy, int layer)
{
    float texels = max(dot(dx, dx), dot(dy, dy)) * (TEXELS * TEXELS);
    int level = clamp(int(0.5 * log2(max(texels, 1e-8)) + 0.3), 0, 4), size = 16 >> level;
    return texelFetch(block_colors, ivec3(ivec2(fract(uv) * float(size)), layer), level);
}

#endif
