/* Directions of cube map faces, as cube samplers define them, and evenly distributed points. */
#ifndef RENDER_FEATURE_ENVIRONMENT_CUBE_GLSL
#define RENDER_FEATURE_ENVIRONMENT_CUBE_GLSL

/* `at` from -1 to 1, from the left and the top. Not normalized. */
vec3 cube_direction(uint face, vec2 at)
{
    switch (face) {
    case 0u: return vec3(1.0, -at.y, -at.x);
    case 1u: return vec3(-1.0, -at.y, at.x);
    case 2u: return vec3(at.x, 1.0, at.y);
    case 3u: return vec3(at.x, -1.0, -at.y);
    case 4u: return vec3(at.x, -at.y, 1.0);
    default: return vec3(-at.x, -at.y, -1.0);
    }
}

vec3 texel_direction(uint face, uvec2 texel, float size)
{
    return cube_direction(face, (vec2(texel) + 0.5) / size * 2.0 - 1.0);
}

/* Hammersley points. */
vec2 even_point(uint index, uint count)
{
    return vec2((float(index) + 0.5) / float(count), float(bitfieldReverse(index)) * 2.3283064e-10);
}

/* A normal of the GGX distribution around z. */
vec3 ggx_normal(vec2 point, float alpha)
{
    float cosine = sqrt((1.0 - point.x) / (1.0 + (alpha * alpha - 1.0) * point.x));
    float sine = sqrt(max(1.0 - cosine * cosine, 0.0)), around = 6.2831853 * point.y;
    return vec3(cos(around) * sine, sin(around) * sine, cosine);
}

#endif
