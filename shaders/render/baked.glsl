/* Light that was worked out cell by cell: of the sky and of blocks. Both go from 0 to 1, a fifteenth a level. */
#ifndef RENDER_BAKED_GLSL
#define RENDER_BAKED_GLSL

const float LIGHT_LEVELS = 15.0;
const vec3 BLOCK_LIGHT = vec3(1.0, 0.58, 0.28) * 1.3; /* at the highest level */
const vec3 BLOCK_FALL = vec3(2.4, 2.9, 3.7);           /* with the level: redder the farther from a lamp */
const vec3 CAVE_LIGHT = vec3(0.085, 0.095, 0.118);     /* where nothing else comes: dark, but not black */
const float CAVE_SIGHT = 14.0; /* blocks: what is farther is darker, as if the eye brought a little light */
const float COUNTED_ONCE = 0.8; /* of a lamp's light, where its cells have it already */

/* What of the light from all around comes in: a level less takes about a fifth of it. */
float sky_part(float sky)
{
    return sky * sky * sky;
}

/* What is inside sees no sun, even if what shades it is not there. */
float sun_gate(float sky)
{
    return smoothstep(0.0, 2.0 / LIGHT_LEVELS, sky);
}

/* Where no shadows are drawn: what the sky does not reach in full lies under something. */
float sun_guess(float sky)
{
    return smoothstep(0.6, 0.97, sky);
}

/* Light without direction shows no relief: it comes a little more from above than from below. */
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

/* The level that a block's lamp gives a place which nothing hides from it: one less with each cell of the way. */
float lamp_level(float level, vec3 to_lamp, vec3 normal)
{
    vec3 way = abs(to_lamp - 0.5 * normal); /* from the middle of the cell before the surface */
    return level - (way.x + way.y + way.z);
}

/* How much of the lamp comes there: where there is less light than that, something is in between. */
float lamp_part(float least, float blocks)
{
    return smoothstep(least - 3.0, least - 1.5, max(blocks * LIGHT_LEVELS, 0.01));
}

/* What of a lamp's light on a surface is new: the light of cells has a part of it already. */
vec3 lamp_rest(vec3 light, float least, vec3 normal, vec3 albedo)
{
    vec3 cells = block_part(least / LIGHT_LEVELS) * cell_relief(normal) * albedo;
    return light - COUNTED_ONCE * min(light, cells);
}

#endif
