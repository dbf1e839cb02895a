/* Light computed per cell: sky light and block light. Both range from 0 to 1 in steps of one
 * fifteenth. */
#ifndef RENDER_FEATURE_BAKED_LIGHT_GLSL
#define RENDER_FEATURE_BAKED_LIGHT_GLSL

const float LIGHT_LEVELS = 15.0;
const vec3 BLOCK_LIGHT = vec3(1.0, 0.58, 0.28) * 1.3; /* at the highest level */
/* falloff with the level: redder with distance from a lamp */
const vec3 BLOCK_FALL = vec3(2.4, 2.9, 3.7);
const vec3 CAVE_LIGHT = vec3(0.085, 0.095, 0.118);     /* minimum light, dark but not black */
/* blocks: farther surfaces are darker, as if the viewer carried a weak light */
const float CAVE_SIGHT = 14.0;
const float COUNTED_ONCE = 0.8; /* of a lamp's light, where its cells already contain it */

/* Fraction of ambient light that enters: each level less removes about a fifth of it. */
float sky_part(float sky)
{
    return sky * sky * sky;
}

/* Interiors see no sun, even if the geometry that shades them is not loaded. */
float sun_gate(float sky)
{
    return smoothstep(0.0, 2.0 / LIGHT_LEVELS, sky);
}

/* Estimate where no shadow maps are drawn: cells without full sky light are covered. */
float sun_guess(float sky)
{
    return smoothstep(0.6, 0.97, sky);
}

/* Light without direction shows no relief, so slightly more comes from above than from below. */
float cell_relief(vec3 normal)
{
    return 0.72 + 0.28 * dot(normal, vec3(0.30, 0.90, 0.32));
}

vec3 block_part(float blocks)
{
    return BLOCK_LIGHT * pow(vec3(clamp(blocks, 1e-3, 1.0)), BLOCK_FALL);
}

vec3 cell_light(vec2 baked, vec3 normal, float distance)
{
    vec3 cave = CAVE_LIGHT * (0.35 + 0.65 * exp(-distance / CAVE_SIGHT));
    return (block_part(baked.y) + cave * (1.0 - sky_part(baked.x))) * cell_relief(normal);
}

vec3 cell_light(vec2 baked, vec3 normal)
{
    return cell_light(baked, normal, 0.0);
}

/* Level that a block's lamp gives to an unobstructed position: one less per cell of distance. */
float lamp_level(float level, vec3 to_lamp, vec3 normal)
{
    /* from the center of the cell in front of the surface */
    vec3 way = abs(to_lamp - 0.5 * normal);
    return level - (way.x + way.y + way.z);
}

/* Fraction of the lamp's light that arrives: if the cell has less light than expected, something is
 * in between. */
float lamp_part(float least, float blocks)
{
    return smoothstep(least - 3.0, least - 1.5, max(blocks * LIGHT_LEVELS, 0.01));
}

/* Part of a lamp's light on a surface that cell light does not contain yet. */
vec3 lamp_rest(vec3 light, float least, vec3 normal, vec3 albedo)
{
    vec3 cells = block_part(least / LIGHT_LEVELS) * cell_relief(normal) * albedo;
    return light - COUNTED_ONCE * min(light, cells);
}

#endif
