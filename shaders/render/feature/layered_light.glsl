/*
 * Light reflected by the layers of an extended material, from top to bottom: clear coat, sheen, and
 * the core's material with a tinted, anisotropic or iridescent reflection, below which light is
 * scattered or passes through. Part of lighting.glsl; the formulas are those of glTF's extensions:
 * a colored reflection does not tint what is below it with the complementary color.
 */
#ifndef RENDER_FEATURE_LAYERED_LIGHT_GLSL
#define RENDER_FEATURE_LAYERED_LIGHT_GLSL

#include "render/feature/thin_film.glsl"
#ifdef TRANSMISSIVE
#include "render/feature/light_behind.glsl"
#endif

const float COAT_F0 = 0.04;

float largest(vec3 v)
{
    return max(v.r, max(v.g, v.b));
}

float fresnel_weight(float cosine)
{
    float x = clamp(1.0 - cosine, 0.0, 1.0), x2 = x * x;
    return x2 * x2 * x;
}

vec3 base_f0(Surface s)
{
    return mix(layers.f0, s.albedo, s.metallic);
}

/* Computes what does not depend on the light. */
void prepare_layers(Surface s, vec3 v)
{
    float n_v = clamp(dot(s.normal, v), 0.0, 1.0);
    layers.film_fresnel = vec3(0.0);
    /* A loop instead of an if: see per_pixel.glsl. */
    for (int i = 0; i < (layers.film > 0.0 && layers.film_thickness > 0.0 ? 1 : 0); i++)
        layers.film_fresnel = thin_film(n_v, layers.film_ior, layers.film_thickness, base_f0(s));
    if (layers.film_thickness <= 0.0)
        layers.film = 0.0;
    float coat = mix(COAT_F0, 1.0, fresnel_weight(dot(layers.coat_normal, v)));
    layers.below_coat = 1.0 - layers.coat * coat;
}

/* ---- Sheen ---- */

/* Fraction of light from all around that the fibers reflect; fitted to the terms of sheen_brdf. */
float sheen_albedo(float cosine, float roughness)
{
    float r = max(roughness, 0.1), c = clamp(cosine, 0.0, 1.0);
    vec3 terms = vec3(0.1104, -1.0455, -0.0627) / r + vec3(-0.5202, -1.9356, -0.4632) +
                 vec3(-0.2335, 4.6009, 0.084) * r + vec3(0.4472, -3.3113, 0.5325) * r * r;
    return min(exp(terms.x + c * (terms.y + c * terms.z)), 1.0);
}

/* Estevez and Kulla's fit of how many fibers hide each other at this angle. */
float sheen_shadowing(float cosine, float alpha)
{
    float t = (1.0 - alpha) * (1.0 - alpha);
    float a = mix(21.5473, 25.3245, t), b = mix(3.82987, 3.32435, t), c = mix(0.19823, 0.16801, t);
    float d = mix(-1.97760, -1.27393, t), e = mix(-4.32054, -4.85967, t);
    float near = cosine < 0.5 ? cosine : 1.0 - cosine;
    float curve = a / (1.0 + b * pow(near, c)) + d * near + e;
    float middle = a / (1.0 + b * pow(0.5, c)) + d * 0.5 + e;
    return exp(cosine < 0.5 ? curve : 2.0 * middle - curve);
}

/* Distribution and visibility of Estevez and Kulla. */
float sheen_brdf(float n_h, float n_v, float n_l, float roughness)
{
    float alpha = max(roughness, 0.07);
    alpha *= alpha;
    float sine = sqrt(max(1.0 - n_h * n_h, 1e-6));
    float hidden = sheen_shadowing(n_v, alpha) + sheen_shadowing(n_l, alpha);
    float visibility = min(1.0 / ((1.0 + hidden) * 4.0 * n_v * max(n_l, 1e-3)), 1.0);
    return (2.0 + 1.0 / alpha) * pow(sine, 1.0 / alpha) / (2.0 * PI) * visibility;
}

/* ---- A light ---- */

/* Distribution and visibility of highlights, for the roughness along tangent and bitangent. */
float anisotropic_highlight(vec3 n, vec3 v, vec3 l, vec3 h, float roughness)
{
    float across = roughness * roughness, along = mix(across, 1.0, layers.anisotropy * layers.anisotropy);
    vec3 scale = vec3(along, across, 1.0);
    vec3 q = vec3(dot(layers.tangent, h), dot(layers.bitangent, h), dot(n, h)) / scale;
    float spread = dot(q, q);
    vec3 to_v = vec3(dot(layers.tangent, v), dot(layers.bitangent, v), max(dot(n, v), 1e-3));
    vec3 to_l = vec3(dot(layers.tangent, l), dot(layers.bitangent, l), dot(n, l));
    float shadowing = to_l.z * length(scale * to_v) + to_v.z * length(scale * to_l);
    return 0.5 / (PI * along * across * spread * spread * max(shadowing, 1e-5));
}

/* Multiplied by the cosine of the angle of incidence. */
vec3 surface_brdf(Surface s, vec3 v, vec3 l)
{
    vec3 sum = v + l, n = s.normal;
    vec3 h = sum * inversesqrt(max(dot(sum, sum), 1e-8));
    float n_v = max(dot(n, v), 1e-3), n_l = clamp(dot(n, l), 0.0, 1.0);
    float n_h = clamp(dot(n, h), 0.0, 1.0), v_h = clamp(dot(v, h), 0.0, 1.0);

    float f90 = mix(layers.f90, 1.0, s.metallic);
    vec3 f = base_f0(s);
    f += (f90 - f) * fresnel_weight(v_h);
    f = mix(f, layers.film_fresnel, layers.film);
    float highlight = layers.anisotropy > 0.0
                          ? anisotropic_highlight(n, v, l, h, s.roughness)
                          : ggx_distribution(n_h, s.roughness) * smith_visibility(n_v, n_l, s.roughness);
    vec3 passed = (1.0 - largest(f)) * (1.0 - s.metallic) * s.albedo;
    vec3 light = (f * highlight + passed * ((1.0 - layers.transmission) / PI)) * n_l;
#ifdef TRANSMISSIVE
    light += passed * (layers.transmission * transmitted_highlight(s, v, l));
#endif

    float sheen_part = max(sheen_albedo(n_v, layers.sheen_roughness), sheen_albedo(n_l, layers.sheen_roughness));
    light *= 1.0 - min(largest(layers.sheen) * sheen_part, 1.0);
    light += layers.sheen * (sheen_brdf(n_h, n_v, n_l, layers.sheen_roughness) * n_l);

    float coat_l = clamp(dot(layers.coat_normal, l), 0.0, 1.0);
    float coat_v = max(dot(layers.coat_normal, v), 1e-3);
    float coat_h = clamp(dot(layers.coat_normal, h), 0.0, 1.0);
    float coat = layers.coat * mix(COAT_F0, 1.0, fresnel_weight(v_h)) *
                 ggx_distribution(coat_h, layers.coat_roughness) *
                 smith_visibility(coat_v, coat_l, layers.coat_roughness) * coat_l;
    return light * layers.below_coat + vec3(coat);
}

/* ---- Light from all around ---- */

/* A highlight that is stretched along the tangent reflects more of what is across: the normal is
 * bent towards the view in that plane. */
vec3 reflected_way(Surface s, vec3 v)
{
    vec3 across = cross(cross(layers.bitangent, v), layers.bitangent);
    float straight = 1.0 - layers.anisotropy * (1.0 - s.roughness);
    straight *= straight;
    vec3 bent = mix(across, s.normal, straight * straight);
    vec3 n = layers.anisotropy > 0.0 ? bent * inversesqrt(max(dot(bent, bent), 1e-12)) : s.normal;
    return reflect(-v, n);
}

/* As ambient_light, with the reflectance of the layers. `behind`: light from behind the surface. */
vec3 base_ambient(Surface s, vec3 v, float occlusion, vec3 behind)
{
    float facing = dot(s.normal, v), nv = clamp(facing, 0.0, 1.0);
    vec3 diffuse_light = textureLod(irradiance_cube, s.normal, 0.0).rgb;
    vec3 mirrored = textureLod(prefiltered_cube, reflected_way(s, v), s.roughness * PREFILTERED_LAST_MIP).rgb;
    vec2 table = textureLod(brdf_table, vec2(nv, s.roughness), 0.0).rg;

    float weight = fresnel_weight(nv), f90 = mix(layers.f90, 1.0, s.metallic);
    vec3 f0 = base_f0(s);
    vec3 film_f0 = clamp((layers.film_fresnel - weight) / max(1.0 - weight, 1e-3), 0.0, 1.0);
    f0 = mix(f0, film_f0, layers.film);
    vec3 grazing = max(vec3(f90 * (1.0 - s.roughness)), f0) - f0;
    vec3 once = (f0 + grazing * weight) * table.x + f90 * table.y;
    float lost = 1.0 - (table.x + table.y);
    vec3 average = f0 + (f90 - f0) / 21.0;
    vec3 more = once * average * lost / (1.0 - lost * average);
    float passed = (1.0 - s.metallic) * (1.0 - largest(once + more));

    float horizon = clamp(1.0 + facing, 0.0, 1.0);
    float seen = specular_occlusion(nv, s.roughness, occlusion) * horizon * horizon;
    vec3 below = mix(s.albedo * diffuse_light * occlusion, behind, layers.transmission);
    return passed * below + more * diffuse_light * occlusion + once * mirrored * seen;
}

vec3 surface_ambient(Surface s, vec3 v, float occlusion)
{
    vec3 behind = vec3(0.0);
#ifdef TRANSMISSIVE
    behind = light_behind(s, v) * s.albedo;
#endif
    if (frame.ambient.w < 0.5)
        return mix(frame.ambient.rgb * s.albedo * occlusion, behind, layers.transmission) * layers.below_coat;
    vec3 light = base_ambient(s, v, occlusion, behind);

    float nv = clamp(dot(s.normal, v), 0.0, 1.0), sheen_part = sheen_albedo(nv, layers.sheen_roughness);
    vec3 glow = textureLod(prefiltered_cube, reflect(-v, s.normal),
                           max(layers.sheen_roughness, 0.5) * PREFILTERED_LAST_MIP).rgb;
    light = light * (1.0 - min(largest(layers.sheen) * sheen_part, 1.0)) +
            layers.sheen * glow * (sheen_part * occlusion);

    float facing = dot(layers.coat_normal, v), coat_v = clamp(facing, 0.0, 1.0);
    vec2 table = textureLod(brdf_table, vec2(coat_v, layers.coat_roughness), 0.0).rg;
    vec3 mirrored = textureLod(prefiltered_cube, reflect(-v, layers.coat_normal),
                               layers.coat_roughness * PREFILTERED_LAST_MIP).rgb;
    float seen = specular_occlusion(coat_v, layers.coat_roughness, occlusion) * clamp(1.0 + facing, 0.0, 1.0);
    return light * layers.below_coat + mirrored * (layers.coat * (COAT_F0 * table.x + table.y) * seen);
}

#endif
