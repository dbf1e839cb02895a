/* The layers of an extended material at a fragment: its extensions and their textures. Part of
 * material.glsl. */
#ifndef RENDER_CORE_MATERIAL_LAYERS_GLSL
#define RENDER_CORE_MATERIAL_LAYERS_GLSL

layout(set = 0, binding = 24) uniform sampler2D extension_map_0;
layout(set = 0, binding = 25) uniform sampler2D extension_map_1;
layout(set = 0, binding = 26) uniform sampler2D extension_map_2;
layout(set = 0, binding = 27) uniform sampler2D extension_map_3;
layout(set = 0, binding = 28) uniform sampler2D extension_map_4;
layout(set = 0, binding = 29) uniform sampler2D extension_map_5;
layout(set = 0, binding = 30) uniform sampler2D extension_map_6;
layout(set = 0, binding = 31) uniform sampler2D extension_map_7;

struct Layers {
    vec3 f0; /* reflectance of the dielectric at normal incidence, and */
    float f90; /* at grazing incidence */
    float ior;
    float coat, coat_roughness;
    vec3 coat_normal;
    vec3 sheen;
    float sheen_roughness;
    vec3 tangent, bitangent; /* of the anisotropy */
    float anisotropy;
    float film, film_ior, film_thickness; /* nanometers */
    float transmission, thickness; /* in the world */
    vec3 attenuation;
    float attenuation_distance; /* 0: infinite */
    float dispersion;
    /* Computed by prepare_layers: */
    vec3 film_fresnel;
    float below_coat; /* fraction of light that the clear coat lets pass */
} layers;

vec4 extension_texels[8];
uvec2 extension_slots;

/* CN_TEXTURE_SPECULAR is number 0. White if the material does not have the texture. */
vec4 layer_texel(uint number)
{
    uint slot = extension_slots[number >> 3] >> 4u * (number & 7u) & 15u;
    return slot == 0u ? vec4(1.0) : extension_texels[slot - 1u];
}

/* The coordinates of that texture; those of the mesh if the material does not have it. */
vec2 layer_uv(uint number)
{
    uint slot = extension_slots[number >> 3] >> 4u * (number & 7u) & 15u;
    return slot == 0u ? in_uv : extended_uv(4u + slot);
}

bool has_layer_texel(uint number)
{
    return (extension_slots[number >> 3] >> 4u * (number & 7u) & 15u) != 0u;
}

void read_layer_texels()
{
    extension_slots = floatBitsToUint(extension_row_at(6u).zw);
    /* A loop instead of an if: see per_pixel.glsl. */
    for (int i = 0; i < ((extension_slots.x | extension_slots.y) != 0u ? 1 : 0); i++) {
        extension_texels[0] = extended_texel(extension_map_0, 5u);
        extension_texels[1] = extended_texel(extension_map_1, 6u);
        extension_texels[2] = extended_texel(extension_map_2, 7u);
        extension_texels[3] = extended_texel(extension_map_3, 8u);
        extension_texels[4] = extended_texel(extension_map_4, 9u);
        extension_texels[5] = extended_texel(extension_map_5, 10u);
        extension_texels[6] = extended_texel(extension_map_6, 11u);
        extension_texels[7] = extended_texel(extension_map_7, 12u);
    }
}

void read_anisotropy(Surface s, vec4 row)
{
    vec3 texel = has_layer_texel(7u) ? layer_texel(7u).rgb : vec3(1.0, 0.5, 1.0);
    vec2 way = texel.xy * 2.0 - 1.0;
    way = vec2(row.y * way.x - row.z * way.y, row.z * way.x + row.y * way.y);
    vec4 given = tangent_at(s.normal, layer_uv(7u));
    vec3 tangent = given.xyz - s.normal * dot(s.normal, given.xyz);
    vec3 bitangent = cross(s.normal, tangent) * given.w;
    tangent = tangent * way.x + bitangent * way.y;
    layers.tangent = tangent * inversesqrt(max(dot(tangent, tangent), 1e-12));
    layers.bitangent = cross(s.normal, layers.tangent);
    layers.anisotropy = row.x * texel.b;
}

void read_layers(Surface s)
{
    read_layer_texels();
    vec4 specular = extension_row_at(0u), coat = extension_row_at(1u);
    vec4 sheen = extension_row_at(2u), anisotropy = extension_row_at(3u);
    vec4 film = extension_row_at(4u), attenuation = extension_row_at(5u);
    vec2 volume = extension_row_at(6u).xy;

    layers.ior = coat.x;
    float mirrored = (layers.ior - 1.0) / (layers.ior + 1.0);
    layers.f90 = specular.w * layer_texel(0u).a;
    layers.f0 = min(mirrored * mirrored * specular.rgb * layer_texel(1u).rgb, vec3(1.0)) * layers.f90;

    layers.coat = coat.y * layer_texel(2u).r;
    layers.coat_roughness =
        steady_roughness(clamp(coat.z * layer_texel(3u).g, MIN_ROUGHNESS, 1.0), s.geometric_normal);
    layers.coat_normal = s.geometric_normal;
    if (has_layer_texel(4u))
        layers.coat_normal = mapped_normal(s.geometric_normal, layer_uv(4u), layer_texel(4u).xyz, coat.w);

    layers.sheen = sheen.rgb * layer_texel(5u).rgb;
    layers.sheen_roughness = sheen.a * layer_texel(6u).a;
    read_anisotropy(s, anisotropy);

    layers.film = film.x * layer_texel(8u).r;
    layers.film_ior = film.y;
    layers.film_thickness = mix(film.z, film.w, layer_texel(9u).g);

    layers.transmission = volume.x * layer_texel(10u).r;
    layers.thickness = volume.y * layer_texel(11u).g * in_size;
    layers.attenuation = attenuation.rgb;
    layers.attenuation_distance = attenuation.a;
    layers.dispersion = anisotropy.w;
}

#endif
