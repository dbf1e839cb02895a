/* Declarations shared by the files of engine. */
#ifndef CAIRN_SRC_ENGINE_ENGINE_INTERNAL_H
#define CAIRN_SRC_ENGINE_ENGINE_INTERNAL_H

#include "engine/hot_reload.h"
#include "engine/script_ui.h"

#include <cairn/engine.h>
#include <cairn/physics.h>
#include <cairn/script.h>

#include <limits.h>
#include <pthread.h>

#define CNI_ENGINE_WIDTH 1280u
#define CNI_ENGINE_HEIGHT 720u
#define CNI_ENGINE_FPS 60u
#define CNI_ENGINE_MAX_SIZE 16384u

typedef struct CniEngineWindow CniEngineWindow;
typedef struct CniEngineVideo CniEngineVideo;

typedef struct CniEngineHook {
    union {
        CnEngineHook engine;
        CnRenderHook render;
    } call;
    void *user;
} CniEngineHook;

typedef struct CniEngineHooks {
    CniEngineHook items[CN_ENGINE_MAX_HOOKS];
    uint32_t count;
} CniEngineHooks;

/* One frame as it is handed to the rendering thread, which owns the packet, the renderer and the
 * snapshot pair until it has drawn them. */
typedef struct CniEngineFramePacket {
    CnFrameDesc frame_desc;
    CniEngineHooks before_render;
    uint64_t number;  /* of the frame */
    CnOutbox *outbox; /* that provided the snapshot pair; NULL: none */
    bool failed;
    CnError error;
} CniEngineFramePacket;

typedef enum CniEngineDrawState {
    CNI_ENGINE_DRAW_IDLE,
    CNI_ENGINE_DRAW_BUSY, /* the render thread has the packet */
    CNI_ENGINE_DRAW_QUIT
} CniEngineDrawState;

typedef struct CniEngineRenderThread {
    bool is_there;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    CniEngineDrawState state; /* protected by the lock */
} CniEngineRenderThread;

typedef struct CniEngineCapture {
    CniEngineVideo *video;
    bool is_sequence;
    char out[PATH_MAX]; /* with a pattern for the number, if it is a sequence */
    uint64_t written;
    char screenshot[PATH_MAX]; /* path for the next frame; "": none */
    uint32_t screenshots;
    uint64_t progress_ns;
    bool has_progress;
} CniEngineCapture;

typedef struct CniEngineSound {
    CnAudio *audio;
    CnTickAudio *ticks;
    const CnScene *heard_scene; /* whose commands were applied last; only compared */
    CnWavWriter *wav;           /* NULL: not captured */
    float *stereo;
    uint64_t written; /* frames of the engine */
} CniEngineSound;

typedef struct CniEngineCheckpoint {
    CnHeapStats heap;
    uint64_t gpu_bytes;
} CniEngineCheckpoint;

typedef struct CniEngineCheck {
    CnHeap *heap; /* NULL: checks are off */
    CnAllocator *before;
    CniEngineCheckpoint midpoint;
} CniEngineCheck;

struct CnEngine {
    CnAllocator *allocator;
    CnEngineDesc desc; /* with defaults filled in; its strings are in `texts` */
    CnArena texts;

    CnJobPool *jobs;
    CnVfs *vfs;
    char project[PATH_MAX]; /* real path of project://; "": not mounted yet */
    CnPhysicsDesc physics;
    CnScriptDesc scripts;
    const char *trusted[CN_ENGINE_MAX_TRUSTED + 4]; /* with those of the project; ends with NULL */
    CnScenes *scenes;
    CnHotReload *hot_reload; /* NULL: off */

    CniEngineWindow *window; /* NULL: headless */
    uint32_t width, height;  /* without a window */
    CnCache *cache;          /* may be NULL */
    CnGpu *gpu;
    CnRenderer *renderer;

    CnScene *rendered_scene; /* scene whose assets and materials are set in the renderer */
    uint32_t sent_asset_count;
    bool warned_no_camera;
    CnScene *notified_scene; /* scene that has received the image size and gamepads */
    uint32_t notified_width, notified_height;
    CnQuery *flying, *walking; /* controllers of the notified scene */
    uint32_t pads;             /* bits of the connected gamepads */
    CnLens lens;               /* instead of that of cameras; without fov: none */
    CnRenderCamera camera;     /* instead of that of scenes; not valid: none */
    uint32_t player;           /* whose controllers capture the mouse; 0: all */
    CnInputDevices devices;    /* since the last frame */

    CnFonts *fonts;
    CnCanvas *canvases[2]; /* one is built while the other is drawn */
    uint32_t canvas;       /* index of the canvas being built */
    CnUi *ui;
    CnUiInput ui_input;
    uint64_t keys_pressed[(CN_KEY_COUNT + 63) / 64]; /* bits, since the last frame */
    uint64_t buttons_pressed;                        /* of gamepads; bits, since the last frame */
    bool is_close_requested;                         /* since the last frame */
    bool is_canvas_open;
    float ui_factor; /* 0: the interface follows the pixel density only */
    CnOverlayData overlay;
    uint64_t overlay_ns; /* time of the last frame */
    float tick_ms;
    CnErrorOverlay errors;

    CnScriptGame *script_game;
    CniEngineScriptUi script_ui;

    CniEngineHooks before_frame, after_ticks, before_render, after_frame;
    CniEngineFramePacket packet;
    CniEngineRenderThread render_thread;
    bool is_drawn; /* the packet has a frame for which after_frame has not run */
    CniEngineCapture capture;
    CniEngineSound sound;
    CniEngineCheck check;

    uint64_t frame;   /* number of frames begun */
    uint64_t last_ns; /* time at which the last frame began */
    bool is_fixed;    /* each frame advances by 1 / fps seconds */
    bool in_frame;
    bool is_over;
    int status;
    CnError error;
};

/* Stores the first error and ends the frame loop. Returns false. */
bool cni_engine_fail(CnEngine *engine, const CnError *error);

/* ---- active_scene.c ---- */

/* Mounts a folder as project://, once. */
bool cni_engine_mount(CnEngine *engine, const char *folder, CnOrigin origin, CnError *error);
/* Creates "Main" if no scene is active. */
bool cni_engine_need_scene(CnEngine *engine, CnError *error);
/* Acquires the snapshots to draw: of the active scene or, until it has run its first tick, of the
 * previous one. Sets the assets of that scene in the renderer. */
void cni_engine_acquire_snapshots(CnEngine *engine, CniEngineFramePacket *packet);

/* ---- render_thread.c ---- */

bool cni_engine_render_thread_start(CnEngine *engine, CnError *error);
void cni_engine_render_thread_end(CnEngine *engine);
/* Draws the packet, on this thread or on the render thread. */
void cni_engine_draw_packet(CnEngine *engine);
/* Waits until the renderer is idle. */
void cni_engine_draw_wait(CnEngine *engine);

/* ---- errors.c: hot reload, and the errors that stand ---- */

/* Decides whether hot reload is on. */
void cni_engine_choose_hot_reload(CnEngine *engine);
bool cni_engine_hot_reload_begin(CnEngine *engine, CnError *error);
/* Called at the start of a frame, between ticks: reloads files that have changed. */
void cni_engine_hot_reload_frame(CnEngine *engine);
/* Called while the renderer is idle: collects the errors that stand. */
void cni_engine_errors_collect(CnEngine *engine);
/* Hides the errors, or shows them again; returns false if there are none. */
bool cni_engine_errors_toggle(CnEngine *engine);

/* ---- overlay.c: canvas, user interface and overlay ---- */

bool cni_engine_overlay_create(CnEngine *engine, CnError *error);
void cni_engine_overlay_destroy(CnEngine *engine);
/* Called before and after the part of a frame in which the program draws on the canvas. */
void cni_engine_overlay_begin(CnEngine *engine, double seconds);
const CnCanvas *cni_engine_overlay_end(CnEngine *engine);
/* Copies the renderer's statistics for the overlay while the renderer is idle. */
void cni_engine_overlay_measure(CnEngine *engine);

/* ---- event_routing.c ---- */

/* Sends the current image size and gamepads to a scene that became active after they changed. */
void cni_engine_notify_scene(CnEngine *engine);
/* Called before the notified scene is destroyed. */
void cni_engine_clear_notified_scene(CnEngine *engine);
/* Returns whether a controller of that scene has captured the mouse. */
bool cni_engine_wants_pointer(const CnEngine *engine);

/* ---- script_game.c ---- */

bool cni_engine_script_game_begin(CnEngine *engine, CnError *error);
/* Carries out what scripts have requested, between ticks: before the ticks of a frame and after
 * them. */
void cni_engine_script_game_update(CnEngine *engine);

/* ---- capture.c ---- */

bool cni_engine_capture_begin(CnEngine *engine, CnError *error);
/* Returns whether the current frame has to be read back. */
bool cni_engine_capture_needs_frame(const CnEngine *engine, bool is_last);
/* Handles a frame that was read back. */
bool cni_engine_capture_frame(CnEngine *engine, CnError *error);
void cni_engine_capture_progress(CnEngine *engine);
/* Checks whether a file can be written, and creates its folder if the description asks for it. */
bool cni_engine_prepare_folder(const CnEngine *engine, const char *path, CnError *error);
/* Called after the last frame: finishes the video and writes the graph. */
bool cni_engine_capture_end(CnEngine *engine, CnError *error);

/* ---- sound.c ---- */

bool cni_engine_sound_begin(CnEngine *engine, CnError *error);
void cni_engine_sound_end(CnEngine *engine);
/* Called after the ticks of a frame. */
void cni_engine_sound_frame(CnEngine *engine, double seconds);
/* Called after the last frame: completes the captured file. */
bool cni_engine_sound_finish(CnEngine *engine, CnError *error);

/* ---- steady_check.c ---- */

/* Replaces the allocator by a counting heap for everything created afterwards. */
bool cni_engine_check_begin(CnEngine *engine, CnError *error);
void cni_engine_check_end(CnEngine *engine);
/* Called at the start of a frame. */
void cni_engine_check_frame(CnEngine *engine);
/* Called after the last frame. */
bool cni_engine_check_result(CnEngine *engine, CnError *error);

/* ---- video.c: writes frames to ffmpeg through a socket ---- */

typedef struct CniEngineVideoDesc {
    CnAllocator *allocator;
    const char *path, *program;
    uint32_t width, height, fps;
} CniEngineVideoDesc;

CniEngineVideo *cni_engine_video_open(const CniEngineVideoDesc *desc, CnError *error);
bool cni_engine_video_write(CniEngineVideo *video, const CnImage *image, CnError *error);
/* Waits for ffmpeg; always frees the video. */
bool cni_engine_video_close(CniEngineVideo *video, CnError *error);

/* ---- window.c, window_events.c: SDL ---- */

CniEngineWindow *cni_engine_window_create(CnEngine *engine, CnError *error);
void cni_engine_window_destroy(CniEngineWindow *window);
const CnGpuWindow *cni_engine_window_gpu(const CniEngineWindow *window);
/* Converts window events into input of the active scene. */
void cni_engine_window_poll(CniEngineWindow *window);
/* Locks the pointer while a controller of the active scene has captured it. */
void cni_engine_window_follow_controllers(CniEngineWindow *window);
void cni_engine_window_set_title(CniEngineWindow *window, const char *title);
void cni_engine_window_set_fullscreen(CniEngineWindow *window, bool fullscreen);
bool cni_engine_window_is_fullscreen(const CniEngineWindow *window);
void cni_engine_window_set_size(CniEngineWindow *window, uint32_t width, uint32_t height);
/* Returns the size in pixels; 0 while the window is minimized. Any thread may call it. */
void cni_engine_window_size(const CniEngineWindow *window, uint32_t *width, uint32_t *height);
/* Returns the number of pixels per point. */
CnGamepadKind cni_engine_window_gamepad_kind(const CniEngineWindow *window, uint32_t gamepad);
float cni_engine_window_scale(const CniEngineWindow *window);
/* Sets the position of text input, in points, for the candidate list of an input method. */
void cni_engine_window_put_text_at(CniEngineWindow *window, CnRect area, float scale);
CnUiClipboard cni_engine_window_clipboard(CniEngineWindow *window);

#endif
