/* Data available to every shader of a frame: binding 0. The struct CniRenderFrameData in src/render has
 * the same layout. */
#ifndef RENDER_CORE_FRAME_GLSL
#define RENDER_CORE_FRAME_GLSL

#include "render/core/per_pixel.glsl"

struct Light {
    vec3 position;
    float range;
    vec3 color;
    uint kind; /* 1 point, 2 spot */
    vec3 direction;
    float outer_cosine;
    float inner_cosine;
    uint flags;
    uint shadow; /* index into the shadow data + 1; 0: none */
    uint id; /* of its entity */
};

/*
 * Compute shaders may define COPY_UNIFORMS and begin with copy_frame(): CPU drivers read a uniform
 * value once at the top of main, but within ifs and loops for each of eight threads, in 40 times as
 * much code. In fragment shaders they do so everywhere: those of full-screen passes may fill
 * `frame` from values that their vertex shader has read.
 */
#ifdef COPY_UNIFORMS
struct FrameData {
#else
layout(set = 0, binding = 0, std140) uniform Frame {
#endif
    mat4 view;
    mat4 projection;
    mat4 view_projection;
    mat4 inverse_view_projection;
    mat4 unjittered_view_projection;
    mat4 previous_view_projection;
    vec4 camera;        /* position; w: time in seconds */
    vec4 forward;       /* view direction; w: seconds since the last frame */
    vec4 size;          /* width, height, 1 / width, 1 / height */
    vec4 planes;        /* near, far, orthographic (1) or not (0), exposure */
    /* of this frame in pixels; z: shelter of the camera from the sky, 0 to 1; w unused */
    vec4 jitter;
    vec4 sun_direction; /* towards the sun; w: 1 if there is one */
    vec4 sun_color;     /* multiplied by the intensity; w: casts shadows */
    vec4 ambient;       /* without image-based lighting; w: 1 if there is image-based lighting */
    vec4 moon;          /* towards the moon; w: its phase, 0.5 is full */
    vec4 clouds;        /* cover, bottom, top; w: fog */
    vec4 weather;       /* rain, snow, wetness; w: meters of water above the camera, 0: none */
    /* offset of clouds along x and z; rotation of the stars; 1 if there is an atmosphere */
    vec4 wind;
    uvec4 counts;       /* lights, tiles across, tiles down, number of the frame */
    ivec4 origin;       /* meters, to which all positions are relative; w unused */
} frame;

#ifdef COPY_UNIFORMS
layout(set = 0, binding = 0, std140) uniform Frame { FrameData frame_uniform; };
void copy_frame()
{
    frame = frame_uniform;
}
#endif

/* From uv (0 to 1, from the top left) and depth to world space. */
vec3 world_from_depth(vec2 uv, float depth)
{
    vec4 p = frame.inverse_view_projection * vec4(uv * 2.0 - 1.0, depth, 1.0);
    return p.xyz / p.w;
}

/* View direction at uv, from the entries of the matrices: exact at any distance from the origin. */
vec3 view_direction(vec2 uv)
{
    if (per_pixel(frame.planes.z, uv.x) > 0.5)
        return frame.forward.xyz;
    vec2 ndc = uv * 2.0 - 1.0;
    vec3 ray = vec3((ndc.x + frame.projection[2][0]) / frame.projection[0][0],
                    (ndc.y + frame.projection[2][1]) / frame.projection[1][1], -1.0);
    return normalize(transpose(mat3(frame.view)) * ray);
}

/* The same without normalization, for vertex shaders: it is linear over the image. */
vec3 view_ray(vec2 ndc)
{
    vec2 aside = (ndc + vec2(frame.projection[2][0], frame.projection[2][1])) / vec2(frame.projection[0][0], frame.projection[1][1]);
    return mix(vec3(aside, -1.0) * mat3(frame.view), frame.forward.xyz, frame.planes.z);
}

/* Distance along the view direction, from reversed depth. */
float view_distance(float depth)
{
    float near = frame.planes.x, far = frame.planes.y;
    if (frame.planes.z > 0.5)
        return far + depth * (near - far);
    return near * far / (near + depth * (far - near));
}

#endif
