#version 460
/* Updates the particles of one emitter and lists the live ones. */
#define PARTICLES_ACCESS
#include "render/feature/particles.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Constants { uint emitter_number; };

/* height; emitters that fall there: 16 bits each */
layout(set = 0, binding = 3, std430) readonly buffer Ground { uint columns[]; };
layout(set = 0, binding = 4, std430) buffer Draws {
    uint vertices, instances, first_vertex, first_instance, draws;
    uint alive[];
};

/* Of the column, relative to the origin. */
float ground_at(vec3 position, out uint falls)
{
    ivec2 at = ivec2(floor(position.xz)) - particle_data.ground.xy;
    int size = particle_data.ground.z;
    falls = 0xFFFFu;
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(size))))
        return OUTSIDE_GROUND;
    uint column = columns[at.y * size + at.x];
    falls = column >> 16;
    return float(bitfieldExtract(int(column), 0, 16) - particle_data.ground.w);
}

/* On the ground: stops, or becomes a splash. */
void land(inout Particle p, float ground, uint splash)
{
    p.position.y = ground;
    p.velocity = vec3(0.0);
    if (splash == 0u)
        return;
    Emitter emitter = particle_data.emitters[splash - 1u];
    vec3 a = random3(uvec3(p.emitter, floatBitsToUint(p.position.xz)));
    float turn = 6.2831853 * a.x, y = mix(1.0, max(emitter.last.z, 0.0), a.y), side = sqrt(1.0 - y * y);
    p.age = 0.0;
    p.life = mix(emitter.ranges.x, emitter.ranges.y, a.z);
    p.velocity = vec3(side * cos(turn), y, side * sin(turn)) * mix(emitter.ranges.z, emitter.ranges.w, a.x) + emitter.velocity.xyz;
    p.size = mix(emitter.more.x, emitter.more.y, a.y);
    p.position.y += p.size;
    p.color = pack_color(emitter.color.rgb);
    p.emitter = (splash - 1u) | (p.emitter & 0xFFFFFF00u);
}

void move(inout Particle p, float seconds)
{
    Emitter emitter = particle_data.emitters[p.emitter & 255u];
    /* particles at rest stay */
    float was = p.position.y, flutter = p.velocity == vec3(0.0) ? 0.0 : emitter.more.w;
    p.velocity.y -= emitter.velocity.w * seconds;
    p.velocity /= 1.0 + emitter.more.z * seconds;
    float phase = float(p.emitter >> 8) * 0.001;
    vec3 sway = flutter * vec3(cos(2.1 * p.age + phase), 0.0, sin(1.7 * p.age + 1.3 * phase));
    p.position += (p.velocity + sway) * seconds;
    if ((emitter.flags & EMITTER_COLLIDES) == 0u)
        return;
    uint falls;
    float ground = ground_at(p.position, falls), below = unpack_floor(p.light);
    bool is_weather = (emitter.flags & EMITTER_AROUND_EYE) != 0u;
    ground = below > NO_FLOOR ? below : ground;
    if (is_weather && ((falls >> (p.emitter & 255u) & 1u) == 0u || was < ground))
        p.life = 0.0; /* not falling here, or below a roof */
    else if (p.position.y < ground && was >= ground)
        land(p, ground, emitter.splash);
}

void main()
{
    if (gl_GlobalInvocationID.x >= particle_data.emitters[emitter_number].count)
        return;
    uint index = particle_data.emitters[emitter_number].first + gl_GlobalInvocationID.x;
    Particle p = particles[index];
    if (p.age >= p.life)
        return;
    p.position += particle_data.shift.xyz;
    if (particle_data.shift.y != 0.0 && unpack_floor(p.light) > NO_FLOOR)
        p.light = pack_light(unpack_light(p.light), unpack_floor(p.light) + particle_data.shift.y);
    float seconds = particle_data.eye.w;
    p.age += seconds;
    move(p, seconds);
    if (p.age >= p.life)
        p.life = 0.0;
    particles[index] = p;
    if (p.life > 0.0)
        alive[atomicAdd(instances, 1u)] = index;
}
