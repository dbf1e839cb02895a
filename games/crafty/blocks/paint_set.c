/* The set of requested tiles, and the file that contains them. */
#include "painter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define LAYER_MAX 2048 /* texture layers supported by every desktop GPU */
#define NAME_BYTES 64
#define LEVELS 5
#define VERSION 1u
#define HEAD_BYTES 32

struct PaintSet {
    int count;
    char names[LAYER_MAX][NAME_BYTES];
    TileImage tiles[LAYER_MAX];
};

PaintSet *paint_set_create(void)
{
    PaintSet *set = calloc(1, sizeof *set);
    if (!set)
        return NULL;
    for (int stage = 0; stage < PAINT_CRACKS; stage++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "crack_%d", stage);
        paint_set_layer(set, name);
    }
    return set;
}

void paint_set_destroy(PaintSet *set)
{
    free(set);
}

static uint32_t seed_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

int paint_set_layer(PaintSet *set, const char *name)
{
    for (int i = 0; i < set->count; i++)
        if (!strcmp(set->names[i], name))
            return i;
    if (set->count == LAYER_MAX || strlen(name) >= NAME_BYTES)
        return -1;
    Canvas canvas = {.seed = seed_of(name)};
    memset(canvas.height, 128, sizeof canvas.height);
    memset(canvas.rough, 230, sizeof canvas.rough);
    if (!paint_by_name(&canvas, name))
        return -1;
    tile_image_make(&canvas, &set->tiles[set->count]);
    strcpy(set->names[set->count], name);
    return set->count++;
}

int paint_set_count(const PaintSet *set)
{
    return set->count;
}

const char *paint_set_name(const PaintSet *set, int layer)
{
    return set->names[layer];
}

void paint_set_mean(const PaintSet *set, int layer, uint8_t color[3])
{
    memcpy(color, set->tiles[layer].color + TILE_BYTES - 4, 3); /* the 1 x 1 level */
}

/* ---- File ---- */

static void write_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

/* Writes all layers of a level, then the next level. */
static uint8_t *append_levels(const PaintSet *set, uint8_t *at, bool detail)
{
    size_t offset = 0;
    for (int size = PAINT_SIZE; size; size /= 2) {
        size_t bytes = (size_t)size * (size_t)size * 4;
        for (int i = 0; i < set->count; i++, at += bytes)
            memcpy(at, (detail ? set->tiles[i].detail : set->tiles[i].color) + offset, bytes);
        offset += bytes;
    }
    return at;
}

bool paint_set_write(const PaintSet *set, const char *path)
{
    size_t count = (size_t)set->count, flag_bytes = (count + 3) / 4 * 4;
    size_t size = HEAD_BYTES + flag_bytes + count * 2 * TILE_BYTES;
    uint8_t *bytes = calloc(1, size);
    if (!bytes)
        return false;
    memcpy(bytes, "CNTILES\n", 8);
    write_u32(bytes + 8, VERSION);
    write_u32(bytes + 12, (uint32_t)count);
    write_u32(bytes + 16, PAINT_SIZE);
    write_u32(bytes + 20, LEVELS);
    for (size_t i = 0; i < count; i++)
        bytes[HEAD_BYTES + i] = set->tiles[i].has_holes;
    append_levels(set, append_levels(set, bytes + HEAD_BYTES + flag_bytes, false), true);
    uint64_t hash = XXH3_64bits_withSeed(bytes + HEAD_BYTES, size - HEAD_BYTES, VERSION);
    write_u32(bytes + 24, (uint32_t)hash);
    write_u32(bytes + 28, (uint32_t)(hash >> 32));
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes, 1, size, file) == size;
    written = file && !fclose(file) && written;
    free(bytes);
    return written;
}
