/* Maps tile names to layers of the texture array. */
#include "blocks.h"
#include "paint.h"

#include <errno.h>
#include <string.h>

static bool paint_block(PaintSet *paint, Block *block, const char *metadata_path)
{
    bool good = true;
    for (int i = 0; i < 3; i++) {
        block->layers[i] = paint_set_layer(paint, block->tiles[i]);
        bool was_reported = i > 0 && strcmp(block->tiles[i], block->tiles[i - 1]) == 0;
        if (block->layers[i] < 0 && !was_reported)
            good = report_error(block->line ? metadata_path : "families.c", block->line,
                                "%s: unknown tile \"%s\"", block->name, block->tiles[i]);
    }
    if (good) {
        uint8_t mean[3];
        paint_set_mean(paint, block->layers[2], mean);
        for (int i = 0; i < 3; i++)
            block->color[i] = (uint8_t)((mean[i] * block->tint[i] + 127) / 255);
    }
    return good;
}

bool faces_paint(BlockSet *set, const char *metadata_path, const char *texture_path)
{
    PaintSet *paint = paint_set_create();
    if (!paint)
        return report_error(texture_path, 0, "out of memory");
    bool good = true;
    for (uint32_t i = 0; i < set->count; i++)
        if (set->blocks[i].material != MATERIAL_AIR)
            good &= paint_block(paint, &set->blocks[i], metadata_path);
    set->tile_count = paint_set_count(paint);
    if (good && !paint_set_write(paint, texture_path))
        good = report_error(texture_path, 0, "%s", strerror(errno));
    paint_set_destroy(paint);
    return good;
}
