/*
 * A renderer for tests of post-processing features, whose images are a small world of exact shapes
 * or flat patterns (shaders/tests/post_scene.frag), on the null backend or on Vulkan.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_POST_SCENE_H
#define CAIRN_TESTS_SUPPORT_RENDER_POST_SCENE_H

#include "gpu_device.h"

#include <cairn/render.h>

typedef enum PostSceneKind {
    POST_WORLD,    /* its green sphere `value` to the right */
    POST_FLAT,     /* one color */
    POST_GRADIENT, /* from black to `value`, left to right */
    POST_DOTS,     /* three, of brightness `value`, on black */
    POST_BAD,      /* gray of `value` with a NaN or an infinity every 16 pixels of the middle row */
    POST_EDGE      /* white on the left at depth `value`, black far away on the right */
} PostSceneKind;

typedef struct PostScene {
    CnHeap *heap;
    CnGpu *gpu;
    CnRenderer *renderer;
    CnError error;
    /* The content; may be changed between frames. */
    PostSceneKind kind;
    float value;
    bool no_hdr, no_depth, no_normal; /* these slots are empty */
    CnRenderCamera camera;
    float delta;
    uint32_t width, height;
} PostScene;

/* The first feature fills the slots; add the tested features after it. Returns false if there is no
 * Vulkan device. */
bool post_scene_init(PostScene *scene, CnGpuBackend backend);
/* The same with the given form of full-screen passes. */
bool post_scene_init_form(PostScene *scene, CnGpuBackend backend, CnFullScreenForm form);
/* Fails the test if an error was reported. */
void post_scene_fini(PostScene *scene);
CnFeature *post_scene_add(PostScene *scene, const CnFeatureType *type, const void *options);
/* Replaces the image with the content of the ambient occlusion slot. */
void post_scene_add_show_ao(PostScene *scene);
void post_scene_draw(PostScene *scene);
/* Draws and returns the image, which is valid until the next frame. */
const uint8_t *post_scene_pixels(PostScene *scene);
/* One of its channels. */
uint8_t post_scene_pixel(const PostScene *scene, const uint8_t *pixels, uint32_t x, uint32_t y);
/* Whether the last frame had a pass of this name that was not culled. */
bool post_scene_ran(const PostScene *scene, const char *pass);

#endif
