/*
 * An SDL window. It receives its events through an event watch instead of SDL's queue: the queue is
 * shared by the process, and the first window to poll it would take the events of the others.
 */
#include "engine/window.h"

#include <SDL2/SDL_vulkan.h>

#define SUBSYSTEMS (SDL_INIT_VIDEO | SDL_INIT_EVENTS | SDL_INIT_GAMECONTROLLER)

/* ---- Surface ---- */

static uint64_t create_surface(void *instance, void *user)
{
    const CniEngineWindow *window = user;
    VkSurfaceKHR surface = 0;
    return SDL_Vulkan_CreateSurface(window->sdl, instance, &surface) ? (uint64_t)(uintptr_t)surface
                                                                     : 0;
}

static void get_size(uint32_t *width, uint32_t *height, void *user)
{
    cni_engine_window_size(user, width, height);
}

/* ---- Creation ---- */

static void look_at_size(CniEngineWindow *window)
{
    int width = 0, height = 0, points = 0;
    if (SDL_GetWindowFlags(window->sdl) & SDL_WINDOW_VULKAN)
        SDL_Vulkan_GetDrawableSize(window->sdl, &width, &height);
    else
        SDL_GetWindowSizeInPixels(window->sdl, &width, &height);
    SDL_GetWindowSize(window->sdl, &points, NULL);
    window->scale = points > 0 && width > 0 ? (float)width / (float)points : 1;
    if (window->is_minimised)
        width = height = 0;
    atomic_store(&window->size, (uint64_t)(uint32_t)width << 32 | (uint32_t)height);
}

static bool refuse(const CnEngineDesc *desc, CnError *error)
{
    return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                        "cannot create a window for %s: %s (without a display, use --headless)",
                        desc->title, SDL_GetError());
}

/* The null backend draws nothing and needs no Vulkan. */
static bool is_null(const CnEngineDesc *desc)
{
    return desc->backend == CN_GPU_NULL;
}

static bool open_window(CniEngineWindow *window, const CnEngineDesc *desc, CnError *error)
{
    uint32_t flags = SDL_WINDOW_ALLOW_HIGHDPI | (is_null(desc) ? 0 : SDL_WINDOW_VULKAN) |
                     (desc->fixed_size || desc->video_path ? 0 : SDL_WINDOW_RESIZABLE) |
                     (desc->fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    window->sdl = SDL_CreateWindow(desc->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                   (int)desc->width, (int)desc->height, flags);
    unsigned count = CNI_ENGINE_WINDOW_EXTENSIONS;
    if (!window->sdl || (!is_null(desc) && !SDL_Vulkan_GetInstanceExtensions(window->sdl, &count,
                                                                             window->extensions)))
        return refuse(desc, error);
    window->id = SDL_GetWindowID(window->sdl);
    window->gpu = (CnGpuWindow){.extensions = window->extensions,
                                .extension_count = is_null(desc) ? 0 : count,
                                .create_surface = create_surface,
                                .size = get_size,
                                .user = window};
    SDL_AddEventWatch(cni_engine_window_event, window);
    SDL_StartTextInput(); /* scenes and widgets may need text at any time */
    look_at_size(window);
    return true;
}

CniEngineWindow *cni_engine_window_create(CnEngine *engine, CnError *error)
{
    /* Sanitizers and debuggers handle signals themselves, and Ctrl-C ends the program. */
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0"); /* touches are events of their own */
    if (SDL_InitSubSystem(SUBSYSTEMS) != 0) {
        refuse(&engine->desc, error);
        return NULL;
    }
    CniEngineWindow *window = cn_alloc_zeroed(engine->allocator, sizeof *window);
    if (!window) {
        SDL_QuitSubSystem(SUBSYSTEMS);
        cn_error_memory(error, "engine");
        return NULL;
    }
    window->engine = engine;
    if (open_window(window, &engine->desc, error))
        return window;
    cni_engine_window_destroy(window);
    return NULL;
}

void cni_engine_window_destroy(CniEngineWindow *window)
{
    if (!window)
        return;
    SDL_DelEventWatch(cni_engine_window_event, window);
    cni_engine_window_close_pads(window);
    SDL_free(window->clipboard);
    if (window->is_pointer_locked)
        SDL_SetRelativeMouseMode(SDL_FALSE);
    if (window->sdl)
        SDL_DestroyWindow(window->sdl);
    SDL_QuitSubSystem(SUBSYSTEMS);
    cn_free(window->engine->allocator, window, sizeof *window);
}

const CnGpuWindow *cni_engine_window_gpu(const CniEngineWindow *window)
{
    return &window->gpu;
}

/* ---- Size ---- */

void cni_engine_window_size(const CniEngineWindow *window, uint32_t *width, uint32_t *height)
{
    uint64_t size = atomic_load(&window->size);
    *width = (uint32_t)(size >> 32);
    *height = (uint32_t)size;
}

float cni_engine_window_scale(const CniEngineWindow *window)
{
    return window->scale;
}

void cni_engine_window_set_size(CniEngineWindow *window, uint32_t width, uint32_t height)
{
    int x, y, before_width, before_height;
    SDL_GetWindowPosition(window->sdl, &x, &y);
    SDL_GetWindowSize(window->sdl, &before_width, &before_height);
    SDL_SetWindowSize(window->sdl, (int)width, (int)height);
    SDL_SetWindowPosition(window->sdl, x + (before_width - (int)width) / 2,
                          y + (before_height - (int)height) / 2);
}

/* ---- Appearance ---- */

void cni_engine_window_set_title(CniEngineWindow *window, const char *title)
{
    SDL_SetWindowTitle(window->sdl, title);
}

void cni_engine_window_set_fullscreen(CniEngineWindow *window, bool fullscreen)
{
    SDL_SetWindowFullscreen(window->sdl, fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    look_at_size(window);
}

bool cni_engine_window_is_fullscreen(const CniEngineWindow *window)
{
    return SDL_GetWindowFlags(window->sdl) & SDL_WINDOW_FULLSCREEN_DESKTOP;
}

/* ---- Pointer and text ---- */

void cni_engine_window_follow_controllers(CniEngineWindow *window)
{
    bool has_focus = SDL_GetWindowFlags(window->sdl) & SDL_WINDOW_INPUT_FOCUS;
    bool locked = has_focus && cni_engine_wants_pointer(window->engine);
    if (locked == window->is_pointer_locked)
        return;
    window->is_pointer_locked = locked;
    SDL_SetRelativeMouseMode(locked ? SDL_TRUE : SDL_FALSE);
    window->engine->ui_input.no_mouse = locked;
}

/* SDL has one text input area for all windows, in points of the window. */
void cni_engine_window_put_text_at(CniEngineWindow *window, CnRect area, float scale)
{
    float points = scale / window->scale;
    SDL_SetTextInputRect(&(SDL_Rect){(int)(area.x * points), (int)(area.y * points),
                                     (int)(area.width * points), (int)(area.height * points)});
}

static const char *get_clipboard(void *user)
{
    CniEngineWindow *window = user;
    SDL_free(window->clipboard);
    window->clipboard = SDL_GetClipboardText();
    return window->clipboard;
}

static void set_clipboard(void *user, const char *text)
{
    (void)user;
    SDL_SetClipboardText(text);
}

CnUiClipboard cni_engine_window_clipboard(CniEngineWindow *window)
{
    return (CnUiClipboard){.get = get_clipboard, .set = set_clipboard, .user = window};
}

/* ---- Events ---- */

void cni_engine_window_poll(CniEngineWindow *window)
{
    if (!window->knows_pads) /* SDL reported them before the window was created */
        cni_engine_window_find_pads(window);
    window->knows_pads = true;
    SDL_PumpEvents(); /* calls cni_engine_window_event */
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    look_at_size(window);
}
