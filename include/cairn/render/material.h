/*
 * Images, textures and materials.
 *
 *     CnMaterial gold = cn_material_create(renderer, &(CnMaterialDesc){.name = "Gold",
 *         .base_color = {1, 0.77f, 0.34f, 1}, .metallic = 1, .roughness = 0.3f}, &error);
 *
 * Materials are found by name: CnMeshRenderer.material of an object. Those of a scene file:
 *
 *     "materials": [{"id": "Gold", "baseColor": [1, 0.77, 0.34, 1], "metallic": 1, "roughness": 0.3,
 *                    "baseColorTexture": "assets://gold.png", "alphaMode": "Opaque", "pipeline": "Glow"}],
 *     "pipelines": [{"id": "Glow", "surface": "assets://glow.glsl", "cull": "Back", "blend": "None"}]
 *
 * A pipeline is a piece of GLSL, void surface(inout Surface s), that changes what the material says before it is
 * lit; every path (forward, deferred, ...) uses it. docs/formats.md has all keys.
 */
#ifndef CAIRN_RENDER_MATERIAL_H
#define CAIRN_RENDER_MATERIAL_H

#include <cairn/base/file.h>
#include <cairn/base/text.h>
#include <cairn/base/vector.h>
#include <cairn/render/shader.h>
#include <cairn/scene/file.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_MATERIALS 4096u
#define CN_MAX_TEXTURES 4096u

/* ---- Images ---- */

#define CN_MAX_IMAGE_SIZE 16384u

typedef struct CnImage {
    uint32_t width, height;
    uint8_t *pixels; /* RGBA, rows from the top, packed */
    CnAllocator *allocator;
} CnImage;
/* PNG or JPEG, by its first bytes. `name` is for errors. */
CN_API bool cn_image_read(const void *bytes, size_t size, const char *name, CnAllocator *allocator,
                          CnImage *image, CnError *error);
/* A PNG; the same pixels give the same bytes. */
CN_API bool cn_image_write(const CnImage *image, CnFileSystem *files, const char *path,
                           CnError *error);
CN_API void cn_image_free(CnImage *image);

/* ---- Textures ---- */

typedef struct CnTexture {
    uint32_t id;
} CnTexture;

typedef struct CnTextureDesc {
    const char *name;
    const CnImage *image; /* RGBA8 */
    /* or: any format, rows packed, mip 0 of each layer */
    CnGpuFormat format;
    uint32_t width, height, layers;
    const void *pixels;
    bool linear; /* of an image: numbers, not colors (sRGB) */
    bool no_mips;
    bool nearest, clamp;
} CnTextureDesc;

CN_API CnTexture cn_texture_create(CnRenderer *renderer, const CnTextureDesc *desc, CnError *error);
/* Materials that have it are without it. */
CN_API void cn_texture_destroy(CnRenderer *renderer, CnTexture texture);
/* From a file, once: the same path and kind give the same texture. It stays until it is destroyed. */
CN_API CnTexture cn_texture_load(CnRenderer *renderer, const char *path, bool linear,
                                 CnError *error);
/* For passes of one's own: sampled, and ready. */
CN_API CnGpuTexture cn_texture_gpu(const CnRenderer *renderer, CnTexture texture);
CN_API CnGpuSampler cn_texture_sampler(const CnRenderer *renderer, CnTexture texture);

/* ---- Materials ---- */

typedef struct CnMaterial {
    uint32_t id;
} CnMaterial;

typedef enum CnAlphaMode {
    CN_ALPHA_OPAQUE,
    CN_ALPHA_MASK, /* drawn where alpha is at least alpha_cutoff */
    CN_ALPHA_BLEND
} CnAlphaMode;

enum { /* CnMaterialDesc.textures */
       CN_TEXTURE_BASE_COLOR,
       CN_TEXTURE_METALLIC_ROUGHNESS, /* blue, green; linear */
       CN_TEXTURE_NORMAL,             /* linear */
       CN_TEXTURE_OCCLUSION,          /* red; linear */
       CN_TEXTURE_EMISSIVE,
       CN_TEXTURE_COUNT
};

/* As of glTF: metallic and roughness. */
typedef struct CnMaterialDesc {
    const char *name;
    CnVec4 base_color; /* linear; all 0 means white */
    float metallic;
    float roughness;    /* 0 means 1; at least 0.045 */
    CnVec3 emissive;    /* linear, may be more than 1 */
    float normal_scale; /* 0 means 1 */
    CnAlphaMode alpha_mode;
    float alpha_cutoff; /* 0 means 0.5 */
    bool double_sided;
    bool unlit;
    CnVec2 uv_scale; /* 0 means 1 */
    CnTexture textures[CN_TEXTURE_COUNT];
    const char *pipeline; /* of cn_surface_create; NULL: none */
} CnMaterialDesc;

/* A name that is taken is an error; without one it cannot be found. */
CN_API CnMaterial cn_material_create(CnRenderer *renderer, const CnMaterialDesc *desc,
                                     CnError *error);
/* Changes one that is in use, from the next frame on; the name stays. */
CN_API bool cn_material_set(CnRenderer *renderer, CnMaterial material, const CnMaterialDesc *desc,
                            CnError *error);
CN_API CnMaterialDesc cn_material_get(const CnRenderer *renderer, CnMaterial material);
CN_API void cn_material_destroy(CnRenderer *renderer, CnMaterial material);
CN_API CnMaterial cn_material_find(const CnRenderer *renderer, const char *name); /* null: none */

/* ---- Surfaces: GLSL of one's own ---- */

typedef struct CnSurfaceDesc {
    const char *name;
    CnText glsl; /* void surface(inout Surface s); shaders/render/surface.glsl says what there is */
    const char *path; /* where it comes from, for errors and reloading; may be NULL */
    CnGpuCull cull;   /* none: as the material says */
    CnGpuBlend blend; /* none: as the material says */
    bool no_depth_write;
} CnSurfaceDesc;
/* Compiles it for every path that is set up; an error has the line in this text. One of the same name is replaced, in
 * the materials that have it too, but only by one that compiles. A file that is saved (`path`, of the renderer's
 * files) is compiled again by frames, or by cn_renderer_reload_shaders. */
CN_API bool cn_surface_create(CnRenderer *renderer, const CnSurfaceDesc *desc, CnError *error);

/* Materials and pipelines as they stand in a scene file ("" is none): JSON. Those of the same name are replaced.
 * On an error nothing is changed. `name` is the file in errors. */
CN_API bool cn_materials_read(CnRenderer *renderer, const char *name, CnText materials,
                              CnText pipelines, CnError *error);
/* Those of a scene file; errors have their places in it. */
CN_API bool cn_materials_read_file(CnRenderer *renderer, const CnSceneFile *file, CnError *error);

CN_EXTERN_C_END

#endif
