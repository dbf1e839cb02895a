/* Light that passes through a surface: the opaque scene behind it, refracted, blurred by roughness
 * and attenuated by the volume. Binding 23: a copy of the scene with mips. */
#ifndef RENDER_FEATURE_LIGHT_BEHIND_GLSL
#define RENDER_FEATURE_LIGHT_BEHIND_GLSL

layout(set = 0, binding = 23) uniform sampler2D scene_behind;

/* A thin wall, and a medium like air, do not spread light as their roughness says. */
float transmitted_roughness(float roughness, float ior)
{
    return roughness * clamp(ior * 2.0 - 2.0, 0.0, 1.0);
}

/* Four bilinear samples with the weights of a cubic B-spline: the texels of small mips do not
 * show. */
vec3 smooth_scene(vec2 uv, float lod)
{
    vec2 size = frame.size.xy * exp2(-lod), place = uv * size - 0.5;
    vec2 base = floor(place), t = place - base, t2 = t * t, t3 = t2 * t, u = 1.0 - t;
    vec2 w0 = u * u * u / 6.0, w3 = t3 / 6.0;
    vec2 w1 = (3.0 * t3 - 6.0 * t2 + 4.0) / 6.0, w2 = 1.0 - w0 - w1 - w3;
    vec2 low = w0 + w1, high = w2 + w3;
    vec2 p0 = (base - 0.5 + w1 / low) / size, p1 = (base + 1.5 + w3 / high) / size;
    vec3 top = mix(textureLod(scene_behind, vec2(p1.x, p0.y), lod).rgb,
                   textureLod(scene_behind, p0, lod).rgb, low.x);
    vec3 bottom = mix(textureLod(scene_behind, p1, lod).rgb,
                      textureLod(scene_behind, vec2(p0.x, p1.y), lod).rgb, low.x);
    return mix(bottom, top, low.y);
}

vec3 scene_through(Surface s, vec3 v, float ior)
{
    vec3 way = refract(-v, s.normal, 1.0 / ior) * layers.thickness;
    vec4 clip = frame.view_projection * vec4(s.world + way, 1.0);
    vec2 uv = clip.xy / max(clip.w, 1e-4) * 0.5 + 0.5;
    float lod = log2(max(frame.size.x, frame.size.y)) * transmitted_roughness(s.roughness, layers.ior);
    vec3 sharp = textureLod(scene_behind, uv, lod).rgb;
    return mix(sharp, smooth_scene(uv, max(lod, 0.0)), clamp(lod, 0.0, 1.0));
}

vec3 light_behind(Surface s, vec3 v)
{
    float spread = (layers.ior - 1.0) * 0.025 * layers.dispersion;
    vec3 light = scene_through(s, v, layers.ior);
    /* A loop instead of an if: see per_pixel.glsl. */
    for (int i = 0; i < (spread > 0.0 && layers.thickness > 0.0 ? 1 : 0); i++) {
        light.r = scene_through(s, v, max(layers.ior - spread, 1.0)).r;
        light.b = scene_through(s, v, layers.ior + spread).b;
    }
    float part = layers.attenuation_distance > 0.0 ? layers.thickness / layers.attenuation_distance : 0.0;
    return light * pow(max(layers.attenuation, vec3(1e-6)), vec3(part));
}

/* The highlight of a light behind the surface, as if it were in front of it. */
float transmitted_highlight(Surface s, vec3 v, vec3 l)
{
    float n_l = -dot(s.normal, l);
    vec3 mirrored = l + 2.0 * s.normal * n_l, sum = v + mirrored;
    vec3 h = sum * inversesqrt(max(dot(sum, sum), 1e-8));
    float roughness = max(transmitted_roughness(s.roughness, layers.ior), MIN_ROUGHNESS);
    float n_v = max(dot(s.normal, v), 1e-3), n_h = clamp(dot(s.normal, h), 0.0, 1.0);
    return n_l <= 0.0 ? 0.0
                      : ggx_distribution(n_h, roughness) * smith_visibility(n_v, n_l, roughness) * n_l;
}

#endif
