/*
 * Sunlight on its path through the atmosphere: Rayleigh and Mie scattering and ozone, around a
 * planet like Earth. Lengths are in kilometers. src/render/feature/atmosphere.c has the same constants.
 */
#ifndef RENDER_FEATURE_ATMOSPHERE_GLSL
#define RENDER_FEATURE_ATMOSPHERE_GLSL

#extension GL_EXT_control_flow_attributes : require

const float ATMOSPHERE_PI = 3.14159265;

const float ATMOSPHERE_GROUND = 6360.0;
const float ATMOSPHERE_THICKNESS = 60.0;
const float ATMOSPHERE_EYE = 0.2; /* height of the viewer */
const vec3 ATMOSPHERE_RAYLEIGH = vec3(5.5e-3, 13.0e-3, 22.4e-3);
const float ATMOSPHERE_MIE = 21.0e-3;
const float ATMOSPHERE_MIE_LOSS = 1.1 * ATMOSPHERE_MIE; /* a tenth is absorbed */
const vec3 ATMOSPHERE_OZONE = vec3(0.65e-3, 1.881e-3, 0.085e-3);
const float ATMOSPHERE_RAYLEIGH_HEIGHT = 8.5;
const float ATMOSPHERE_MIE_HEIGHT = 1.2;
const float ATMOSPHERE_G = 0.758;
const int ATMOSPHERE_VIEW_STEPS = 16;
const int ATMOSPHERE_SUN_STEPS = 8;

/* Returns the height of a point at distance `t` on a ray that starts at height `h` and climbs with
 * the sine `rise`. Avoids the cancellation of subtracting large squares. */
float atmosphere_height(float h, float rise, float t)
{
    float r = ATMOSPHERE_GROUND + h;
    float change = t * (2.0 * r * rise + t);
    return h + change / (r + sqrt(max(r * r + change, 0.0)));
}

/* Returns the distance to the end of the atmosphere. */
float atmosphere_way_out(float h, float rise)
{
    float b = (ATMOSPHERE_GROUND + h) * rise;
    float missing = ATMOSPHERE_THICKNESS - h;
    return -b + sqrt(max(b * b + missing * (2.0 * ATMOSPHERE_GROUND + ATMOSPHERE_THICKNESS + h), 0.0));
}

/* Densities of molecules, aerosols and ozone. They continue to grow below the ground, so that rays
 * that hit it fade smoothly; a test for the ground would leave steps at dusk. */
vec3 atmosphere_density(float h)
{
    h = max(h, -30.0);
    return vec3(exp(-h / ATMOSPHERE_RAYLEIGH_HEIGHT), exp(-h / ATMOSPHERE_MIE_HEIGHT),
                max(1.0 - abs(h - 25.0) / 15.0, 0.0));
}

vec3 atmosphere_loss(vec3 density)
{
    return ATMOSPHERE_RAYLEIGH * density.x + ATMOSPHERE_MIE_LOSS * density.y + ATMOSPHERE_OZONE * density.z;
}

/* Returns the transmittance of light from outside. Steps grow with distance, because the atmosphere
 * is densest at the ground. */
vec3 atmosphere_transmittance(float h, float rise)
{
    float way = atmosphere_way_out(h, rise), last = 0.0;
    vec3 depth = vec3(0.0);
    [[dont_unroll]] for (int i = 0; i < ATMOSPHERE_SUN_STEPS; i++) {
        float part = float(i + 1) / float(ATMOSPHERE_SUN_STEPS);
        float next = way * part * part;
        depth += atmosphere_density(atmosphere_height(h, rise, 0.5 * (last + next))) * (next - last);
        last = next;
    }
    return exp(-atmosphere_loss(depth));
}

/* Multiply scattered light for a sun that climbs with this sine: a fit to Hillaire's sum over all
 * orders, which hardly depends on height. */
vec3 atmosphere_rescattered(float rise)
{
    const vec3 dusk = vec3(0.003, 0.003, 0.004), day = vec3(0.035, 0.042, 0.049);
    return rise > 0.0 ? dusk + day * rise : dusk * exp(40.0 * rise);
}

/* Light scattered towards the viewer from `direction`, which must not point down, per unit of
 * sunlight and without the phase functions. Multiply scattered light is included in the Rayleigh
 * part, whose phase function is nearly even. */
void atmosphere_scattered(vec3 direction, vec3 to_sun, out vec3 rayleigh, out vec3 mie)
{
    float r = ATMOSPHERE_GROUND + ATMOSPHERE_EYE, way = atmosphere_way_out(ATMOSPHERE_EYE, direction.y), last = 0.0;
    vec3 left = vec3(1.0);
    rayleigh = mie = vec3(0.0);
    [[dont_unroll]] for (int i = 0; i < ATMOSPHERE_VIEW_STEPS; i++) {
        float part = float(i + 1) / float(ATMOSPHERE_VIEW_STEPS);
        float next = way * part * part, middle = 0.5 * (last + next);
        float h = atmosphere_height(ATMOSPHERE_EYE, direction.y, middle);
        vec3 density = atmosphere_density(h), loss = atmosphere_loss(density);
        vec3 through = exp(-loss * (next - last));
        vec3 up = vec3(direction.x * middle, r + direction.y * middle, direction.z * middle) /
                  (ATMOSPHERE_GROUND + h);
        /* The integral over the step, including extinction within it. */
        vec3 seen = left * (1.0 - through) / max(loss, 1e-9);
        vec3 molecules = ATMOSPHERE_RAYLEIGH * density.x * seen, dust = ATMOSPHERE_MIE * density.y * seen;
        float rise = dot(up, to_sun);
        vec3 lit = atmosphere_transmittance(h, rise);
        rayleigh += molecules * lit + 4.0 * ATMOSPHERE_PI * (molecules + dust) * atmosphere_rescattered(rise);
        mie += dust * lit;
        left *= through;
        last = next;
    }
}

float atmosphere_rayleigh_phase(float cosine)
{
    return 3.0 / (16.0 * ATMOSPHERE_PI) * (1.0 + cosine * cosine);
}

/* Cornette-Shanks phase function. */
float atmosphere_mie_phase(float cosine)
{
    const float g = ATMOSPHERE_G, gg = g * g;
    return 3.0 / (8.0 * ATMOSPHERE_PI) * (1.0 - gg) / (2.0 + gg) * (1.0 + cosine * cosine) /
           pow(max(1.0 + gg - 2.0 * g * cosine, 1e-4), 1.5);
}

#endif
