/*
 * The night sky: the moon with its phases, stars, and the band of distant stars. For includers of
 * frame.glsl and sky.glsl, if the atmosphere of the frame is valid.
 */
#ifndef RENDER_FEATURE_SKY_NIGHT_GLSL
#define RENDER_FEATURE_SKY_NIGHT_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "render/feature/post.glsl"

/* axis of rotation: in the north, 30 degrees up */
const vec3 SKY_POLE = vec3(0.0, 0.5, -0.8660254);
const vec3 SKY_BAND = vec3(0.5121, 0.2561, 0.8198); /* normal of the band of stars */
const float SKY_MOON_COSINE = 0.9997;
const vec3 SKY_MOON_COLOR = vec3(0.92, 0.95, 1.0);

/* ---- Noise ---- */

vec3 sky_random(ivec3 cell)
{
    return vec3(hash3(uvec3(cell + 4096)) >> 8u) * (1.0 / 16777216.0);
}

float sky_noise(vec3 at)
{
    ivec3 cell = ivec3(floor(at));
    vec3 part = at - vec3(cell);
    part = part * part * (3.0 - 2.0 * part);
    float sum = 0.0;
    [[dont_unroll]] for (int i = 0; i < 8; i++) {
        ivec3 corner = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 weights = mix(1.0 - part, part, vec3(corner));
        sum += weights.x * weights.y * weights.z * sky_random(cell + corner).x;
    }
    return sum;
}

/* Three sums of noise of five scales: for each its scale and offset, and the weight in its sum. */
vec3 sky_noises(vec3 at, vec4 octaves[5])
{
    vec3 sums = vec3(0.0);
    [[dont_unroll]] for (int i = 0; i < 5; i++) {
        vec4 octave = i == 0 ? octaves[0] : i == 1 ? octaves[1] : i == 2 ? octaves[2] : i == 3 ? octaves[3] : octaves[4];
        sums += vec3(equal(vec3(octave.z), vec3(0.0, 1.0, 2.0))) * (octave.w * sky_noise(at * octave.x + octave.y));
    }
    return sums;
}

/* ---- Stars ---- */

/* On the rotating sphere, in cells on the faces of a cube: at most one star per cell, never near
 * its edge. */
vec3 sky_stars_of(vec3 at, float cells, float seed, float spread)
{
    vec3 size = abs(at);
    int axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    vec3 turned = axis == 0 ? at.yzx : axis == 1 ? at.zxy : at;
    vec2 place = (turned.xy / abs(turned.z) * 0.5 + 0.5) * cells;
    ivec2 cell = ivec2(floor(place));
    ivec3 key = ivec3(cell, axis * 2 + int(turned.z > 0.0) + int(seed) * 6);
    vec3 random = sky_random(key), more = sky_random(key + ivec3(977, 0, 0));

    if (more.x > 0.5)
        return vec3(0.0);
    vec2 star = (vec2(cell) + 0.15 + 0.7 * random.xy) / cells * 2.0 - 1.0;
    vec3 there = normalize(vec3(star, sign(turned.z)));
    /* Points as small as the image can show; at low resolution, which spreads their light, they
     * keep some of it. */
    const float size_of_stars = 0.0005;
    float width = max(size_of_stars, 0.5 * spread);
    float off = distance(turned, there) / width;
    float glow = exp(-off * off) * size_of_stars / width;
    /* Ten times as many stars are a sixth as bright. */
    float magnitude = min(0.035 / pow(1.0 - 0.998 * random.z, 0.8), 4.0);
    float twinkle = 1.0 + 0.25 * sin(frame.camera.w * (1.5 + 4.0 * more.y) + 40.0 * more.z);
    float heat = more.x * 2.0;
    vec3 color = heat < 0.5 ? mix(vec3(1.0, 0.62, 0.40), vec3(1.0, 0.93, 0.84), heat * 2.0)
                            : mix(vec3(1.0, 0.93, 0.84), vec3(0.58, 0.74, 1.0), heat * 2.0 - 1.0);
    return color * (glow * magnitude * twinkle);
}

/* Clouds of distant stars with dust lanes. */
vec3 sky_band(vec3 at)
{
    float height = dot(at, SKY_BAND);
    float near = exp(-height * height * 22.0);
    if (near < 0.02)
        return vec3(0.0);
    const vec4 octaves[5] = vec4[](vec4(5.0, 0.0, 0.0, 0.55), vec4(13.0, 0.0, 0.0, 0.3), vec4(31.0, 0.0, 0.0, 0.15),
                                   vec4(7.0, 17.0, 1.0, 1.0), vec4(19.0, 0.0, 2.0, 0.25));
    vec3 noises = sky_noises(at, octaves);
    float clouds = noises.x;
    float dust = smoothstep(0.42, 0.72, noises.y * exp(-height * height * 120.0) + noises.z);
    vec3 color = mix(vec3(0.42, 0.50, 0.78), vec3(0.80, 0.72, 0.66), near * near * clouds);
    return color * (0.12 * near * clouds * clouds * (1.0 - 0.75 * dust));
}

vec3 sky_stars(vec3 direction, float spread)
{
    float ahead = per_pixel(frame.planes.z, direction.x) > 0.5 ? 1.0 : max(dot(direction, frame.forward.xyz), 0.1);
    spread *= ahead * sqrt(ahead); /* pixels are denser at the edges of the image */
    float c = cos(frame.wind.z), s = sin(frame.wind.z);
    /* Rotates back (Rodrigues). */
    vec3 at = direction * c - cross(SKY_POLE, direction) * s + SKY_POLE * (dot(SKY_POLE, direction) * (1.0 - c));
    vec3 light = sky_band(at);
    /* A few bright stars, and more of the fainter ones. */
    [[dont_unroll]] for (int i = 0; i < 3; i++)
        light += sky_stars_of(at, i == 0 ? 23.0 : i == 1 ? 47.0 : 97.0, float(i), spread) * (i == 0 ? 2.0 : i == 1 ? 1.0 : 0.6);
    return light;
}

/* ---- The moon ---- */

/* Dark plains, and some craters with rays of bright dust. */
float sky_moon_ground(vec3 n)
{
    const vec4 octaves[5] = vec4[](vec4(2.2, 3.7, 0.0, 0.62), vec4(5.0, 0.0, 0.0, 0.28), vec4(14.0, 0.0, 0.0, 0.10),
                                   vec4(9.0, 31.0, 1.0, 0.2), vec4(6.0, 11.0, 2.0, 1.0));
    vec3 noises = sky_noises(n, octaves);
    float brightness = mix(1.0, 0.52, smoothstep(0.44, 0.60, noises.x));
    return brightness * (0.9 + noises.y) + 0.16 * smoothstep(0.80, 0.95, noises.z);
}

/* `covers` is the fraction of the background that is hidden. */
vec3 sky_moon(vec3 direction, float spread, out float covers)
{
    vec3 to_moon = frame.moon.xyz;
    float cosine = dot(direction, to_moon), turn = 2.0 * ATMOSPHERE_PI * frame.moon.w;
    covers = 0.0;
    float full = 0.5 - 0.5 * cos(turn);
    vec3 light = SKY_MOON_COLOR * (full * (0.10 * exp((cosine - 1.0) * 2600.0) + 0.022 * exp((cosine - 1.0) * 90.0)));
    float radius = sqrt(1.0 - SKY_MOON_COSINE * SKY_MOON_COSINE);
    vec3 right = normalize(cross(SKY_POLE, to_moon)), up = cross(to_moon, right);
    vec2 at = vec2(dot(direction, right), dot(direction, up)) / radius;
    float off = length(at);
    if (cosine > 0.0 && off < 1.0 + spread / radius) {
        covers = clamp((1.0 - off) * radius / max(spread, 1e-5) + 0.5, 0.0, 1.0);
        vec3 n = vec3(at, sqrt(max(1.0 - off * off, 0.0)));
        /* Dust is retroreflective: the rim is hardly darker. */
        float lit = smoothstep(-0.06, 0.30, dot(n, vec3(sin(turn), 0.0, -cos(turn))));
        vec3 ground = SKY_MOON_COLOR * sky_moon_ground(n);
        light = mix(light, ground * (0.75 * lit + 0.012), covers);
        light *= mix(vec3(1.0), atmosphere_transmittance(ATMOSPHERE_EYE, max(direction.y, 0.0)), covers);
    }
    return light;
}

/* Light to be added to the sky. */
vec3 sky_moon_and_stars(vec3 direction, float spread)
{
    float above = smoothstep(-0.02, 0.02, direction.y) * (1.0 - sky.veil.w);
    float dark = smoothstep(-0.02, -0.25, sky.to_sun.y);
    if (above <= 0.0)
        return vec3(0.0);
    float covers;
    vec3 light = sky_moon(direction, spread, covers) * mix(0.35, 1.0, dark);
    for (int i = 0; i < (per_pixel(dark, direction.x) > 0.0 ? 1 : 0); i++)
        light += sky_stars(direction, spread) *
                 ((1.0 - covers) * dark * dark * smoothstep(0.0, 0.3, direction.y) * (1.25 - 0.5 * sky.ground.w));
    return light * (above * sky.tint.w);
}

#endif
