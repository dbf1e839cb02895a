/*
 * Images, textures and materials.
 *
 *     CnMaterialDesc desc = {.name = "Gold",
 *                            .base_color = {1, 0.77f, 0.34f, 1},
 *                            .metallic = 1,
 *                            .roughness = 0.3f};
 *     CnMaterial gold = cn_material_create(renderer, &desc, &error);
 *
 * Objects refer to materials by name (CnMeshRenderer.material). In a scene file, materials are
 * declared as follows; docs/formats.md lists all keys.
 *
 *   "materials": [{"id": "Gold", "baseColor": [1, 0.77, 0.34, 1], "metallic": 1,
 *   "roughness": 0.3, "baseColorTexture": "assets://gold.png", "alphaMode": "Opaque",
 *   "pipeline": "Glow"}],
 *   "pipelines": [{"id": "Glow", "surface": "assets://glow.glsl", "cull": "Back", "blend": "None"}]
 *
 * A pipeline is a piece of GLSL, void surface(inout Surface s), that modifies the material's values
 * before lighting. Every render path (forward, deferred, ...) uses it.
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
typedef struct CnImageReadDesc {
    const void *bytes; /* of the file */
    size_t size;
    const char *name;       /* used in errors */
    const CnBudget *budget; /* limits the pixels, before they are decoded; NULL: CN_ORIGIN_USER */
    CnAllocator *allocator; /* of the pixels; NULL: the system allocator */
} CnImageReadDesc;
/* Reads a PNG, JPEG or WebP without animation, detected by its first bytes. An image of foreign
 * origin is decoded in a helper process (decoder.h). */
CN_API bool cn_image_read(const CnImageReadDesc *desc, CnImage *image, CnError *error);
/* Writes a PNG. Equal pixels produce equal bytes. */
CN_API bool cn_image_write(const CnImage *image, CnFileSystem *files, const char *path,
                           CnError *error);
/* Replaces the content of `bytes` by a JPEG of the image, without alpha. `quality` is 1 to 100.
 * Any thread. Returns false and an error when out of memory. */
CN_API bool cn_image_encode_jpeg(const CnImage *image, uint32_t quality, CnU8Array *bytes,
                                 CnError *error);
/* Frees the pixels of an image that cn_image_read filled. */
CN_API void cn_image_free(CnImage *image);

/* ---- Textures ---- */

typedef struct CnTexture {
    uint32_t id;
} CnTexture;

typedef struct CnTextureDesc {
    const char *name;
    const CnImage *image; /* RGBA8, or instead: */
    /* any format, rows packed, mip 0 of each layer */
    CnGpuFormat format;
    uint32_t width, height, layers;
    const void *pixels;
    bool linear; /* the image contains data, not sRGB colors */
    bool no_mips;
    bool nearest, clamp;
} CnTextureDesc;

/* Creates a texture; the pixels are copied. Returns null and an error on failure. */
CN_API CnTexture cn_texture_create(CnRenderer *renderer, const CnTextureDesc *desc, CnError *error);
/* Destroys a texture and removes it from the materials that use it. */
CN_API void cn_texture_destroy(CnRenderer *renderer, CnTexture texture);
typedef struct CnTextureLoadDesc {
    const char *path; /* in the renderer's files; required */
    bool linear;      /* the image contains data, not sRGB colors */
} CnTextureLoadDesc;
/* Loads a texture from a file. The same description returns the same texture, which stays loaded
 * until it is destroyed. Returns null and an error on failure. */
CN_API CnTexture cn_texture_load(CnRenderer *renderer, const CnTextureLoadDesc *desc,
                                 CnError *error);
/* Return the GPU texture, ready to be sampled, and its sampler, for custom passes. */
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
       CN_TEXTURE_CORE_COUNT,
       /* of CnMaterialExtensions, which they multiply */
       CN_TEXTURE_SPECULAR = CN_TEXTURE_CORE_COUNT, /* alpha */
       CN_TEXTURE_SPECULAR_COLOR,
       CN_TEXTURE_CLEARCOAT,           /* red; linear */
       CN_TEXTURE_CLEARCOAT_ROUGHNESS, /* green; linear */
       CN_TEXTURE_CLEARCOAT_NORMAL,    /* linear */
       CN_TEXTURE_SHEEN_COLOR,
       CN_TEXTURE_SHEEN_ROUGHNESS,       /* alpha */
       CN_TEXTURE_ANISOTROPY,            /* direction in red and green, strength in blue; linear */
       CN_TEXTURE_IRIDESCENCE,           /* red; linear */
       CN_TEXTURE_IRIDESCENCE_THICKNESS, /* green; linear */
       CN_TEXTURE_TRANSMISSION,          /* red; linear */
       CN_TEXTURE_THICKNESS,             /* green; linear */
       CN_TEXTURE_COUNT
};

/* At most this many different textures, or textures with different coordinates, of those from
 * CN_TEXTURE_SPECULAR on. */
#define CN_MAX_EXTENSION_TEXTURES 8u

/* The coordinates of a texture: those of the mesh, scaled, rotated and moved. All 0: the first set
 * as it is. */
typedef struct CnTextureCoordinates {
    uint32_t set;   /* 0: CnVertex.uv; 1: CnMeshDesc.second_uv */
    float rotation; /* radians, counter-clockwise in the image */
    CnVec2 offset;
    CnVec2 scale; /* 0 selects 1 */
} CnTextureCoordinates;

/*
 * Further layers and effects, as in glTF's extensions of materials. All 0: none of them. Materials
 * that use them cost more to draw; others cost nothing.
 *
 * A material with transmission is drawn after the opaque ones and shows what of them is behind it,
 * blurred by its roughness. It does not show other such materials, nor blended ones.
 */
typedef struct CnMaterialExtensions {
    float ior;             /* index of refraction, at least 1; 0 selects 1.5 */
    float specular;        /* strength of reflections of a dielectric; 0 selects 1 */
    CnVec3 specular_color; /* of these reflections at normal incidence; all 0 selects white */
    float clearcoat;       /* strength of a clear, polished layer on top, 0 to 1 */
    float clearcoat_roughness;
    float clearcoat_normal_scale; /* 0 selects 1 */
    CnVec3 sheen_color;           /* of fibers that stand out of cloth; all 0: none */
    float sheen_roughness;
    float anisotropy;                    /* stretch of highlights along the tangent, 0 to 1 */
    float anisotropy_rotation;           /* radians, from the tangent to the bitangent */
    float iridescence;                   /* strength of the colors of a thin film, 0 to 1 */
    float iridescence_ior;               /* of the film; 0 selects 1.3 */
    float iridescence_thickness_minimum; /* nanometers where its texture is 0; 0 selects 100 */
    float iridescence_thickness;         /* where the texture is 1 or missing; 0 selects 400 */
    float transmission;                  /* part of the light that passes through, 0 to 1 */
    /* of the volume below the surface, in units of the mesh; 0: the surface is a thin wall */
    float thickness;
    CnVec3 attenuation_color;   /* of white light after this distance; all 0 selects white */
    float attenuation_distance; /* in the world; 0: infinite */
    float dispersion;           /* of colors by refraction: 20 / Abbe number */
} CnMaterialExtensions;

/* Metallic-roughness parameters as in glTF. */
typedef struct CnMaterialDesc {
    const char *name;
    CnVec4 base_color; /* linear; all 0 selects white */
    float metallic;
    float roughness;          /* 0 selects 1; at least 0.045 */
    CnVec3 emissive;          /* linear; may exceed 1 */
    float normal_scale;       /* 0 selects 1 */
    float occlusion_strength; /* of its texture; 0 selects 1 */
    CnAlphaMode alpha_mode;
    float alpha_cutoff; /* 0 selects 0.5 */
    bool double_sided;
    bool unlit;
    CnVec2 uv_scale; /* of both sets; 0 selects 1 */
    CnTexture textures[CN_TEXTURE_COUNT];
    CnTextureCoordinates coordinates[CN_TEXTURE_COUNT];
    CnMaterialExtensions extensions;
    const char *pipeline; /* name given to cn_surface_register; NULL: none */
} CnMaterialDesc;

/* Creates a material. A name that is already in use is an error; a material without a name cannot
 * be looked up. */
CN_API CnMaterial cn_material_create(CnRenderer *renderer, const CnMaterialDesc *desc,
                                     CnError *error);
/* Changes a material from the next frame on; its name stays. */
CN_API bool cn_material_set(CnRenderer *renderer, CnMaterial material, const CnMaterialDesc *desc,
                            CnError *error);
/* Returns the description of a material. */
CN_API CnMaterialDesc cn_material_get(const CnRenderer *renderer, CnMaterial material);
/* Destroys a material. The default material cannot be destroyed. */
CN_API void cn_material_destroy(CnRenderer *renderer, CnMaterial material);
CN_API CnMaterial cn_material_find(const CnRenderer *renderer, const char *name); /* null: none */

/* ---- Surfaces: custom GLSL ---- */

typedef struct CnSurfaceDesc {
    const char *name;
    CnText glsl;      /* void surface(inout Surface s); see shaders/render/core/surface.glsl for its
                         inputs */
    const char *path; /* source file, for errors and reloading; may be NULL */
    CnOrigin origin;  /* of `glsl`; GLSL of foreign origin is refused */
    CnGpuCull cull;   /* none: as in the material */
    CnGpuBlend blend; /* none: as in the material */
    bool no_depth_write;
} CnSurfaceDesc;
/* Compiles a surface for every render path in use; an error names the line in `glsl`. A surface of
 * the same name is replaced, also in the materials that use it, but only if the new one compiles.
 * When the file at `path` (in the renderer's files) changes, it is compiled again between frames or
 * by cn_renderer_reload_shaders. A surface exists as long as the renderer. */
CN_API bool cn_surface_register(CnRenderer *renderer, const CnSurfaceDesc *desc, CnError *error);

/* Reads the materials and pipelines of a scene file as JSON ("" for none). Those of the same name
 * are replaced. On an error nothing changes. `name` is the file name used in errors. */
CN_API bool cn_materials_read(CnRenderer *renderer, const char *name, CnText materials,
                              CnText pipelines, CnError *error);
/* Reads the materials and pipelines of a scene file; errors contain their position in the file. */
CN_API bool cn_materials_read_file(CnRenderer *renderer, const CnSceneFile *file, CnError *error);

CN_EXTERN_C_END

#endif
