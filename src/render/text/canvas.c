/* Canvases: lists of shapes, clips and layers. */
#include "render/text/canvas_internal.h"

#include <cairn/base/assert.h>

#include <math.h>
#include <string.h>

/* ---- Rectangles and colors ---- */

CnRect cn_rect_inset(CnRect rect, float by)
{
    rect.x += by;
    rect.y += by;
    rect.width = fmaxf(rect.width - 2 * by, 0);
    rect.height = fmaxf(rect.height - 2 * by, 0);
    return rect;
}

CnRect cn_rect_intersection(CnRect a, CnRect b)
{
    float x = fmaxf(a.x, b.x), y = fmaxf(a.y, b.y);
    float right = fminf(a.x + a.width, b.x + b.width),
          bottom = fminf(a.y + a.height, b.y + b.height);
    return (CnRect){x, y, fmaxf(right - x, 0), fmaxf(bottom - y, 0)};
}

static uint8_t mix_byte(uint8_t from, uint8_t to, float share)
{
    return (uint8_t)((float)from + ((float)to - (float)from) * share + 0.5f);
}

CnColor cn_color_mix(CnColor from, CnColor to, float share)
{
    share = fminf(fmaxf(share, 0), 1);
    return (CnColor){mix_byte(from.r, to.r, share), mix_byte(from.g, to.g, share),
                     mix_byte(from.b, to.b, share), mix_byte(from.a, to.a, share)};
}

CnColor cn_color_fade(CnColor color, float alpha)
{
    color.a = mix_byte(0, color.a, fminf(fmaxf(alpha, 0), 1));
    return color;
}

/* ---- Canvas ---- */

CnCanvas *cn_canvas_create(const CnCanvasDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(desc->fonts, "a canvas needs fonts");
    CnCanvas *canvas = cn_alloc_zeroed(desc->allocator, sizeof *canvas);
    if (!canvas) {
        cn_error_memory(error, "canvas");
        return NULL;
    }
    canvas->allocator = desc->allocator;
    canvas->fonts = desc->fonts;
    canvas->scale = 1;
    cn_array_init(&canvas->shapes, desc->allocator);
    cn_array_init(&canvas->runs, desc->allocator);
    cni_render_fonts_join(desc->fonts, &canvas->user);
    return canvas;
}

void cn_canvas_destroy(CnCanvas *canvas)
{
    if (!canvas)
        return;
    cni_render_fonts_leave(canvas->fonts, &canvas->user);
    cn_array_fini(&canvas->shapes);
    cn_array_fini(&canvas->runs);
    cn_free(canvas->allocator, canvas, sizeof *canvas);
}

CnFonts *cn_canvas_fonts(const CnCanvas *canvas)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    return canvas->fonts;
}

static uint16_t clip_pixel(float coordinate)
{
    float pixel = floorf(coordinate + 0.5f);
    return (uint16_t)(pixel > 0 ? fminf(pixel, 65535) : 0);
}

static void set_clip(CnCanvas *canvas)
{
    CnRect rect = canvas->clips[canvas->clip_depth];
    canvas->clip[0] = clip_pixel(rect.x * canvas->scale);
    canvas->clip[1] = clip_pixel(rect.y * canvas->scale);
    canvas->clip[2] = clip_pixel((rect.x + rect.width) * canvas->scale);
    canvas->clip[3] = clip_pixel((rect.y + rect.height) * canvas->scale);
}

void cn_canvas_begin(CnCanvas *canvas, float width, float height, float scale)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(width >= 0 && height >= 0 && scale >= 0, "invalid canvas size %g x %g, scale %g",
              (double)width, (double)height, (double)scale);
    canvas->width = width;
    canvas->height = height;
    canvas->scale = scale > 0 ? scale : 1;
    cn_array_clear(&canvas->shapes);
    cn_array_clear(&canvas->runs);
    canvas->layer = 0;
    canvas->clip_depth = canvas->clips_refused = 0;
    canvas->clips[0] = (CnRect){0, 0, width, height};
    set_clip(canvas);
    cni_render_fonts_begin(canvas->fonts, &canvas->user);
}

/* There are few runs, mostly in order. */
static void sort_runs(CnCanvas *canvas)
{
    CniRenderShapeRun *runs = canvas->runs.items;
    for (uint32_t i = 1; i < canvas->runs.count; i++) {
        CniRenderShapeRun run = runs[i];
        uint32_t k = i;
        for (; k > 0 && runs[k - 1].layer > run.layer; k--)
            runs[k] = runs[k - 1];
        runs[k] = run;
    }
}

void cn_canvas_end(CnCanvas *canvas)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(canvas->clip_depth == 0 && canvas->clips_refused == 0,
              "a clip was pushed but not popped");
    canvas->clip_depth = canvas->clips_refused = 0;
    set_clip(canvas);
    canvas->layer = 0;
    sort_runs(canvas);
}

CnRect cn_canvas_area(const CnCanvas *canvas)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    return (CnRect){0, 0, canvas->width, canvas->height};
}

float cn_canvas_scale(const CnCanvas *canvas)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    return canvas->scale;
}

float cn_canvas_snap(const CnCanvas *canvas, float coordinate)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    return floorf(coordinate * canvas->scale + 0.5f) / canvas->scale;
}

static void push_clip(CnCanvas *canvas, CnRect clip)
{
    if (canvas->clip_depth == CN_CANVAS_MAX_CLIPS) {
        canvas->clips_refused++;
        canvas->refused++;
        return;
    }
    canvas->clips[++canvas->clip_depth] = clip;
    set_clip(canvas);
}

void cn_canvas_push_clip(CnCanvas *canvas, CnRect rect)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    push_clip(canvas, cn_rect_intersection(canvas->clips[canvas->clip_depth], rect));
}

void cn_canvas_push_full_clip(CnCanvas *canvas)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    push_clip(canvas, canvas->clips[0]);
}

void cn_canvas_pop_clip(CnCanvas *canvas)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(canvas->clip_depth > 0, "cn_canvas_pop_clip without a pushed clip");
    if (canvas->clips_refused > 0)
        canvas->clips_refused--;
    else if (canvas->clip_depth > 0)
        canvas->clip_depth--;
    set_clip(canvas);
}

CnRect cn_canvas_clip(const CnCanvas *canvas)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    return canvas->clips[canvas->clip_depth];
}

uint32_t cn_canvas_set_layer(CnCanvas *canvas, uint32_t layer)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    uint32_t before = canvas->layer;
    if (layer >= CN_CANVAS_MAX_LAYERS) {
        canvas->refused++;
        layer = CN_CANVAS_MAX_LAYERS - 1;
    }
    canvas->layer = layer;
    return before;
}

/* ---- Shapes ---- */

static bool add_to_run(CnCanvas *canvas)
{
    uint32_t count = canvas->runs.count;
    if (count > 0 && canvas->runs.items[count - 1].layer == canvas->layer) {
        canvas->runs.items[count - 1].count++;
        return true;
    }
    return cn_array_push(&canvas->runs,
                         (CniRenderShapeRun){canvas->layer, canvas->shapes.count, 1});
}

CniRenderCanvasShape *cni_render_canvas_add(CnCanvas *canvas, CniRenderCanvasShapeKind kind,
                                            CnRect covers)
{
    const uint16_t *clip = canvas->clip;
    bool is_seen = covers.x < clip[2] && covers.y < clip[3] && covers.x + covers.width > clip[0] &&
                   covers.y + covers.height > clip[1];
    if (!is_seen)
        return NULL;
    if (canvas->shapes.count >= CN_CANVAS_MAX_SHAPES ||
        !cn_array_reserve(&canvas->shapes, canvas->shapes.count + 1) || !add_to_run(canvas)) {
        canvas->refused++;
        return NULL;
    }
    CniRenderCanvasShape *shape = &canvas->shapes.items[canvas->shapes.count++];
    *shape = (CniRenderCanvasShape){.kind = kind};
    memcpy(shape->clip, clip, sizeof shape->clip);
    return shape;
}

static CnRect to_pixels(const CnCanvas *canvas, CnRect rect)
{
    float scale = canvas->scale;
    return (CnRect){rect.x * scale, rect.y * scale, rect.width * scale, rect.height * scale};
}

/* Returns the bounds of a rectangle that is rotated about its center. */
static CnRect turned(CnRect rect, float rotation, float margin)
{
    if (rotation != 0) {
        float radius = 0.5f * hypotf(rect.width, rect.height);
        rect = (CnRect){rect.x + rect.width / 2 - radius, rect.y + rect.height / 2 - radius,
                        2 * radius, 2 * radius};
    }
    return (CnRect){rect.x - margin, rect.y - margin, rect.width + 2 * margin,
                    rect.height + 2 * margin};
}

static bool is_drawable(CnRect rect, float rotation)
{
    /* NaN and infinity from the program's arithmetic would spread over the image. */
    return isfinite(rect.x) && isfinite(rect.y) && isfinite(rect.width) && isfinite(rect.height) &&
           isfinite(rotation) && rect.width > 0 && rect.height > 0;
}

static void add_box(CnCanvas *canvas, CnRect rect, const CnBoxStyle *box)
{
    if (!is_drawable(rect, box->rotation))
        return;
    float blur = fmaxf(box->blur * canvas->scale, 1);
    CniRenderCanvasShape *shape = cni_render_canvas_add(
        canvas, CNI_RENDER_SHAPE_BOX, turned(rect, box->rotation, 0.5f * blur + 0.5f));
    if (!shape)
        return;
    shape->rect = rect;
    shape->rotation = box->rotation;
    float most = 0.5f * fminf(rect.width, rect.height);
    shape->box.radius = fminf(fmaxf(box->radius * canvas->scale, 0), most);
    shape->box.border = fmaxf(box->border * canvas->scale, 0);
    shape->box.blur = blur;
    shape->box.border_color = box->border_color;
    CnColor to = box->gradient == CN_GRADIENT_NONE ? box->fill : box->fill_to;
    shape->corners[0] = box->fill;
    shape->corners[1] = box->gradient == CN_GRADIENT_HORIZONTAL ? to : box->fill;
    shape->corners[2] = box->gradient == CN_GRADIENT_VERTICAL ? to : box->fill;
    shape->corners[3] = to;
}

void cn_canvas_fill(CnCanvas *canvas, CnRect rect, CnColor color)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    add_box(canvas, to_pixels(canvas, rect), &(CnBoxStyle){.fill = color});
}

void cn_canvas_box(CnCanvas *canvas, CnRect rect, const CnBoxStyle *box)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    add_box(canvas, to_pixels(canvas, rect), box);
}

void cn_canvas_line(CnCanvas *canvas, CnVec2 from, CnVec2 to, float width, CnColor color)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    float dx = to.x - from.x, dy = to.y - from.y, length = hypotf(dx, dy);
    CnRect rect = {(from.x + to.x - length) / 2, (from.y + to.y - width) / 2, length, width};
    add_box(canvas, to_pixels(canvas, rect),
            &(CnBoxStyle){.fill = color, .rotation = atan2f(dy, dx)});
}

static void add_sprite(CnCanvas *canvas, CnRect rect, const CnSprite *sprite, CnRect uv)
{
    rect = to_pixels(canvas, rect);
    if (!sprite->texture.id || !is_drawable(rect, sprite->rotation))
        return;
    CniRenderCanvasShape *shape =
        cni_render_canvas_add(canvas, CNI_RENDER_SHAPE_SPRITE, turned(rect, sprite->rotation, 1));
    if (!shape)
        return;
    bool is_white = !(sprite->tint.r | sprite->tint.g | sprite->tint.b | sprite->tint.a);
    shape->rect = rect;
    shape->rotation = sprite->rotation;
    shape->uv = uv;
    shape->sprite.tint = is_white ? cn_rgb(0xFFFFFF) : sprite->tint;
    shape->sprite.radius =
        fminf(fmaxf(sprite->radius * canvas->scale, 0), 0.5f * fminf(rect.width, rect.height));
    shape->sprite.texture = sprite->texture.id;
}

/* Returns the part of the texture in its own units. */
static CnRect sprite_part(const CnSprite *sprite)
{
    if (sprite->part.width != 0 || sprite->part.height != 0)
        return sprite->part;
    return (CnRect){0, 0, sprite->texture_width > 0 ? sprite->texture_width : 1,
                    sprite->texture_height > 0 ? sprite->texture_height : 1};
}

static CnRect uv_of(const CnSprite *sprite, float left, float top, float right, float bottom)
{
    float across = sprite->texture_width > 0 ? 1 / sprite->texture_width : 1;
    float down = sprite->texture_height > 0 ? 1 / sprite->texture_height : 1;
    return (CnRect){left * across, top * down, right * across, bottom * down};
}

void cn_canvas_sprite(CnCanvas *canvas, CnRect rect, const CnSprite *sprite)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CnRect part = sprite_part(sprite);
    add_sprite(canvas, rect, sprite,
               uv_of(sprite, part.x, part.y, part.x + part.width, part.y + part.height));
}

void cn_canvas_nine_slice(CnCanvas *canvas, CnRect rect, const CnSprite *sprite,
                          const CnNineSlice *slice)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CN_ASSERT(sprite, "%s: sprite is NULL", __func__);
    CN_ASSERT(slice, "%s: slice is NULL", __func__);
    CnRect part = sprite_part(sprite);
    float scale = slice->scale > 0 ? slice->scale : 1;
    /* If the rectangle is too small for the borders, they shrink together. */
    float across = fminf(scale, rect.width / fmaxf(slice->left + slice->right, 1e-6f));
    float down = fminf(scale, rect.height / fmaxf(slice->top + slice->bottom, 1e-6f));
    float x[4] = {rect.x, cn_canvas_snap(canvas, rect.x + slice->left * across),
                  cn_canvas_snap(canvas, rect.x + rect.width - slice->right * across),
                  rect.x + rect.width};
    float y[4] = {rect.y, cn_canvas_snap(canvas, rect.y + slice->top * down),
                  cn_canvas_snap(canvas, rect.y + rect.height - slice->bottom * down),
                  rect.y + rect.height};
    float u[4] = {part.x, part.x + slice->left, part.x + part.width - slice->right,
                  part.x + part.width};
    float v[4] = {part.y, part.y + slice->top, part.y + part.height - slice->bottom,
                  part.y + part.height};
    CnSprite piece = *sprite;
    piece.rotation = piece.radius = 0;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            add_sprite(canvas,
                       (CnRect){x[column], y[row], x[column + 1] - x[column], y[row + 1] - y[row]},
                       &piece, uv_of(sprite, u[column], v[row], u[column + 1], v[row + 1]));
    }
}

CnCanvasStats cn_canvas_stats(const CnCanvas *canvas)
{
    CN_ASSERT(canvas, "%s: canvas is NULL", __func__);
    CnCanvasStats stats = {.shapes = canvas->shapes.count, .refused = canvas->refused};
    uint32_t texture = 0;
    for (uint32_t r = 0; r < canvas->runs.count; r++) {
        CniRenderShapeRun run = canvas->runs.items[r];
        for (uint32_t i = run.first; i < run.first + run.count; i++) {
            const CniRenderCanvasShape *shape = &canvas->shapes.items[i];
            if (shape->kind != CNI_RENDER_SHAPE_SPRITE)
                continue;
            stats.draws += texture != 0 && shape->sprite.texture != texture;
            texture = shape->sprite.texture;
        }
    }
    stats.draws += canvas->shapes.count > 0;
    return stats;
}
