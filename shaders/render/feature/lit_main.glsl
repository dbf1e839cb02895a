/* Forward-lit meshes: Forward, Forward+, and transparent and layered meshes over Deferred. LAYERS:
 * with the layers of extended materials; TRANSMISSIVE: with light from behind. */
#include "render/core/material.glsl"

#include "render/feature/lighting.glsl"

layout(push_constant) uniform Pass { uint which_lights; } pass;

layout(location = 0) out vec4 out_light;

void main()
{
    Surface s = read_surface();
#ifdef MASKED
    if (is_cut_out(s))
        discard;
#endif
    vec3 light = s.emission;
    if (!s.unlit) {
        vec3 v = direction_to_eye(s.world);
#ifdef LAYERS
        prepare_layers(s, v);
        light *= layers.below_coat;
#endif
        vec2 pixel = gl_FragCoord.xy;
        light += sun_light(s, v, pixel);
        light += lights_light(s, v, pixel, pass.which_lights);
        light += indirect_light(s, v, pixel);
    }
#ifdef TRANSMISSIVE
    if ((materials[in_material.x].flags & MATERIAL_BLENDED) == 0u)
        s.alpha = 1.0;
#endif
    out_light = vec4(bounded_light(light), s.alpha);
}
