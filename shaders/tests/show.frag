#version 460
/* Displays an HDR image without dithering; NaN and negative values are magenta. */
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(set = 0, binding = 0) uniform sampler2D hdr;

void main()
{
    vec3 c = textureLod(hdr, uv, 0.0).rgb;
    bool good = all(greaterThanEqual(c, vec3(0.0))) && all(lessThan(c, vec3(65000.0)));
    c = clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
    c = mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    target = good ? vec4(c, 1.0) : vec4(1.0, 0.0, 1.0, 1.0);
}
