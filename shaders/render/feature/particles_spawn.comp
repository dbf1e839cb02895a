#version 460
/* Spawns the particles of bursts and of emitters around the camera. */
#define PARTICLES_ACCESS writeonly
#include "render/feature/particles.glsl"

layout(local_size_x = 64) in;

/* Into an upward cone, uniformly by solid angle. */
vec3 direction_in_cone(vec2 random, float least_cosine)
{
    float y = mix(1.0, least_cosine, random.x), side = sqrt(max(1.0 - y * y, 0.0)), turn = 6.2831853 * random.y;
    return vec3(side * cos(turn), y, side * sin(turn));
}

void main()
{
    uint number = gl_GlobalInvocationID.x;
    if (number >= particle_data.counts.y)
        return;
    uint begin = 0u, which = 0u;
    while (number >= particle_data.spawns[which].end)
        begin = particle_data.spawns[which++].end;
    Spawn spawn = particle_data.spawns[which];
    Emitter emitter = particle_data.emitters[spawn.emitter];
    uint index = number - begin;
    vec3 a = random3(uvec3(spawn.seed, index, 0u)), b = random3(uvec3(spawn.seed, index, 1u)),
         c = random3(uvec3(spawn.seed, index, 2u));

    vec3 way = direction_in_cone(a.xy, emitter.last.z);
    Particle p;
    if ((emitter.flags & EMITTER_AROUND_EYE) != 0u)
        p.position = particle_data.eye.xyz + emitter.box.xyz * vec3(b.x * 2.0 - 1.0, 1.0 - 0.5 * b.y, b.z * 2.0 - 1.0);
    else
        p.position = spawn.position + direction_in_cone(b.xy, -1.0) * emitter.box.w * pow(b.z, 1.0 / 3.0);
    p.position -= particle_data.shift.xyz; /* added again by the update */
    p.age = 0.0;
    p.velocity = way * mix(emitter.ranges.z, emitter.ranges.w, a.z) + emitter.velocity.xyz;
    p.life = mix(emitter.ranges.x, emitter.ranges.y, c.x);
    if (spawn.is_old != 0u) {
        p.age = p.life * fract(a.x + b.z);
        p.position += p.velocity * p.age;
    }
    p.size = mix(emitter.more.x, emitter.more.y, c.y);
    p.color = pack_color(spawn.color * emitter.color.rgb * (1.0 + emitter.looks.y * (2.0 * c.z - 1.0)));
    p.light = pack_light(vec2(spawn.sky, spawn.block), spawn.floor);
    p.emitter = spawn.emitter | uint(c.z * 16777215.0) << 8;
    particles[emitter.first + (spawn.slot + index) % emitter.count] = p;
}
