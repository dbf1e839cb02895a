#version 460
/* A quad for each live particle, facing the camera or stretched along its velocity. */
#define PARTICLES_ACCESS readonly
#include "render/feature/particles.glsl"

layout(push_constant) uniform Constants {
    mat4 eye_to_clip;
    uint lamps; /* number of lights, which are sorted by distance */
};
layout(set = 0, binding = 6, std430) readonly buffer Lights { Light lights[]; };
layout(set = 0, binding = 3, std430) readonly buffer Draws {
    uint vertices, instances, first_vertex, first_instance, draws;
    uint alive[];
};

layout(location = 0) out vec2 out_at; /* -1 to 1 */
layout(location = 1) flat out vec4 out_color; /* not premultiplied */
layout(location = 2) flat out vec2 out_shape; /* kind; half its size */
layout(location = 3) flat out vec3 out_light; /* sky light and block light; emission */
layout(location = 4) flat out vec3 out_lamps;

const float STREAK_SECONDS = 0.028; /* of its path */

const float FLAME = 0.35; /* lighting.glsl */

/* Of a small object, from any side. */
vec3 point_lights_light(vec3 from_eye)
{
    vec3 sum = vec3(0.0);
    for (uint i = 0u; i < lamps; i++) {
        vec3 way = lights[i].position - frame.camera.xyz - from_eye;
        float squared = dot(way, way), ratio = squared / (lights[i].range * lights[i].range);
        float window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
        /* more than 1 / 4 pi: drops glitter */
        if (lights[i].kind == 1u && lights[i].range > 0.0)
            sum += lights[i].color * (0.14 * window * window / (squared + FLAME));
    }
    return sum;
}

void main()
{
    const vec2 corners[6] = vec2[](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0));
    Particle p = particles[alive[gl_InstanceIndex]];
    Emitter emitter = particle_data.emitters[p.emitter & 255u];
    uint shape = emitter.flags & 15u;
    vec3 from_eye = p.position - particle_data.eye.xyz;
    vec3 right = vec3(frame.view[0][0], frame.view[1][0], frame.view[2][0]);
    vec3 up = vec3(frame.view[0][1], frame.view[1][1], frame.view[2][1]);

    /* At least one pixel wide, with reduced alpha. */
    float distance = frame.planes.z > 0.5 ? 1.0 : max(dot(from_eye, frame.forward.xyz), frame.planes.x);
    float pixel = distance * frame.size.w * 2.0 / abs(frame.projection[1][1]);
    float size = p.size * mix(1.0, emitter.looks.x, clamp(p.age / p.life, 0.0, 1.0));
    float half_size = max(0.5 * size, 0.5 * pixel), thin = min(size / pixel, 1.0);
    right *= half_size;
    up *= half_size;
    if (shape == SHAPE_STREAK) {
        vec3 way = p.velocity * (0.5 * STREAK_SECONDS), side = cross(way, from_eye);
        if (dot(side, side) > 1e-9) {
            right = normalize(side) * half_size;
            up = way;
        }
    } else {
        thin *= thin;
    }

    float left = p.life - p.age, fade = emitter.last.x;
    float near = smoothstep(0.2, 1.4, length(from_eye)); /* no blots right in front of the camera */
    float alpha = emitter.color.w * thin * near * (fade > 0.0 ? clamp(left / fade, 0.0, 1.0) : 1.0);
    out_at = corners[gl_VertexIndex % 6];
    out_color = vec4(unpack_color(p.color), alpha);
    out_shape = vec2(shape, half_size);
    out_light = vec3(unpack_light(p.light), emitter.last.y);
    out_lamps = point_lights_light(from_eye);
    gl_Position = eye_to_clip * vec4(from_eye + right * out_at.x + up * out_at.y, 1.0);
}
