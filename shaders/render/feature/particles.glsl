/*
 * Particles: bindings 0 (frame) to 4 of every pipeline that spawns, updates or draws them.
 * src/render/feature/feature_particles.c has the same layouts. Positions are relative to an origin near the
 * camera, which moves when the camera moves far away from it.
 */
#ifndef RENDER_FEATURE_PARTICLES_GLSL
#define RENDER_FEATURE_PARTICLES_GLSL

#include "render/core/frame.glsl"

const uint SHAPE_PIXEL = 0u, SHAPE_ROUND = 1u, SHAPE_STREAK = 2u;
const uint EMITTER_COLLIDES = 16u, EMITTER_AROUND_EYE = 32u;

struct Particle {
    vec3 position;
    float age; /* seconds */
    vec3 velocity;
    float life; /* 0: unused slot */
    float size;
    uint color;   /* square roots, 8 bits each */
    uint light;   /* sky light and block light, 8 bits each; floor */
    uint emitter; /* from bit 8 on: a random number */
};

struct Emitter {
    vec4 box;      /* half extents; radius */
    vec4 velocity; /* w: gravity */
    vec4 color;    /* w: alpha */
    vec4 ranges;   /* of lifetime and speed */
    vec4 more;     /* minimum and maximum size, drag, flutter */
    vec4 last;     /* fade, emission, cosine of the cone, unused */
    vec4 looks;    /* growth, variation of brightness */
    uint first, count;
    uint flags; /* shape and EMITTER_ */
    uint splash; /* + 1 */
};

struct Spawn {
    vec3 position;
    uint emitter;
    vec3 color;
    uint end; /* of its particles, among those of all spawns */
    float sky, block;
    uint slot; /* of its first particle, in the emitter's ring */
    uint seed;
    float floor; /* relative to the origin; NO_FLOOR and below: the ground */
    uint is_old; /* spawned as if they had existed for a while */
    uvec2 unused;
};

layout(set = 0, binding = 1, std430) readonly buffer ParticleData {
    vec4 eye;     /* relative to the origin; w: seconds of this frame */
    vec4 shift;   /* of positions to a new origin, since the last frame */
    ivec4 ground; /* x and z relative to the origin, size, y of the origin */
    uvec4 counts; /* spawns, particles to spawn */
    Emitter emitters[16];
    Spawn spawns[];
} particle_data;

layout(set = 0, binding = 2, std430) PARTICLES_ACCESS buffer Particles { Particle particles[]; };

#define OUTSIDE_GROUND (-1e9)
#define NO_FLOOR (-2000.0)

/* Random numbers from 0 to 1: three-dimensional PCG (Jarzynski and Olano 2020). */
vec3 random3(uvec3 v)
{
    v = v * 1664525u + 1013904223u;
    for (int i = 0; i < 2; i++) { /* sequential: each component uses the previous result */
        v.x += v.y * v.z;
        v.y += v.z * v.x;
        v.z += v.x * v.y;
        v ^= v >> 16u;
    }
    return vec3(v >> 8u) / 16777216.0;
}

/* Floors are multiples of a sixteenth of a block. */
uint pack_light(vec2 light, float floor_y)
{
    uvec2 parts = uvec2(clamp(light, 0.0, 1.0) * 255.0 + 0.5);
    return parts.x | parts.y << 8 | uint(int(clamp(floor_y, NO_FLOOR, 2000.0) * 16.0)) << 16;
}

vec2 unpack_light(uint light)
{
    return vec2(light & 255u, light >> 8 & 255u) / 255.0;
}

float unpack_floor(uint light)
{
    return float(bitfieldExtract(int(light), 16, 16)) / 16.0;
}

uint pack_color(vec3 color)
{
    return packUnorm4x8(vec4(sqrt(clamp(color, 0.0, 1.0)), 0.0));
}

vec3 unpack_color(uint color)
{
    vec3 root = unpackUnorm4x8(color).rgb;
    return root * root;
}

#endif
