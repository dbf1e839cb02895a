#version 460
/* Writes the position and orientation of water, which water.glsl shades. */
#include "render/block/blocks.glsl"

layout(location = 0) in vec3 in_from_eye;
layout(location = 1) flat in uvec2 in_face;

/* normal x and z; light; 0: no water, half: the normal points down */
layout(location = 0) out vec4 out_surface;

/* Interleaved gradient noise (Jimenez 2014): surfaces that fade in appear dot by dot. */
float noise(vec2 pixel)
{
    return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}

void main()
{
    vec3 normal = face_normal(in_face.y & 7u);
    vec3 slope = cross(dFdx(in_from_eye), dFdy(in_from_eye));
    if (noise(gl_FragCoord.xy) >= float(in_face.y >> 8) / 255.0)
        discard;
    if ((in_face.y >> 3 & 1u) != 0u && abs(slope.y) > 1e-12)
        normal = normalize(slope * sign(slope.y));
    out_surface = vec4((normal.xz * 127.0 + 128.0) / 255.0, float(in_face.x) / 255.0, normal.y < -0.5 ? 0.5 : 1.0);
}
