/*
 * The renderer draws the snapshots of a simulation through features.
 *
 *     CnRendererDesc desc = {.gpu = gpu, .files = files};
 *     CnRenderer *renderer = cn_renderer_create(&desc, &error);
 *     CnRenderOptions options = {.sky = {.kind = CN_SKY_ATMOSPHERE}};
 *     cn_preset_deferred(renderer, &options, NULL, &error);
 *     CnSnapshotPair pair;
 *     while (cn_outbox_acquire(outbox, &pair)) {
 *         CnFrameDesc frame = {
 *             .current = &pair.current->render, .alpha = 1, .width = 1280, .height = 720};
 *         cn_renderer_draw(renderer, &frame, &error);
 *         cn_outbox_release(outbox);
 *     }
 *
 * A frame has these steps: items are interpolated between the two snapshots, sorted and culled;
 * early_update of every enabled feature runs, in the order in which they were added; then update;
 * then add_passes; then `before_render`; the graph is compiled, executed and submitted. frame.h
 * describes what features have access to, features.h the built-in features, and presets.h sets of
 * them.
 *
 * One thread at a time uses a renderer, together with its CnGpu.
 */
#ifndef CAIRN_RENDER_RENDERER_H
#define CAIRN_RENDER_RENDERER_H

#include <cairn/base/cache.h>
#include <cairn/base/file.h>
#include <cairn/render/shader.h>
#include <cairn/sim/extract.h>

CN_EXTERN_C_BEGIN

typedef struct CnFrame CnFrame;
typedef struct CnFeature CnFeature;
typedef struct CnCanvas CnCanvas;

/* How full-screen passes are executed. Both forms give the same image. AUTO selects what
 * CAIRN_FULL_SCREEN names (fragment or compute), otherwise the faster form: fragment shaders if the
 * device is a CPU, compute shaders elsewhere. */
typedef enum CnFullScreenForm {
    CN_FULL_SCREEN_AUTO,
    CN_FULL_SCREEN_FRAGMENT,
    CN_FULL_SCREEN_COMPUTE
} CnFullScreenForm;

typedef struct CnRendererDesc {
    CnAllocator *allocator;
    CnGpu *gpu;          /* must outlive the renderer */
    CnFileSystem *files; /* source of models, textures and surfaces; NULL: none */
    const char
        *shader_folder; /* path of the operating system, see shader.h; NULL: as in CAIRN_SHADERS */
    CnCache *cache;     /* of baked models; must outlive the renderer; NULL: no cache */
    CnFullScreenForm full_screen;
    /* The program calls cn_renderer_reload_file for files that have changed, so the renderer does
     * not check those of surfaces itself. */
    bool watched;
} CnRendererDesc;

/* Creates a renderer without features. Returns NULL and an error on failure. */
CN_API CnRenderer *cn_renderer_create(const CnRendererDesc *desc, CnError *error);
/* Destroys the renderer with its features, meshes, materials and textures. */
CN_API void cn_renderer_destroy(CnRenderer *renderer);
CN_API CnGpu *cn_renderer_gpu(const CnRenderer *renderer);
CN_API CnAllocator *cn_renderer_allocator(const CnRenderer *renderer);

/* Sets the name of an asset number that snapshots use for a mesh or material (see cn_asset_name).
 * An asset is loaded when something that is drawn uses it. Assets that cannot be loaded are logged
 * once and not drawn; an unknown material is replaced by the default one. Assets of foreign origin
 * (cairn/base/origin.h) are loaded in the background by a thread of the renderer and uploaded at
 * the start of a frame, one file per frame; until then, models are not drawn, and textures are
 * neutral. That thread uses the renderer's files, cache and allocator: nothing is mounted or
 * unmounted while it does, which is certain after a frame with wait_for_assets. */
CN_API bool cn_renderer_set_asset(CnRenderer *renderer, uint32_t number, const char *name);
/* Clears the asset names; call it before drawing another world. */
CN_API void cn_renderer_clear_assets(CnRenderer *renderer);

/* Loads a file again that has changed: its textures, its models (also if it is a part of them, such
 * as a buffer), and its surfaces. Their ids stay valid, and what is drawn next uses the new
 * content. Models that could not be loaded and lie beside the file are tried again. Returns how
 * many were replaced. If one cannot be replaced, it stays as it is, and the error is set. Materials
 * of scene files are read again with cn_materials_read_file. Call it between frames. */
CN_API uint32_t cn_renderer_reload_file(CnRenderer *renderer, const char *path, CnError *error);
/* Stores the errors that have not been mended: of shaders whose newest text does not compile (the
 * first of them), and of models that cannot be loaded. Returns how many were stored. For displays;
 * call it between frames. */
CN_API uint32_t cn_renderer_errors(const CnRenderer *renderer, CnError *errors, uint32_t capacity);

/* Field of view and planes of a perspective camera: settings of a viewer. */
typedef struct CnLens {
    float fov; /* vertical, in radians; 0: none */
    float near_plane, far_plane;
} CnLens;

typedef struct CnFrameDesc {
    const CnRenderSnapshot *previous; /* NULL: `current` without interpolation */
    const CnRenderSnapshot *current;  /* NULL: only what features draw on their own */
    float alpha;                      /* interpolation from previous (0) to current (1) */
    CnLens lens;                      /* instead of that of the snapshots; none: that */
    CnRenderCamera camera;            /* instead of that of the snapshots; not valid: that */
    double time;                      /* seconds, for shader animation */
    float delta;                      /* seconds since the last frame */
    uint32_t width, height;           /* image size without a window; a window uses its own size */
    const CnCanvas *canvas;           /* drawn by the UI feature; NULL: none */
    bool read_back;                   /* required by cn_renderer_pixels */
    /* Loads assets of foreign origin before the frame is drawn, not in the background, so that the
     * image does not depend on time. */
    bool wait_for_assets;
    /* called after all passes were added; may add more */
    void (*before_render)(CnFrame *frame, void *user);
    void *user;
} CnFrameDesc;

/* Draws one frame into the window, or without a window into an image. While the window is
 * minimized, it draws nothing and returns true. */
CN_API bool cn_renderer_draw(CnRenderer *renderer, const CnFrameDesc *frame_desc, CnError *error);
/* Returns the image of the last draw with `read_back`: 8-bit RGBA, rows from the top, valid until
 * the next draw. Waits for the GPU. Returns NULL and an error if there is none. */
CN_API const uint8_t *cn_renderer_pixels(CnRenderer *renderer, uint32_t *width, uint32_t *height,
                                         CnError *error);

/* ---- Features ---- */

/*
 * A feature type. `self` is the state of an instance: `size` bytes, initially zero. All functions
 * but `setup` and `add_passes` may be NULL.
 */
typedef struct CnFeatureType {
    const char *name;
    size_t size;
    /* Creates pipelines and other lasting resources. If it fails, `destroy` is called. `options` is
     * the argument of cn_renderer_add_feature; copy what is needed later. */
    bool (*setup)(CnRenderer *renderer, void *self, const void *options, CnError *error);
    void (*early_update)(CnFrame *frame, void *self); /* before the view is final, for jitter */
    void (*update)(CnFrame *frame, void *self);       /* culls and writes shader data */
    void (*add_passes)(CnFrame *frame, void *self);   /* reads and replaces the frame's slots */
    void (*destroy)(CnRenderer *renderer, void *self);
} CnFeatureType;

#define CN_MAX_FEATURES 64u

/* Adds a feature, which runs after those added before. Several features of the same type are
 * allowed. Returns NULL and an error on failure. */
CN_API CnFeature *cn_renderer_add_feature(CnRenderer *renderer, const CnFeatureType *type,
                                          const void *options, CnError *error);
/* Removes and destroys a feature; not while a frame is drawn. */
CN_API void cn_renderer_remove_feature(CnRenderer *renderer, CnFeature *feature);
/* Returns the first feature with this name, or NULL. */
CN_API CnFeature *cn_renderer_feature(const CnRenderer *renderer, const char *name);
/* Returns a feature by its position in the order; NULL beyond the last. */
CN_API CnFeature *cn_renderer_feature_at(const CnRenderer *renderer, uint32_t index);
CN_API const char *cn_feature_name(const CnFeature *feature);
/* Returns the state of the instance, CnFeatureType.size bytes. */
CN_API void *cn_feature_self(CnFeature *feature);
/* Enables or disables a feature from the next frame on. A disabled feature costs nothing. */
CN_API void cn_feature_set_enabled(CnFeature *feature, bool enabled);
CN_API bool cn_feature_is_enabled(const CnFeature *feature);

/* ---- Statistics ---- */

typedef struct CnRendererStats {
    uint64_t frames;
    /*
     * Of the last frame: the geometry of the scene drawn into the camera's image and into shadow
     * maps, without full-screen passes and the canvas. Values that the GPU determines for blocks
     * and particles (visible_items, draws and triangles) are read back when a frame completes: they
     * are CN_GPU_FRAMES frames old, and 0 before that.
     */
    uint32_t items;         /* parts of models, and chunks and far terrain tiles with quads */
    uint32_t visible_items; /* those in the camera's view and not known to be occluded */
    /* Draws of meshes, particles and the block outline; draws that the GPU writes for blocks; and
     * one for each compute dispatch that rasterises blocks. */
    uint32_t draws;
    /* API calls that issue these draws: direct and indirect draws, and those dispatches. An
     * indirect call counts even if the GPU writes no draw for it. */
    uint32_t draw_calls;
    uint64_t triangles; /* of these draws; two per block quad and per particle */
    uint32_t lights, visible_lights;
    uint64_t refused_items, refused_lights; /* total beyond the limits */
    uint32_t models, meshes, materials, textures;
    uint64_t mesh_bytes;
    /* Consecutive times of the last cn_renderer_draw: waiting for the GPU (cn_gpu_begin_frame), all
     * work, and the submit (cn_gpu_end_frame). */
    float wait_microseconds, cpu_microseconds, submit_microseconds;
} CnRendererStats;
/* Returns the statistics of the last frame. */
CN_API CnRendererStats cn_renderer_stats(const CnRenderer *renderer);
/* Returns the graph of the last frame: statistics, pass times and diagrams (graph.h). */
CN_API const struct CnGraph *cn_renderer_graph(const CnRenderer *renderer);

CN_EXTERN_C_END

#endif
