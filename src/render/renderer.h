/*
 * What the files of the renderer share: the tables that meshes, models, materials, textures,
 * surfaces and pipelines stand in, and who fills them.
 *
 *   meshes           mesh.c        cn_mesh_*; vertices and indices in one pool (mesh_pool.c)
 *   models           model.c       cn_model_*: parts = mesh + material + place
 *   materials        material.c    cn_material_*: fills CniMaterial, whose index is what shaders
 * know it by textures         texture.c     cn_texture_*: a CnGpuTexture and a sampler, filled by
 * cni_stage_texture surfaces         surface.c     cn_surface_*: GLSL of one's own, compiled by
 * draw passes pipelines        shader.c      cn_render_pipeline* draw_passes      draw.c
 * cn_draw_pass_*
 *
 * Index 0 of materials is the default one: white, made by cn_renderer_create, lives as long as the
 * renderer.
 */
#ifndef CAIRN_SRC_RENDER_RENDERER_H
#define CAIRN_SRC_RENDER_RENDERER_H

#include <cairn/base/slot_table.h>
#include <cairn/base/text.h>
#include <cairn/render/features.h>
#include <cairn/render/frame.h>
#include <cairn/scene/parts.h>

#define CNI_NAME_BYTES 64u
#define CNI_PATH_BYTES 512u
#define CNI_TILE_SIZE 16u /* pixels each way of a tile of lights: frame.counts.yz tiles */

/* ---- What shaders see ---- */

typedef struct CniFrameData { /* shaders/render/frame.glsl */
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
    uint32_t first_skin; /* of skinned ones */
    bool is_skinned;
    CnVec3 minimum, maximum, centre;
    float radius;
} CniMesh;

/* Filled by material.c. Textures without one of their own are renderer->neutral.white or
 * .flat_normal, with a sampler: what is here is bound as it is. */
typedef struct CniMaterial {
    CnSlot slot;
    char name[CNI_NAME_BYTES]; /* "": cannot be found */
    CnMaterialDesc desc;       /* as given; its name and pipeline are those here */
    char pipeline[CNI_NAME_BYTES];
    CniMaterialData data;
    CnGpuTexture textures[CN_TEXTURE_COUNT];
    CnGpuSampler samplers[CN_TEXTURE_COUNT];
    uint32_t texture_set; /* equal for equal textures and samplers, below 65536; 0: none at all */
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

/* Filled by surface.c. */
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
    float radius_scale; /* how much `place` makes a sphere larger */
    bool is_moved;      /* place is not identity */
    bool is_mirrored;   /* by its place */
} CniModelPart;

/* Filled by model.c. `rig` is what animation needs to know, of those who import models. */
typedef struct CniModel {
    CnSlot slot;
    char *name; /* name_bytes with the terminator */
    size_t name_bytes;
    CnModelPart *public_parts; /* what cn_model_info shows */
    CniModelPart *parts;
    uint32_t part_count;
    CnVec3 minimum, maximum;
    uint32_t joint_count, clip_count;
    struct CniRig *rig;
} CniModel;

/* Joints of an item whose values are these, between the two. */
void cni_model_pose_between(const CniModel *model, uint32_t previous, uint32_t current, float alpha,
                            CnAffine *joints);

/* ---- Meshes: one buffer each of vertices, indices and skins, that grow ---- */

typedef struct CniRange {
    uint32_t first, count;
} CniRange;

typedef struct CniPool {
    const char *name;
    uint32_t item_bytes;
    uint32_t usage;
    CnGpuAccess access; /* when nothing is copied */
    CnGpuBuffer buffer; /* null: nothing yet */
    CnGpuBuffer
        written; /* the one with contents; another one when it has grown since the last frame */
    uint32_t written_capacity;
    uint32_t capacity;
    CN_ARRAY(CniRange) free; /* by place, never adjacent */
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

/* ---- Staging: copied now, sent to the device when the next frame begins ---- */

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
/* All layers of mip 0, packed. With `make_mips` the other mips follow from it; without, a texture
 * has one. Usages: sampled, copied to, and copied from with mips. From the next frame on the
 * texture can be sampled. */
bool cni_stage_texture(CnRenderer *renderer, CnGpuTexture texture, const void *pixels,
                       uint64_t size, bool make_mips, CnError *error);
/* Before a texture is destroyed. */
void cni_stage_forget(CnRenderer *renderer, CnGpuTexture texture);
/* When a frame begins. On failure everything stays for the next one. */
bool cni_stage_flush(CnRenderer *renderer, CnGpuCommands *commands, CnError *error);

/* ---- Neutral contents of what is not there ---- */

typedef struct CniNeutral {
    CnGpuTexture white, flat_normal; /* RGBA8 */
    CnGpuTexture black_cube;         /* RGBA16F */
    CnGpuTexture depth, depth_array; /* D32F; nothing is in shadow */
    CnGpuBuffer zeros;               /* CNI_ZERO_BYTES, storage and uniform */
    CnGpuSampler linear, linear_clamp, nearest_clamp, shadow; /* shadow compares: less or equal */
    bool is_ready;
} CniNeutral;
#define CNI_ZERO_BYTES 16384u

bool cni_neutral_init(CnRenderer *renderer, CnError *error);
void cni_neutral_fini(CnRenderer *renderer);
void cni_neutral_prepare(CnRenderer *renderer, CnGpuCommands *commands);

/* ---- Items of a frame: a part of a model each ---- */

enum { /* CniItems.flags */
       CNI_ITEM_CASTS = 1,
       CNI_ITEM_BLENDED = 2
};

/* Sort keys: what changes the pipeline or textures stands above the mesh. From the top: 2 bits of
 * alpha mode, 1 mirrored, 1 double sided, 12 surface, 16 texture set, 18 mesh, 14 material. */
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

/* Arrays from x to draws have `count` items; their own counts say nothing. */
typedef struct CniItems {
    CnSnapshotMatch match;
    uint32_t plan_version; /* of renderer->plan_version, when it was made */
    CN_ARRAY(CniSource) sources;
    CN_ARRAY(CniPart) parts;
    CN_ARRAY(CniPosed) posed;
    uint32_t joint_count;
    CnU8Array flags;

    uint32_t count, opaque_count;
    CnGpuBuffer instances; /* CN_GPU_FRAMES slots of instance_capacity */
    uint32_t instance_capacity;
    uint64_t gathered;          /* how often */
    CnVec3 origin;              /* of the frame whose places they have */
    CnF32Array x, y, z, radius; /* spheres, of the world */
    CnU64Array keys;
    CnU32Array sorted; /* by keys: opaque_count, then blended ones */
    CnU64Array sorted_keys;
    bool is_sorted;
    CnF32Array depth; /* how far they reach into `culled`; below 0: not */
    CnFrustum culled;
    bool is_culled; /* in this frame */
    CnU32Array scratch;
    CnU64Array scratch_keys;
    CN_ARRAY(CniDrawIndexed) draws;
    CN_ARRAY(CnFrameLight) lights;
} CniItems;

void cni_items_init(CnRenderer *renderer);
void cni_items_fini(CnRenderer *renderer);
/* Fills items, lights and the sun of the frame; uploads instances and joints. */
void cni_items_gather(CnRenderer *renderer, const CnPicture *picture);
void cni_lights_gather(CnRenderer *renderer, const CnPicture *picture, bool between);

typedef struct CniDrawCall {
    uint32_t first_draw, draw_count;
    uint32_t state;    /* key >> CNI_KEY_STATE_SHIFT */
    uint32_t material; /* one that has this state: its textures are bound */
} CniDrawCall;

struct CnDrawList {
    uint32_t count;
    uint32_t draw_count, call_count;
    uint64_t triangles;
    CnGpuUpload order, draws;
    const CniDrawCall *calls;
};

/* ---- Names of a world ---- */

typedef struct CniAsset {
    char *name; /* name_bytes with the terminator; NULL: unknown */
    size_t name_bytes;
    CnModel model;
    uint32_t material; /* index */
    bool model_tried, told_no_material;
    uint32_t material_version; /* of renderer->material_version when it was looked up */
} CniAsset;

/* The model and the material of a number of a snapshot; NULL: cannot be drawn. */
const CniModel *cni_asset_model(CnRenderer *renderer, uint32_t number);
/* 0: the default one. */
uint32_t cni_asset_material(CnRenderer *renderer, uint32_t number);
void cni_assets_fini(CnRenderer *renderer);

/* ---- Materials, as those who draw need them ---- */

/* A zero that is meant, where CnMaterialDesc has zero for something else. */
static inline float cni_meant(float number)
{
    return number == 0 ? 1e-6f : number;
}

bool cni_default_material_init(CnRenderer *renderer, CnError *error);
/* index + 1 of the one with this name; 0: none. */
uint32_t cni_material_find(const CnRenderer *renderer, const char *name);
/* Sends them to the device if one has changed. */
bool cni_materials_flush(CnRenderer *renderer, CnGpuCommands *commands, CnError *error);
/* Those that have this texture are without it. */
void cni_materials_lose_texture(CnRenderer *renderer, CnTexture texture);
/* Those of one surface have another; both are index + 1. */
void cni_materials_move_surface(CnRenderer *renderer, uint32_t from, uint32_t to);

/* One that was loaded from this file; null: none. */
CnTexture cni_texture_find(const CnRenderer *renderer, const char *path, bool linear);
/* From the bytes of a PNG or JPEG. */
CnTexture cni_texture_decode(CnRenderer *renderer, const void *bytes, size_t size, const char *name,
                             bool linear, CnError *error);
void cni_textures_fini(CnRenderer *renderer);

/* index + 1 of the one with this name; 0: none. */
uint32_t cni_surface_find(const CnRenderer *renderer, const char *name);
/* Compiles one that nobody can find yet: index + 1; 0: an error. */
uint32_t cni_surface_prepare(CnRenderer *renderer, const CnSurfaceDesc *desc, CnError *error);
/* Gives it its name, in the place of the one that had it. */
void cni_surface_commit(CnRenderer *renderer, uint32_t surface, const char *name);
void cni_surface_drop(CnRenderer *renderer, uint32_t surface);
/* Looks at the files of surfaces; how many were compiled again. The error is that of the last that
 * was not. A thorough look reads every file: the clock of a file system is coarse. */
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
    CnU32Array files; /* of renderer->shader_files; empty without a folder */
    bool has_failed;  /* to follow its sources */
} CniRenderPipeline;
typedef struct CniShaderFile CniShaderFile; /* shader_watch.c */

/*
 * A pipeline of a draw pass for one state (alpha mode, mirrored, double sided, surface). Made when
 * it is first needed: by cn_draw_pass_create for the common ones, by cni_draw_passes_add_surface
 * for those of a surface.
 */
typedef struct CniVariant {
    uint32_t state;
    CnRenderPipeline pipeline; /* null: could not be made, is not drawn */
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

/* The bindings of scene.glsl. */
void cni_scene_bindings(CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS]);

/*
 * Surfaces. A fragment shader that draw passes use is a template: where CN_SURFACE is defined it
 * includes "surface_user.glsl", which is the text of the surface, and calls its surface(). This
 * compiles all of them with this surface, so that an error is found when it is made; false and the
 * line in its text.
 */
bool cni_draw_passes_add_surface(CnRenderer *renderer, uint32_t surface_index, CnError *error);
/* Before a surface changes or goes: forgets pipelines made with it. */
void cni_draw_passes_drop_surface(CnRenderer *renderer, uint32_t surface_index);

typedef struct CniSpirv {
    uint32_t *words;
    size_t bytes;
} CniSpirv;
/* Compiles a shader of the tree by its CnShader.name, as it stands in the shader folder or was when
 * the library was built, with the surface if there is one (NULL: none). */
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

/* Slots as they were when a pass said that it reads them. */
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
    uint32_t plan_version; /* counts changes of what items are made of: meshes, models, materials,
                              names */
    CN_ARRAY(CniAsset) assets;
    CnMesh shapes[CN_MESH_SHAPES];
    CniPool pools[CNI_POOL_COUNT];
    CniStaging staging;
    CniNeutral neutral;
    CniItems items;

    CnFrame frame;
    CnGpuBuffer material_buffer; /* all of `materials`, as shaders see them */
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

/* ---- Parts of a frame ---- */

void cni_view_begin(CnFrame *frame, const CnPicture *picture, bool between);
/* After early_update: matrices with jitter. */
void cni_view_finish(CnRenderer *renderer);
void cni_frame_data_write(CnRenderer *renderer);
/* Whether there is something between the two snapshots. */
bool cni_picture_is_between(const CnPicture *picture);

#endif
