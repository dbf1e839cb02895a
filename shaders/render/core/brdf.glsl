/* The fraction of light from l that is reflected to v: GGX, Schlick and Smith, with Lambert for
 * dielectrics. */
#ifndef RENDER_CORE_BRDF_GLSL
#define RENDER_CORE_BRDF_GLSL

const float PI = 3.14159265359;

/* Reflectance at normal incidence. */
vec3 mirrored_color(vec3 albedo, float metallic)
{
    return mix(vec3(0.04), albedo, metallic);
}

vec3 fresnel_schlick(float cosine, vec3 f0)
{
    float x = clamp(1.0 - cosine, 0.0, 1.0);
    float x2 = x * x;
    return f0 + (1.0 - f0) * (x2 * x2 * x);
}

float ggx_distribution(float n_h, float roughness)
{
    float a = roughness * roughness;
    float a2 = a * a;
    /* n_h * n_h * (a2 - 1) + 1, without losing the precision of a2 where n_h is close to 1. */
    float d = a2 * n_h * n_h + (1.0 - n_h * n_h);
    return a2 / (PI * d * d);
}

/* Divided by 4 (n.l) (n.v), as required by the specular term. */
float smith_visibility(float n_v, float n_l, float roughness)
{
    float k = (roughness + 1.0) * (roughness + 1.0) / 8.0;
    return 0.25 / ((n_v * (1.0 - k) + k) * (n_l * (1.0 - k) + k));
}

/* Multiplied by n.l; 0 for light from behind. All directions point away from the surface. */
vec3 brdf(vec3 n, vec3 v, vec3 l, vec3 albedo, float metallic, float roughness)
{
    float n_l = dot(n, l);
    if (n_l <= 0.0)
        return vec3(0.0);
    vec3 sum = v + l;
    vec3 h = sum * inversesqrt(max(dot(sum, sum), 1e-8));
    float n_v = max(dot(n, v), 1e-3);
    float n_h = clamp(dot(n, h), 0.0, 1.0);
    vec3 f = fresnel_schlick(clamp(dot(v, h), 0.0, 1.0), mirrored_color(albedo, metallic));
    vec3 mirrored =
        f * ggx_distribution(n_h, roughness) * smith_visibility(n_v, min(n_l, 1.0), roughness);
    vec3 scattered = (1.0 - f) * (1.0 - metallic) * albedo / PI;
    return (scattered + mirrored) * n_l;
}

#endif
