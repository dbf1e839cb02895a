/* The set of blocks and tiles, names and error messages. */
#include "blocks.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

Block *set_add(BlockSet *set, const char *name)
{
    if (set->count == BLOCK_MAX)
        return NULL;
    Block *block = &set->blocks[set->count++];
    *block = (Block){.tint = {255, 255, 255},
                     .color = {128, 128, 128},
                     .light_loss = 15,
                     .appearance = LOOK_DEFAULT,
                     .collidable = true,
                     .placeable = true,
                     .hardness = 1};
    snprintf(block->name, sizeof block->name, "%s", name);
    title_of(name, block->title);
    return block;
}

Block *set_find(BlockSet *set, const char *name)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (strcmp(set->blocks[i].name, name) == 0)
            return &set->blocks[i];
    return NULL;
}

void set_tile(Block *block, const char *name)
{
    for (int i = 0; i < 3; i++)
        snprintf(block->tiles[i], BLOCK_NAME_BYTES, "%s", name);
}

bool name_is_good(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length >= BLOCK_NAME_BYTES || !islower((unsigned char)name[0]) ||
        name[length - 1] == '_')
        return false;
    for (const char *c = name; *c; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) &&
            (*c != '_' || c[1] == '_'))
            return false;
    return true;
}

void title_of(const char *name, char title[BLOCK_NAME_BYTES])
{
    bool first = true;
    size_t length = 0;
    for (; name[length] && length < BLOCK_NAME_BYTES - 1; length++) {
        char c = name[length] == '_' ? ' ' : name[length];
        title[length] = first ? (char)toupper((unsigned char)c) : c;
        first = c == ' ';
    }
    title[length] = 0;
}

bool report_error(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (line > 0)
        fprintf(stderr, "%s:%d: ", file, line);
    else
        fprintf(stderr, "%s: ", file);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}
