/*
 * What a feature sees of a frame, and draws with.
 *
 *     static void run(const CnGraphRun *run)                          // a full-screen pass
 *     {
 *         const Tint *tint = run->user;
 *         cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(tint->renderer, tint->pipeline));
 *         cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, tint->hdr), tint->sampler);
 *         cn_gpu_draw(run->commands, 3, 1, 0, 0);
 *     }
 *
 *     static void add_passes(CnFrame *frame, void *self)
 *     {
 *         Tint *tint = self;
 *         tint->hdr = frame->hdr;
 *         CnGraphTexture out = cn_graph_texture(frame->graph, &(CnGpuTextureDesc){.name = "tinted", ...});
 *         CnGraphPass pass = cn_graph_pass(frame->graph, &(CnGraphPassDesc){.name = "tint", .run = run, .user = tint});
 *         cn_graph_read_texture(frame->graph, pass, tint->hdr, CN_GPU_ACCESS_SAMPLE, NULL);
 *         frame->hdr = cn_graph_color(frame->graph, pass, out, &(CnGraphAttachment){.load = CN_GPU_DROP});
 *     }
 *
 * Features talk through the slots: each reads what is there and puts its own result in its place. A slot whose id is 0
 * is empty. Depth is reversed: 1 at the near plane, 0 at the far plane and where nothing was drawn.
 */
#ifndef CAIRN_RENDER_FRAME_H
#define CAIRN_RENDER_FRAME_H

#include <cairn/render/graph.h>
#include <cairn/render/model.h>
#include <cairn/render/renderer.h>
#include <cairn/scene/camera.h>

CN_EXTERN_C_BEGIN

#define CN_HDR_FORMAT CN_FORMAT_RGBA16F
#define CN_DEPTH_FORMAT CN_FORMAT_D32F
#define CN_MAX_LIGHTS 1024u /* point and spot, of one frame; the nearest */
#define CN_MAX_ITEMS (1u << 20)

typedef struct CnView {
    CnVec3 position, right, up, forward;
    float near_plane, far_plane;
    float fov;    /* vertical, in radians; 0: orthographic */
    float height; /* orthographic: from bottom to top */
    float aspect;
    CnFrustum frustum;
    CnVec2 jitter; /* in pixels; set by early_update */
    /* With jitter and reversed depth; final after early_update. */
    CnMat4 view, projection, view_projection, inverse_view_projection;
    /* Without jitter: of this frame and of the last. */
    CnMat4 steady_view_projection, previous_view_projection;
} CnView;

/* As shaders see it: shaders/render/frame.glsl. */
typedef struct CnFrameLight {
    CnVec3 position;
    float range;
    CnVec3 color;     /* times intensity */
    uint32_t kind;    /* CN_LIGHT_POINT, CN_LIGHT_SPOT */
    CnVec3 direction; /* where it shines */
    float outer_cosine;
    float inner_cosine;
    uint32_t flags;  /* CN_RENDER_CASTS_SHADOWS, CN_RENDER_LEVEL */
    uint32_t shadow; /* its place in the shadow data + 1; 0: none. Set by update */
    uint32_t id;     /* the index of its entity: the same light in the next frame */
} CnFrameLight;

typedef struct CnSun {
    bool there;
    bool casts_shadows;
    CnVec3 direction; /* where it shines */
    CnVec3 color;     /* times intensity */
} CnSun;

/* ---- Shadows of what is no mesh of the scene ---- */

/* A picture from a light: a cascade of the sun, or a part of the atlas. */
typedef struct CnShadowShot {
    uint32_t index; /* counts them in this frame, below CN_MAX_SHADOW_SHOTS */
    bool of_sun;
    CnMat4 world_to_clip; /* depth 1 is far */
    CnFrustum frustum;
} CnShadowShot;
#define CN_MAX_SHADOW_SHOTS 100u

typedef struct CnShadowCaster {
    void *self;
    /* Before the pass that draws the shot: passes that it needs, such as culling. May be NULL. */
    void (*prepare)(CnFrame *frame, void *self, const CnShadowShot *shot);
    /* Declares what `draw` reads. May be NULL. */
    void (*read)(CnFrame *frame, void *self, const CnShadowShot *shot, CnGraphPass pass);
    /* Depth alone: CN_FORMAT_D32F, less or equal, clamped for the sun. */
    void (*draw)(CnFrame *frame, void *self, const CnShadowShot *shot, const CnGraphRun *run);
    /* For the sun, instead of those: adds passes that make a map with a layer of `size` texels for each shot, of `format`:
     * CN_FORMAT_D32F if others draw into it afterwards, otherwise CN_FORMAT_R32F. An empty handle: not in this frame.
     * May be NULL; the first caster that has it is asked. */
    CnGraphTexture (*fill)(CnFrame *frame, void *self, const CnShadowShot *shots, uint32_t count,
                           uint32_t size, CnGpuFormat format);
} CnShadowCaster;
#define CN_MAX_SHADOW_CASTERS 8u

struct CnFrame {
    CnRenderer *renderer;
    CnGpu *gpu;
    CnGraph *graph;          /* in add_passes and before_render */
    CnGpuCommands *commands; /* for cn_gpu_upload */
    uint64_t number;         /* of the renderer's frames, from 0 */
    double time;
    float delta;
    uint32_t width, height;

    /* What was taken off x and z of every position of this frame, so that nothing shakes far out: 0 near the middle of
     * the world, else whole thousands of metres. View and lights, and all that shaders see, are relative to it. */
    CnVec3 origin;
    CnView view;
    CnSun sun; /* the first directional light */
    CnFrameLight
        *lights; /* point and spot lights in view, nearest first; may be changed by update */
    uint32_t light_count;
    CnRenderAir air; /* between the snapshots; not valid: a clear day */
    const CnCanvas *canvas;

    /* Slots. */
    CnGraphTexture hdr;   /* color, linear: CN_HDR_FORMAT */
    CnGraphTexture depth; /* CN_DEPTH_FORMAT */
    CnGraphTexture
        albedo; /* G-buffer: base color; alpha is roughness. CN_FORMAT_RGBA8_SRGB, or RGBA16F from compute */
    CnGraphTexture normal; /* G-buffer: of the world; alpha is metallic. CN_FORMAT_RGBA16F */
    CnGraphTexture
        baked; /* G-buffer: light of the sky and of blocks that is known, as far as it comes through; CN_FORMAT_RG8; 1 and
                             1 where it is not, as on meshes */
    CnGraphTexture
        empty_depth; /* `depth` as Geometry made it, if it has drawn nothing: who finds it there may begin anew */
    CnGraphTexture moving; /* where alpha is not 0 things change though nothing moves: water */
    CnGraphTexture ao;     /* ambient occlusion, CN_FORMAT_R8, of any size; 1: open */
    CnGraphTexture
        shadow_map; /* of the sun: an array, one layer a cascade, CN_FORMAT_D32F, or R32F from compute */
    CnGraphTexture shadow_atlas; /* of point and spot lights, CN_FORMAT_D32F */
    CnGraphTexture
        cloud_shadow; /* what of the sun comes through, CN_FORMAT_R8; see cloud_shadow.glsl */
    CnGraphTexture
        clouds; /* at a part of the picture's size, over the sky already and not yet over things: light; alpha: what comes through */
    CnGraphTexture cloud_noise;             /* of cloud_density.glsl, where clouds are drawn */
    CnGpuTexture land_heights;              /* for shadows of mountains: see land_shadow.glsl */
    CnGraphTexture irradiance, prefiltered; /* cubes: light from all around */
    CnGraphTexture brdf_lut;
    CnGraphTexture sky_view;   /* of the atmosphere: the table of sky_view.glsl */
    CnGraphBuffer light_tiles; /* which lights touch which tile: forward+ */
    CnGraphBuffer exposure;    /* one float that auto exposure found */
    CnGraphTexture output;     /* what is shown, 8 bits, encoded for the screen (sRGB) */
    CnGpuFormat output_format;
    CnGpuUpload shadow_data; /* uniform block of shadow.glsl; no data: no shadows */
    CnShadowCaster casters[CN_MAX_SHADOW_CASTERS];
    uint32_t caster_count;
    CnVec3 ambient;       /* light from everywhere, where there is no irradiance */
    float exposure_scale; /* 1 at first */

    /* The uniform block of frame.glsl, the lights, instances and so on: there in add_passes. */
    CnGpuUpload frame_data, light_data, instance_data, joint_data;
};

/* ---- Meshes of the frame ---- */

typedef enum CnDrawSelect {
    CN_DRAW_OPAQUE,      /* opaque and masked, sorted by what has to be bound */
    CN_DRAW_TRANSPARENT, /* blended, farthest first, as seen from the view */
    CN_DRAW_CASTERS      /* opaque and masked ones that cast shadows */
} CnDrawSelect;

/* Lives until the frame is over. */
typedef struct CnDrawList CnDrawList;

/* In update or add_passes: what is inside of the frustum. Never NULL, but may be empty. Makes no heap call in a steady
 * frame. */
CN_API const CnDrawList *cn_frame_cull(CnFrame *frame, const CnFrustum *frustum,
                                       CnDrawSelect select);
/* What the camera sees, culled once a frame. */
CN_API const CnDrawList *cn_frame_visible(CnFrame *frame, CnDrawSelect select);
CN_API uint32_t cn_draw_list_count(const CnDrawList *list); /* instances */

/*
 * The pipelines of a pass that draws meshes: one for each way that materials ask for (masked, double sided, surface of
 * one's own). Bindings are those of scene.glsl, constants are the pass's own.
 */
typedef struct CnDrawPass {
    uint32_t id;
} CnDrawPass;

typedef struct CnDrawPassDesc {
    const char *name;
    CnShader vertex;
    CnShader fragment; /* none: depth only, for what is opaque */
    CnShader masked;   /* the same for masked materials */
    CnGpuFormat color[CN_GPU_MAX_COLORS];
    CnGpuBlend blend[CN_GPU_MAX_COLORS];
    CnGpuFormat depth;
    CnGpuCompare depth_test;
    bool depth_write;
    float depth_bias, depth_bias_slope;
    bool depth_clamp;
    bool cull_front;
    uint32_t constants;
} CnDrawPassDesc;

CN_API CnDrawPass cn_draw_pass_create(CnRenderer *renderer, const CnDrawPassDesc *desc,
                                      CnError *error);
CN_API void cn_draw_pass_destroy(CnRenderer *renderer, CnDrawPass pass);

/* Declares that a pass reads what the scene's shaders read: every slot that is not empty, except
 * those that the pass writes itself, which the caller names in `without` (bits of the
 * enumeration below). */
enum { CN_SCENE_AO = 1, CN_SCENE_SHADOWS = 2, CN_SCENE_IBL = 4, CN_SCENE_TILES = 8 };
CN_API void cn_frame_read_scene(CnFrame *frame, CnGraphPass pass, uint32_t without);
/* In `run`: binds all of scene.glsl but material textures; empty slots (and those `without`) have neutral
 * contents, and in compute passes meshes and materials too. */
CN_API void cn_frame_bind_scene(CnFrame *frame, const CnGraphRun *run, uint32_t without);
/* In `run`, after cn_frame_bind_scene and cn_gpu_constants: draws the list. */
CN_API void cn_frame_draw(CnFrame *frame, const CnGraphRun *run, CnDrawPass pass,
                          const CnDrawList *list);

/* ---- Shadows of what is no mesh of the scene ---- */

/* In early_update. */
CN_API void cn_frame_add_caster(CnFrame *frame, const CnShadowCaster *caster);

/* ---- Small helps ---- */

/* A triangle over the whole picture; shaders/render/full.vert is its vertex shader, with out vec2 uv at 0. */
CN_API void cn_frame_draw_full(const CnGraphRun *run);
/* A texture of the picture's size divided by `divide`, rounded up. */
CN_API CnGraphTexture cn_frame_texture(CnFrame *frame, const char *name, CnGpuFormat format,
                                       uint32_t divide);
/* Memory until the frame is over; what passes point at. */
CN_API void *cn_frame_memory(CnFrame *frame, size_t bytes);

CN_EXTERN_C_END

#endif
