/*
 * The engine runs scenes and renders the active one, into a window or into files.
 *
 *     static bool start(CnEngine *engine, void *user, CnError *error)
 *     {
 *         CnWorld *world = cn_engine_world(engine);
 *         CnEntity ball = cn_object(world, "Ball");
 *         cn_set(world, ball, CnMeshRenderer, {.mesh = "shapes://sphere", .visible = true});
 *         return true;
 *     }
 *
 *     int main(int count, char **arguments)
 *     {
 *         CnEngineDesc desc = {.title = "Hello", .preset = cn_preset_forward};
 *         return cn_engine_main(&desc, count, arguments, start, NULL); // options.h
 *     }
 *
 * cn_engine_main wraps these calls, which a program can also make itself:
 *
 *     CnEngineDesc desc = {.title = "Hello", .preset = cn_preset_forward};
 *     CnEngine *engine = cn_engine_create(&desc, &error);
 *     while (cn_engine_frame(engine)) { // or cn_engine_run(engine)
 *     }
 *     cn_engine_destroy(engine);
 *
 * A frame has these steps: window events become input; the before_frame hooks run; the active scene
 * advances by the elapsed time (its ticks, then its frame stages); the after_ticks hooks run; the
 * engine looks up the camera; features update and add their passes; the before_render hooks run;
 * the engine submits the frame; the after_frame hooks run.
 *
 * Threads: one thread owns an engine; with a window, it is the main thread. By default, a render
 * thread draws while the owner runs the ticks of the next frame, so the display is at most one
 * frame behind. The images are the same with and without the render thread, because the snapshots,
 * time and canvas of a frame are handed over as one packet. The render thread owns the renderer,
 * except between a call of cn_engine_renderer and the next frame. An error on the render thread
 * ends the owner's frame loop.
 *
 * Every scene has physics and scripts. The engine registers the asset names and materials of the
 * active scene with the renderer, also after a scene switch.
 *
 * The sounds of the active scene (CnAudioSource and the audio commands of its ticks) are heard from
 * its camera; programs play others with cn_engine_audio. The engine updates the audio system after
 * the after_ticks hooks.
 *
 * Captures use a fixed time step: each frame advances by exactly 1/fps seconds, however long it
 * takes to render, so a program produces the same images in every run.
 *
 * If the device is lost, the frame loop ends with an error that says so, and the scenes stay
 * intact: save, destroy the engine and create another. The engine does not recreate the device,
 * because meshes, materials and features created by the program would be lost.
 *
 * With CnEngineDesc.hot_reload, files that have changed are reloaded at the start of a frame,
 * before its ticks. Errors in them, and of scripts that fail, are shown over the image until they
 * are mended; F4 hides those that are shown.
 *
 * Engines share no state. Several can run at the same time, each on its own thread, or in turn on
 * one thread. Engines with windows run on the main thread.
 */
#ifndef CAIRN_ENGINE_ENGINE_H
#define CAIRN_ENGINE_ENGINE_H

#include <cairn/audio.h>
#include <cairn/engine/hot_reload.h>
#include <cairn/render.h>
#include <cairn/scene.h>
#include <cairn/ui.h>
#include <cairn/vfs.h>

CN_EXTERN_C_BEGIN

typedef struct CnEngine CnEngine;
typedef struct CnOption CnOption;

#define CN_ENGINE_MAX_HOOKS 32u  /* per kind of hook */
#define CN_ENGINE_MAX_TRUSTED 8u /* folders of scripts */

/* By the labels of the four buttons at the right. */
typedef enum CnGamepadKind {
    CN_GAMEPAD_KIND_OTHER,
    CN_GAMEPAD_KIND_XBOX,        /* A at the bottom */
    CN_GAMEPAD_KIND_PLAYSTATION, /* cross at the bottom */
    CN_GAMEPAD_KIND_NINTENDO     /* B at the bottom */
} CnGamepadKind;

/* Zero selects the default of each field. Strings and plugins are copied; the preset reads its
 * options during cn_engine_create. */
typedef struct CnEngineDesc {
    CnAllocator *allocator; /* must be thread-safe */
    const char *title;      /* window title; NULL selects "Cairn" */

    /* Display. */
    uint32_t width, height; /* 0 selects 1280 x 720; of a window in points, not pixels */
    bool headless;          /* no window; SDL's video subsystem is not initialized */
    bool fullscreen;
    bool fixed_size;        /* the window cannot be resized; implied while a video is recorded */
    CnPreset preset;        /* NULL: no features, the program adds its own */
    void *preset_user;      /* passed to the preset */
    CnRenderOptions render; /* passed to the preset */
    CnGpuBackend backend;
    const char *gpu; /* selects a GPU like the environment variable CAIRN_GPU */
    bool validation; /* enables the Vulkan validation layers */
    CnVsync vsync;
    CnSwitch render_thread; /* on by default with a window, unless frames are captured */

    /* Sound: silent without a window and in captures without audio_path. */
    bool no_audio;
    const char *audio_device; /* NULL: the default device of the system */

    /* Simulation. */
    uint32_t tick_hz; /* ticks per second; 0 selects 60 */
    uint32_t max_catch_up_ticks;
    uint64_t seed;
    uint32_t threads; /* for ticks; 0 selects one per core */
    /* Events of the window reach cn_engine_devices and the user interface, but not the scenes: for
     * programs that send the actions of their player themselves (player_actions.h). */
    bool own_input;
    /* Closing the window does not end the frame loop: cn_engine_close_requested tells it, and the
     * program calls cn_engine_quit when it has saved. */
    bool own_close;
    /* F2, F3, F4 and F11 have no meaning for the engine: the program has bindings of its own for
     * cn_engine_screenshot_numbered, cn_engine_show_overlay, cn_engine_show_errors and
     * cn_engine_set_fullscreen. */
    bool own_keys;
    const CnPlugin *plugins; /* added to every scene after physics and scripts */
    uint32_t plugin_count;
    bool (*prepare)(CnSim *sim, void *user, CnError *error); /* see CnScenesDesc */
    void *user;

    /* Files. */
    /* The program's own project, for cn_vfs_mount_project as trusted. NULL: the folder of the first
     * scene, as user. */
    const char *project;
    /* Scripts of all folders may use all of Lua, without budgets. */
    bool trust_scripts;
    /* The same for folders: "scripts://", "assets://tools/". They begin with a scheme, end with '/'
     * and must not be of foreign origin. */
    const char *trusted[CN_ENGINE_MAX_TRUSTED];
    /* Limits of the other scripts, for each owner; see CnScriptDesc. 0 selects its defaults. */
    size_t script_memory_bytes;
    uint64_t script_instructions_per_tick, script_instructions_per_call;
    /* Reloads files that change while the program runs (hot_reload.h), and shows errors in them.
     * Default: on with a window, in builds with guards or with the environment variable
     * CAIRN_HOT_RELOAD=on; off in captures. */
    CnSwitch hot_reload;
    /* Saved games of scripts, and what they keep with store.save (cairn/script/game.h). NULL:
     * scripts cannot save. */
    const char *save_folder;
    bool cache; /* keeps pipelines and baked models in the user's folder of cairn/base/cache.h */

    /* Captures. */
    /* stop after this many; 0: no limit, or 1 if only `image_path` names a single image */
    uint64_t frames;
    /* PNG of the last frame; with %d, %04d or a folder ("shots/"), of every frame */
    const char *image_path;
    const char *video_path; /* video of all frames, encoded by ffmpeg */
    const char *audio_path; /* WAV of the sound, mixed into memory instead of for a device */
    uint32_t fps;           /* frame rate of captures and of headless runs; 0 selects 60 */
    const char *graph_path; /* diagram of the last frame's passes, .svg or .dot */
    bool make_folders; /* create missing folders for these files; otherwise they are an error */
    bool overlay;      /* show the F3 overlay from the start */

    /* For tests of programs: report an error at the end if the GPU was used incorrectly, if the
     * second half of the frames allocated from the heap (while sizes did not change), or if memory
     * grew. */
    bool check;
    uint32_t resize_every; /* change the image size after this many frames; 0: never */

    const CnOption *options; /* the program's own options, for cn_engine_read_options */
} CnEngineDesc;

/* Creates an engine. Returns NULL and an error on failure; without a display, the error suggests
 * --headless. */
CN_API CnEngine *cn_engine_create(const CnEngineDesc *desc, CnError *error);
/* Waits for frames in flight, then frees the engine. */
CN_API void cn_engine_destroy(CnEngine *engine);

/* Runs one frame and writes the requested captures. Returns false after the last frame: the window
 * was closed, cn_engine_quit was called, `frames` is reached, or an error occurred
 * (cn_engine_error). */
CN_API bool cn_engine_frame(CnEngine *engine);
/* Runs one frame like cn_engine_frame, with the given time since the last frame, for programs that
 * have their own clock. */
CN_API bool cn_engine_frame_with_delta(CnEngine *engine, double seconds);
/* Runs frames until the end. Returns the exit status of the program: the status given to
 * cn_engine_quit, or 1 after an error, which is logged. */
CN_API int cn_engine_run(CnEngine *engine);
/* Ends the frame loop after the current frame. */
CN_API void cn_engine_quit(CnEngine *engine, int status);
/* Returns whether closing the window, or of the program, was requested since the last frame. Call
 * it in before_frame. */
CN_API bool cn_engine_close_requested(const CnEngine *engine);
/* Returns whether the frame loop has ended. */
CN_API bool cn_engine_is_over(const CnEngine *engine);
/* Returns the error that ended the frame loop; its code is CN_OK if there was none. */
CN_API const CnError *cn_engine_error(const CnEngine *engine);

/* ---- Hooks run in the order in which they were added; false: CN_ENGINE_MAX_HOOKS reached ---- */

typedef void (*CnEngineHook)(CnEngine *engine, void *user);
typedef void (*CnRenderHook)(CnFrame *frame, void *user);

/* Adds a hook that runs at the start of a frame, after input was collected and before the ticks. */
CN_API bool cn_engine_before_frame(CnEngine *engine, CnEngineHook hook, void *user);
/* Adds a hook that runs after the ticks of a frame and before it is drawn, so that the frame can
 * show what the ticks did: the camera (cn_engine_set_camera), block views and models. */
CN_API bool cn_engine_after_ticks(CnEngine *engine, CnEngineHook hook, void *user);
/* Adds a hook that runs on the rendering thread after all features have added their passes, and may
 * add its own passes. It must not use the engine or the world. */
CN_API bool cn_engine_before_render(CnEngine *engine, CnRenderHook hook, void *user);
/* Adds a hook that runs after a frame was submitted, while the renderer is idle. With a render
 * thread, it runs for the previous frame. */
CN_API bool cn_engine_after_frame(CnEngine *engine, CnEngineHook hook, void *user);

/* ---- Access ---- */

/* Returns the scenes. Destroy a scene with cn_engine_destroy_scene, because the renderer may still
 * use it. */
CN_API CnScenes *cn_engine_scenes(const CnEngine *engine);
/* Returns the active scene. If there is none, creates an empty scene "Main"; returns NULL if that
 * fails (see cn_engine_error). */
CN_API CnScene *cn_engine_scene(CnEngine *engine);
/* Return parts of the active scene, under the same rule. */
CN_API CnSim *cn_engine_sim(CnEngine *engine);
CN_API CnWorld *cn_engine_world(CnEngine *engine);
CN_API const CnTime *cn_engine_time(CnEngine *engine);
/* Delivers an event as if it came from the window: to the engine (F2, F3, F4 while errors stand,
 * F11), the user interface and then cn_engine_devices and, without CnEngineDesc.own_input, the
 * active scene. */
CN_API void cn_engine_send(CnEngine *engine, const CnInputEvent *event);
/* Returns the state of keyboard, mouse and gamepads without the events that the user interface
 * consumed; presses and motion cover the time since the last frame. Call it in before_frame, for
 * example to evaluate an action map and send the result to the scene. */
CN_API const CnInputDevices *cn_engine_devices(const CnEngine *engine);
/* Sets the player in front of this window: only controllers of objects with CnPlayerActions of this
 * number capture the mouse. 0, the default: all controllers. */
CN_API void cn_engine_set_player(CnEngine *engine, uint32_t player);
/* Sets the lens with which the active scene is drawn from the next frame on, instead of that of its
 * camera: for a field of view that is a setting of the viewer and not part of the state. Without a
 * field of view, the default, the camera keeps its own. */
CN_API void cn_engine_set_lens(CnEngine *engine, CnLens lens);
/* Sets the camera with which the active scene is drawn, in this frame if called in after_ticks, and
 * in the following ones, instead of that of its snapshots: for movement that is not part of the
 * state, such as a view from behind. A lens (cn_engine_set_lens) replaces its field of view and
 * planes. With `valid` false, the default, the scene's own camera is used. */
CN_API void cn_engine_set_camera(CnEngine *engine, const CnRenderCamera *camera);
/* Returns where this frame lies between the last two ticks of the active scene: from 0 (the one
 * before the last) to 1 (the last). Call it in after_ticks. */
CN_API float cn_engine_alpha(CnEngine *engine);
/* Returns whether a key was pressed since the last frame, even if the user interface consumed the
 * event, for keys that open and close menus. Call it in before_frame. */
CN_API bool cn_engine_key_pressed(const CnEngine *engine, uint32_t key);
/* The same for a button of any gamepad. */
CN_API bool cn_engine_gamepad_pressed(const CnEngine *engine, uint32_t button);
/* Returns what kind of gamepad is connected as this device; CN_GAMEPAD_KIND_OTHER if none is or its
 * kind is not known. For prompts that show the labels of its buttons. */
CN_API CnGamepadKind cn_engine_gamepad_kind(const CnEngine *engine, uint32_t gamepad);
/* Waits until the renderer is idle and returns it. The caller may use it until the next frame. */
CN_API CnRenderer *cn_engine_renderer(CnEngine *engine);
/* Waits until the renderer is idle and returns its GPU, under the rule of cn_engine_renderer. */
CN_API CnGpu *cn_engine_gpu(CnEngine *engine);
/* Returns the audio system, which exists even without a device. Use it on the owner's thread. */
CN_API CnAudio *cn_engine_audio(const CnEngine *engine);
/* Returns the virtual file system of scenes, scripts and the renderer. */
CN_API CnVfs *cn_engine_vfs(const CnEngine *engine);
/* Returns the image size in pixels; 0 while the window is minimized. */
CN_API void cn_engine_size(const CnEngine *engine, uint32_t *width, uint32_t *height);
/* Returns whether the engine runs without a window. */
CN_API bool cn_engine_is_headless(const CnEngine *engine);

/* Loads a scene and makes it active. `path` is a virtual path ("project://main.json") or a path of
 * the operating system: if project:// is not mounted yet, the file's folder is mounted as
 * project://; otherwise the file has to be in or below the mounted folder. Returns NULL and an
 * error on failure. */
CN_API CnScene *cn_engine_load(CnEngine *engine, const char *path, CnError *error);
/* Destroys a scene once the renderer no longer uses it. */
CN_API void cn_engine_destroy_scene(CnEngine *engine, CnScene *scene);

/* ---- Overlay and user interface: use in before_frame, on the owner's thread ---- */

/* Returns the canvas of the frame, which starts empty. The engine adds the UI feature, which draws
 * it, after the features of the preset. */
CN_API CnCanvas *cn_engine_canvas(CnEngine *engine);
/* Returns the user interface, which has begun with the events since the last frame; the engine ends
 * it. The scene does not receive mouse and keyboard events that the interface wants. */
CN_API CnUi *cn_engine_ui(CnEngine *engine);
/* Scales the canvas and the user interface with the image (cn_ui_scale of cairn/ui/ui.h) from the
 * next frame on; `factor` is the user's choice, up to 4, and 1 is neutral. 0, the default: only
 * with the pixel density of the window. */
CN_API void cn_engine_set_ui_scale(CnEngine *engine, float factor);
/* Returns the fonts of the canvas and the user interface. */
CN_API CnFonts *cn_engine_fonts(CnEngine *engine);
/* Shows a page of the overlay; F3 cycles through the pages. */
CN_API void cn_engine_show_overlay(CnEngine *engine, CnOverlayPage page);
/* Returns the overlay's data, so that the program can add lines (CnOverlayData.more). */
CN_API CnOverlayData *cn_engine_overlay(CnEngine *engine);

/* Returns the hot reload, for example to add the libraries of a plugin host; NULL if it is off. Its
 * functions that need an idle renderer are for the engine. */
CN_API CnHotReload *cn_engine_hot_reload(const CnEngine *engine);
/* Stores the errors that stand, as of the last frame that was drawn, and returns how many: those of
 * the hot reload, or without it only those of shaders. */
CN_API uint32_t cn_engine_errors(const CnEngine *engine, CnError *errors, uint32_t capacity);
/* Shows the errors that stand over the image, or hides them until there is another one, as F4
 * does. Initially, they are shown. */
CN_API void cn_engine_show_errors(CnEngine *engine, bool shown);

/* ---- Window ---- */

/* Title and fullscreen mode are ignored without a window. */
CN_API void cn_engine_set_title(CnEngine *engine, const char *title);
CN_API void cn_engine_set_fullscreen(CnEngine *engine, bool fullscreen);
CN_API void cn_engine_set_vsync(CnEngine *engine, CnVsync vsync);
/* Takes effect with the next frame; without a window, immediately. */
CN_API void cn_engine_set_size(CnEngine *engine, uint32_t width, uint32_t height);
/* Writes the next frame as a PNG, as F2 does. */
CN_API bool cn_engine_screenshot(CnEngine *engine, const char *path, CnError *error);
/* The same, with the first free name screenshot-0001.png and so on in the working directory. */
CN_API bool cn_engine_screenshot_numbered(CnEngine *engine, CnError *error);

CN_EXTERN_C_END

#endif
