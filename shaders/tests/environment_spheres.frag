#version 460
/* Two rows of spheres under ambient light alone: metal above, plaster below, from smooth to rough. */
#define IRRADIANCE_BINDING 1
#define PREFILTERED_BINDING 2
#define BRDF_TABLE_BINDING 3
#include "render/feature/environment.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(push_constant) uniform Constants { vec4 albedo; };

const float COLUMNS = 5.0, ROWS = 2.0;

void main()
{
    vec2 cell = floor(uv * vec2(COLUMNS, ROWS));
    vec2 size = frame.size.xy / vec2(COLUMNS, ROWS);
    vec2 at = (gl_FragCoord.xy - (cell + 0.5) * size) / (0.46 * min(size.x, size.y));
    float outside = dot(at, at);
    if (outside > 1.0)
        discard;
    vec3 n = transpose(mat3(frame.view)) * vec3(at.x, -at.y, sqrt(1.0 - outside));
    vec3 light = ambient_light(n, -frame.forward.xyz, albedo.rgb, 1.0 - cell.y, cell.x / (COLUMNS - 1.0), 1.0);
    target = vec4(light, 1.0);
}
