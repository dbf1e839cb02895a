/*
 * Extensions of materials (CniRenderExtensionData): rows behind the materials in their buffer, and
 * textures whose coordinates the vertex shader transforms. For fragment shaders of extended
 * materials.
 *
 *    0  specular color; strength          4  film: strength, index of refraction, thickness range
 *    1  index of refraction; clearcoat:   5  attenuation: color; distance
 *       strength, roughness, normal       6  transmission, thickness; slots of textures (2 uint)
 *    2  sheen: color; roughness           7  flags (uint)
 *    3  anisotropy: strength, direction   8  on: two rows per texture
 *       (2); dispersion
 */
#ifndef RENDER_CORE_MATERIAL_EXTENSION_GLSL
#define RENDER_CORE_MATERIAL_EXTENSION_GLSL

layout(set = 0, binding = 4, std430) readonly buffer MaterialRows { vec4 material_rows[]; };

const uint EXTENSION_LAYERED = 1u; /* flag */

uint extension_row; /* the first one */

void begin_extension(Material material)
{
    extension_row = material.extension;
}

vec4 extension_row_at(uint row)
{
    return material_rows[extension_row + row];
}

bool is_layered()
{
    return (floatBitsToUint(extension_row_at(7u).x) & EXTENSION_LAYERED) != 0u;
}

/* Of one of the textures that the material binds: its coordinates, and the texel. */
vec2 extended_uv(uint number)
{
    vec4 pair = in_coordinates[number / 2u];
    return (number & 1u) == 0u ? pair.xy : pair.zw;
}

vec4 extended_texel(sampler2D map, uint number)
{
    return texture(map, extended_uv(number));
}

#endif
