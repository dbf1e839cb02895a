/* The color of sunlight after its path through the atmosphere, as in
 * shaders/render/feature/atmosphere.glsl. Units are kilometers. */
#include "render/feature/sky_source.h"

#include <cairn/base/linear.h>

#define GROUND 6360.0f
#define THICKNESS 60.0f
#define EYE 0.2f
#define MIE_LOSS (1.1f * 21.0e-3f)
#define STEPS 8

static const CnVec3 rayleigh = {5.5e-3f, 13.0e-3f, 22.4e-3f};
static const CnVec3 ozone = {0.65e-3f, 1.881e-3f, 0.085e-3f};

/* See atmosphere_height. */
static float height_at(float h, float rise, float t)
{
    float r = GROUND + h;
    float change = t * (2 * r * rise + t);
    float squared = r * r + change;
    return h + change / (r + cn_sqrtf(squared > 0 ? squared : 0));
}

static float way_out(float h, float rise)
{
    float b = (GROUND + h) * rise;
    float inside = b * b + (THICKNESS - h) * (2 * GROUND + THICKNESS + h);
    return -b + cn_sqrtf(inside > 0 ? inside : 0);
}

/* Adds the densities of molecules, aerosols and ozone over a segment of the path. */
static void add_density(CnVec3 *depth, float h, float length)
{
    h = h > -30 ? h : -30;
    float from_layer = h > 25 ? h - 25 : 25 - h;
    depth->x += cn_expf(-h / 8.5f) * length;
    depth->y += cn_expf(-h / 1.2f) * length;
    depth->z += from_layer < 15 ? (1 - from_layer / 15) * length : 0;
}

CnVec3 cn_atmosphere_sun_color(CnVec3 to_sun)
{
    float rise = cn_vec3_normalize(to_sun).y;
    float way = way_out(EYE, rise), last = 0;
    CnVec3 depth = {0, 0, 0};
    for (int i = 0; i < STEPS; i++) {
        float part = (float)(i + 1) / STEPS;
        float next = way * part * part;
        add_density(&depth, height_at(EYE, rise, 0.5f * (last + next)), next - last);
        last = next;
    }
    CnVec3 loss = cn_vec3_add(cn_vec3_scale(rayleigh, depth.x), cn_vec3_scale(ozone, depth.z));
    loss = cn_vec3_add(loss, cn_vec3_scale(cn_vec3(1, 1, 1), MIE_LOSS * depth.y));
    return cn_vec3(cn_expf(-loss.x), cn_expf(-loss.y), cn_expf(-loss.z));
}

/* Smooth step: 0 at `from`, 1 at `to`. */
static float ease(float from, float to, float x)
{
    float t = (x - from) / (to - from);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

/* Straight down if there is no sun. */
static CnVec3 find_sun(const CnFrame *frame)
{
    CnVec3 found = frame->atmosphere.valid ? frame->atmosphere.to_sun
                   : frame->sun.exists     ? cn_vec3_scale(frame->sun.direction, -1)
                                           : cn_vec3(0, -1, 0);
    found = cn_vec3_normalize(found);
    return cn_vec3_dot(found, found) > 0 ? found : cn_vec3(0, -1, 0);
}

/* Relative to a night with a full moon. */
static float moonlight(const CnRenderAtmosphere *atmosphere)
{
    if (!atmosphere->valid)
        return 1;
    float full = 0.5f - 0.5f * cn_cosf(2 * CN_PIF * atmosphere->moon_phase);
    return 0.4f + 0.6f * full * ease(-0.05f, 0.3f, atmosphere->to_moon.y);
}

CnVec3 cni_render_cloud_glow(const CnRenderAtmosphere *atmosphere)
{
    const CnVec3 orange = {1.30f, 0.62f, 0.24f}, pink = {0.95f, 0.30f, 0.26f};
    float rise = atmosphere->to_sun.y, red = ease(0.06f, -0.06f, rise);
    float strength = ease(-0.17f, -0.03f, rise) * ease(0.24f, 0.04f, rise) *
                     (1 - ease(0.6f, 1.0f, atmosphere->cloud_cover));
    CnVec3 color = cn_vec3_add(cn_vec3_scale(orange, 1 - red), cn_vec3_scale(pink, red));
    return cn_vec3_scale(color, strength);
}

CnVec3 cni_render_cloud_light(const CnFrame *frame, const CniRenderSkyConstants *constants,
                              float *part)
{
    const CnRenderAtmosphere *atmosphere = &frame->atmosphere;
    bool is_there = atmosphere->valid && atmosphere->cloud_cover > 0 &&
                    atmosphere->cloud_top > atmosphere->cloud_bottom;
    *part = is_there ? ease(0.05f, 0.85f, atmosphere->cloud_cover) * (1 - constants->veiled) : 0;
    CnVec3 sun = cn_vec3_scale(frame->sun.color, frame->sun.exists ? 0.14f : 0.0f);
    CnVec3 from_sky = cn_vec3_scale(constants->ground, 1.5f);
    return cn_vec3_add(cn_vec3_add(sun, from_sky),
                       cn_vec3_scale(cni_render_cloud_glow(atmosphere), 0.4f));
}

/* Adds the overcast sky: gray, and darker in rain. */
static void add_veil(CniRenderSkyConstants *constants, const CnRenderAtmosphere *atmosphere,
                     CnVec3 light)
{
    /* Models adaptation of the eye to dim light: without it, a rainy evening would be black long
     * before sunset. */
    float adapted = 1 + 1.4f * ease(0.6f, 0.05f, constants->to_sun.y);
    const CnVec3 gray = {0.36f, 0.41f, 0.48f}, night = {0.026f, 0.034f, 0.054f};
    CnVec3 dark = cn_vec3_scale(night, constants->night);
    CnVec3 veil = cn_vec3_add(cn_vec3_scale(cn_vec3_mul(gray, light), adapted), dark);
    constants->veil = cn_vec3_scale(veil, 1 - 0.22f * atmosphere->rain - 0.06f * atmosphere->snow);
    constants->veiled = atmosphere->valid ? 0.96f * ease(0.6f, 1.0f, atmosphere->cloud_cover) : 0;
    float under_veil = 1 + (0.6f * adapted - 1) * constants->veiled;
    constants->ground = cn_vec3_scale(constants->ground, under_veil);
}

float cni_render_overcast_gain(const CniRenderSkyConstants *constants)
{
    return 1 + 2 * constants->veiled * ease(0.6f, 0.1f, constants->to_sun.y);
}

CniRenderSkyConstants cni_render_atmosphere_constants(const CnFrame *frame, float intensity)
{
    /* The ground is gray stone, lit by the sun and partly by the sky. */
    const CnVec3 earth = {0.19f, 0.187f, 0.18f}, from_sky = {0.12f, 0.14f, 0.17f};
    CnVec3 to_sun = find_sun(frame);
    CnVec3 sun = cn_vec3_scale(cn_atmosphere_sun_color(to_sun), to_sun.y > 0 ? to_sun.y : 0);
    CnVec3 light = cn_vec3_add(sun, cn_vec3_scale(from_sky, ease(-0.25f, 0.25f, to_sun.y)));
    /* Models adaptation of the eye at dusk: the same light looks brighter. */
    float outside = 8 * cn_exp2f(3.7f * ease(0.06f, -0.14f, to_sun.y));
    /* With only three wavelengths, Rayleigh scattering is too green. */
    float high = ease(0, 0.4f, to_sun.y);
    CnVec3 tint = cn_vec3(1 - 0.16f * high, 1 - 0.06f * high, 1 + 0.18f * high);
    float night = ease(0.05f, -0.2f, to_sun.y) * moonlight(&frame->atmosphere);
    CnVec3 dark = cn_vec3_scale(cn_vec3(0.002f, 0.003f, 0.007f), night);
    CniRenderSkyConstants constants = {.to_sun = to_sun,
                                       .is_atmosphere = 1,
                                       .tint = cn_vec3_scale(tint, outside),
                                       .intensity = intensity,
                                       .ground = cn_vec3_add(cn_vec3_mul(earth, light), dark),
                                       .night = night};
    add_veil(&constants, &frame->atmosphere, light);
    return constants;
}
