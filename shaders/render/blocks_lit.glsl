/*
 * Faces of blocks, lit at once by what is baked into them: of the sun what the light of the sky says, of torches the light
 * of blocks. One texel a pixel, no table of details.
 */
#define LIT_SKY_BINDING 8
#include "render/baked.glsl"
#include "render/blocks.glsl"
#include "render/lit_air.glsl"

layout(push_constant) uniform Constants {
    mat4 eye_to_clip;
    vec4 air;   /* edge, haze, sea level, 1 if there is fog */
    vec4 water; /* LitAir */
};

layout(location = 0) in vec2 in_at;
/* light; layer, face, whether light comes through, part, blue of greens, how much is there; tint; size, red and green
 * of greens */
layout(location = 1) flat in uvec4 in_face;

layout(location = 0) out vec4 out_light;

const float GLOW = 3.0; /* of the brightest blocks, times their color */
const float TEXELS = 16.0;

/* Nearly. */
vec3 linear_from_srgb(vec3 c)
{
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

/* Occlusion, sky, block: between the four corners, so that no diagonal of the triangles is seen. */
vec3 between_corners(uint light, vec2 part)
{
    vec4 weights = vec4((1.0 - part.x) * (1.0 - part.y), part.x * (1.0 - part.y), part.x * part.y, (1.0 - part.x) * part.y);
    vec4 occlusion = vec4((uvec4(light) >> uvec4(0u, 2u, 4u, 6u)) & 3u);
    uvec4 below = uvec4(light) >> uvec4(16u, 20u, 24u, 28u);
    vec4 blocks = vec4(float(light >> 8 & 15u)) - vec4(below & 3u);
    vec4 sky = vec4(float(light >> 12 & 15u)) - vec4(below >> 2 & 3u);
    float closed = 3.0 - dot(weights, occlusion); /* as blocks_main.glsl has it: 1, 0.83, 0.64, 0.42 */
    return vec3(1.0 - closed * (0.16 + 0.011 * closed), dot(weights, sky) / 15.0, dot(weights, blocks) / 15.0);
}

/* The nearest texel of the nearest mip. */
vec4 read_tile(vec2 uv, int layer)
{
    vec2 dx = dFdx(uv), dy = dFdy(uv);
    float texels = max(dot(dx, dx), dot(dy, dy)) * (TEXELS * TEXELS);
    int level = clamp(int(0.5 * log2(max(texels, 1e-8)) + 0.3), 0, 4), size = 16 >> level;
    return texelFetch(block_colors, ivec3(ivec2(fract(uv) * float(size)), layer), level);
}

/* Greens of the climate: dirt under the grass stays as it is. */
vec3 in_greens(vec3 color)
{
    vec3 factor = vec3(in_face.w >> 20 & 63u, in_face.w >> 26, in_face.y >> 22 & 63u) * (252.0 / 63.0 / 128.0);
    float green = clamp((color.g - max(0.9 * color.r, color.b)) / max(0.25 * color.g, 1e-3), 0.0, 1.0);
    return color * mix(vec3(1.0), factor, green);
}

float noise(vec2 pixel)
{
    return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}

void main()
{
    uint face = in_face.y >> 16 & 7u;
#ifdef CUT_OUT
    uint part = in_face.y >> 20 & 3u;
#endif
    vec2 size = vec2(in_face.w & 1023u, in_face.w >> 10 & 1023u);
    vec4 color = read_tile(face_uv(face, in_at), int(in_face.y & 0xFFFFu));
#ifdef CUT_OUT
    face = part == PART_PROPS ? 5u : face; /* plants are lit as the ground is */
    if (part == PART_OPAQUE ? noise(gl_FragCoord.xy) >= float(in_face.y >> 28) / 15.0 : color.a < 0.5)
        discard;
#endif
    vec3 baked = between_corners(in_face.x, clamp(in_at / size, 0.0, 1.0));
    vec3 tint = vec3(in_face.z & 255u, in_face.z >> 8 & 255u, in_face.z >> 16 & 255u) / 255.0;
    float wet = frame.weather.z * smoothstep(0.94, 0.995, baked.y);
    vec3 albedo = in_greens(color.rgb * linear_from_srgb(tint)) * (1.0 - 0.4 * wet);
    vec3 normal = face_normal(face);
    float facing = dot(normal, frame.sun_direction.xyz);
    facing = (in_face.y >> 19 & 1u) != 0u ? max(0.28 + 0.5 * facing, 0.0) : max(facing, 0.0);
    facing *= 0.31830989 * frame.sun_direction.w;
    vec3 light = frame.sun_color.rgb * (facing * sun_guess(baked.y) * (0.4 + 0.6 * baked.x));
    light += (lit_around(face) * sky_part(baked.y) + cell_light(baked.yz, normal)) * baked.x;
    light = albedo * (light + float(in_face.z >> 24) / 255.0 * GLOW);
    out_light = vec4(lit_through_air(light, lit_from_eye(), baked.y, LitAir(air.x, air.y, air.z, air.w, water.rgb)), 1.0);
}
