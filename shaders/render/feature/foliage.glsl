/* Leaves and plants: translucency of foliage lit from behind. */
#ifndef RENDER_FEATURE_FOLIAGE_GLSL
#define RENDER_FEATURE_FOLIAGE_GLSL

const float FOLIAGE = 2.0;       /* stored in place of metallic in the G-buffer */
const float LEAF_THROUGH = 0.4;  /* fraction of the light on the other side */
const float LEAF_DEPTH = 1.2;    /* blocks of leaves that hardly occlude the sun */

/* Transmitted light makes greens yellower. */
vec3 color_through(vec3 albedo)
{
    float green = clamp((albedo.g - albedo.r) / max(0.2 * albedo.g, 1e-4), 0.0, 1.0);
    return albedo * mix(vec3(1.0, 0.95, 0.95), vec3(1.3, 1.1, 0.6), green);
}

#endif
