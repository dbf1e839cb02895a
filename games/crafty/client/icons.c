#include "icons.h"

#include "block_textures.h"

#define ICONS_A_ROW 32u
#define ATLAS_WIDTH (ICONS_A_ROW * CRAFTY_ICON_SIZE)
/* Supersampling: samples per pixel in each direction. */
#define SAMPLES 2u

/* Positions of the cube faces as fractions of the icon. */
#define HALF_WIDTH 0.46f
#define TOP_HEIGHT 0.235f /* half of it */
#define SIDE_HEIGHT 0.47f
#define MARGIN 0.04f
#define TOP_MARGIN 0.03f

/* Brightness, out of 256. */
#define TOP_LIGHT 256u
#define LEFT_LIGHT 205u
#define RIGHT_LIGHT 159u

/* ---- Painting ---- */

/* The part of a block visible at a sample of the icon. */
typedef struct Sample {
    uint16_t light; /* 0: empty */
    uint8_t is_top;
    uint8_t x, y; /* in the tile */
} Sample;

#define SAMPLES_ACROSS (CRAFTY_ICON_SIZE * SAMPLES)

/* The samples, row by row; shared by all blocks. */
typedef struct Map {
    Sample cube[SAMPLES_ACROSS * SAMPLES_ACROSS];
    Sample prop[SAMPLES_ACROSS * SAMPLES_ACROSS];
} Map;

static bool is_inside(float a, float b)
{
    return a >= 0 && a < 1 && b >= 0 && b < 1;
}

static Sample sample(float across, float down, uint32_t light, bool is_top)
{
    return (Sample){.light = (uint16_t)light,
                    .is_top = is_top,
                    .x = (uint8_t)(across * CN_TILE_SIZE),
                    .y = (uint8_t)(down * CN_TILE_SIZE)};
}

/* Tests the three visible faces in turn. */
static Sample cube_at(float x, float y)
{
    float beside = (x - 0.5f) / HALF_WIDTH, below = (y - TOP_MARGIN) / TOP_HEIGHT;
    float a = (below + beside) / 2, b = (below - beside) / 2;
    if (is_inside(a, b))
        return sample(a, b, TOP_LIGHT, true);
    a = (x - MARGIN) / HALF_WIDTH;
    b = (y - TOP_MARGIN - TOP_HEIGHT * (1 + a)) / SIDE_HEIGHT;
    if (is_inside(a, b))
        return sample(a, b, LEFT_LIGHT, false);
    a = (x - 0.5f) / HALF_WIDTH;
    b = (y - TOP_MARGIN - TOP_HEIGHT * (2 - a)) / SIDE_HEIGHT;
    if (is_inside(a, b))
        return sample(a, b, RIGHT_LIGHT, false);
    return (Sample){0};
}

static void make_map(Map *map)
{
    for (uint32_t i = 0; i < SAMPLES_ACROSS * SAMPLES_ACROSS; i++) {
        float x = ((float)(i % SAMPLES_ACROSS) + 0.5f) / SAMPLES_ACROSS;
        float y = ((float)(i / SAMPLES_ACROSS) + 0.5f) / SAMPLES_ACROSS;
        map->cube[i] = cube_at(x, y);
        map->prop[i] = sample(x, y, TOP_LIGHT, false);
    }
}

typedef struct Painter {
    const CnBlockInfo *info;
    const uint8_t *side, *top; /* tiles */
    const Sample *samples;
} Painter;

static void paint_pixel(const Painter *painter, uint32_t x, uint32_t y, uint8_t *pixel)
{
    uint32_t sum[3] = {0, 0, 0}, alphas = 0;
    for (uint32_t i = 0; i < SAMPLES * SAMPLES; i++) {
        const Sample *at = &painter->samples[(y * SAMPLES + i / SAMPLES) * SAMPLES_ACROSS +
                                             x * SAMPLES + i % SAMPLES];
        const uint8_t *tile = at->is_top ? painter->top : painter->side;
        const uint8_t *texel = tile + (at->y * CN_TILE_SIZE + at->x) * 4;
        uint32_t alpha = painter->info->material == CN_BLOCK_MATERIAL_OPAQUE ? 255 : texel[3];
        alpha = at->light ? alpha : 0;
        for (int k = 0; k < 3; k++)
            sum[k] += texel[k] * painter->info->tint[k] / 255u * at->light * alpha;
        alphas += alpha;
    }
    for (int k = 0; k < 3; k++)
        pixel[k] = (uint8_t)(alphas ? sum[k] / alphas / TOP_LIGHT : 0);
    pixel[3] = (uint8_t)(alphas / (SAMPLES * SAMPLES));
}

static void paint(const Map *map, const CnBlockTiles *tiles, const CnBlockInfo *info,
                  uint8_t *pixels, size_t stride)
{
    const size_t tile_bytes = (size_t)CN_TILE_SIZE * CN_TILE_SIZE * 4;
    bool is_prop = info->material == CN_BLOCK_MATERIAL_PROP;
    Painter painter = {info, tiles->color[0] + info->side * tile_bytes,
                       tiles->color[0] + info->top * tile_bytes, is_prop ? map->prop : map->cube};
    for (uint32_t y = 0; y < CRAFTY_ICON_SIZE; y++)
        for (uint32_t x = 0; x < CRAFTY_ICON_SIZE; x++)
            paint_pixel(&painter, x, y, pixels + (y * stride + x) * 4);
}

void crafty_icon_paint(const CnBlockTiles *tiles, const CnBlockInfo *info, uint8_t *pixels,
                       size_t stride)
{
    Map map;
    make_map(&map);
    paint(&map, tiles, info, pixels, stride);
}

/* ---- Texture ---- */

static uint32_t atlas_height(const CnBlockTable *blocks)
{
    return (blocks->count + ICONS_A_ROW - 1) / ICONS_A_ROW * CRAFTY_ICON_SIZE;
}

static void paint_all(const CnBlockTable *blocks, const CnBlockTiles *tiles, uint8_t *pixels)
{
    Map map;
    make_map(&map);
    for (uint32_t block = 0; block < blocks->count; block++) {
        size_t x = block % ICONS_A_ROW, y = block / ICONS_A_ROW;
        const CnBlockInfo *info = cn_block_info(blocks, (CnBlock)block);
        if (info->placeable)
            paint(&map, tiles, info, pixels + (y * ATLAS_WIDTH + x) * CRAFTY_ICON_SIZE * 4,
                  ATLAS_WIDTH);
    }
}

bool crafty_icons_create(CraftyIcons *icons, CnRenderer *renderer, const CnBlockTable *blocks,
                         CnError *error)
{
    const uint32_t height = atlas_height(blocks);
    const size_t bytes = (size_t)ATLAS_WIDTH * height * 4;
    CnAllocator *allocator = cn_renderer_allocator(renderer);
    CnBlockTiles tiles;
    icons->blocks = blocks;
    if (!cn_block_tiles_read(crafty_tiles, (size_t)(crafty_tiles_end - crafty_tiles), &tiles,
                             error))
        return false;
    uint8_t *pixels = cn_alloc_zeroed(allocator, bytes);
    if (!pixels)
        return cn_error_memory(error, "block icons");
    paint_all(blocks, &tiles, pixels);
    CnImage image = {ATLAS_WIDTH, height, pixels, allocator};
    icons->texture = cn_texture_create(
        renderer,
        &(CnTextureDesc){.name = "block icons", .image = &image, .no_mips = true, .clamp = true},
        error);
    cn_free(allocator, pixels, bytes);
    return icons->texture.id != 0;
}

void crafty_icons_destroy(CraftyIcons *icons, CnRenderer *renderer)
{
    if (icons->texture.id)
        cn_texture_destroy(renderer, icons->texture);
    *icons = (CraftyIcons){0};
}

CnSprite crafty_icon_sprite(const CraftyIcons *icons, CnBlock block)
{
    if (!cn_block_exists(icons->blocks, block))
        block = CN_BLOCK_AIR; /* an empty icon */
    return (CnSprite){.texture = icons->texture,
                      .part = {(float)(block % ICONS_A_ROW * CRAFTY_ICON_SIZE),
                               (float)(block / ICONS_A_ROW * CRAFTY_ICON_SIZE), CRAFTY_ICON_SIZE,
                               CRAFTY_ICON_SIZE},
                      .texture_width = ATLAS_WIDTH,
                      .texture_height = (float)atlas_height(icons->blocks)};
}

void crafty_icon_draw(const CraftyIcons *icons, CnCanvas *canvas, CnRect rect, CnBlock block)
{
    CnSprite sprite = crafty_icon_sprite(icons, block);
    cn_canvas_sprite(canvas, rect, &sprite);
}
