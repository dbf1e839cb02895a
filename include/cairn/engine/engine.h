/*
 * The engine: scenes that run and a renderer that shows the active one, in a window or into files.
 *
 *     static bool start(CnEngine *engine, void *user, CnError *error)
 *     {
 *         CnWorld *world = cn_engine_world(engine);
 *         CnEntity ball = cn_object_create(world, "Ball", CN_NO_PARENT);
 *         cn_set(world, ball, CnMeshRenderer, {.mesh = "shapes://sphere", .visible = true});
 *         ...
 *         return true;
 *     }
 *
 *     int main(int count, char **arguments)
 *     {
 *         CnEngineDesc desc = {.title = "Hello", .preset = cn_preset_forward};
 *         return cn_engine_main(&desc, count, arguments, start, NULL);       // options.h
 *     }
 *
 * That is short for:
 *
 *     CnEngine *engine = cn_engine_create(&desc, &error);
 *     ...
 *     while (cn_engine_frame(engine)) {                                      // or cn_engine_run(engine)
 *     }
 *     cn_engine_destroy(engine);
 *
 * A frame: events of the window become input; before_frame; real time passes in the active scene: ticks, then its
 * frame stages; the camera is found; features update and add their passes; before_render; one submit; after_frame.
 *
 * Threads. One thread owns an engine; with a window it is the main one. By default a render thread draws while the
 * owner runs the ticks of the next frame: what is seen is one frame behind at most. Both draw the same
 * pictures: a frame has its snapshots, time and canvas handed over as a whole. The renderer belongs to that thread,
 * except between cn_engine_renderer and the next frame. An error of the render thread ends the frames of the owner.
 *
 * Every scene has physics and scripts. Asset names and materials of the active scene are known to the renderer
 * by themselves, also after a switch.
 *
 * Captures are fixed: each frame lets exactly 1/fps seconds pass, whatever the machine needs for it, so the same
 * program gives the same pictures.
 *
 * When the device is lost, frames end with an error that says so, and the scenes are whole: save, destroy the engine,
 * make another. It is not made anew behind your back, because meshes, materials and features that a program made
 * itself would be gone.
 *
 * Engines share nothing; several may run, each on its own thread, or in turn on one. Those with windows on the main
 * thread.
 */
#ifndef CAIRN_ENGINE_ENGINE_H
#define CAIRN_ENGINE_ENGINE_H

#include <cairn/render.h>
#include <cairn/scene.h>
#include <cairn/ui.h>
#include <cairn/vfs.h>

CN_EXTERN_C_BEGIN

typedef struct CnEngine CnEngine;
typedef struct CnOption CnOption;

#define CN_ENGINE_MAX_HOOKS 32u /* of each kind */

/* Zeros are defaults. Texts and plugins are copied; the options of the preset are used at once. */
typedef struct CnEngineDesc {
    CnAllocator *allocator; /* thread-safe */
    const char *title;      /* NULL: "Cairn" */

    /* The picture. */
    uint32_t width, height; /* 0 means 1280 x 720; of a window in points, not in pixels */
    bool headless;          /* no window: SDL's video is not touched */
    bool fullscreen;
    bool fixed_size;        /* the window cannot be resized; nor can one of which a film is made */
    CnPreset preset;        /* NULL: no features; add your own */
    void *preset_user;      /* for the preset */
    CnRenderOptions render; /* for the preset */
    CnGpuBackend backend;
    const char *gpu; /* as CAIRN_GPU */
    bool validation; /* of Vulkan */
    CnVsync vsync;
    CnSwitch render_thread; /* on with a window, unless something is captured */

    /* The simulation. */
    uint32_t tick_hz; /* 0 means 60 */
    uint32_t max_catch_up_ticks;
    uint64_t seed;
    uint32_t threads;        /* that ticks use; 0: one per core */
    const CnPlugin *plugins; /* of every scene, after physics and scripts */
    uint32_t plugin_count;
    bool (*prepare)(CnSim *sim, void *user, CnError *error); /* see CnScenesDesc */
    void *user;

    /* Files. */
    const char *project; /* for cn_vfs_mount_project; NULL: the folder of the first scene */
    bool trust_scripts;  /* with all of Lua, and without budgets */
    const char *cache;   /* a folder for pipelines and baked models; NULL: nothing is kept */

    /* Captures. */
    uint64_t frames;   /* ends after so many; 0: when somebody says so; of one picture 1 */
    const char *out;   /* the last frame as PNG; with %d, %04d, or a folder ("shots/"): each */
    const char *video; /* of each frame, by ffmpeg */
    uint32_t fps;      /* of captures and without a window; 0 means 60 */
    const char *graph; /* the passes of the last frame, .svg or .dot */
    bool make_folders; /* folders of these files that do not exist are made; otherwise an error */
    bool overlay;      /* F3 from the start */

    /* Tests of programs: an error at the end when the GPU was used wrongly, the second half of the
     * frames called the heap (if sizes do not change), or memory grows. */
    bool check;
    uint32_t resize_every; /* another size of picture after so many frames; 0: never */

    const CnOption *options; /* of the program itself, for cn_engine_read_options */
} CnEngineDesc;

/* NULL and an error; where there is no display, it names --headless. */
CN_API CnEngine *cn_engine_create(const CnEngineDesc *desc, CnError *error);
/* Waits for what is drawn. */
CN_API void cn_engine_destroy(CnEngine *engine);

/* One frame. False when it was the last: the window was closed, cn_engine_quit, `frames` are done, or
 * cn_engine_error says why. Writes what is to be captured. */
CN_API bool cn_engine_frame(CnEngine *engine);
/* The same with this much time since the last, for who has a clock of his own. */
CN_API bool cn_engine_frame_after(CnEngine *engine, double seconds);
/* Frames until the end. The exit status of the program: that of cn_engine_quit, or 1 after an error,
 * which is logged. */
CN_API int cn_engine_run(CnEngine *engine);
/* After this frame. */
CN_API void cn_engine_quit(CnEngine *engine, int status);
CN_API bool cn_engine_is_over(const CnEngine *engine);
/* What ended the frames; CN_OK: nothing did. */
CN_API const CnError *cn_engine_error(const CnEngine *engine);

/* ---- Hooks: in the order in which they were added; false: CN_ENGINE_MAX_HOOKS are there ---- */

typedef void (*CnEngineHook)(CnEngine *engine, void *user);
typedef void (*CnRenderHook)(CnFrame *frame, void *user);

/* At the top, when input has come and before ticks. */
CN_API bool cn_engine_before_frame(CnEngine *engine, CnEngineHook hook, void *user);
/* While the graph is built, after all features, on the thread that draws: passes of one's own. It may not use the
 * engine or the world. */
CN_API bool cn_engine_before_render(CnEngine *engine, CnRenderHook hook, void *user);
/* A frame was submitted, and the renderer rests. With a render thread this is the frame before. */
CN_API bool cn_engine_after_frame(CnEngine *engine, CnEngineHook hook, void *user);

/* ---- What there is ---- */

/* End one of them with cn_engine_destroy_scene: it may be on its way to the screen. */
CN_API CnScenes *cn_engine_scenes(const CnEngine *engine);
/* The active one. When there is none, an empty scene "Main" is made; NULL if that fails: cn_engine_error. */
CN_API CnScene *cn_engine_scene(CnEngine *engine);
/* Of the active scene; the same. */
CN_API CnSim *cn_engine_sim(CnEngine *engine);
CN_API CnWorld *cn_engine_world(CnEngine *engine);
CN_API const CnTime *cn_engine_time(CnEngine *engine);
/* An event as if the window had it: for the engine (F2, F3, F11), for the user interface, then for the active scene. */
CN_API void cn_engine_send(CnEngine *engine, const CnInputEvent *event);
/* Since the last frame, whoever else hears of it: for keys that open and close menus. In before_frame. */
CN_API bool cn_engine_key_pressed(const CnEngine *engine, uint32_t key);
/* Waits until nothing is drawn; the caller has it until the next frame. */
CN_API CnRenderer *cn_engine_renderer(CnEngine *engine);
CN_API CnGpu *cn_engine_gpu(CnEngine *engine);
/* Of scenes, scripts and the renderer. */
CN_API CnVfs *cn_engine_vfs(const CnEngine *engine);
/* Of the picture, in pixels; 0 while the window is minimised. */
CN_API void cn_engine_size(const CnEngine *engine, uint32_t *width, uint32_t *height);
CN_API bool cn_engine_is_headless(const CnEngine *engine);

/* Loads a scene and makes it the active one. A virtual path ("project://main.json"), or a file of the operating
 * system: if nothing is mounted as project:// yet, its folder is, and else it lies below that folder. */
CN_API CnScene *cn_engine_load(CnEngine *engine, const char *path, CnError *error);
/* Ends a scene when nobody draws it. */
CN_API void cn_engine_destroy_scene(CnEngine *engine, CnScene *scene);

/* ---- Over the picture: in before_frame, and on the owner's thread until the packet is made ---- */

/* Empty at the beginning of a frame. After the features of a preset there is the one that draws it. */
CN_API CnCanvas *cn_engine_canvas(CnEngine *engine);
/* Begun, with the events since the last frame; ended by the engine. What it wants of mouse and keyboard, the scene
 * does not see. */
CN_API CnUi *cn_engine_ui(CnEngine *engine);
CN_API CnFonts *cn_engine_fonts(CnEngine *engine);
/* F3 goes through the pages. */
CN_API void cn_engine_show_overlay(CnEngine *engine, CnOverlayPage page);
/* What it shows, to add lines to (CnOverlayData.more). */
CN_API CnOverlayData *cn_engine_overlay(CnEngine *engine);

/* ---- Window ---- */

CN_API void cn_engine_set_title(CnEngine *engine, const char *title);
CN_API void cn_engine_set_fullscreen(CnEngine *engine, bool fullscreen);
CN_API void cn_engine_set_vsync(CnEngine *engine, CnVsync vsync);
/* From the next frame on; without a window at once. */
CN_API void cn_engine_set_size(CnEngine *engine, uint32_t width, uint32_t height);
/* A PNG of the next frame, as F2 does. */
CN_API bool cn_engine_screenshot(CnEngine *engine, const char *path, CnError *error);

CN_EXTERN_C_END

#endif
