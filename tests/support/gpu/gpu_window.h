/*
 * An SDL window for tests of gpu with the label `window`. The fixture is one window per test; tests
 * are skipped if there is no display.
 */
#ifndef CAIRN_TESTS_SUPPORT_GPU_GPU_WINDOW_H
#define CAIRN_TESTS_SUPPORT_GPU_GPU_WINDOW_H

#include "gpu_device.h"

#include <SDL2/SDL.h>
#include <SDL2/SDL_vulkan.h>

typedef struct Window {
    SDL_Window *sdl;
    CnGpuWindow gpu_window;
    const char *extensions[16];
    bool is_minimised; /* X does not report it without a window manager */
} Window;

static Window window;

static inline uint64_t create_surface(void *instance, void *user)
{
    VkSurfaceKHR surface = 0;
    Window *w = user;
    return SDL_Vulkan_CreateSurface(w->sdl, instance, &surface) ? (uint64_t)(uintptr_t)surface : 0;
}

static inline void get_size(uint32_t *width, uint32_t *height, void *user)
{
    int w = 0, h = 0;
    SDL_Vulkan_GetDrawableSize(((Window *)user)->sdl, &w, &h);
    *width = ((Window *)user)->is_minimised ? 0 : (uint32_t)w;
    *height = ((Window *)user)->is_minimised ? 0 : (uint32_t)h;
}

static inline int open_window(void **state)
{
    (void)state;
    window = (Window){0};
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        print_message("%s\n", SDL_GetError());
        cannot_run("display");
        return 0;
    }
    window.sdl = SDL_CreateWindow("test", 0, 0, 160, 120, SDL_WINDOW_VULKAN | SDL_WINDOW_RESIZABLE);
    unsigned count = CN_COUNT_OF(window.extensions);
    if (!window.sdl || !SDL_Vulkan_GetInstanceExtensions(window.sdl, &count, window.extensions)) {
        print_message("%s\n", SDL_GetError());
        cannot_run("window for Vulkan");
        return 0;
    }
    window.gpu_window = (CnGpuWindow){.extensions = window.extensions,
                                      .extension_count = count,
                                      .create_surface = create_surface,
                                      .size = get_size,
                                      .user = &window};
    return 0;
}

static inline int close_window(void **state)
{
    (void)state;
    if (window.sdl)
        SDL_DestroyWindow(window.sdl);
    SDL_Quit();
    return 0;
}

/* Draws one frame; returns its description, empty if there was none. */
static inline CnGpuTextureDesc show(CnGpu *gpu, float red)
{
    CnError error = {0};
    SDL_PumpEvents();
    CnGpuCommands *commands = begin_frame(gpu);
    CnGpuTexture texture = cn_gpu_window_texture(gpu);
    CnGpuTextureDesc desc = {0};
    if (texture.id) {
        desc = cn_gpu_texture_desc(gpu, texture);
        texture_barrier(commands, texture, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
        cn_gpu_begin_rendering(commands, &(CnGpuRendering){.width = desc.width,
                                                           .height = desc.height,
                                                           .color = {{.texture = texture,
                                                                      .load = CN_GPU_CLEAR,
                                                                      .clear = {red, 0, 0, 1}}}});
        cn_gpu_end_rendering(commands);
        texture_barrier(commands, texture, CN_GPU_ACCESS_COLOR, CN_GPU_ACCESS_PRESENT);
    }
    if (!cn_gpu_end_frame(gpu, &error))
        fail_msg("%s", error.message);
    return desc;
}

#endif
