#include "debug_info.h"

#include "crafty/save/world_seed.h"

#include <cairn/base/math.h>

#define TEXT_SIZE 12.0f
#define LINE 16.0f
#define WIDTH 244.0f
#define BESIDE 396.0f /* width of the overlay of the engine, with margins */
#define MARGIN 8.0f
#define INSET 10.0f
#define CHUNK_BITS 4
_Static_assert(1 << CHUNK_BITS == CN_CHUNK_SIZE, "chunk coordinates");

CN_PRINTF_LIKE(2, 3)
static void add(CraftyDebugLines *lines, const char *format, ...)
{
    va_list arguments;
    if (lines->count == CRAFTY_DEBUG_LINES)
        return;
    va_start(arguments, format);
    cn_format_v(lines->lines[lines->count++], CRAFTY_DEBUG_LINE_BYTES, format, arguments);
    va_end(arguments);
}

/* The direction with the largest part. North is -z. */
static const char *facing(CnVec3 forward)
{
    float x = cn_fabsf(forward.x), z = cn_fabsf(forward.z);
    if (z >= x)
        return forward.z <= 0 ? "north (-z)" : "south (+z)";
    return forward.x >= 0 ? "east (+x)" : "west (-x)";
}

/* "grassy_plains" becomes "grassy plains". */
static void add_biome(CraftyDebugLines *lines, CnBiome biome)
{
    char name[40];
    cn_copy_text(name, sizeof name, cn_text(cn_biome_name(biome)));
    for (char *at = name; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    add(lines, "biome    %s", name);
}

static int32_t floor_of(float x)
{
    return (int32_t)cn_floorf(x);
}

void crafty_debug_info_fill(CraftyDebugLines *lines, const CraftyDebugInfo *info)
{
    CnVec3 at = info->feet;
    int32_t x = floor_of(at.x), y = floor_of(at.y), z = floor_of(at.z);
    char seed[CRAFTY_SEED_TEXT_BYTES];
    const CraftyTerrainStats *terrain = &info->terrain;
    float hours = info->hours >= 0 && info->hours < 24 ? info->hours : 0;
    uint32_t minutes = (uint32_t)(hours * 60);
    lines->count = 0;
    add(lines, "position %.2f %.2f %.2f", (double)at.x, (double)at.y, (double)at.z);
    add(lines, "block    %d %d %d", x, y, z);
    add(lines, "chunk    %d %d %d in %d %d %d", x & (CN_CHUNK_SIZE - 1), y & (CN_CHUNK_SIZE - 1),
        z & (CN_CHUNK_SIZE - 1), x >> CHUNK_BITS, y >> CHUNK_BITS, z >> CHUNK_BITS);
    add(lines, "facing   %s", facing(info->forward));
    add_biome(lines, info->biome);
    add(lines, "light    sky %u, block %u", info->light >> 4, info->light & 15u);
    add(lines, "time     day %u, %02u:%02u", (uint32_t)info->days + 1, minutes / 60, minutes % 60);
    if (info->mode)
        add(lines, "mode     %s", info->mode);
    crafty_seed_to_text(info->seed, seed);
    add(lines, "seed     %s", seed);
    add(lines, "tick     %llu", (unsigned long long)info->tick);
    add(lines, "chunks   %u of %u, %u pending", terrain->view.drawn_chunks, terrain->view.chunks,
        terrain->voxels.waiting);
    add(lines, "far      %u tiles", terrain->view.far_tiles);
    add(lines, "quads    %.2f of %.2f million", (double)terrain->view.drawn_quads * 1e-6,
        (double)terrain->view.quads * 1e-6);
    if (info->memory_bytes)
        add(lines, "memory   %llu MiB", (unsigned long long)(info->memory_bytes >> 20));
}

void crafty_debug_info_draw(CnCanvas *canvas, const CraftyDebugLines *lines, float text_size)
{
    CnRect area = cn_canvas_area(canvas);
    float most = (area.width - BESIDE) / WIDTH;
    float factor = text_size < most ? text_size : most;
    factor = factor > 1 ? factor : 1;
    float width = WIDTH * factor, height = LINE * factor;
    CnTextStyle style = {
        .font = {CN_FONT_MONO}, .size = TEXT_SIZE * factor, .color = cn_rgb(0xE6EAF0)};
    CnRect panel = {area.x + area.width - width - MARGIN, area.y + MARGIN, width,
                    height * (float)lines->count + 2 * INSET};
    uint32_t layer = cn_canvas_set_layer(canvas, CN_CANVAS_MAX_LAYERS - 1);
    cn_canvas_box(canvas, panel, &(CnBoxStyle){.fill = cn_rgba(0x10141AD8), .radius = 6});
    for (uint32_t i = 0; i < lines->count; i++)
        cn_canvas_text_in(canvas,
                          (CnRect){panel.x + INSET, panel.y + INSET + height * (float)i,
                                   panel.width - 2 * INSET, height},
                          &style, &(CnTextLayout){.align_y = CN_ALIGN_CENTER, .ellipsis = true},
                          cn_text(lines->lines[i]));
    cn_canvas_set_layer(canvas, layer);
}
