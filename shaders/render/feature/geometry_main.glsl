/* Writes the G-buffer for deferred lighting. */
#include "render/core/material.glsl"

layout(location = 0) out vec4 out_albedo;   /* alpha: roughness */
layout(location = 1) out vec4 out_normal;   /* alpha: metallic; -1: unlit */
layout(location = 2) out vec4 out_emission; /* alpha: occlusion, until lighting */

void main()
{
    Surface s = read_surface();
#ifdef MASKED
    if (is_cut_out(s))
        discard;
#endif
    out_albedo = vec4(s.albedo, s.roughness);
    out_normal = vec4(s.normal, s.unlit ? -1.0 : s.metallic);
    out_emission = vec4(min(s.emission, vec3(16384.0)), s.occlusion);
#ifdef EXTENDED
    /* Lit later, by the pass over layered meshes. */
    if (is_layered()) {
        out_normal.a = -1.0;
        out_emission.rgb = vec3(0.0);
    }
#endif
}
