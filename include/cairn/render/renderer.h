/*
 * The renderer: draws what a simulation shows, through features.
 *
 *     CnRenderer *renderer = cn_renderer_create(&(CnRendererDesc){.gpu = gpu, .files = files}, &error);
 *     cn_preset_deferred(renderer, &(CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE}}, NULL, &error);
 *     for (;;) {
 *         cn_outbox_acquire(outbox, &pair);
 *         cn_renderer_draw(renderer, &(CnPicture){.current = &pair.current->render, .alpha = 1,
 *                                                 .width = 1280, .height = 720}, &error);
 *         cn_outbox_release(outbox);
 *     }
 *
 * A frame: items between the two snapshots, sorted and culled; early_update of every enabled feature, in the
 * order in which they were added; update; add_passes; `before_render`; the graph is compiled and executed;
 * one submit. See frame.h for what features see, features.h for those that there are, presets.h for sets of them.
 *
 * One thread at a time uses a renderer, together with its CnGpu.
 */
#ifndef CAIRN_RENDER_RENDERER_H
#define CAIRN_RENDER_RENDERER_H

#include <cairn/base/file.h>
#include <cairn/render/shader.h>
#include <cairn/sim/extract.h>

CN_EXTERN_C_BEGIN

typedef struct CnFrame CnFrame;
typedef struct CnFeature CnFeature;
typedef struct CnCanvas CnCanvas;

/* What passes over the whole picture are. Both forms show the same. AUTO: as CAIRN_FULL_SCREEN says (fragment or
 * compute), or what is faster: fragment shaders where the device is a CPU, compute shaders elsewhere. */
typedef enum CnFullScreenForm {
    CN_FULL_SCREEN_AUTO,
    CN_FULL_SCREEN_FRAGMENT,
    CN_FULL_SCREEN_COMPUTE
} CnFullScreenForm;

typedef struct CnRendererDesc {
    CnAllocator *allocator;
    CnGpu *gpu;          /* outlives it */
    CnFileSystem *files; /* of models, textures and surfaces; NULL: none */
    const char
        *shader_folder; /* of the operating system, see shader.h; NULL: as CAIRN_SHADERS says */
    CnFileSystem
        *cache_files; /* with cache_path: where models are kept in their fast form; NULL: not */
    const char *cache_path;
    CnFullScreenForm full_screen;
} CnRendererDesc;

CN_API CnRenderer *cn_renderer_create(const CnRendererDesc *desc, CnError *error);
/* With its features, meshes, materials, textures. */
CN_API void cn_renderer_destroy(CnRenderer *renderer);
CN_API CnGpu *cn_renderer_gpu(const CnRenderer *renderer);
CN_API CnAllocator *cn_renderer_allocator(const CnRenderer *renderer);

/* The numbers of meshes and materials in snapshots: what cn_asset_name says about them. Names that are not known
 * yet are loaded when something that is drawn has them; what cannot be loaded is logged once and not drawn, and
 * an unknown material is the default one. */
CN_API bool cn_renderer_set_asset(CnRenderer *renderer, uint32_t number, const char *name);
/* Before the numbers of another world. */
CN_API void cn_renderer_forget_assets(CnRenderer *renderer);

typedef struct CnPicture {
    const CnRenderSnapshot *previous; /* NULL: `current` as it is */
    const CnRenderSnapshot *current;  /* NULL: nothing but what features draw by themselves */
    float alpha;                      /* how far from the previous to the current */
    double time;                      /* seconds, for what moves by itself */
    float delta;                      /* seconds since the last picture */
    uint32_t width, height;           /* without a window; with one, its size counts */
    const CnCanvas *canvas;           /* drawn by the UI feature; NULL: none */
    bool read_back;                   /* for cn_renderer_pixels */
    void (*before_render)(CnFrame *frame, void *user); /* all passes are added: one may add more */
    void *user;
} CnPicture;

/* Draws one frame into the window, or without one into a picture of its own. While the window is minimised
 * nothing is drawn, and that is no error. */
CN_API bool cn_renderer_draw(CnRenderer *renderer, const CnPicture *picture, CnError *error);
/* What the last draw with `read_back` has drawn: RGBA of 8 bits, rows from the top, good until the next draw.
 * Waits for the GPU. NULL and an error when nothing was. */
CN_API const uint8_t *cn_renderer_pixels(CnRenderer *renderer, uint32_t *width, uint32_t *height,
                                         CnError *error);

/* ---- Features ---- */

/*
 * One unit of work of a frame. `self` is memory of `size` bytes, zeros at first, that belongs to one instance.
 * All but `setup` and `add_passes` may be NULL.
 */
typedef struct CnFeatureType {
    const char *name;
    size_t size;
    /* Makes pipelines and what else lasts. When it fails, `destroy` is called. `options` is as given to
     * cn_renderer_add; what is needed later is copied. */
    bool (*setup)(CnRenderer *renderer, void *self, const void *options, CnError *error);
    void (*early_update)(CnFrame *frame, void *self); /* before the view is final: jitter */
    void (*update)(CnFrame *frame, void *self);       /* culls, writes what shaders are to know */
    void (*add_passes)(CnFrame *frame,
                       void *self); /* reads and re-assigns the slots of the frame */
    void (*destroy)(CnRenderer *renderer, void *self);
} CnFeatureType;

#define CN_MAX_FEATURES 64u

/* Runs after those that were added before. Several of one type are fine. */
CN_API CnFeature *cn_renderer_add(CnRenderer *renderer, const CnFeatureType *type,
                                  const void *options, CnError *error);
CN_API void cn_renderer_remove(CnRenderer *renderer, CnFeature *feature);
/* The first with this name, or NULL. */
CN_API CnFeature *cn_renderer_feature(const CnRenderer *renderer, const char *name);
/* In order; NULL beyond the last. */
CN_API CnFeature *cn_renderer_feature_at(const CnRenderer *renderer, uint32_t index);
CN_API const char *cn_feature_name(const CnFeature *feature);
CN_API void *cn_feature_self(CnFeature *feature);
/* From the next frame on. What is switched off costs nothing. */
CN_API void cn_feature_enable(CnFeature *feature, bool enabled);
CN_API bool cn_feature_is_enabled(const CnFeature *feature);

/* ---- To look at ---- */

typedef struct CnRendererStats {
    uint64_t frames;
    /*
     * Of the last frame: the geometry of the scene, drawn into the camera's image and into shadow
     * maps, without full-screen passes and the canvas. What the GPU decides for blocks and
     * particles (visible_items, draws and triangles) is read back when a frame is done: these
     * numbers are those of CN_GPU_FRAMES frames ago, and 0 before that.
     */
    uint32_t items; /* parts of models, and chunks and tiles of far terrain that have quads */
    uint32_t visible_items; /* of these, in the camera's view and not found to be hidden */
    /* Draws of meshes, particles and the outline of a block; draws that the GPU writes for blocks;
     * and one for each compute dispatch that rasterises blocks. */
    uint32_t draws;
    /* API calls that these draws are put into: direct and indirect draws, and those dispatches. An
     * indirect call counts even if the GPU writes no draw for it. */
    uint32_t draw_calls;
    uint64_t triangles; /* of these draws; two for each quad of blocks and each particle */
    uint32_t lights, visible_lights;
    uint64_t refused_items, refused_lights; /* beyond limits, so far */
    uint32_t models, meshes, materials, textures;
    uint64_t mesh_bytes;
    /* Of the last cn_renderer_draw, one after the other: the wait for the GPU (cn_gpu_begin), all of the work, the submit
     * (cn_gpu_end). */
    float wait_microseconds, cpu_microseconds, submit_microseconds;
} CnRendererStats;
CN_API CnRendererStats cn_renderer_stats(const CnRenderer *renderer);
/* Of the last frame: statistics, passes with their times, and pictures (graph.h). */
CN_API const struct CnGraph *cn_renderer_graph(const CnRenderer *renderer);

CN_EXTERN_C_END

#endif
