/* Reflectance of a thin film on a surface: interference of the light that both sides of the film
 * reflect (Airy's formula), summed over the visible spectrum. */
#ifndef RENDER_FEATURE_THIN_FILM_GLSL
#define RENDER_FEATURE_THIN_FILM_GLSL

const uint FILM_SAMPLES = 16u;
/* Wavenumbers, 1 / nanometers: from 684 to 406 nm. */
const float FILM_FIRST = 0.00146205, FILM_STEP = 6.69643e-5;
/* Contribution of each to linear sRGB, from the color matching functions of the CIE. */
const vec3 FILM_WEIGHTS[FILM_SAMPLES] = vec3[](
    vec3(0.0198, -0.0002, -0.0005), vec3(0.1419, -0.0157, -0.0018),
    vec3(0.3805, -0.0329, -0.0059), vec3(0.4528, 0.0358, -0.0169),
    vec3(0.2661, 0.1746, -0.0300), vec3(0.0407, 0.2709, -0.0356),
    vec3(-0.0968, 0.2844, -0.0289), vec3(-0.1218, 0.2105, -0.0048),
    vec3(-0.0839, 0.1076, 0.0375), vec3(-0.0446, 0.0435, 0.1073),
    vec3(-0.0172, 0.0039, 0.2121), vec3(0.0094, -0.0205, 0.2644),
    vec3(0.0250, -0.0297, 0.2507), vec3(0.0167, -0.0213, 0.1743),
    vec3(0.0091, -0.0088, 0.0628), vec3(0.0024, -0.0021, 0.0154));

float film_schlick(float f0, float cosine)
{
    float x = clamp(1.0 - cosine, 0.0, 1.0), x2 = x * x;
    return f0 + (1.0 - f0) * (x2 * x2 * x);
}

/* `thickness` in nanometers; `f0`: reflectance of the surface in air. */
vec3 thin_film(float cosine, float film_ior, float thickness, vec3 f0)
{
    /* Films that are thinner than light notices have no effect. */
    float ior = mix(1.0, film_ior, smoothstep(0.0, 30.0, thickness));
    float inner2 = 1.0 - (1.0 - cosine * cosine) / (ior * ior);
    if (inner2 <= 0.0)
        return vec3(1.0);
    float inner = sqrt(inner2), path = 2.0 * ior * thickness * inner;
    float outer_f0 = (ior - 1.0) / (ior + 1.0);
    /* Amplitudes; negative where light is reflected by a denser medium. */
    float outer = -sqrt(film_schlick(outer_f0 * outer_f0, cosine));
    vec3 root = sqrt(clamp(f0, 0.0, 0.9999)), base_ior = (1.0 + root) / (1.0 - root);
    vec3 step_f0 = (base_ior - ior) / (base_ior + ior);
    vec3 base = sqrt(vec3(film_schlick(step_f0.r * step_f0.r, inner), film_schlick(step_f0.g * step_f0.g, inner),
                          film_schlick(step_f0.b * step_f0.b, inner)));
    base *= vec3(base_ior.r < ior ? 1.0 : -1.0, base_ior.g < ior ? 1.0 : -1.0, base_ior.b < ior ? 1.0 : -1.0);

    vec3 ends = outer * outer + base * base, product = outer * base, sum = vec3(0.0);
    for (uint i = 0u; i < FILM_SAMPLES; i++) {
        vec3 mixed = 2.0 * product * cos(2.0 * PI * path * (FILM_FIRST + FILM_STEP * float(i)));
        sum += FILM_WEIGHTS[i] * (ends + mixed) / (1.0 + product * product + mixed);
    }
    return clamp(sum, 0.0, 1.0);
}

#endif
