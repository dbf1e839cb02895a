/*
 * The F3 performance overlay: frame times, counts and the passes of the render graph.
 *
 *     static CnOverlayData data; // 10 KiB
 *     data.page = CN_OVERLAY_SUMMARY;
 *     cn_overlay_add_frame(&data, frame_ms, tick_ms, gpu_ms);    // each frame
 *     cn_overlay_copy_graph(&data, cn_renderer_graph(renderer)); // on the renderer's thread
 *     cn_overlay_draw(canvas, &data);
 *
 * The data is plain: to fill it on one thread and draw it on another, copy it.
 */
#ifndef CAIRN_UI_OVERLAY_H
#define CAIRN_UI_OVERLAY_H

#include <cairn/render/canvas.h>
#include <cairn/render/graph.h>

CN_EXTERN_C_BEGIN

#define CN_OVERLAY_FRAMES 240u
#define CN_OVERLAY_MAX_PASSES 64u
#define CN_OVERLAY_NAME_BYTES 32u

typedef enum CnOverlayPage {
    CN_OVERLAY_OFF,
    CN_OVERLAY_SUMMARY, /* frame times with a graph, and counts */
    CN_OVERLAY_PASSES,  /* passes of the render graph */
    CN_OVERLAY_PAGE_COUNT
} CnOverlayPage;

typedef struct CnOverlayPass {
    char name[CN_OVERLAY_NAME_BYTES];
    CnGraphPassKind kind;
    bool is_culled;
    uint32_t barriers;
    float microseconds;
} CnOverlayPass;

typedef struct CnOverlayData {
    CnOverlayPage page;
    char title[64];  /* name of the program */
    char device[64]; /* name of the GPU */
    uint32_t width, height;

    /* Written by cn_overlay_add_frame. */
    float frame_ms[CN_OVERLAY_FRAMES], tick_ms[CN_OVERLAY_FRAMES], gpu_ms[CN_OVERLAY_FRAMES];
    uint32_t frame_count; /* frames recorded, at most CN_OVERLAY_FRAMES */
    uint32_t frame_next;  /* index of the next entry */

    uint64_t tick, entities;
    /* Same as the fields of these names in CnRendererStats (cairn/render/renderer.h), which
     * documents what they count. */
    uint64_t triangles;
    uint32_t items, visible_items;
    uint32_t draws, draw_calls;
    uint32_t lights, visible_lights;
    uint64_t gpu_used_bytes, gpu_reserved_bytes;
    CnVec3 camera;
    char more[4][64]; /* lines of the program; "" for none */

    /* Written by cn_overlay_copy_graph. */
    CnOverlayPass passes[CN_OVERLAY_MAX_PASSES];
    uint32_t pass_count;
    CnGraphStats graph;
} CnOverlayData;

/* Records the times of a frame in milliseconds: from frame to frame, of its ticks, and on the
 * GPU. */
CN_API void cn_overlay_add_frame(CnOverlayData *data, float frame_ms, float tick_ms, float gpu_ms);
/* Copies the passes and statistics of a graph; call it on the thread of the renderer. */
CN_API void cn_overlay_copy_graph(CnOverlayData *data, const CnGraph *graph);
/* Returns the mean frame rate of the recorded frames; 0 if there are none. */
CN_API float cn_overlay_fps(const CnOverlayData *data);
/* Draws the overlay at the top left; draws nothing if it is off. */
CN_API void cn_overlay_draw(CnCanvas *canvas, const CnOverlayData *data);

CN_EXTERN_C_END

#endif
