/* Writes what the library is compiled from: block_ids.h and block_table.c. */
#include "blocks.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is written first lies in memory. */
typedef struct Draft {
    FILE *file;
    char *text;
    size_t size;
} Draft;

static bool begin(Draft *draft, const char *path)
{
    *draft = (Draft){0};
    draft->file = open_memstream(&draft->text, &draft->size);
    return draft->file || complain(path, 0, "%s", strerror(errno));
}

static bool is_there_already(const Draft *draft, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t i = 0;
    int c;
    while ((c = fgetc(file)) != EOF && i < draft->size && c == (unsigned char)draft->text[i])
        i++;
    fclose(file);
    return c == EOF && i == draft->size;
}

/* A file that is the same already stays as it is: what depends on it need not be compiled again. */
static bool finish(Draft *draft, const char *path)
{
    bool good = fclose(draft->file) == 0;
    if (good && !is_there_already(draft, path)) {
        FILE *file = fopen(path, "wb");
        good = file && fwrite(draft->text, 1, draft->size, file) == draft->size;
        if (file)
            good = fclose(file) == 0 && good;
    }
    free(draft->text);
    return good || complain(path, 0, "%s", strerror(errno));
}

bool ids_write(const BlockSet *set, const char *path)
{
    Draft draft;
    if (!begin(&draft, path))
        return false;
    FILE *file = draft.file;
    fputs("/* Made by tools/blocks: the special blocks, whose numbers never change. */\n"
          "#ifndef CAIRN_VOXEL_BLOCK_IDS_H\n#define CAIRN_VOXEL_BLOCK_IDS_H\n\nenum {\n",
          file);
    for (uint32_t i = 0; i < set->special_count; i++) {
        fputs("    CN_BLOCK_", file);
        for (const char *c = set->blocks[i].name; *c; c++)
            fputc(toupper((unsigned char)*c), file);
        fprintf(file, " = %u,\n", i);
    }
    fprintf(file,
            "    CN_BLOCK_SPECIAL_COUNT = %u,\n    CN_BLOCK_COUNT = %u,\n"
            "    CN_BLOCK_TILE_COUNT = %d\n};\n\n#endif\n",
            set->special_count, set->count, set->tile_count);
    return finish(&draft, path);
}

static void write_info(FILE *file, const Block *block)
{
    static const char *const materials[] = {"OPAQUE", "SEMI", "WATER", "PROP", "PROP"};
    static const char *const surfaces[] = {"STONE", "GRASS", "SAND", "WOOD"};
    fprintf(file, "    {\"%s\", \"%s\", %d, %d, %d, {%u, %u, %u}, CN_MATERIAL_%s, CN_SURFACE_%s,\n",
            block->name, block->title, block->layers[0], block->layers[1], block->layers[2],
            block->tint[0], block->tint[1], block->tint[2], materials[block->material],
            surfaces[block->surface]);
    fprintf(file, "     %u, %u, %s, %s, %s, %s, (float)%.9g,", block->light_level,
            block->light_loss, block->emits_light ? "true" : "false",
            block->collidable ? "true" : "false", block->placeable ? "true" : "false",
            block->gives_way ? "true" : "false", block->hardness);
    fprintf(file, " {(float)%.9g, (float)%.9g, (float)%.9g}, (float)%.9g, (float)%.9g,",
            block->light_color[0], block->light_color[1], block->light_color[2],
            block->light_intensity, block->light_radius);
    fprintf(file, " {%u, %u, %u}},\n", block->color[0], block->color[1], block->color[2]);
}

static void write_flags(FILE *file, const Block *block)
{
    static const char *const kinds[] = {"OPAQUE", "SEMI", "WATER", "PROP", "AIR"};
    fprintf(file, "    CN_BLOCK_IS_%s", kinds[block->material]);
    if (block->light_level > 0)
        fputs(" | CN_BLOCK_GLOWS", file);
    if (block->collidable)
        fputs(" | CN_BLOCK_COLLIDES", file);
    if (block->light_loss > 0)
        fputs(" | CN_BLOCK_DIMS", file);
    fprintf(file, ", /* %s */\n", block->name);
}

bool table_write(const BlockSet *set, const char *path)
{
    Draft draft;
    if (!begin(&draft, path))
        return false;
    FILE *file = draft.file;
    fputs("/* Made by tools/blocks. */\n#include <cairn/voxel/block.h>\n\n"
          "const CnBlockInfo cn_blocks[CN_BLOCK_COUNT] = {\n",
          file);
    for (uint32_t i = 0; i < set->count; i++)
        write_info(file, &set->blocks[i]);
    fputs("};\n\nconst uint8_t cn_block_flags[CN_BLOCK_COUNT] = {\n", file);
    for (uint32_t i = 0; i < set->count; i++)
        write_flags(file, &set->blocks[i]);
    fputs("};\n", file);
    return finish(&draft, path);
}
