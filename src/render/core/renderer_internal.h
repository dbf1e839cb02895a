/*
 * Declarations shared by the files of the renderer: the tables of meshes, models, materials,
 * textures, surfaces and pipelines, and the files that fill them.
 *
 *   meshes       mesh.c      cn_mesh_*: vertices and indices in one pool (mesh_pool.c)
 *   models       model.c     cn_model_*: parts of a mesh, a material and a transform
 *   materials    material.c  cn_material_*: CniRenderMaterial, referred to by index in shaders
 *   textures     texture.c   cn_texture_*: a CnGpuTexture and a sampler
 *   surfaces     surface_shader.c   cn_surface_*: custom GLSL, compiled by draw passes
 *   pipelines    shader_pipeline.c    cn_render_pipeline_create*
 *   draw_passes  draw_pass.c      cn_draw_pass_*
 *
 * Index 0 of materials is the default material: white, created by cn_renderer_create, exists as
 * long as the renderer.
 */
#ifndef CAIRN_SRC_RENDER_CORE_RENDERER_INTERNAL_H
#define CAIRN_SRC_RENDER_CORE_RENDERER_INTERNAL_H

#include "render/core/range_allocator.h"

#include <cairn/base/slot_table.h>
#include <cairn/base/text.h>
#include <cairn/render/features.h>
#include <cairn/render/frame.h>
#include <cairn/render/full_screen.h>
#include <cairn/scene/presentation.h>

#define CNI_RENDER_NAME_BYTES 64u
#define CNI_RENDER_PATH_BYTES 512u
#define CNI_RENDER_LIGHT_TILE_SIZE                                                                 \
    16u /* pixels along a side of a light tile: frame.counts.yz tiles */

/* ---- Shader data ---- */

typedef struct CniRenderFrameData { /* shaders/render/core/frame.glsl */
    CnMat4 view, projection, view_projection, inverse_view_projection;
    CnMat4 unjittered_view_projection, previous_view_projection;
    CnVec4 camera, forward, size, planes, jitter;
    CnVec4 sun_direction, sun_color, ambient;
    CnVec4 moon, clouds, weather, wind;
    uint32_t counts[4];
    int32_t origin[4];
} CniRenderFrameData;

typedef struct CniRenderInstance { /* scene.glsl */
    CnAffine transform;
    uint32_t material, joints, value;
    int32_t skin;
} CniRenderInstance;
#define CNI_RENDER_INSTANCE_MORPHED (1u << 31)   /* of CniRenderInstance.joints */
#define CNI_RENDER_INSTANCE_SECOND_UV (1u << 31) /* of CniRenderInstance.material */

typedef struct CniRenderVertex { /* scene.glsl */
    CnVec3 position;
    uint32_t normal, tangent;
    CnVec2 uv;
    uint32_t color;
} CniRenderVertex;

enum { /* CniRenderMaterialData.flags; bit n below: has texture n */
       CNI_RENDER_MATERIAL_UNLIT = 1 << 8,
       CNI_RENDER_MATERIAL_DOUBLE_SIDED = 1 << 9,
       CNI_RENDER_MATERIAL_BLENDED = 1 << 10
};

typedef struct CniRenderMaterialData { /* scene.glsl */
    CnVec4 base_color;
    CnVec3 emissive;
    float alpha_cutoff;
    float metallic, roughness, normal_scale;
    uint32_t flags;
    CnVec2 uv_scale;
    float occlusion_strength;
    uint32_t extension; /* first row in the buffer of materials; 0: none */
} CniRenderMaterialData;

/* Textures that a material binds: those of the core, and the different ones of its extensions. */
#define CNI_RENDER_MATERIAL_TEXTURES (CN_TEXTURE_CORE_COUNT + CN_MAX_EXTENSION_TEXTURES)

enum { CNI_RENDER_EXTENSION_LAYERED = 1 << 0 }; /* CniRenderExtensionData.flags */

typedef struct CniRenderExtensionData { /* material_extension.glsl */
    CnVec3 specular_color;
    float specular;
    float ior, clearcoat, clearcoat_roughness, clearcoat_normal_scale;
    CnVec3 sheen_color;
    float sheen_roughness;
    float anisotropy, anisotropy_cosine, anisotropy_sine, dispersion;
    float iridescence, iridescence_ior, iridescence_minimum, iridescence_maximum;
    CnVec3 attenuation_color;
    float attenuation_distance;
    float transmission, thickness;
    uint32_t slots[2]; /* 4 bits per texture of an extension: its number of the 8, + 1; 0: none */
    uint32_t flags, unused[3];
    /* Of the textures that the material binds: two rows of a transform, and the set of uv. */
    struct {
        float u[3], set, v[3], unused;
    } coordinates[CNI_RENDER_MATERIAL_TEXTURES];
} CniRenderExtensionData;
#define CNI_RENDER_MATERIAL_ROW_BYTES 16u

/* ---- Tables ---- */

typedef struct CniRenderMesh {
    CnSlot slot;
    char name[CNI_RENDER_NAME_BYTES];
    uint32_t first_vertex, vertex_count;
    uint32_t first_index, index_count;
    uint32_t first_skin; /* of skinned meshes, and of those with a second set of uv */
    bool is_skinned, has_second_uv;
    uint32_t first_delta, target_count; /* of morph targets; 0: none */
    CnVec3 minimum, maximum, center;
    float radius;
} CniRenderMesh;

enum { /* what clips change of a material */
       CNI_RENDER_CHANGES_CORE = 1,
       CNI_RENDER_CHANGES_LAYERS = 2,
       CNI_RENDER_CHANGES_TRANSMISSION = 4,
       CNI_RENDER_CHANGES_COORDINATES = 8
};

/* Filled by material.c. Missing textures are renderer->neutral.white or .flat_normal, with a
 * sampler, so that all entries can be bound. */
typedef struct CniRenderMaterial {
    CnSlot slot;
    char name[CNI_RENDER_NAME_BYTES]; /* "": cannot be looked up */
    CnMaterialDesc desc;              /* as given; its name and pipeline point to the fields here */
    char pipeline[CNI_RENDER_NAME_BYTES];
    CniRenderMaterialData data;
    CniRenderExtensionData extension; /* if is_extended */
    CnGpuTexture textures[CNI_RENDER_MATERIAL_TEXTURES];
    CnGpuSampler samplers[CNI_RENDER_MATERIAL_TEXTURES];
    uint32_t texture_set; /* equal for equal textures and samplers, below 65536; 0: no textures */
    CnAlphaMode alpha_mode;
    bool is_double_sided;
    bool is_extended; /* has extensions, or different coordinates of textures */
    bool is_layered, is_transmissive;
    uint8_t changes;  /* by clips: CNI_RENDER_CHANGES_... */
    uint32_t surface; /* index + 1 in surfaces, below CNI_RENDER_MAX_SURFACES; 0: none */
} CniRenderMaterial;

/* Filled by texture.c. */
typedef struct CniRenderTexture {
    CnSlot slot;
    char name[CNI_RENDER_PATH_BYTES];
    bool is_linear, is_file;
    uint32_t sampler_bits; /* CniRenderModelTexture.sampler */
    CnGpuTexture texture;
    CnGpuSampler sampler;
} CniRenderTexture;

#define CNI_RENDER_MAX_SURFACES 1024u

/* Filled by surface_shader.c. */
typedef struct CniRenderSurface {
    CnSlot slot;
    char name[CNI_RENDER_NAME_BYTES];
    char *glsl; /* terminated; glsl_bytes with the terminator */
    size_t glsl_bytes;
    char path[CNI_RENDER_PATH_BYTES]; /* for errors; "": none */
    CnGpuCull cull;
    CnGpuBlend blend;
    bool no_depth_write;
    int64_t modified_ns; /* of the file; 0: none */
    bool has_failed;     /* the newest text of the file did not compile */
    uint64_t hash;       /* of its text */
} CniRenderSurface;

typedef struct CniRenderModelPart {
    CnModelPart part;
    float radius_scale;   /* factor by which `transform` enlarges a bounding sphere */
    bool is_moved;        /* transform is not identity */
    bool is_mirrored;     /* by its transform */
    uint32_t first_joint; /* of the model, to which the skin of its mesh is relative */
    uint32_t morph;       /* index + 1 of its weights in the model file; 0: no morph targets */
    uint32_t node;        /* index + 1 of the node in the model file that hides it; 0: none */
    /* index + 1 of its material in the model file, if clips change it; 0: they do not */
    uint32_t animated_material;
} CniRenderModelPart;

/* Filled by model.c. `rig` contains the animation data of imported models. */
typedef struct CniRenderModel {
    CnSlot slot;
    char *name; /* name_bytes with the terminator */
    size_t name_bytes;
    CnModelPart *public_parts; /* returned by cn_model_info */
    CniRenderModelPart *parts;
    uint32_t part_count;
    CnVec3 minimum, maximum;
    uint32_t joint_count, clip_count;
    uint32_t light_count; /* that shine where it is drawn */
    struct CniRenderModelFile *model_file;
} CniRenderModel;

/* The animation of an item between two snapshots. */
typedef struct CniRenderAnimation {
    uint32_t previous, current;           /* animation values */
    uint32_t from_previous, from_current; /* of the clip before, during a transition */
    float weight;                         /* of the clip before; 0: none */
} CniRenderAnimation;

/* Computes the joints of an item. */
void cni_render_model_pose_between(const CniRenderModel *model, const CniRenderAnimation *animation,
                                   float alpha, CnAffine *joints);
/* Computes the weights of a morph (CniRenderModelPart.morph - 1) in the same way; returns how many
 * it has. They are valid until the next call. */
uint32_t cni_render_model_weights_between(const CniRenderModel *model, uint32_t morph,
                                          const CniRenderAnimation *animation, float alpha,
                                          const float **weights);

/* ---- Meshes: one growing buffer each for vertices, indices and skins, which also contains morph
 * targets ---- */

typedef struct CniRenderMeshPool {
    const char *name;
    uint32_t item_bytes;
    uint32_t usage;
    CnGpuAccess access; /* outside of copies */
    CnGpuBuffer buffer; /* null: not created yet */
    /* the buffer with the contents; differs from `buffer` if it has grown since the last frame */
    CnGpuBuffer written;
    uint32_t written_capacity;
    uint32_t capacity;
    CniRenderRangeAllocator ranges;
} CniRenderMeshPool;

typedef enum CniRenderPoolKind {
    CNI_RENDER_POOL_VERTICES,
    CNI_RENDER_POOL_INDICES,
    CNI_RENDER_POOL_SKINS,
    CNI_RENDER_POOL_COUNT
} CniRenderPoolKind;

void cni_render_pools_init(CnRenderer *renderer);
void cni_render_pools_fini(CnRenderer *renderer);
bool cni_render_pool_alloc(CnRenderer *renderer, CniRenderPoolKind kind, uint32_t count,
                           uint32_t *first, CnError *error);
void cni_render_pool_free(CnRenderer *renderer, CniRenderPoolKind kind, uint32_t first,
                          uint32_t count);
uint64_t cni_render_pools_bytes(const CnRenderer *renderer);

/* The morph targets of a mesh. */
typedef struct CniRenderMorphTargets {
    const struct CniRenderModelDelta *deltas; /* one per target and vertex */
    uint32_t count;
    float least_weight, most_weight; /* for bounds that contain all shapes */
} CniRenderMorphTargets;
/* As cn_mesh_create; `targets` may be NULL. */
CnMesh cni_render_mesh_create(CnRenderer *renderer, const CnMeshDesc *desc,
                              const CniRenderMorphTargets *targets, CnError *error);

/* ---- Staging: data is copied now and uploaded when the next frame begins ---- */

typedef struct CniRenderStagedCopy {
    CnGpuTexture texture; /* or */
    CnGpuBuffer buffer;   /* or */
    CniRenderPoolKind pool;
    CnGpuAccess access; /* of `buffer` after the copy */
    uint64_t to, from, size;
    uint32_t mip, mip_count; /* 0, 0: all mips of the texture */
    bool make_mips;
} CniRenderStagedCopy;

typedef struct CniRenderStaging {
    CnU8Array bytes;
    CN_ARRAY(CniRenderStagedCopy) staged;
} CniRenderStaging;

bool cni_render_stage_pool(CnRenderer *renderer, CniRenderPoolKind kind, uint64_t offset,
                           const void *bytes, uint64_t size, CnError *error);
/* Returns memory for the data, which the caller fills before it stages anything else. */
void *cni_render_stage_pool_memory(CnRenderer *renderer, CniRenderPoolKind kind, uint64_t offset,
                                   uint64_t size, CnError *error);
/* Uploads all layers of mip 0, packed. With `make_mips`, the other mips are generated; without, the
 * texture has only one. Required usages: sampled, copied to, and copied from with mips. The texture
 * can be sampled from the next frame on. */
bool cni_render_stage_texture(CnRenderer *renderer, CnGpuTexture texture, const void *pixels,
                              uint64_t size, bool make_mips, CnError *error);
/* Uploads all layers of one mip, packed. Every mip of the texture must be staged. */
bool cni_render_stage_mip(CnRenderer *renderer, CnGpuTexture texture, uint32_t mip,
                          const void *pixels, uint64_t size, CnError *error);
/* Uploads the start of a buffer that no frame has used yet. `access` is CN_GPU_ACCESS_VERTEX, or
 * CN_GPU_ACCESS_READ, which includes compute shaders. Returns memory for the caller to fill, valid
 * until the next call of this part, or NULL and an error. */
void *cni_render_stage_buffer(CnRenderer *renderer, CnGpuBuffer buffer, uint64_t size,
                              CnGpuAccess access, CnError *error);
/* Called before a texture or a buffer is destroyed. */
void cni_render_stage_cancel(CnRenderer *renderer, CnGpuTexture texture);
void cni_render_stage_cancel_buffer(CnRenderer *renderer, CnGpuBuffer buffer);
/* Called at the start of a frame. On failure, everything stays queued for the next one. */
bool cni_render_stage_flush(CnRenderer *renderer, CnGpuCommands *commands, CnError *error);

/* ---- Neutral contents for empty slots ---- */

typedef struct CniRenderDefaults {
    CnGpuTexture white, flat_normal; /* RGBA8 */
    CnGpuTexture black_cube;         /* RGBA16F */
    CnGpuTexture depth, depth_array; /* D32F; without any shadow */
    CnGpuBuffer zeros;               /* CNI_RENDER_ZERO_BYTES, storage and uniform */
    CnGpuSampler linear, linear_clamp, nearest_clamp, shadow; /* shadow compares: less or equal */
    bool is_ready;
} CniRenderDefaults;
#define CNI_RENDER_ZERO_BYTES 16384u

bool cni_render_defaults_init(CnRenderer *renderer, CnError *error);
void cni_render_defaults_fini(CnRenderer *renderer);
void cni_render_defaults_prepare(CnRenderer *renderer, CnGpuCommands *commands);

/* ---- Items of a frame: one per part of a model ---- */

enum { /* CniRenderItems.flags */
       CNI_RENDER_ITEM_CASTS = 1,
       CNI_RENDER_ITEM_BLENDED = 2,
       CNI_RENDER_ITEM_LAYERED = 4,
       CNI_RENDER_ITEM_TRANSMISSIVE = 8
};

/* Sort keys: what changes the pipeline or textures is in higher bits than the mesh. From the
 * top: 2 bits of alpha mode or CNI_RENDER_STATE_TRANSMISSIVE, 1 mirrored, 1 double-sided, 1
 * extended, 11 surface, 16 texture set, 18 mesh, 14 material. */
#define CNI_RENDER_SORT_KEY_MESH_SHIFT 14u
#define CNI_RENDER_SORT_KEY_STATE_SHIFT 32u
#define CNI_RENDER_STATE_MIRRORED_SHIFT 29u
#define CNI_RENDER_STATE_EXTENDED (1u << 27)
#define CNI_RENDER_STATE_TRANSMISSIVE 3u

typedef struct CniRenderDrawIndexed { /* VkDrawIndexedIndirectCommand */
    uint32_t index_count, instance_count, first_index;
    int32_t vertex_offset;
    uint32_t first_instance;
} CniRenderDrawIndexed;

typedef struct CniRenderItemSource CniRenderItemSource; /* item_plan.h */
typedef struct CniRenderItemPart CniRenderItemPart;
typedef struct CniRenderSkinnedItem CniRenderSkinnedItem;
typedef struct CniRenderMorphedPart CniRenderMorphedPart;
typedef struct CniRenderAnimatedMaterial CniRenderAnimatedMaterial;
typedef struct CniRenderModelItem CniRenderModelItem;

/* Arrays from x to draws have `count` items; their own counts are not used. */
typedef struct CniRenderItems {
    CnSnapshotMatch match;
    uint32_t plan_version; /* value of renderer->plan_version when the plan was built */
    CN_ARRAY(CniRenderItemSource) sources;
    CN_ARRAY(CniRenderItemPart) parts;
    CN_ARRAY(CniRenderSkinnedItem) posed;
    CN_ARRAY(CniRenderMorphedPart) morphed;
    CN_ARRAY(CniRenderAnimatedMaterial) animated;
    CN_ARRAY(CniRenderModelItem) toggled; /* items of which clips hide parts */
    CN_ARRAY(CniRenderModelItem) lit;     /* items whose model has lights */
    const uint32_t *previous; /* of this frame: items in the previous snapshot; NULL: none */
    uint32_t row_count; /* of the joints and morph weights of a frame: scene.glsl, joint_rows */
    CnU8Array flags;

    uint32_t count, opaque_count, transmissive_count;
    CnGpuBuffer instances; /* CN_GPU_FRAMES slots of instance_capacity */
    uint32_t instance_capacity;
    uint64_t gathered;          /* number of calls of cni_render_items_gather */
    CnVec3 origin;              /* of the frame of their positions */
    CnF32Array x, y, z, radius; /* bounding spheres in the world */
    CnU64Array keys;
    CnU32Array sorted; /* by keys: opaque_count items, blended ones, transmissive_count items */
    CnU64Array sorted_keys;
    bool is_sorted;
    CnF32Array depth; /* sort depth of `culled`; below 0: culled */
    CnFrustum culled;
    bool is_culled; /* in this frame */
    CnU32Array scratch;
    CnU64Array scratch_keys;
    CN_ARRAY(CniRenderDrawIndexed) draws;
    CN_ARRAY(CnFrameLight) lights;
} CniRenderItems;

void cni_render_items_init(CnRenderer *renderer);
void cni_render_items_fini(CnRenderer *renderer);
/* Fills the items, lights and sun of the frame; uploads instances and joints. */
void cni_render_items_gather(CnRenderer *renderer, const CnFrameDesc *frame_desc);
void cni_render_lights_gather(CnRenderer *renderer, const CnFrameDesc *frame_desc, bool between);

typedef struct CniRenderDrawCall {
    uint32_t first_draw, draw_count;
    uint32_t state;    /* key >> CNI_RENDER_SORT_KEY_STATE_SHIFT */
    uint32_t material; /* any material with this state, for its textures */
} CniRenderDrawCall;

struct CnDrawList {
    uint32_t count;
    uint32_t draw_count, call_count;
    uint64_t triangles;
    CnGpuUpload order, draws;
    const CniRenderDrawCall *calls;
};

/* ---- Asset names of a world ---- */

typedef struct CniRenderAsset {
    char *name; /* name_bytes with the terminator; NULL: unknown */
    size_t name_bytes;
    CnModel model;
    uint32_t material; /* index */
    bool model_tried, warned_no_material;
    uint32_t material_version; /* value of renderer->material_version at lookup */
    CnError *error;            /* why its model is missing; NULL: none, or out of memory */
} CniRenderAsset;

typedef struct CniRenderLoader CniRenderLoader; /* asset/background_load.c */

/* Return the model and material of an asset number in a snapshot; NULL: cannot be drawn. */
const CniRenderModel *cni_render_asset_model(CnRenderer *renderer, uint32_t number);
/* 0: the default material. */
uint32_t cni_render_asset_material(CnRenderer *renderer, uint32_t number);
/* Looks up the models of a file again, which has been loaded now. */
void cni_render_assets_retry(CnRenderer *renderer, const char *path);
/* Notes why the model of an asset cannot be loaded; NULL: it can. */
void cni_render_asset_note(CnRenderer *renderer, CniRenderAsset *asset, const CnError *error);
/* The same for all models of a file. */
void cni_render_assets_note(CnRenderer *renderer, const char *path, const CnError *error);
void cni_render_assets_fini(CnRenderer *renderer);

/* ---- Frames ---- */

/* Binds the exposure of the frame, or a buffer with 1 if the frame has none. Returns false when
 * memory for uploads is exhausted. */
bool cni_render_bind_exposure(const CnGraphRun *run, uint32_t binding, CnGraphBuffer exposure);

/* ---- Materials, for drawing ---- */

/* Encodes an intended zero, where zero in CnMaterialDesc selects a default. */
static inline float cni_render_explicit_zero(float number)
{
    return number == 0 ? 1e-6f : number;
}

bool cni_render_default_material_init(CnRenderer *renderer, CnError *error);
/* Returns index + 1 of the material with this name; 0: none. */
uint32_t cni_render_material_find(const CnRenderer *renderer, const char *name);
/* Changes the numbers of a material, but neither its textures nor what it is sorted by. */
void cni_render_material_change(CnRenderer *renderer, CnMaterial material,
                                const CnMaterialDesc *desc);
/* Prepares a material for changes by clips (CNI_RENDER_CHANGES_...). */
void cni_render_material_prepare(CnRenderer *renderer, CnMaterial material, uint8_t changes);
/* Uploads the materials if one has changed. */
bool cni_render_materials_flush(CnRenderer *renderer, CnGpuCommands *commands, CnError *error);
/* Fills the extension of a material and what depends on it, and the textures it binds besides
 * those of the core: material_extension.c. */
void cni_render_material_extend(CnRenderer *renderer, CniRenderMaterial *material);
/* Returns extensions whose zeros mean zero, where zero selects a default. */
CnMaterialExtensions cni_render_explicit_extensions(const CnMaterialExtensions *from);
/* Returns whether a texture of a material (CN_TEXTURE_...) contains data, not sRGB colors. */
bool cni_render_texture_is_linear(uint32_t texture);
/* Returns whether all numbers of the extensions and coordinates are within their ranges. */
bool cni_render_material_check_extensions(const CnMaterialDesc *desc);
/* Makes them so. */
void cni_render_material_clamp_extensions(CnMaterialDesc *desc);
/* Removes a texture from all materials. */
void cni_render_materials_lose_texture(CnRenderer *renderer, CnTexture texture);
/* Lets all materials use the contents of a texture that has been loaded. */
void cni_render_materials_gain_texture(CnRenderer *renderer, CnTexture texture);
/* Replaces a surface in all materials; both are index + 1. */
void cni_render_materials_move_surface(CnRenderer *renderer, uint32_t from, uint32_t to);

/* How a texture of a file is read. */
typedef struct CniRenderTextureUse {
    bool is_linear;   /* data, not sRGB colors */
    uint32_t sampler; /* CniRenderModelTexture.sampler; 0: as cn_texture_load */
} CniRenderTextureUse;
/* Returns the texture that was loaded from this file for this use; null: none. */
CnTexture cni_render_texture_find(const CnRenderer *renderer, const char *path,
                                  CniRenderTextureUse use);
/* As cn_texture_load. */
CnTexture cni_render_texture_load(CnRenderer *renderer, const char *path, CniRenderTextureUse use,
                                  CnError *error);
/* The same without waiting for a file of foreign origin: its texture is neutral until it has been
 * loaded in the background. */
CnTexture cni_render_texture_request(CnRenderer *renderer, const char *path,
                                     CniRenderTextureUse use, CnError *error);
/* Fills a texture that was requested, unless it was destroyed. */
bool cni_render_texture_fill(CnRenderer *renderer, CnTexture texture, const CnImage *image,
                             CnError *error);
/* Creates a texture of an image for this use. */
CnTexture cni_render_texture_of_image(CnRenderer *renderer, const char *name, const CnImage *image,
                                      CniRenderTextureUse use, CnError *error);
/* Decodes an image; the allocator is the renderer's. */
CnTexture cni_render_texture_decode(CnRenderer *renderer, const CnImageReadDesc *desc,
                                    CniRenderTextureUse use, CnError *error);
void cni_render_textures_fini(CnRenderer *renderer);

/* Returns index + 1 of the surface with this name; 0: none. */
uint32_t cni_render_surface_find(const CnRenderer *renderer, const char *name);
/* Compiles a surface that cannot be looked up yet; returns index + 1, or 0 and an error. */
uint32_t cni_render_surface_prepare(CnRenderer *renderer, const CnSurfaceDesc *desc,
                                    CnError *error);
/* Gives it its name, replacing the surface that had it. */
void cni_render_surface_commit(CnRenderer *renderer, uint32_t surface, const char *name);
void cni_render_surface_drop(CnRenderer *renderer, uint32_t surface);
/* Checks the files of surfaces and returns how many were recompiled. The error is that of the last
 * one that failed. A thorough check reads every file, because file system timestamps are coarse. */
uint32_t cni_render_surfaces_reload(CnRenderer *renderer, bool thorough, CnError *error);
/* Compile or load what comes from this file, and return the number of what was replaced. On an
 * error, it stays as it was. */
uint32_t cni_render_surfaces_reload_file(CnRenderer *renderer, const char *path, CnError *error);
uint32_t cni_render_textures_reload(CnRenderer *renderer, const char *path, CnError *error);
void cni_render_surfaces_fini(CnRenderer *renderer);

static inline const CniRenderMaterial *cni_render_material_at(const CnRenderer *renderer,
                                                              uint32_t index);

/* ---- Pipelines ---- */

typedef struct CniRenderPipeline {
    CnSlot slot;
    char name[CNI_RENDER_NAME_BYTES];
    CnRenderPipelineDesc desc;
    CnGpuPipeline pipeline;
    uint32_t surface; /* index + 1; 0: none */
    CnU32Array files; /* indices into renderer->shader_files; empty without a folder */
    bool has_failed;  /* to compile its changed sources */
} CniRenderPipeline;
typedef struct CniRenderShaderFile CniRenderShaderFile; /* shader_hot_reload.c */

/*
 * A pipeline of a draw pass for one state (alpha mode, mirrored, double-sided, surface). Created
 * when it is first needed: by cn_draw_pass_create for the common ones, by
 * cni_render_draw_passes_add_surface for those of a surface.
 */
typedef struct CniRenderPipelineVariant {
    uint32_t state;
    CnRenderPipeline pipeline; /* null: could not be created, not drawn */
} CniRenderPipelineVariant;

typedef struct CniRenderDrawPass {
    CnSlot slot;
    char name[CNI_RENDER_NAME_BYTES];
    CnDrawPassDesc desc;
    CN_ARRAY(CniRenderPipelineVariant) variants;
} CniRenderDrawPass;

/* `surface_number`: index + 1 in surfaces; 0: none. */
CnRenderPipeline cni_render_pipeline_create(CnRenderer *renderer, const CnRenderPipelineDesc *desc,
                                            uint32_t surface_number, CnError *error);

/* Chooses the form of full-screen passes: as requested, by the environment, or by the kind of
 * device. */
CnFullScreenForm cni_render_full_screen_choose(CnFullScreenForm requested, CnGpuKind kind);

/* Returns the kinds of the bindings of scene.glsl; scene_bindings.h has their numbers. */
void cni_render_scene_bindings(CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS]);

/*
 * Surfaces. A fragment shader used by draw passes is a template: if CN_SURFACE is defined, it
 * includes "surface_user.glsl", which is the source of the surface, and calls its surface(). This
 * function compiles all of them with the surface, so that errors are found when it is created;
 * returns false and the line in its source.
 */
bool cni_render_draw_passes_add_surface(CnRenderer *renderer, uint32_t surface_index,
                                        CnError *error);
/* Drops pipelines created with a surface before it changes or is destroyed. */
void cni_render_draw_passes_drop_surface(CnRenderer *renderer, uint32_t surface_index);

typedef struct CniRenderSpirv {
    uint32_t *words;
    size_t bytes;
} CniRenderSpirv;
/* Compiles a built-in shader by its CnShader.name, from the shader folder or as embedded in the
 * library, with the surface if there is one (NULL: none). */
bool cni_render_shader_compile(CnRenderer *renderer, const char *name,
                               const CniRenderSurface *surface, CniRenderSpirv *spirv,
                               CnError *error);
void cni_render_spirv_free(CnRenderer *renderer, CniRenderSpirv *spirv);

/* ---- The renderer ---- */

struct CnFeature {
    const CnFeatureType *type;
    CnRenderer *renderer;
    bool is_enabled;
    bool is_active; /* enabled when this frame began */
    /* `self` follows, aligned. */
};

typedef enum CniRenderFeatureStep {
    CNI_RENDER_STEP_EARLY_UPDATE,
    CNI_RENDER_STEP_UPDATE,
    CNI_RENDER_STEP_ADD_PASSES
} CniRenderFeatureStep;
void cni_render_features_run(CnRenderer *renderer, CniRenderFeatureStep step);
void cni_render_features_fini(CnRenderer *renderer);

/* The slots at the time when a pass declared that it reads them. */
typedef struct CniRenderSceneReads {
    struct CniRenderSceneReads *next;
    uint32_t pass;
    CnGraphTexture ao, shadow_map, shadow_atlas, cloud_shadow;
    CnGraphTexture irradiance, prefiltered, brdf_lut, behind;
    CnGraphBuffer light_tiles;
    bool has_shadows;
} CniRenderSceneReads;

struct CnRenderer {
    CnAllocator *allocator;
    CnGpu *gpu;
    CnFileSystem *files;
    CnCache *cache; /* may be NULL */
    char shader_folder[CNI_RENDER_PATH_BYTES];
    CnGraph *graph;
    CnFullScreenForm full_screen; /* not AUTO */
    CnArena arena;                /* of the frame */
    bool is_drawing;

    CnFeature *features[CN_MAX_FEATURES];
    uint32_t feature_count;

    CN_ARRAY(CniRenderShaderFile) shader_files;
    CnTextBuilder shader_error;
    CnError shader_failure; /* the same with its position */
    uint64_t shader_poll_ns;
    bool is_watched; /* CnRendererDesc.watched */

    CnSlotTable meshes, models, materials, textures, surfaces, pipelines, draw_passes;
    CnHashMap material_by_name; /* cn_hash_keyed of the name: index, uint32_t */
    uint32_t material_version;  /* counts changes of names */
    /* counts changes of what items consist of: meshes, models, materials and names */
    uint32_t plan_version;
    CN_ARRAY(CniRenderAsset) assets;
    uint32_t world_number; /* counts cn_renderer_clear_assets: snapshots of another world follow */
    CniRenderLoader *loader; /* NULL: nothing was loaded in the background */
    bool waits_for_assets;   /* in this frame */
    CnMesh shapes[CN_MESH_SHAPE_COUNT];
    CniRenderMeshPool pools[CNI_RENDER_POOL_COUNT];
    CniRenderStaging staging;
    CniRenderDefaults defaults;
    CniRenderItems items;

    CnFrame frame;
    CnGpuBuffer material_buffer; /* all of `materials`, in shader layout */
    uint32_t material_capacity;  /* rows */
    bool materials_changed;
    CnDrawList empty_list;
    const CnDrawList *visible[CN_DRAW_TRANSMISSIVE + 1]; /* by CnDrawSelect */
    CniRenderSceneReads *scene_reads;
    CnMat4 last_view_projection;
    CnVec3 last_origin;
    bool has_last_view;

    CnGpuBuffer readback;
    uint64_t readback_size;
    uint32_t pixel_width, pixel_height; /* 0: none */
    CnRendererStats stats;
};

static inline const CniRenderMaterial *cni_render_material_at(const CnRenderer *renderer,
                                                              uint32_t index)
{
    return (const CniRenderMaterial *)cn_slot_table_live_at(&renderer->materials, index);
}

/* ---- Steps of a frame ---- */

void cni_render_view_begin(CnFrame *frame, const CnFrameDesc *frame_desc, bool between);
/* Called after early_update: computes matrices with jitter. */
void cni_render_view_finish(CnRenderer *renderer);
void cni_render_frame_data_write(CnRenderer *renderer);
/* Returns whether the frame interpolates between two snapshots. */
bool cni_render_frame_is_interpolated(const CnFrameDesc *frame_desc);

#endif
