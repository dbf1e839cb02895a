/*
 * The frame as features see it, and the functions with which they draw.
 *
 *     typedef struct Tint {
 *         CnRenderer *renderer;
 *         CnRenderPipeline pipeline;
 *         CnGpuSampler sampler;
 *         CnGraphTexture hdr;
 *     } Tint;
 *
 *     static void run(const CnGraphRun *run) // a full-screen pass
 *     {
 *         const Tint *tint = run->user;
 *         CnGpuPipeline pipeline = cn_render_pipeline_get(tint->renderer, tint->pipeline);
 *         CnGpuTexture hdr = cn_graph_get_texture(run->graph, tint->hdr);
 *         cn_gpu_bind_pipeline(run->commands, pipeline);
 *         cn_gpu_bind_texture(run->commands, 0, hdr, tint->sampler);
 *         cn_gpu_draw(run->commands, 3, 1, 0, 0);
 *     }
 *
 *     static void add_passes(CnFrame *frame, void *self)
 *     {
 *         Tint *tint = self;
 *         tint->hdr = frame->hdr;
 *         CnGraphTexture out = cn_frame_texture(frame, "tinted", CN_HDR_FORMAT, 1);
 *         CnGraphPass pass = cn_graph_add_pass(
 *             frame->graph, &(CnGraphPassDesc){.name = "tint", .run = run, .user = tint});
 *         cn_graph_read_texture(frame->graph, pass, tint->hdr, CN_GPU_ACCESS_SAMPLE, NULL);
 *         frame->hdr =
 *             cn_graph_color_attachment(frame->graph, pass, out,
 *                                       &(CnGraphAttachment){.load = CN_GPU_DISCARD});
 *     }
 *
 * Features communicate through slots: a feature reads the texture in a slot and replaces it with
 * its result. A slot with id 0 is empty. Depth is reversed: 1 at the near plane, 0 at the far plane
 * and where nothing was drawn.
 */
#ifndef CAIRN_RENDER_FRAME_H
#define CAIRN_RENDER_FRAME_H

#include <cairn/render/graph.h>
#include <cairn/render/model.h>
#include <cairn/render/renderer.h>
#include <cairn/scene/camera.h>

CN_EXTERN_C_BEGIN

#define CN_HDR_FORMAT CN_GPU_FORMAT_RGBA16F
#define CN_DEPTH_FORMAT CN_GPU_FORMAT_D32F
#define CN_MAX_LIGHTS 1024u /* point and spot lights per frame; the nearest are kept */
#define CN_MAX_ITEMS (1u << 20)

typedef struct CnView {
    CnVec3 position, right, up, forward;
    float near_plane, far_plane;
    float fov;    /* vertical, in radians; 0: orthographic */
    float height; /* of an orthographic view, from bottom to top */
    float aspect;
    CnFrustum frustum;
    CnVec2 jitter; /* in pixels; set by early_update */
    /* With jitter and reversed depth; final after early_update. */
    CnMat4 view, projection, view_projection, inverse_view_projection;
    /* Without jitter, of this frame and of the previous one. */
    CnMat4 unjittered_view_projection, previous_view_projection;
} CnView;

/* Matches the layout in shaders/render/core/frame.glsl. */
typedef struct CnFrameLight {
    CnVec3 position;
    float range;
    CnVec3 color;     /* multiplied by the intensity */
    uint32_t kind;    /* CN_LIGHT_POINT or CN_LIGHT_SPOT */
    CnVec3 direction; /* in which it shines */
    float outer_cosine;
    float inner_cosine;
    uint32_t flags;  /* CN_RENDER_CASTS_SHADOWS, CN_RENDER_LEVEL */
    uint32_t shadow; /* index into the shadow data + 1; 0: none; set by update */
    uint32_t id;     /* index of its entity, which identifies the light in the next frame */
} CnFrameLight;

typedef struct CnSun {
    bool exists;
    bool casts_shadows;
    CnVec3 direction; /* in which it shines */
    CnVec3 color;     /* multiplied by the intensity */
} CnSun;

/* ---- Shadows of geometry other than meshes ---- */

/* A shadow map view from a light: a cascade of the sun or a part of the atlas. */
typedef struct CnShadowView {
    uint32_t index; /* counted within the frame, below CN_MAX_SHADOW_VIEWS */
    bool of_sun;
    CnMat4 world_to_clip; /* depth 1 is far */
    CnFrustum frustum;
    float reach; /* meters from the light beyond which nothing is lit; 0 means no limit */
} CnShadowView;
#define CN_MAX_SHADOW_VIEWS 100u

typedef struct CnShadowCaster {
    void *self;
    /* Adds passes needed before the view is drawn, such as culling. May be NULL. */
    void (*prepare)(CnFrame *frame, void *self, const CnShadowView *shadow_view);
    /* Declares the resources that `draw` reads. May be NULL. */
    void (*read)(CnFrame *frame, void *self, const CnShadowView *shadow_view, CnGraphPass pass);
    /* Draws depth only: CN_GPU_FORMAT_D32F, less or equal, clamped for the sun. */
    void (*draw)(CnFrame *frame, void *self, const CnShadowView *shadow_view,
                 const CnGraphRun *run);
    /* Replaces the functions above for the sun: adds passes that produce a shadow map with one
     * layer of `size` texels per view, in `format`: CN_GPU_FORMAT_D32F if other casters draw into
     * it afterwards, otherwise CN_GPU_FORMAT_R32F. Returns an empty handle to skip this frame. May
     * be NULL; the renderer calls the first caster that has this function. */
    CnGraphTexture (*fill)(CnFrame *frame, void *self, const CnShadowView *shadow_views,
                           uint32_t count, uint32_t size, CnGpuFormat format);
} CnShadowCaster;
#define CN_MAX_SHADOW_CASTERS 8u

struct CnFrame {
    CnRenderer *renderer;
    CnGpu *gpu;
    CnGraph *graph;          /* valid in add_passes and before_render */
    CnGpuCommands *commands; /* for cn_gpu_upload */
    uint64_t number;         /* frame counter of the renderer, from 0 */
    double time;
    float delta;
    uint32_t width, height;

    /* Offset subtracted from the x and z of every position in this frame, which keeps precision far
     * from the origin: 0 near the origin of the world, otherwise a multiple of 4,096 meters. The
     * view, the lights and all shader data are relative to it. */
    CnVec3 origin;
    CnView view;
    CnSun sun;            /* the first directional light */
    CnFrameLight *lights; /* point and spot lights in view, nearest first; update may modify them */
    uint32_t light_count;
    CnRenderAtmosphere atmosphere; /* interpolated between the snapshots; not valid: a clear day */
    const CnCanvas *canvas;
    /* Of CnFrameDesc; previous_snapshot is NULL if the frame is not interpolated. */
    const CnRenderSnapshot *previous_snapshot, *snapshot;
    float alpha;

    /* Slots. */
    CnGraphTexture hdr;   /* linear color, CN_HDR_FORMAT */
    CnGraphTexture depth; /* CN_DEPTH_FORMAT */
    /* G-buffer: base color, roughness in alpha. CN_GPU_FORMAT_RGBA8_SRGB, or RGBA16F written by
     * compute */
    CnGraphTexture albedo;
    CnGraphTexture
        normal; /* G-buffer: world-space normal, metallic in alpha. CN_GPU_FORMAT_RGBA16F */
    /* G-buffer: precomputed visibility of sky light and block light, CN_GPU_FORMAT_RG8; 1 and 1
     * where it is unknown, as on meshes */
    CnGraphTexture baked_light;
    /* `depth` as created by Geometry if nothing was drawn into it; a feature that still finds it in
     * `depth` may clear it instead of loading it */
    CnGraphTexture empty_depth;
    /* nonzero alpha marks surfaces that change without moving, such as water */
    CnGraphTexture reactive_mask;
    CnGraphTexture ao; /* ambient occlusion, CN_GPU_FORMAT_R8, of any size; 1: unoccluded */
    /* of the sun: an array with one layer per cascade, CN_GPU_FORMAT_D32F, or R32F written by
     * compute */
    CnGraphTexture shadow_map;
    CnGraphTexture shadow_atlas; /* of point and spot lights, CN_GPU_FORMAT_D32F */
    /* fraction of sunlight that passes the clouds, CN_GPU_FORMAT_R8; see cloud_shadow.glsl */
    CnGraphTexture cloud_shadow;
    /* light of the clouds at reduced resolution, transmittance in alpha; already blended over the
     * sky, not yet over geometry */
    CnGraphTexture clouds;
    CnGraphTexture cloud_noise; /* noise texture of cloud_density.glsl, if clouds are drawn */
    CnGpuTexture
        terrain_heights;   /* terrain heights for shadows of mountains; see terrain_shadow.glsl */
    CnGraphTexture behind; /* copy of hdr with mips, for meshes that show what is behind them */
    CnGraphTexture irradiance, prefiltered; /* cube maps for image-based lighting */
    CnGraphTexture brdf_lut;
    CnGraphTexture sky_view;   /* lookup table of the atmosphere, see sky_view.glsl */
    CnGraphBuffer light_tiles; /* lights per screen tile, of Forward+ */
    CnGraphBuffer exposure;    /* one float, computed by auto exposure */
    CnGraphTexture output;     /* final image, 8 bits, sRGB-encoded */
    CnGpuFormat output_format;
    CnGpuUpload shadow_data; /* uniform block of shadow.glsl; no data: no shadows */
    CnShadowCaster casters[CN_MAX_SHADOW_CASTERS];
    uint32_t caster_count;
    CnVec3 ambient; /* ambient light where there is no irradiance */
    /* Of the lightweight path, for what is drawn after it: its table of the sky (empty: none), the
     * parameters of its fog, and the light of murky water. */
    CnGraphTexture sky_table;
    CnVec4 table_air;
    CnVec3 table_water;
    float exposure_scale; /* initially 1 */

    /* The uniform block of frame.glsl, the lights, instances and joints; valid in add_passes. */
    CnGpuUpload frame_data, light_data, instance_data, joint_data;
};

/* ---- Meshes of the frame ---- */

typedef enum CnDrawSelect {
    CN_DRAW_OPAQUE,      /* opaque and masked, sorted by pipeline state */
    CN_DRAW_TRANSPARENT, /* blended, farthest from the camera first */
    CN_DRAW_CASTERS,     /* opaque and masked meshes that cast shadows */
    /* those of CN_DRAW_OPAQUE whose materials have layers that a G-buffer cannot hold */
    CN_DRAW_LAYERED,
    CN_DRAW_TRANSMISSIVE /* meshes that show what is behind them, sorted by pipeline state */
} CnDrawSelect;

/* Valid until the end of the frame. */
typedef struct CnDrawList CnDrawList;

/* Returns the items inside the frustum; the list may be empty but is never NULL. Call it in update
 * or add_passes. Does not allocate in steady frames. */
CN_API const CnDrawList *cn_frame_cull(CnFrame *frame, const CnFrustum *frustum,
                                       CnDrawSelect select);
/* Returns the items that the camera sees, culled once per frame. */
CN_API const CnDrawList *cn_frame_visible(CnFrame *frame, CnDrawSelect select);
CN_API uint32_t cn_draw_list_count(const CnDrawList *list); /* in instances */

/*
 * The pipelines of a pass that draws meshes: one for each variant that materials require (masked,
 * double-sided, custom surface). The bindings are those of scene.glsl; the constants belong to the
 * pass.
 */
typedef struct CnDrawPass {
    uint32_t id;
} CnDrawPass;

typedef struct CnDrawPassDesc {
    const char *name;
    CnShader vertex;
    CnShader fragment; /* none: depth only, for opaque materials */
    CnShader masked;   /* the variant for masked materials */
    /* The same for materials with CnMaterialExtensions or CnTextureCoordinates; none: as above. */
    CnShader extended_vertex, extended_fragment, extended_masked;
    CnGpuFormat color[CN_GPU_MAX_COLORS];
    CnGpuBlend blend[CN_GPU_MAX_COLORS];
    CnGpuFormat depth;
    CnGpuCompare depth_test;
    bool depth_write;
    float depth_bias, depth_bias_slope;
    bool depth_clamp;
    bool cull_front;
    bool on_demand; /* creates no pipeline before a material needs it */
    uint32_t constants;
} CnDrawPassDesc;

/* Creates the common pipelines of the pass; further variants follow when materials need them.
 * Returns null and an error on failure. */
CN_API CnDrawPass cn_draw_pass_create(CnRenderer *renderer, const CnDrawPassDesc *desc,
                                      CnError *error);
CN_API void cn_draw_pass_destroy(CnRenderer *renderer, CnDrawPass pass);

/* Declares that a pass reads what the shaders of the scene read: every slot that is not empty,
 * except those that the pass writes itself, which `without` lists as bits of the enumeration
 * below. */
enum {
    CN_SCENE_AO = 1,
    CN_SCENE_SHADOWS = 2,
    CN_SCENE_IBL = 4,
    CN_SCENE_TILES = 8,
    CN_SCENE_BEHIND = 16
};
CN_API void cn_frame_read_scene(CnFrame *frame, CnGraphPass pass, uint32_t without);
/* Binds everything of scene.glsl except material textures; call it in `run`. Empty slots and those
 * in `without` get neutral contents, as do meshes and materials in compute passes. */
CN_API void cn_frame_bind_scene(CnFrame *frame, const CnGraphRun *run, uint32_t without);
/* Draws the list; call it in `run`, after cn_frame_bind_scene and cn_gpu_push_constants. */
CN_API void cn_frame_draw(CnFrame *frame, const CnGraphRun *run, CnDrawPass pass,
                          const CnDrawList *list);

/* ---- Shadows of geometry other than meshes ---- */

/* Adds a shadow caster for this frame; call it in early_update. */
CN_API void cn_frame_add_shadow_caster(CnFrame *frame, const CnShadowCaster *caster);

/* ---- Helpers ---- */

/* Draws a triangle that covers the whole image, for pipelines whose vertex shader is
 * shaders/render/core/full_screen.vert (out vec2 uv at location 0). */
CN_API void cn_frame_draw_full_screen(const CnGraphRun *run);
/* Creates a transient texture with the image size divided by `divide`, rounded up. */
CN_API CnGraphTexture cn_frame_texture(CnFrame *frame, const char *name, CnGpuFormat format,
                                       uint32_t divisor);
/* Allocates memory that is valid until the end of the frame, for data that passes point to. */
CN_API void *cn_frame_alloc(CnFrame *frame, size_t bytes);

CN_EXTERN_C_END

#endif
