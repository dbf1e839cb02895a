/*
 * Reads block_metadata.json: an array of objects, one for each special block.
 *
 *     {"name": "grass", "hardness": 0.6, "surface": "grass",
 *      "tiles": ["grass_side", "dirt", "grass_top"]}
 *
 * name        required
 * title       shown to players; derived from the name by default
 * hardness    required: -1 (unbreakable) or 0 to 100
 * surface     required: stone, grass, sand, wood
 * material    opaque (default), semi, water, prop, air
 * tiles       one name, or side, bottom and top; the block's own name by default
 * tint        "#rrggbb"
 * light_loss  0 to 15; default: 15 for opaque blocks, 0 for others
 * collidable  default: true for opaque and semi blocks
 * placeable   default: true
 * replaceable default: false; replaced by a block placed in its cell
 * appearance  array of turns, mirrors, climate, foliage (cairn/voxel/block.h); default: mirrors and
 *             foliage for plants and leaves, nothing for others
 * stacks      default: false; a prop that also stands on its own kind
 * stands_on_water  default: false; a prop that also stands on still water
 * light       {"level": 0 to 15, "color": [r, g, b] from 0 to 1, "intensity": ..., "radius": ...}
 *
 * Jansson does not report the line of a value. Each object is therefore parsed separately, and the
 * line of a key is found by searching for the key in the text of the object.
 */
#include "blocks.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    BlockSet *set;
    const char *path;
    const char *text; /* of the whole file */
    size_t size;
    size_t begin, end; /* of the current object */
    json_t *object;
    Block *block;
    bool failed;
} Reader;

static int line_of(const Reader *reader, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < offset && i < reader->size; i++)
        line += reader->text[i] == '\n';
    return line;
}

/* Returns the line of `key` in the object, or of the object if it has no such key. */
static int line_of_key(const Reader *reader, const char *key)
{
    char quoted[BLOCK_NAME_BYTES + 2];
    int length = snprintf(quoted, sizeof quoted, "\"%s\"", key);
    for (size_t i = reader->begin; i + (size_t)length < reader->end; i++) {
        if (memcmp(reader->text + i, quoted, (size_t)length) != 0)
            continue;
        size_t after = i + (size_t)length;
        while (after < reader->end && isspace((unsigned char)reader->text[after]))
            after++;
        if (after < reader->end && reader->text[after] == ':')
            return line_of(reader, i);
    }
    return line_of(reader, reader->begin);
}

#define REPORT_ERROR(reader, key, ...)                                                             \
    ((reader)->failed = true, report_error((reader)->path, line_of_key(reader, key), __VA_ARGS__))

/* ---- Values ---- */

static bool read_number(Reader *reader, json_t *value, const char *key, double low, double high,
                        double *number)
{
    double read = json_number_value(value);
    if (!json_is_number(value) || !(read >= low && read <= high))
        return REPORT_ERROR(reader, key, "\"%s\" must be a number from %g to %g", key, low, high);
    *number = read;
    return true;
}

static void read_integer(Reader *reader, json_t *value, const char *key, int high, uint8_t *integer)
{
    json_int_t read = json_integer_value(value);
    if (!json_is_integer(value) || read < 0 || read > high)
        REPORT_ERROR(reader, key, "\"%s\" must be a whole number from 0 to %d", key, high);
    else
        *integer = (uint8_t)read;
}

static void read_bool(Reader *reader, json_t *value, const char *key, bool *truth)
{
    if (json_is_boolean(value))
        *truth = json_is_true(value);
    else
        REPORT_ERROR(reader, key, "\"%s\" must be true or false", key);
}

/* Returns the index of the value in `words`, or reports an error and returns -1. */
static int read_word(Reader *reader, json_t *value, const char *key, const char *const words[],
                     int count)
{
    const char *text = json_string_value(value);
    for (int i = 0; text && i < count; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    char known[128] = "";
    for (int i = 0; i < count; i++) {
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", words[i]);
    }
    REPORT_ERROR(reader, key, "\"%s\" must be one of %s", key, known);
    return -1;
}

static void read_hardness(Reader *reader, json_t *value)
{
    Block *block = reader->block;
    if (read_number(reader, value, "hardness", -1, 100, &block->hardness) && block->hardness < 0 &&
        block->hardness != -1)
        REPORT_ERROR(reader, "hardness", "\"hardness\" must be -1 (unbreakable) or at least 0");
}

static void read_title(Reader *reader, json_t *value)
{
    const char *text = json_string_value(value);
    if (!text || !*text || strlen(text) >= BLOCK_NAME_BYTES || strpbrk(text, "\"\\\n"))
        REPORT_ERROR(reader, "title", "\"title\" must be plain text of 1 to %d bytes",
                     BLOCK_NAME_BYTES - 1);
    else
        snprintf(reader->block->title, BLOCK_NAME_BYTES, "%s", text);
}

static void read_tint(Reader *reader, json_t *value)
{
    const char *text = json_string_value(value);
    unsigned long rgb = 0;
    if (text && strlen(text) == 7 && text[0] == '#' &&
        strspn(text + 1, "0123456789abcdefABCDEF") == 6)
        rgb = strtoul(text + 1, NULL, 16);
    else
        REPORT_ERROR(reader, "tint", "\"tint\" must be written as \"#rrggbb\"");
    for (int i = 0; i < 3; i++)
        reader->block->tint[i] = (uint8_t)(rgb >> (16 - 8 * i));
}

static void read_tiles(Reader *reader, json_t *value)
{
    Block *block = reader->block;
    if (!value) {
        set_tile(block, block->name);
        return;
    }
    for (size_t i = 0; i < 3; i++) {
        json_t *each = json_array_size(value) == 3 ? json_array_get(value, i) : value;
        const char *name = json_string_value(each);
        if (!name || !name_is_good(name)) {
            REPORT_ERROR(reader, "tiles",
                         "\"tiles\" must name one tile, or three: side, bottom and top");
            return;
        }
        snprintf(block->tiles[i], BLOCK_NAME_BYTES, "%s", name);
    }
}

static void read_appearance(Reader *reader, json_t *value)
{
    static const char *const words[] = {"turns", "mirrors", "climate", "foliage"};
    size_t i;
    json_t *each;
    reader->block->appearance = 0;
    if (!json_is_array(value))
        REPORT_ERROR(reader, "appearance", "\"appearance\" must be an array of words");
    json_array_foreach(value, i, each)
    {
        int word = read_word(reader, each, "appearance", words, 4);
        reader->block->appearance |= word < 0 ? 0 : 1 << word;
    }
}

static void read_light(Reader *reader, json_t *light)
{
    Block *block = reader->block;
    if (!json_is_object(light)) {
        REPORT_ERROR(reader, "light", "\"light\" must be an object");
        return;
    }
    block->emits_light = true;
    const char *key;
    json_t *value;
    json_object_foreach(light, key, value)
    {
        if (strcmp(key, "level") == 0) {
            read_integer(reader, value, key, 15, &block->light_level);
        } else if (strcmp(key, "color") == 0) {
            if (json_array_size(value) != 3)
                REPORT_ERROR(reader, key, "\"color\" must be three numbers from 0 to 1");
            for (size_t i = 0; i < 3 && i < json_array_size(value); i++)
                read_number(reader, json_array_get(value, i), key, 0, 1, &block->light_color[i]);
        } else if (strcmp(key, "intensity") == 0) {
            read_number(reader, value, key, 0, 1000, &block->light_intensity);
        } else if (strcmp(key, "radius") == 0) {
            read_number(reader, value, key, 0, 64, &block->light_radius);
        } else {
            REPORT_ERROR(reader, key, "unknown key \"%s\" in \"light\"", key);
        }
    }
}

/* ---- Blocks ---- */

static void read_material(Reader *reader, json_t *value)
{
    static const char *const words[] = {"opaque", "semi", "water", "prop", "air"};
    Block *block = reader->block;
    int material = value ? read_word(reader, value, "material", words, MATERIAL_COUNT) : 0;
    if (material >= 0)
        block->material = (Material)material;
    /* Defaults that depend on the material. */
    block->collidable = block->material == MATERIAL_OPAQUE || block->material == MATERIAL_SEMI;
    block->light_loss = block->material == MATERIAL_OPAQUE ? 15 : 0;
}

static void read_key(Reader *reader, const char *key, json_t *value)
{
    static const char *const surfaces[] = {"stone", "grass", "sand", "wood"};
    Block *block = reader->block;
    if (strcmp(key, "title") == 0) {
        read_title(reader, value);
    } else if (strcmp(key, "hardness") == 0) {
        read_hardness(reader, value);
    } else if (strcmp(key, "surface") == 0) {
        int surface = read_word(reader, value, key, surfaces, SURFACE_COUNT);
        block->surface = surface < 0 ? SURFACE_STONE : (Surface)surface;
    } else if (strcmp(key, "tint") == 0) {
        read_tint(reader, value);
    } else if (strcmp(key, "light_loss") == 0) {
        read_integer(reader, value, key, 15, &block->light_loss);
    } else if (strcmp(key, "collidable") == 0) {
        read_bool(reader, value, key, &block->collidable);
    } else if (strcmp(key, "placeable") == 0) {
        read_bool(reader, value, key, &block->placeable);
    } else if (strcmp(key, "replaceable") == 0) {
        read_bool(reader, value, key, &block->replaceable);
    } else if (strcmp(key, "stacks") == 0) {
        read_bool(reader, value, key, &block->stacks);
    } else if (strcmp(key, "stands_on_water") == 0) {
        read_bool(reader, value, key, &block->stands_on_water);
    } else if (strcmp(key, "appearance") == 0) {
        read_appearance(reader, value);
    } else if (strcmp(key, "light") == 0) {
        read_light(reader, value);
    } else if (strcmp(key, "name") != 0 && strcmp(key, "material") != 0 &&
               strcmp(key, "tiles") != 0) {
        REPORT_ERROR(reader, key, "unknown key \"%s\"", key);
    }
}

static void read_block(Reader *reader)
{
    static const char *const required[] = {"name", "hardness", "surface"};
    int line = line_of(reader, reader->begin);
    const char *name = json_string_value(json_object_get(reader->object, "name"));
    for (int i = 0; i < 3; i++)
        if (!json_object_get(reader->object, required[i]))
            REPORT_ERROR(reader, "name", "\"%s\" is missing", required[i]);
    if (!name || !name_is_good(name)) {
        REPORT_ERROR(reader, "name", "\"name\" must be words of lower-case letters joined by _");
        return;
    }
    const Block *other = set_find(reader->set, name);
    if (other)
        REPORT_ERROR(reader, "name", "\"%s\" is already defined in line %d", name, other->line);
    if (strcmp(name, "count") == 0 || strcmp(name, "special_count") == 0 ||
        strcmp(name, "tile_count") == 0)
        REPORT_ERROR(reader, "name", "the name \"%s\" is reserved", name);
    reader->block = set_add(reader->set, name);
    if (!reader->block) {
        REPORT_ERROR(reader, "name", "more than %d blocks", BLOCK_MAX);
        return;
    }
    reader->block->line = line;
    read_material(reader, json_object_get(reader->object, "material"));
    if (reader->block->material != MATERIAL_AIR)
        read_tiles(reader, json_object_get(reader->object, "tiles"));
    const char *key;
    json_t *value;
    json_object_foreach(reader->object, key, value) read_key(reader, key, value);
    if (reader->block->material == MATERIAL_OPAQUE && reader->block->light_loss < 15)
        REPORT_ERROR(reader, "light_loss", "\"light_loss\" of an opaque block must be 15");
}

/* ---- File ---- */

static void skip_space(Reader *reader)
{
    while (reader->end < reader->size && isspace((unsigned char)reader->text[reader->end]))
        reader->end++;
}

static bool take(Reader *reader, char expected)
{
    skip_space(reader);
    bool there = reader->end < reader->size && reader->text[reader->end] == expected;
    reader->end += there;
    return there;
}

/* Reads the object that starts at reader->end. */
static bool read_object(Reader *reader)
{
    json_error_t error;
    skip_space(reader);
    reader->begin = reader->end;
    reader->object = json_loadb(reader->text + reader->begin, reader->size - reader->begin,
                                JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
    if (!reader->object)
        return report_error(reader->path, line_of(reader, reader->begin) + error.line - 1, "%s",
                            error.text);
    reader->end = reader->begin + (size_t)error.position;
    if (json_is_object(reader->object))
        read_block(reader);
    else
        REPORT_ERROR(reader, "", "a block must be an object");
    json_decref(reader->object);
    return true;
}

static bool read_all(Reader *reader)
{
    if (!take(reader, '['))
        return report_error(reader->path, 1, "must be an array of blocks");
    do {
        if (!read_object(reader))
            return false;
    } while (take(reader, ','));
    if (!take(reader, ']'))
        return report_error(reader->path, line_of(reader, reader->end), "',' or ']' expected");
    skip_space(reader);
    if (reader->end != reader->size)
        return report_error(reader->path, line_of(reader, reader->end),
                            "nothing may follow the array");
    if (!reader->failed && strcmp(reader->set->blocks[0].name, "air") != 0)
        return report_error(reader->path, reader->set->blocks[0].line,
                            "the first block must be air");
    return !reader->failed;
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long length = ftell(file);
        rewind(file);
        text = length >= 0 ? malloc((size_t)length + 1) : NULL;
        *size = text ? fread(text, 1, (size_t)length, file) : 0;
    }
    fclose(file);
    return text;
}

bool metadata_read(BlockSet *set, const char *path)
{
    Reader reader = {.set = set, .path = path};
    char *text = read_file(path, &reader.size);
    if (!text)
        return report_error(path, 0, "%s", strerror(errno));
    reader.text = text;
    bool good = read_all(&reader);
    free(text);
    set->special_count = set->count;
    return good;
}
