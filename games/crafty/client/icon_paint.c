#include "icon_paint.h"

#include "icon_symbols.h"

#include <string.h>

/* Supersampling: samples per pixel in each direction. */
#define SAMPLES 2u
#define SAMPLES_ACROSS (CRAFTY_ICON_SIZE * SAMPLES)

/* Positions of the cube faces as fractions of the icon. */
#define HALF_WIDTH 0.46f
#define TOP_HEIGHT 0.235f /* half of it */
#define SIDE_HEIGHT 0.47f
#define TOP_MARGIN 0.03f

/* Brightness, out of 256. */
#define TOP_LIGHT 256u
#define LEFT_LIGHT 205u
#define RIGHT_LIGHT 159u

/* ---- Blocks ---- */

/*
 * The view from a corner: `a` grows to the lower right, `b` to the lower left and `up` upwards, all
 * from 0 to 1. The left side faces north (-z), where the front of a block is, and the right one
 * west (-x): a = 1 - x, b = 1 - z.
 */
typedef struct Box {
    float low[3], high[3]; /* a, b, up */
} Box;

/* The part of a block visible at a sample of the icon. */
typedef struct Sample {
    uint32_t light; /* 0: nothing */
    float nearness; /* a + b: larger is nearer to the viewer */
    uint16_t layer;
    uint8_t x, y; /* in the tile */
} Sample;

typedef struct Faces {
    uint16_t top, left, right; /* layers */
} Faces;

static uint8_t texel(float at)
{
    float scaled = at * CN_TILE_SIZE;
    return (uint8_t)(scaled < 0 ? 0 : scaled > CN_TILE_SIZE - 1 ? CN_TILE_SIZE - 1 : scaled);
}

static bool is_inside(const Box *box, uint32_t axis, float at)
{
    return at >= box->low[axis] && at < box->high[axis];
}

static void keep_nearest(Sample *best, float nearness, uint32_t light, uint16_t layer, float across,
                         float down)
{
    if (best->light && nearness <= best->nearness)
        return;
    *best = (Sample){light, nearness, layer, texel(across), texel(down)};
}

/* Points that are drawn at (x, y) have a - b and a + b - 2 up in common. */
static void look_at_box(const Box *box, const Faces *faces, float x, float y, Sample *best)
{
    float beside = (x - 0.5f) / HALF_WIDTH;                    /* a - b */
    float below = (y - TOP_MARGIN - SIDE_HEIGHT) / TOP_HEIGHT; /* a + b, on the ground */
    const float rise = SIDE_HEIGHT / TOP_HEIGHT;               /* of a + b for up = 1 */
    float sum = below + rise * box->high[2];
    float a = (sum + beside) / 2, b = (sum - beside) / 2;
    if (is_inside(box, 0, a) && is_inside(box, 1, b))
        keep_nearest(best, sum, TOP_LIGHT, faces->top, a, b);
    b = box->high[1];
    a = b + beside;
    float up = (a + b - below) / rise;
    if (is_inside(box, 0, a) && is_inside(box, 2, up))
        keep_nearest(best, a + b, LEFT_LIGHT, faces->left, a, 1 - up);
    a = box->high[0];
    b = a - beside;
    up = (a + b - below) / rise;
    if (is_inside(box, 1, b) && is_inside(box, 2, up))
        keep_nearest(best, a + b, RIGHT_LIGHT, faces->right, 1 - b, 1 - up);
}

typedef struct Painter {
    const CnBlockTiles *tiles;
    const uint8_t *tint;
    bool is_opaque, is_flat;
    Faces faces;
    uint32_t box_count;
    Box boxes[CN_BLOCK_SHAPE_BOXES];
} Painter;

static Sample sample_at(const Painter *painter, uint32_t column, uint32_t row)
{
    float x = ((float)column + 0.5f) / SAMPLES_ACROSS, y = ((float)row + 0.5f) / SAMPLES_ACROSS;
    Sample best = {0};
    if (painter->is_flat)
        keep_nearest(&best, 0, TOP_LIGHT, painter->faces.left, x, y);
    for (uint32_t i = 0; i < painter->box_count; i++)
        look_at_box(&painter->boxes[i], &painter->faces, x, y, &best);
    return best;
}

static void paint_pixel(const Painter *painter, uint32_t x, uint32_t y, uint8_t *pixel)
{
    uint32_t sum[3] = {0, 0, 0}, alphas = 0;
    for (uint32_t i = 0; i < SAMPLES * SAMPLES; i++) {
        Sample at = sample_at(painter, x * SAMPLES + i % SAMPLES, y * SAMPLES + i / SAMPLES);
        if (!at.light || at.layer >= painter->tiles->count)
            continue;
        const uint8_t *color = painter->tiles->color[0] +
                               ((at.layer * CN_TILE_SIZE + at.y) * (size_t)CN_TILE_SIZE + at.x) * 4;
        uint32_t alpha = painter->is_opaque ? 255 : color[3];
        for (int k = 0; k < 3; k++)
            sum[k] += color[k] * painter->tint[k] / 255u * at.light * alpha;
        alphas += alpha;
    }
    for (int k = 0; k < 3; k++)
        pixel[k] = (uint8_t)(alphas ? sum[k] / alphas / TOP_LIGHT : 0);
    pixel[3] = (uint8_t)(alphas / (SAMPLES * SAMPLES));
}

static void paint(const Painter *painter, uint8_t *pixels, size_t stride)
{
    for (uint32_t y = 0; y < CRAFTY_ICON_SIZE; y++)
        for (uint32_t x = 0; x < CRAFTY_ICON_SIZE; x++)
            paint_pixel(painter, x, y, pixels + (y * stride + x) * 4);
}

static Box box_of(const CnBlockBox *box)
{
    const float unit = 1.0f / CN_BLOCK_SHAPE_UNITS;
    return (Box){
        {1 - (float)box->high[0] * unit, 1 - (float)box->high[2] * unit, (float)box->low[1] * unit},
        {1 - (float)box->low[0] * unit, 1 - (float)box->low[2] * unit, (float)box->high[1] * unit}};
}

void crafty_icon_paint_block(const CnBlockTiles *tiles, const CnBlockTable *blocks, CnBlock block,
                             uint8_t *pixels, size_t stride)
{
    const CnBlockInfo *info = cn_block_info(blocks, block);
    const CnBlockShape *shape = cn_block_shape(blocks, block);
    bool is_north = info->front && info->facing == CN_BLOCK_FACING_NORTH;
    bool is_west = info->front && info->facing == CN_BLOCK_FACING_WEST;
    Painter painter = {.tiles = tiles,
                       .tint = info->tint,
                       .is_opaque = info->material == CN_BLOCK_MATERIAL_OPAQUE,
                       .is_flat = info->material == CN_BLOCK_MATERIAL_PROP && !shape,
                       .faces = {info->top, is_north ? info->front : info->side,
                                 is_west ? info->front : info->side}};
    if (shape) {
        painter.box_count = shape->count;
        for (uint32_t i = 0; i < shape->count; i++)
            painter.boxes[i] = box_of(&shape->boxes[i]);
    } else if (!painter.is_flat) {
        painter.box_count = 1;
        painter.boxes[0] = (Box){{0, 0, 0}, {1, 1, 1}};
    }
    paint(&painter, pixels, stride);
}

void crafty_icon_paint_tile(const CnBlockTiles *tiles, uint32_t layer, uint8_t *pixels,
                            size_t stride)
{
    static const uint8_t white[] = {255, 255, 255};
    uint16_t face = (uint16_t)layer;
    paint(&(Painter){.tiles = tiles, .tint = white, .is_flat = true, .faces = {face, face, face}},
          pixels, stride);
}

/* ---- Symbols ---- */

void crafty_icon_paint_symbol(CraftySymbol symbol, uint8_t *pixels, size_t stride)
{
    const char *const *rows = crafty_symbol_rows(symbol);
    for (uint32_t y = 0; y < CRAFTY_ICON_SIZE; y++)
        for (uint32_t x = 0; x < CRAFTY_ICON_SIZE; x++) {
            uint8_t *pixel = pixels + (y * stride + x) * 4;
            uint32_t color = crafty_symbol_color(rows, x * CRAFTY_SYMBOL_SIZE / CRAFTY_ICON_SIZE,
                                                 y * CRAFTY_SYMBOL_SIZE / CRAFTY_ICON_SIZE);
            for (uint32_t k = 0; k < 4; k++)
                pixel[k] = (uint8_t)(color >> (24 - 8 * k));
        }
}
