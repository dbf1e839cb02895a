#include "sign_text.h"

#include "item_model.h"

#include <cairn/base/math.h>
#include <cairn/voxel/mesh.h>

#include <string.h>

#define SCAN_SECONDS 0.25f /* between scans without a change of block data */
#define MARGIN 0.02f       /* blocks, on each side of a board */
#define LINE_ROWS 9.0f     /* pixels from line to line; accents reach into the line above */
#define ABOVE_LINE 2.5f    /* rows of a glyph above its line, for accents */
#define GAP 1.0f           /* pixels between characters */
#define LIFT (1.0f / 256)  /* blocks between a board and its text */
#define TILE_PIXELS 16.0f

static const uint8_t ink[3] = {30, 20, 12};

typedef struct Sign {
    CnCell cell;
    CnVec3 middle; /* of the front of the board */
    CnVec3 right, normal;
    uint32_t count;
    CraftySignGlyph glyphs[CRAFTY_SIGN_GLYPHS];
} Sign;

struct CraftySignTexts {
    Sign signs[CRAFTY_SIGN_TEXTS_MAX];
    uint32_t count;
    float left;    /* seconds until the next scan */
    uint64_t seen; /* hash of the block data at the last one */
};

/* ---- Layout ---- */

static CnText next_line(CnText *rest)
{
    const char *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    size_t size = end ? (size_t)(end - rest->data) : rest->size;
    CnText line = {rest->data, size};
    size += end != NULL;
    *rest = (CnText){rest->data + size, rest->size - size};
    return line;
}

static float width_of(CnText line)
{
    float width = 0;
    uint32_t character;
    for (size_t at = 0; at < line.size;) {
        at = cn_utf8_next(line, at, &character);
        width += (float)crafty_glyph(character)->width + GAP;
    }
    return width > 0 ? width - GAP : 0;
}

/* `top` is that of the line. */
static uint32_t place_line(CnText line, float width, float top, float pixel,
                           CraftySignGlyph *glyphs, uint32_t room)
{
    float pixels = width_of(line), across = pixel;
    uint32_t count = 0, character;
    if (pixels * across > width)
        across = width / pixels;
    float x = -0.5f * pixels * across;
    for (size_t at = 0; at < line.size && count < room;) {
        at = cn_utf8_next(line, at, &character);
        const CraftyGlyph *glyph = crafty_glyph(character);
        if (character != ' ' && character != 0xA0)
            glyphs[count++] = (CraftySignGlyph){
                .glyph = glyph, .x = x, .y = top + ABOVE_LINE * pixel, .pixel = {across, pixel}};
        x += ((float)glyph->width + GAP) * across;
    }
    return count;
}

uint32_t crafty_sign_layout(CnText text, float width, float height,
                            CraftySignGlyph glyphs[CRAFTY_SIGN_GLYPHS])
{
    float pixel = (height - 2 * MARGIN) / (LINE_ROWS * CRAFTY_SIGN_LINES);
    uint32_t count = 0;
    for (uint32_t i = 0; i < CRAFTY_SIGN_LINES; i++) {
        float top = 0.5f * height - MARGIN - (float)i * LINE_ROWS * pixel;
        count += place_line(next_line(&text), width - 2 * MARGIN, top, pixel, glyphs + count,
                            CRAFTY_SIGN_GLYPHS - count);
    }
    return count;
}

/* ---- Signs ---- */

CraftySignTexts *crafty_sign_texts_create(CnError *error)
{
    CraftySignTexts *texts = cn_alloc_zeroed(cn_system_allocator(), sizeof *texts);
    if (!texts)
        cn_error_memory(error, "the texts of signs");
    return texts;
}

void crafty_sign_texts_destroy(CraftySignTexts *texts)
{
    if (texts)
        cn_free(cn_system_allocator(), texts, sizeof *texts);
}

uint32_t crafty_sign_texts_count(const CraftySignTexts *texts)
{
    return texts->count;
}

static CnVec3 middle_of(CnCell cell)
{
    return cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f);
}

static float distance_of(CnCell cell, CnVec3 eye)
{
    return cn_vec3_length(cn_vec3_sub(middle_of(cell), eye));
}

/* Finds the front of the board, which is the first box of the shape. */
static bool place_board(Sign *sign, const CnBlockInfo *info, float *width, float *height)
{
    static const CnVec3 normals[] = {[CN_BLOCK_FACING_NORTH] = {0, 0, -1},
                                     [CN_BLOCK_FACING_EAST] = {1, 0, 0},
                                     [CN_BLOCK_FACING_SOUTH] = {0, 0, 1},
                                     [CN_BLOCK_FACING_WEST] = {-1, 0, 0}};
    if (!info->shape || info->facing == CN_BLOCK_FACING_NONE ||
        info->facing >= CN_COUNT_OF(normals))
        return false;
    float middle[3], half[3];
    for (int i = 0; i < 3; i++) {
        float low = info->shape->boxes[0].low[i], high = info->shape->boxes[0].high[i];
        middle[i] = (low + high) / 32 - 0.5f;
        half[i] = (high - low) / 32;
    }
    CnVec3 normal = normals[info->facing];
    bool is_along_x = normal.z != 0;
    float out = (is_along_x ? half[2] : half[0]) + LIFT;
    sign->normal = normal;
    sign->right = cn_vec3(normal.z, 0, -normal.x);
    sign->middle = cn_vec3_add(cn_vec3_add(middle_of(sign->cell), cn_vec3_scale(normal, out)),
                               cn_vec3(middle[0], middle[1], middle[2]));
    *width = 2 * (is_along_x ? half[0] : half[2]);
    *height = 2 * half[1];
    return true;
}

/* ---- Finding signs ---- */

typedef struct Found {
    CnCell cells[CRAFTY_SIGN_TEXTS_MAX]; /* the nearest first */
    float distances[CRAFTY_SIGN_TEXTS_MAX];
    uint32_t count;
} Found;

static void note(Found *found, CnCell cell, float distance)
{
    if (found->count == CRAFTY_SIGN_TEXTS_MAX && distance >= found->distances[found->count - 1])
        return;
    found->count += found->count < CRAFTY_SIGN_TEXTS_MAX;
    uint32_t at = found->count - 1;
    for (; at > 0 && found->distances[at - 1] > distance; at--) {
        found->cells[at] = found->cells[at - 1];
        found->distances[at] = found->distances[at - 1];
    }
    found->cells[at] = cell;
    found->distances[at] = distance;
}

static void find_in_chunk(const CraftySignFrame *frame, CnChunkPos position, Found *found)
{
    CnCell cell;
    const CnBlockTable *blocks = cn_voxels_blocks(frame->voxels);
    if (!cn_block_data_first_in_chunk(frame->voxels, position, &cell) ||
        !cn_voxels_is_loaded(frame->voxels, position))
        return;
    do {
        float distance = distance_of(cell, frame->eye);
        if (distance < CRAFTY_SIGN_TEXTS_REACH &&
            crafty_sign_is(blocks, cn_voxels_get(frame->voxels, cell)))
            note(found, cell, distance);
    } while (cn_block_data_next_in_chunk(frame->voxels, &cell));
}

static CnChunkPos chunk_at(CnVec3 eye, float offset)
{
    return cn_chunk_of((CnCell){(int32_t)cn_floorf(eye.x + offset),
                                (int32_t)cn_floorf(eye.y + offset),
                                (int32_t)cn_floorf(eye.z + offset)});
}

static void read_sign(CraftySignTexts *texts, CnVoxels *voxels, CnCell cell)
{
    char text[CRAFTY_SIGN_BYTES];
    float width, height;
    Sign *sign = &texts->signs[texts->count];
    sign->cell = cell;
    if (!crafty_sign_read(voxels, cell, text) ||
        !place_board(sign, cn_block_info(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell)),
                     &width, &height))
        return;
    sign->count = crafty_sign_layout(cn_text(text), width, height, sign->glyphs);
    texts->count += sign->count > 0;
}

static void scan(CraftySignTexts *texts, const CraftySignFrame *frame)
{
    Found found;
    found.count = 0;
    CnChunkPos low = chunk_at(frame->eye, -CRAFTY_SIGN_TEXTS_REACH);
    CnChunkPos high = chunk_at(frame->eye, CRAFTY_SIGN_TEXTS_REACH);
    CnChunkPos at;
    for (at.z = low.z; at.z <= high.z; at.z++)
        for (at.y = low.y; at.y <= high.y; at.y++)
            for (at.x = low.x; at.x <= high.x; at.x++)
                find_in_chunk(frame, at, &found);
    texts->count = 0;
    for (uint32_t i = 0; i < found.count; i++)
        read_sign(texts, frame->voxels, found.cells[i]);
}

/* ---- Parts ---- */

/* The tile of a glyph lies in its plane z = 0: pixel (0, 0) of it is the left upper corner. */
static void make_part(CnBlockModelPart *part, const Sign *sign, const CraftySignGlyph *shown,
                      CraftyLight light)
{
    const CraftyGlyph *glyph = shown->glyph;
    float across = TILE_PIXELS * shown->pixel[0], up = TILE_PIXELS * shown->pixel[1];
    float x = shown->x - (float)glyph->left * shown->pixel[0], y = shown->y - up;
    CnVec3 r = sign->right, n = sign->normal, m = sign->middle;
    *part =
        (CnBlockModelPart){.place = {{{r.x * across, 0, n.x * up, m.x + r.x * x},
                                      {0, up, 0, m.y + y},
                                      {r.z * across, 0, n.z * up, m.z + r.z * x}}},
                           .low = {glyph->left, (uint8_t)(TILE_PIXELS - CRAFTY_GLYPH_ROWS), 0},
                           .high = {(uint8_t)(glyph->left + glyph->width), (uint8_t)TILE_PIXELS, 0},
                           .tint = {ink[0], ink[1], ink[2]},
                           .sky = light.sky,
                           .block = light.block};
    for (int face = 0; face < CN_FACE_COUNT; face++)
        part->tiles[face] = glyph->layer;
}

static void add_sign(const Sign *sign, const CraftySignFrame *frame, CnBlockModels *models)
{
    if (cn_vec3_dot(cn_vec3_sub(frame->eye, sign->middle), sign->normal) <= 0)
        return;
    CnBlockModelPart *parts = cn_block_models_add(models, CN_MODEL_LAYER_WORLD, sign->count);
    CraftyLight light = crafty_light_at(frame->voxels, middle_of(sign->cell));
    for (uint32_t i = 0; parts && i < sign->count; i++)
        make_part(&parts[i], sign, &sign->glyphs[i], light);
}

void crafty_sign_texts_frame(CraftySignTexts *texts, const CraftySignFrame *frame,
                             CnBlockModels *models)
{
    uint64_t hash = cn_block_data_hash(frame->voxels);
    texts->left -= frame->seconds;
    if (texts->left <= 0 || hash != texts->seen) {
        scan(texts, frame);
        texts->left = SCAN_SECONDS;
        texts->seen = hash;
    }
    for (uint32_t i = 0; i < texts->count; i++)
        add_sign(&texts->signs[i], frame, models);
}
