/* Binding numbers of shaders/render/core/scene.glsl and the files that it is used with: those of
 * every pipeline that draws meshes, and of full-screen passes that read the scene. */
#ifndef CAIRN_SRC_RENDER_CORE_SCENE_BINDINGS_H
#define CAIRN_SRC_RENDER_CORE_SCENE_BINDINGS_H

typedef enum CniRenderSceneBinding {
    CNI_RENDER_BIND_FRAME,
    CNI_RENDER_BIND_INSTANCES,
    CNI_RENDER_BIND_ORDER,
    CNI_RENDER_BIND_VERTICES,
    CNI_RENDER_BIND_MATERIALS,
    CNI_RENDER_BIND_JOINTS,
    CNI_RENDER_BIND_LIGHTS,
    CNI_RENDER_BIND_LIGHT_TILES,
    CNI_RENDER_BIND_SHADOW_DATA,
    CNI_RENDER_BIND_SHADOW_MAP,
    CNI_RENDER_BIND_CLOUD_SHADOW,
    CNI_RENDER_BIND_SHADOW_ATLAS,
    CNI_RENDER_BIND_IRRADIANCE,
    CNI_RENDER_BIND_PREFILTERED,
    CNI_RENDER_BIND_BRDF_LUT,
    CNI_RENDER_BIND_AO,
    /* CN_TEXTURE_COUNT textures of a material, or the inputs of a full-screen pass. */
    CNI_RENDER_BIND_MATERIAL_TEXTURES,
    CNI_RENDER_BIND_SKINS = 21,
    CNI_RENDER_BIND_TERRAIN_HEIGHTS,
    CNI_RENDER_SCENE_BINDING_COUNT
} CniRenderSceneBinding;

#endif
