/*
 * Image-based lighting of a surface. Binding numbers can be defined before including.
 */
#ifndef RENDER_FEATURE_ENVIRONMENT_GLSL
#define RENDER_FEATURE_ENVIRONMENT_GLSL

#include "render/core/frame.glsl"

#ifndef IRRADIANCE_BINDING
#define IRRADIANCE_BINDING 12
#endif
#ifndef PREFILTERED_BINDING
#define PREFILTERED_BINDING 13
#endif
#ifndef BRDF_TABLE_BINDING
#define BRDF_TABLE_BINDING 14
#endif

layout(set = 0, binding = IRRADIANCE_BINDING) uniform samplerCube irradiance_cube;
layout(set = 0, binding = PREFILTERED_BINDING) uniform samplerCube prefiltered_cube;
layout(set = 0, binding = BRDF_TABLE_BINDING) uniform sampler2D brdf_table;

const float PREFILTERED_LAST_MIP = 4.0;

/* Reflections are occluded less than diffuse light, especially on smooth surfaces (Lagarde). */
float specular_occlusion(float nv, float roughness, float occlusion)
{
    return clamp(pow(nv + occlusion, exp2(-16.0 * roughness - 1.0)) - 1.0 + occlusion, 0.0, 1.0);
}

/* Normal and view are normalized. Split sum (Karis), with multiple scattering between the facets of
 * rough surfaces (Fdez-Aguera): a white surface in white light is white. */
vec3 ambient_light(vec3 n, vec3 v, vec3 albedo, float metallic, float roughness, float occlusion)
{
    if (frame.ambient.w < 0.5)
        return frame.ambient.rgb * albedo * occlusion;
    float facing = dot(n, v), nv = clamp(facing, 0.0, 1.0);
    vec3 way = reflect(-v, n);
    vec3 diffuse_light = textureLod(irradiance_cube, n, 0.0).rgb;
    vec3 mirrored = textureLod(prefiltered_cube, way, roughness * PREFILTERED_LAST_MIP).rgb;
    vec2 table = textureLod(brdf_table, vec2(nv, roughness), 0.0).rg;

    vec3 f0 = mix(vec3(0.04), albedo, metallic);
    vec3 grazing = max(vec3(1.0 - roughness), f0) - f0;
    vec3 once = (f0 + grazing * pow(1.0 - nv, 5.0)) * table.x + table.y;
    float lost = 1.0 - (table.x + table.y);
    vec3 average = f0 + (1.0 - f0) / 21.0;
    vec3 more = once * average * lost / (1.0 - lost * average);
    vec3 diffuse = albedo * (1.0 - metallic) * (1.0 - once - more);

    /* A perturbed normal may reflect what is behind the surface. */
    float horizon = clamp(1.0 + facing, 0.0, 1.0);
    float seen = specular_occlusion(nv, roughness, occlusion) * horizon * horizon;
    return (diffuse + more) * diffuse_light * occlusion + once * mirrored * seen;
}

#endif
