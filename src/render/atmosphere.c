/* The colors of sunlight on its way through the air, as shaders/render/atmosphere.glsl has them. Kilometres. */
#include "sky.h"

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

/* Adds the densities of molecules, dust and ozone over a piece of the way. */
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

CnVec3 cni_sky_to_sun(const CnFrame *frame)
{
    CnVec3 direction = cn_vec3_normalize(cn_vec3_scale(frame->sun.direction, -1));
    bool is_there = frame->sun.there && cn_vec3_dot(direction, direction) > 0;
    return is_there ? direction : cn_vec3(0, -1, 0);
}

/* 0 at `from`, 1 at `to`, without corners. */
static float ease(float from, float to, float x)
{
    float t = (x - from) / (to - from);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

void cni_atmosphere_constants(CnVec3 to_sun, float intensity, CniSkyConstants *constants)
{
    /* The ground is grey stone, in the light of the sun and in some of the sky's. */
    const CnVec3 earth = {0.19f, 0.187f, 0.18f}, from_sky = {0.12f, 0.14f, 0.17f};
    CnVec3 sun = cn_vec3_scale(cn_atmosphere_sun_color(to_sun), to_sun.y > 0 ? to_sun.y : 0);
    CnVec3 light = cn_vec3_add(sun, cn_vec3_scale(from_sky, ease(-0.25f, 0.25f, to_sun.y)));
    /* Eyes open wide at dusk: the same light looks brighter. */
    float outside = 8 * cn_exp2f(3.7f * ease(0.06f, -0.14f, to_sun.y));
    float night = ease(0.05f, -0.2f, to_sun.y);
    CnVec3 dark = cn_vec3_scale(cn_vec3(0.002f, 0.003f, 0.007f), night);
    *constants = (CniSkyConstants){.to_sun = to_sun,
                                   .is_atmosphere = 1,
                                   .tint = cn_vec3_scale(cn_vec3(1, 1, 1), outside),
                                   .intensity = intensity,
                                   .ground = cn_vec3_add(cn_vec3_mul(earth, light), dark),
                                   .night = night};
}
