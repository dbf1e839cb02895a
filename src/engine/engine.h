/* What the files of engine share. */
#ifndef CAIRN_SRC_ENGINE_ENGINE_H
#define CAIRN_SRC_ENGINE_ENGINE_H

#include <cairn/engine.h>
#include <cairn/physics.h>
#include <cairn/script.h>

#include <limits.h>
#include <pthread.h>

#define CNI_ENGINE_WIDTH 1280u
#define CNI_ENGINE_HEIGHT 720u
#define CNI_ENGINE_FPS 60u
#define CNI_ENGINE_MAX_SIZE 16384u

typedef struct CniWindow CniWindow;
typedef struct CniVideo CniVideo;

typedef struct CniHook {
    union {
        CnEngineHook engine;
        CnRenderHook render;
    } call;
    void *user;
} CniHook;

typedef struct CniHooks {
    CniHook items[CN_ENGINE_MAX_HOOKS];
    uint32_t count;
} CniHooks;

/* One frame as the thread that draws gets it. It owns this, the renderer and the pair until it is done. */
typedef struct CniPacket {
    CnPicture picture;
    CniHooks before_render;
    uint64_t number;  /* of the frame */
    CnOutbox *outbox; /* whose pair is held; NULL: none */
    bool failed;
    CnError error;
} CniPacket;

typedef enum CniDrawState {
    CNI_DRAW_REST,
    CNI_DRAW_BUSY, /* the packet is with the render thread */
    CNI_DRAW_QUIT
} CniDrawState;

typedef struct CniRenderThread {
    bool is_there;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    CniDrawState state; /* under the lock */
} CniRenderThread;

typedef struct CniCapture {
    CniVideo *video;
    bool is_sequence;
    char out[PATH_MAX]; /* with a place for the number, if it is one */
    uint64_t written;
    char screenshot[PATH_MAX]; /* of the next frame; "": none */
    uint32_t screenshots;
    uint64_t progress_ns;
    bool has_progress;
} CniCapture;

typedef struct CniCheckMark {
    CnHeapStats heap;
    uint64_t gpu_bytes;
} CniCheckMark;

typedef struct CniCheck {
    CnHeap *heap; /* NULL: nothing is checked */
    CnAllocator *before;
    CniCheckMark middle;
} CniCheck;

struct CnEngine {
    CnAllocator *allocator;
    CnEngineDesc desc; /* filled in; its texts lie in `texts` */
    CnArena texts;

    CnJobPool *jobs;
    CnVfs *vfs;
    char project[PATH_MAX]; /* real path of project://; "": none yet */
    CnPhysicsDesc physics;
    CnScriptDesc scripts;
    CnScenes *scenes;

    CniWindow *window;      /* NULL: headless */
    uint32_t width, height; /* without a window */
    CnGpu *gpu;
    CnRenderer *renderer;

    CnScene *shown; /* whose assets and materials the renderer knows */
    uint32_t shown_assets;
    bool told_no_camera;
    CnScene *told; /* knows the size of the picture and the gamepads */
    uint32_t told_width, told_height;
    CnQuery *flying, *walking; /* controllers of it */
    uint32_t pads;             /* bits of those that are connected */

    CnFonts *fonts;
    CnCanvas *canvases[2]; /* one is made while the other is drawn */
    uint32_t canvas;       /* the one that is made */
    CnUi *ui;
    CnUiInput ui_input;
    uint64_t keys_pressed[(CN_KEY_COUNT + 63) / 64]; /* bits, since the last frame */
    bool is_canvas_open;
    CnOverlayData overlay;
    uint64_t overlay_ns; /* when the last frame was made */
    float tick_ms;
    char shader_error[1024]; /* shown until the shader compiles; "": none */

    CniHooks before_frame, before_render, after_frame;
    CniPacket packet;
    CniRenderThread render_thread;
    bool is_drawn; /* the packet has a frame whose after_frame has not run */
    CniCapture capture;
    CniCheck check;

    uint64_t frame;   /* begun so far */
    uint64_t last_ns; /* when the last one began */
    bool is_fixed;    /* frames last 1 / fps seconds */
    bool in_frame;
    bool is_over;
    int status;
    CnError error;
};

/* Keeps the first error; frames are over. False. */
bool cni_engine_fail(CnEngine *engine, const CnError *error);

/* ---- scene_shown.c ---- */

/* A folder becomes project://; once. */
bool cni_engine_mount(CnEngine *engine, const char *folder, CnError *error);
/* Makes "Main" when no scene is active. */
bool cni_engine_need_scene(CnEngine *engine, CnError *error);
/* Holds what is to be drawn: of the active scene, or as long as that has run no tick of the one before. The
 * renderer knows the scene then. */
void cni_take_snapshots(CnEngine *engine, CniPacket *packet);

/* ---- render_thread.c ---- */

bool cni_render_thread_start(CnEngine *engine, CnError *error);
void cni_render_thread_end(CnEngine *engine);
/* The packet is drawn, here or on the render thread. */
void cni_draw_packet(CnEngine *engine);
/* Waits until the renderer rests. */
void cni_draw_wait(CnEngine *engine);

/* ---- over.c: what lies over the picture ---- */

bool cni_over_create(CnEngine *engine, CnError *error);
void cni_over_destroy(CnEngine *engine);
/* Around the part of a frame in which the program draws on the canvas. */
void cni_over_begin(CnEngine *engine, double seconds);
const CnCanvas *cni_over_end(CnEngine *engine);
/* The renderer rests: what it did is copied for the overlay. */
void cni_over_measure(CnEngine *engine);

/* ---- events.c ---- */

/* What a scene has to know that was not there when it happened: the size of the picture, gamepads. */
void cni_tell_scene(CnEngine *engine);
/* Before the scene that is told ends. */
void cni_tell_no_scene(CnEngine *engine);
/* A controller of that scene has captured the mouse. */
bool cni_wants_pointer(const CnEngine *engine);

/* ---- capture.c ---- */

bool cni_capture_begin(CnEngine *engine, CnError *error);
/* Makes a folder that is itself an output, as a file would be made. Its parents have to exist, unless the
 * description asks for them. */
bool cni_make_output_folder(const CnEngine *engine, const char *path, CnError *error);
/* Whether the frame that is made now has to be read back. */
bool cni_capture_wants(const CnEngine *engine, bool is_last);
/* A frame that was read back is there. */
bool cni_capture_frame(CnEngine *engine, CnError *error);
void cni_capture_progress(CnEngine *engine);
/* After the last frame: ends the video, writes the graph. */
bool cni_capture_end(CnEngine *engine, CnError *error);

/* ---- check.c ---- */

/* Everything that is made from here on comes from a heap that counts. */
bool cni_check_begin(CnEngine *engine, CnError *error);
void cni_check_end(CnEngine *engine);
/* At the top of a frame. */
void cni_check_frame(CnEngine *engine);
/* After the last frame. */
bool cni_check_result(CnEngine *engine, CnError *error);

/* ---- video.c: ffmpeg at the end of a socket ---- */

typedef struct CniVideoDesc {
    CnAllocator *allocator;
    const char *path, *program;
    uint32_t width, height, fps;
} CniVideoDesc;

CniVideo *cni_video_open(const CniVideoDesc *desc, CnError *error);
bool cni_video_write(CniVideo *video, const CnImage *image, CnError *error);
/* Waits for ffmpeg; frees in any case. */
bool cni_video_close(CniVideo *video, CnError *error);

/* ---- window.c, window_events.c: SDL ---- */

CniWindow *cni_window_create(CnEngine *engine, CnError *error);
void cni_window_destroy(CniWindow *window);
const CnGpuWindow *cni_window_gpu(const CniWindow *window);
/* Events become input of the active scene. */
void cni_window_poll(CniWindow *window);
/* The pointer is locked while a controller of the active scene has captured it. */
void cni_window_follow_controllers(CniWindow *window);
void cni_window_set_title(CniWindow *window, const char *title);
void cni_window_set_fullscreen(CniWindow *window, bool fullscreen);
bool cni_window_is_fullscreen(const CniWindow *window);
void cni_window_set_size(CniWindow *window, uint32_t width, uint32_t height);
/* In pixels; 0 while it is minimised. Any thread. */
void cni_window_size(const CniWindow *window, uint32_t *width, uint32_t *height);
/* Pixels for each point. */
float cni_window_scale(const CniWindow *window);
/* Where text is written, for the list of an input method. In points. */
void cni_window_put_text_at(CniWindow *window, CnRect place);
CnUiClipboard cni_window_clipboard(CniWindow *window);

#endif
