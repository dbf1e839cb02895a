/* The window of an engine. Only window.c and window_events.c use SDL. */
#ifndef CAIRN_SRC_ENGINE_WINDOW_H
#define CAIRN_SRC_ENGINE_WINDOW_H

#include "engine/engine_internal.h"

#include <SDL2/SDL.h>
#include <stdatomic.h>

#define CNI_ENGINE_WINDOW_EXTENSIONS 16u

typedef struct CniEnginePad {
    SDL_GameController *controller; /* NULL: this slot is free */
    SDL_JoystickID instance;
} CniEnginePad;

struct CniEngineWindow {
    CnEngine *engine;
    SDL_Window *sdl;
    uint32_t id;
    const char *extensions[CNI_ENGINE_WINDOW_EXTENSIONS];
    CnGpuWindow gpu;
    /* In pixels, for every thread: width << 32 | height; 0 while the window is minimized. */
    _Atomic uint64_t size;
    float scale;
    bool is_minimised;
    bool is_pointer_locked;
    char *clipboard; /* last text read from SDL, owned by SDL */
    bool knows_pads;
    CniEnginePad pads[CN_GAMEPAD_COUNT];
};

/* Event watch: SDL calls it for every event on the polling thread. */
int cni_engine_window_event(void *window, SDL_Event *event);
/* Opens gamepads that are already connected. */
void cni_engine_window_find_pads(CniEngineWindow *window);
void cni_engine_window_close_pads(CniEngineWindow *window);

#endif
