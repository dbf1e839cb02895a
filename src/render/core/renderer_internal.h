/*
 * Declarations shared by the files of the renderer: the tables of meshes, models, materials,
 * textures, surfaces and pipelines, and the files that fill them.
 *
 *   meshes       mesh.c      cn_mesh_*: vertices and indices in one pool (mesh_pool.c)
 *   models       model.c     cn_model_*: parts of a mesh, a material and a transform
 *   materials    material.c  cn_material_*: CniMaterial, referred to by index in shaders
 *   textures     texture.c   cn_texture_*: a CnGpuTexture and a sampler; see cni_stage_texture
 *   surfaces     surface_shader.c   cn_surface_*: custom GLSL, compiled by draw passes
 *   pipelines    shader_pipeline.c    cn_render_pipeline*
 *   draw_passes  draw_pass.c      cn_draw_pass_*
 *
 * Index 0 of materials is the default material: white, created by cn_renderer_create, exists as
 * long as the renderer.
 */
#ifndef CAIRN_SRC_RENDER_CORE_RENDERER_INTERNAL_H
#define CAIRN_SRC_RENDER_CORE_RENDERER_INTERNAL_H

#include <cairn/base/slot_table.h>
#include <cairn/base/text.h>
#include <cairn/render/features.h>
#include <cairn/render/frame.h>
#include <cairn/scene/presentation.h>

#define CNI_NAME_BYTES 64u
#define CNI_PATH_BYTES 512u
#define CNI_TILE_SIZE 16u /* pixels along a side of a light tile: frame.counts.yz tiles */

/* ---- Shader data ---- */

typedef struct CniFrameData { /* shaders/render/core/frame.glsl */
    CnMat4 view, projection, view_projection, inverse_view_projection;
    CnMat4 steady_view_projection, previous_view_projection;
    CnVec4 camera, forward, size, planes, jitter;
    CnVec4 sun_direction, sun_color, ambient;
    CnVec4 moon, clouds, weather, wind;
    uint32_t counts[4];
    int32_t origin[4];
} CniFrameData;

typedef struct CniInstance { /* scene.glsl */
    CnAffine place;
    uint32_t material, joints, value;
    int32_t skin;
} CniInstance;

typedef struct CniVertex { /* scene.glsl */
    CnVec3 position;
    uint32_t normal, tangent;
    CnVec2 uv;
    uint32_t color;
} CniVertex;

enum { /* CniMaterialData.flags; bit n below: has texture n */
       CNI_MATERIAL_UNLIT = 1 << 8,
       CNI_MATERIAL_DOUBLE_SIDED = 1 << 9
};

typedef struct CniMaterialData { /* scene.glsl */
    CnVec4 base_color;
    CnVec3 emissive;
    float alpha_cutoff;
    float metallic, roughness, normal_scale;
    uint32_t flags;
    CnVec2 uv_scale, unused;
} CniMaterialData;

/* ---- Tables ---- */

typedef struct CniMesh {
    CnSlot slot;
    char name[CNI_NAME_BYTES];
    uint32_t first_vertex, vertex_count;
    uint32_t first_index, index_count;
    uint32_t first_skin; /* of skinned meshes */
    bool is_skinned;
    CnVec3 minimum, maximum, centre;
    float radius;
} CniMesh;

/* Filled by material.c. Missing textures are renderer->neutral.white or .flat_normal, with a
 * sampler, so that all entries can be bound. */
typedef struct CniMaterial {
    CnSlot slot;
    char name[CNI_NAME_BYTES]; /* "": cannot be looked up */
    CnMaterialDesc desc;       /* as given; its name and pipeline point to the fields here */
    char pipeline[CNI_NAME_BYTES];
    CniMaterialData data;
    CnGpuTexture textures[CN_TEXTURE_COUNT];
    CnGpuSampler samplers[CN_TEXTURE_COUNT];
    uint32_t texture_set; /* equal for equal textures and samplers, below 65536; 0: no textures */
    CnAlphaMode alpha_mode;
    bool is_double_sided;
    uint32_t surface; /* index + 1 in surfaces, below CNI_MAX_SURFACES; 0: none */
} CniMaterial;

/* Filled by texture.c. */
typedef struct CniTextureSlot {
    CnSlot slot;
    char name[CNI_PATH_BYTES];
    bool is_linear, is_file;
    CnGpuTexture texture;
    CnGpuSampler sampler;
} CniTextureSlot;

#define CNI_MAX_SURFACES 1024u

/* Filled by surface_shader.c. */
typedef struct CniSurface {
    CnSlot slot;
    char name[CNI_NAME_BYTES];
    char *glsl; /* terminated; glsl_bytes with the terminator */
    size_t glsl_bytes;
    char path[CNI_PATH_BYTES]; /* for errors; "": none */
    CnGpuCull cull;
    CnGpuBlend blend;
    bool no_depth_write;
    int64_t modified_ns; /* of the file; 0: none */
    uint64_t hash;       /* of its text */
} CniSurface;

typedef struct CniModelPart {
    CnModelPart part;
    float radius_scale; /* factor by which `place` enlarges a bounding sphere */
    bool is_moved;      /* place is not identity */
    bool is_mirrored;   /* by its transform */
} CniModelPart;

/* Filled by model.c. `rig` contains the animation data of imported models. */
typedef struct CniModel {
    CnSlot slot;
    char *name; /* name_bytes with the terminator */
    size_t name_bytes;
    CnModelPart *public_parts; /* returned by cn_model_info */
    CniModelPart *parts;
    uint32_t part_count;
    CnVec3 minimum, maximum;
    uint32_t joint_count, clip_count;
    struct CniRig *rig;
} CniModel;

/* Computes the joints of an item, interpolated between two animation values. */
void cni_model_pose_between(const CniModel *model, uint32_t previous, uint32_t current, float alpha,
                            CnAffine *joints);

/* ---- Meshes: one growing buffer each for vertices, indices and skins ---- */

typedef struct CniRange {
    uint32_t first, count;
} CniRange;

typedef struct CniPool {
    const char *name;
    uint32_t item_bytes;
    uint32_t usage;
    CnGpuAccess access; /* outside of copies */
    CnGpuBuffer buffer; /* null: not created yet */
    /* the buffer with the contents; differs from `buffer` if it has grown since the last frame */
    CnGpuBuffer written;
    uint32_t written_capacity;
    uint32_t capacity;
    CN_ARRAY(CniRange) free; /* sorted by offset, never adjacent */
} CniPool;

typedef enum CniPoolKind {
    CNI_POOL_VERTICES,
    CNI_POOL_INDICES,
    CNI_POOL_SKINS,
    CNI_POOL_COUNT
} CniPoolKind;

void cni_pools_init(CnRenderer *renderer);
void cni_pools_fini(CnRenderer *renderer);
bool cni_pool_take(CnRenderer *renderer, CniPoolKind kind, uint32_t count, uint32_t *first,
                   CnError *error);
void cni_pool_give_back(CnRenderer *renderer, CniPoolKind kind, uint32_t first, uint32_t count);
uint64_t cni_pools_bytes(const CnRenderer *renderer);

/* ---- Staging: data is copied now and uploaded when the next frame begins ---- */

typedef struct CniStaged {
    CnGpuTexture texture; /* or */
    CniPoolKind pool;
    uint64_t to, from, size;
    bool make_mips;
} CniStaged;

typedef struct CniStaging {
    CnU8Array bytes;
    CN_ARRAY(CniStaged) staged;
} CniStaging;

bool cni_stage_pool(CnRenderer *renderer, CniPoolKind kind, uint64_t offset, const void *bytes,
                    uint64_t size, CnError *error);
/* Uploads all layers of mip 0, packed. With `make_mips`, the other mips are generated; without, the
 * texture has only one. Required usages: sampled, copied to, and copied from with mips. The texture
 * can be sampled from the next frame on. */
bool cni_stage_texture(CnRenderer *renderer, CnGpuTexture texture, const void *pixels,
                       uint64_t size, bool make_mips, CnError *error);
/* Called before a texture is destroyed. */
void cni_stage_forget(CnRenderer *renderer, CnGpuTexture texture);
/* Called at the start of a frame. On failure, everything stays queued for the next one. */
bool cni_stage_flush(CnRenderer *renderer, CnGpuCommands *commands, CnError *error);

/* ---- Neutral contents for empty slots ---- */

typedef struct CniNeutral {
    CnGpuTexture white, flat_normal; /* RGBA8 */
    CnGpuTexture black_cube;         /* RGBA16F */
    CnGpuTexture depth, depth_array; /* D32F; without any shadow */
    CnGpuBuffer zeros;               /* CNI_ZERO_BYTES, storage and uniform */
    CnGpuSampler linear, linear_clamp, nearest_clamp, shadow; /* shadow compares: less or equal */
    bool is_ready;
} CniNeutral;
#define CNI_ZERO_BYTES 16384u

bool cni_neutral_init(CnRenderer *renderer, CnError *error);
void cni_neutral_fini(CnRenderer *renderer);
void cni_neutral_prepare(CnRenderer *renderer, CnGpuCommands *commands);

/* ---- Items of a frame: one per part of a model ---- */

enum { /* CniItems.flags */
       CNI_ITEM_CASTS = 1,
       CNI_ITEM_BLENDED = 2
};

/* Sort keys: what changes the pipeline or textures is in higher bits than the mesh. From the
 * top: 2 bits of alpha mode, 1 mirrored, 1 double-sided, 12 surface, 16 texture set, 18 mesh, 14
 * material. */
#define CNI_KEY_MESH_SHIFT 14u
#define CNI_KEY_STATE_SHIFT 32u
#define CNI_STATE_MIRRORED_SHIFT 29u

typedef struct CniDrawIndexed { /* VkDrawIndexedIndirectCommand */
    uint32_t index_count, instance_count, first_index;
    int32_t vertex_offset;
    uint32_t first_instance;
} CniDrawIndexed;

typedef struct CniSource CniSource; /* item_plan.h */
typedef struct CniPart CniPart;
typedef struct CniPosed CniPosed;

/* Arrays from x to draws have `count` items; their own counts are not used. */
typedef struct CniItems {
    CnSnapshotMatch match;
    uint32_t plan_version; /* value of renderer->plan_version when the plan was built */
    CN_ARRAY(CniSource) sources;
    CN_ARRAY(CniPart) parts;
    CN_ARRAY(CniPosed) posed;
    uint32_t joint_count;
    CnU8Array flags;

    uint32_t count, opaque_count;
    CnGpuBuffer instances; /* CN_GPU_FRAMES slots of instance_capacity */
    uint32_t instance_capacity;
    uint64_t gathered;          /* number of calls of cni_items_gather */
    CnVec3 origin;              /* of the frame of their positions */
    CnF32Array x, y, z, radius; /* bounding spheres in the world */
    CnU64Array keys;
    CnU32Array sorted; /* by keys: opaque_count items, then blended ones */
    CnU64Array sorted_keys;
    bool is_sorted;
    CnF32Array depth; /* sort depth of `culled`; below 0: culled */
    CnFrustum culled;
    bool is_culled; /* in this frame */
    CnU32Array scratch;
    CnU64Array scratch_keys;
    CN_ARRAY(CniDrawIndexed) draws;
    CN_ARRAY(CnFrameLight) lights;
} CniItems;

void cni_items_init(CnRenderer *renderer);
void cni_items_fini(CnRenderer *renderer);
/* Fills the items, lights and sun of the frame; uploads instances and joints. */
void cni_items_gather(CnRenderer *renderer, const CnPicture *picture);
void cni_lights_gather(CnRenderer *renderer, const CnPicture *picture, bool between);

typedef struct CniDrawCall {
    uint32_t first_draw, draw_count;
    uint32_t state;    /* key >> CNI_KEY_STATE_SHIFT */
    uint32_t material; /* any material with this state, for its textures */
} CniDrawCall;

struct CnDrawList {
    uint32_t count;
    uint32_t draw_count, call_count;
    uint64_t triangles;
    CnGpuUpload order, draws;
    const CniDrawCall *calls;
};

/* ---- Asset names of a world ---- */

typedef struct CniAsset {
    char *name; /* name_bytes with the terminator; NULL: unknown */
    size_t name_bytes;
    CnModel model;
    uint32_t material; /* index */
    bool model_tried, told_no_material;
    uint32_t material_version; /* value of renderer->material_version at lookup */
} CniAsset;

/* Return the model and material of an asset number in a snapshot; NULL: cannot be drawn. */
const CniModel *cni_asset_model(CnRenderer *renderer, uint32_t number);
/* 0: the default material. */
uint32_t cni_asset_material(CnRenderer *renderer, uint32_t number);
void cni_assets_fini(CnRenderer *renderer);

/* ---- Materials, for drawing ---- */

/* Encodes an intended zero, where zero in CnMaterialDesc selects a default. */
static inline float cni_meant(float number)
{
    return number == 0 ? 1e-6f : number;
}

bool cni_default_material_init(CnRenderer *renderer, CnError *error);
/* Returns index + 1 of the material with this name; 0: none. */
uint32_t cni_material_find(const CnRenderer *renderer, const char *name);
/* Uploads the materials if one has changed. */
bool cni_materials_flush(CnRenderer *renderer, CnGpuCommands *commands, CnError *error);
/* Removes a texture from all materials. */
void cni_materials_lose_texture(CnRenderer *renderer, CnTexture texture);
/* Replaces a surface in all materials; both are index + 1. */
void cni_materials_move_surface(CnRenderer *renderer, uint32_t from, uint32_t to);

/* Returns the texture that was loaded from this file; null: none. */
CnTexture cni_texture_find(const CnRenderer *renderer, const char *path, bool linear);
/* Decodes a PNG or JPEG. */
CnTexture cni_texture_decode(CnRenderer *renderer, const void *bytes, size_t size, const char *name,
                             bool linear, CnError *error);
void cni_textures_fini(CnRenderer *renderer);

/* Returns index + 1 of the surface with this name; 0: none. */
uint32_t cni_surface_find(const CnRenderer *renderer, const char *name);
/* Compiles a surface that cannot be looked up yet; returns index + 1, or 0 and an error. */
uint32_t cni_surface_prepare(CnRenderer *renderer, const CnSurfaceDesc *desc, CnError *error);
/* Gives it its name, replacing the surface that had it. */
void cni_surface_commit(CnRenderer *renderer, uint32_t surface, const char *name);
void cni_surface_drop(CnRenderer *renderer, uint32_t surface);
/* Checks the files of surfaces and returns how many were recompiled. The error is that of the last
 * one that failed. A thorough check reads every file, because file system timestamps are coarse. */
uint32_t cni_surfaces_reload(CnRenderer *renderer, bool thorough, CnError *error);
void cni_surfaces_fini(CnRenderer *renderer);

static inline const CniMaterial *cni_material_at(const CnRenderer *renderer, uint32_t index);

/* ---- Pipelines ---- */

typedef struct CniRenderPipeline {
    CnSlot slot;
    char name[CNI_NAME_BYTES];
    CnRenderPipelineDesc desc;
    CnGpuPipeline pipeline;
    uint32_t surface; /* index + 1; 0: none */
    CnU32Array files; /* indices into renderer->shader_files; empty without a folder */
    bool has_failed;  /* to compile its changed sources */
} CniRenderPipeline;
typedef struct CniShaderFile CniShaderFile; /* shader_hot_reload.c */

/*
 * A pipeline of a draw pass for one state (alpha mode, mirrored, double-sided, surface). Created
 * when it is first needed: by cn_draw_pass_create for the common ones, by
 * cni_draw_passes_add_surface for those of a surface.
 */
typedef struct CniVariant {
    uint32_t state;
    CnRenderPipeline pipeline; /* null: could not be created, not drawn */
} CniVariant;

typedef struct CniDrawPass {
    CnSlot slot;
    char name[CNI_NAME_BYTES];
    CnDrawPassDesc desc;
    CN_ARRAY(CniVariant) variants;
} CniDrawPass;

/* `surface_number`: index + 1 in surfaces; 0: none. */
CnRenderPipeline cni_pipeline_create(CnRenderer *renderer, const CnRenderPipelineDesc *desc,
                                     uint32_t surface_number, CnError *error);

/* Returns the bindings of scene.glsl. */
void cni_scene_bindings(CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS]);

/*
 * Surfaces. A fragment shader used by draw passes is a template: if CN_SURFACE is defined, it
 * includes "surface_user.glsl", which is the source of the surface, and calls its surface(). This
 * function compiles all of them with the surface, so that errors are found when it is created;
 * returns false and the line in its source.
 */
bool cni_draw_passes_add_surface(CnRenderer *renderer, uint32_t surface_index, CnError *error);
/* Drops pipelines created with a surface before it changes or is destroyed. */
void cni_draw_passes_drop_surface(CnRenderer *renderer, uint32_t surface_index);

typedef struct CniSpirv {
    uint32_t *words;
    size_t bytes;
} CniSpirv;
/* Compiles a built-in shader by its CnShader.name, from the shader folder or as embedded in the
 * library, with the surface if there is one (NULL: none). */
bool cni_shader_compile(CnRenderer *renderer, const char *name, const CniSurface *surface,
                        CniSpirv *spirv, CnError *error);
void cni_spirv_free(CnRenderer *renderer, CniSpirv *spirv);

/* ---- The renderer ---- */

struct CnFeature {
    const CnFeatureType *type;
    CnRenderer *renderer;
    bool is_enabled;
    bool is_active; /* enabled when this frame began */
    /* `self` follows, aligned. */
};

typedef enum CniFeatureStep { CNI_EARLY_UPDATE, CNI_UPDATE, CNI_ADD_PASSES } CniFeatureStep;
void cni_features_run(CnRenderer *renderer, CniFeatureStep step);
void cni_features_fini(CnRenderer *renderer);

/* The slots at the time when a pass declared that it reads them. */
typedef struct CniSceneReads {
    struct CniSceneReads *next;
    uint32_t pass;
    CnGraphTexture ao, shadow_map, shadow_atlas, cloud_shadow;
    CnGraphTexture irradiance, prefiltered, brdf_lut;
    CnGraphBuffer light_tiles;
    bool has_shadows;
} CniSceneReads;

struct CnRenderer {
    CnAllocator *allocator;
    CnGpu *gpu;
    CnFileSystem *files, *cache_files;
    char cache_path[CNI_PATH_BYTES], shader_folder[CNI_PATH_BYTES];
    CnGraph *graph;
    CnFullScreenForm full_screen; /* not AUTO */
    CnArena arena;                /* of the frame */
    bool is_drawing;

    CnFeature *features[CN_MAX_FEATURES];
    uint32_t feature_count;

    CN_ARRAY(CniShaderFile) shader_files;
    CnTextBuilder shader_error;
    uint64_t shader_look_ns;

    CnSlotTable meshes, models, materials, textures, surfaces, pipelines, draw_passes;
    uint32_t material_version; /* counts changes of names */
    /* counts changes of what items consist of: meshes, models, materials and names */
    uint32_t plan_version;
    CN_ARRAY(CniAsset) assets;
    CnMesh shapes[CN_MESH_SHAPES];
    CniPool pools[CNI_POOL_COUNT];
    CniStaging staging;
    CniNeutral neutral;
    CniItems items;

    CnFrame frame;
    CnGpuBuffer material_buffer; /* all of `materials`, in shader layout */
    uint32_t material_capacity;
    bool materials_changed;
    CnDrawList empty_list;
    const CnDrawList *visible[3]; /* by CnDrawSelect */
    CniSceneReads *scene_reads;
    CnMat4 last_view_projection;
    CnVec3 last_origin;
    bool has_last_view;

    CnGpuBuffer readback;
    uint64_t readback_size;
    uint32_t pixel_width, pixel_height; /* 0: none */
    CnRendererStats stats;
};

static inline const CniMaterial *cni_material_at(const CnRenderer *renderer, uint32_t index)
{
    return (const CniMaterial *)cn_slot_table_live_at(&renderer->materials, index);
}

/* ---- Steps of a frame ---- */

void cni_view_begin(CnFrame *frame, const CnPicture *picture, bool between);
/* Called after early_update: computes matrices with jitter. */
void cni_view_finish(CnRenderer *renderer);
void cni_frame_data_write(CnRenderer *renderer);
/* Returns whether the frame interpolates between two snapshots. */
bool cni_picture_is_between(const CnPicture *picture);

#endif
