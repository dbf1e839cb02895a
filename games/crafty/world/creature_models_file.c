/* Reads data/creature_models.json, and models of mods. */
#include "creature_models.h"

#include "data_reader.h"
#include "item_tiles.h"
#include "skin_tiles.h"

#include <cairn/base/math.h>
#include <cairn/voxel/mesh.h>

#include <stdlib.h>
#include <string.h>

#define MAX_PIXELS 64.0
#define MAX_TEXELS 16.0f

const char *const crafty_animation_words[CRAFTY_ANIMATION_COUNT] = {
    "always", "stand", "walk", "eat",    "fly",  "swim",
    "sit",    "hang",  "fuse", "attack", "hurt", "die"};
static const char *const wave_words[CRAFTY_WAVE_COUNT] = {"sine", "bounce", "peck"};
static const char *const kind_words[CRAFTY_TRACK_KIND_COUNT] = {"turn", "move", "grow"};
static const char *const condition_words[] = {"woolly", "shorn", "tame", "adult", "young"};

struct CraftyCreatureModels {
    CnAllocator *allocator;
    uint32_t count, capacity;
    CraftyCreatureModel *models; /* `capacity` */
};

/* What is read at the moment. */
typedef struct Reading {
    CraftyDataReader data;
    CraftyCreatureModels *models;
    CraftyCreatureModel *model;
    double texels; /* per pixel, of the model */
    bool has_layers;
} Reading;

/* ---- Values ---- */

static bool fail_at(Reading *reading, json_t *object, const char *key, const char *message)
{
    crafty_data_enter_key(&reading->data, object, key);
    return crafty_data_fail(&reading->data, "\"%s\" %s", key, message);
}

static bool read_float(Reading *reading, json_t *object, const char *key, double low, double high,
                       float *value)
{
    double number = (double)*value;
    if (!crafty_data_number(&reading->data, object, key, low, high, &number))
        return false;
    *value = (float)number;
    return true;
}

/* Reads an array of three numbers. */
static bool read_vector(Reading *reading, json_t *object, const char *key, double limit,
                        CnVec3 *vector)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    double numbers[3] = {0};
    bool good = json_array_size(value) == 3;
    for (size_t i = 0; i < 3 && good; i++) {
        json_t *element = json_array_get(value, i);
        numbers[i] = json_number_value(element);
        good = json_is_number(element) && numbers[i] >= -limit && numbers[i] <= limit;
    }
    if (!good) {
        crafty_data_enter_key(&reading->data, object, key);
        return crafty_data_fail(&reading->data, "\"%s\" must be three numbers from %g to %g", key,
                                -limit, limit);
    }
    *vector = cn_vec3((float)numbers[0], (float)numbers[1], (float)numbers[2]);
    return true;
}

/* Copies a name of lower-case letters, digits and '_'. */
static bool read_name(Reading *reading, json_t *object, const char *key, bool is_needed,
                      char name[CRAFTY_MODEL_NAME_BYTES])
{
    const char *text = NULL;
    if (!crafty_data_text(&reading->data, object, key, &text))
        return false;
    if (!text)
        return !is_needed || crafty_data_fail(&reading->data, "\"%s\" is missing", key);
    bool good = strlen(text) < CRAFTY_MODEL_NAME_BYTES;
    for (const char *c = text; *c && good; c++)
        good = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_';
    if (!good)
        return fail_at(reading, object, key,
                       "must be lower-case letters, digits and '_', at most 31");
    return cn_copy_text(name, CRAFTY_MODEL_NAME_BYTES, cn_text(text));
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Parses "#RRGGBB". */
static bool parse_color(const char *text, uint8_t color[3])
{
    if (!text || strlen(text) != 7 || text[0] != '#')
        return false;
    for (int i = 0; i < 3; i++) {
        int high = hex_digit(text[1 + 2 * i]), low = hex_digit(text[2 + 2 * i]);
        if (high < 0 || low < 0)
            return false;
        color[i] = (uint8_t)(high * 16 + low);
    }
    /* A tint of 0 means none. */
    if (!color[0] && !color[1] && !color[2])
        color[0] = color[1] = color[2] = 1;
    return true;
}

static bool find_part(Reading *reading, json_t *object, const char *key, uint8_t *part)
{
    const char *text = NULL;
    if (!crafty_data_text(&reading->data, object, key, &text))
        return false;
    if (!text)
        return crafty_data_fail(&reading->data, "\"%s\" is missing", key);
    for (uint32_t i = 0; i < reading->model->part_count; i++)
        if (strcmp(reading->model->parts[i].name, text) == 0) {
            *part = (uint8_t)i;
            return true;
        }
    return fail_at(reading, object, key, "is not a part above");
}

/* ---- Parts ---- */

static bool read_part(Reading *reading, json_t *row)
{
    static const char *const keys[] = {"name", "parent", "pivot", "turn", "looks", "young", NULL};
    CraftyCreatureModel *model = reading->model;
    if (!crafty_data_keys(&reading->data, row, keys))
        return false;
    if (model->part_count == CRAFTY_MODEL_MAX_PARTS)
        return crafty_data_fail(&reading->data, "a model has at most %u parts",
                                CRAFTY_MODEL_MAX_PARTS);
    CraftyModelPart part = {.parent = CRAFTY_MODEL_NO_PART, .young = 1};
    if (!read_name(reading, row, "name", true, part.name) ||
        !read_vector(reading, row, "pivot", MAX_PIXELS, &part.pivot) ||
        !read_vector(reading, row, "turn", 360, &part.turn) ||
        !read_float(reading, row, "looks", -1, 1, &part.looks) ||
        !read_float(reading, row, "young", 0.25, 4, &part.young) ||
        (json_object_get(row, "parent") && !find_part(reading, row, "parent", &part.parent)))
        return false;
    for (uint32_t i = 0; i < model->part_count; i++)
        if (strcmp(model->parts[i].name, part.name) == 0)
            return fail_at(reading, row, "name", "is used twice");
    model->parts[model->part_count++] = part;
    return true;
}

/* ---- Boxes ---- */

/* Returns -1 if there is no such skin. */
static int32_t layer_of(const Reading *reading, const char *skin)
{
    return reading->has_layers && skin[0] == '#' ? crafty_item_tile(skin) : crafty_skin_tile(skin);
}

/* What a face shows: a skin, or [skin, column, row] of its first texel. */
static bool read_face(Reading *reading, json_t *row, const char *key, uint32_t faces,
                      CraftyModelShape *shape)
{
    json_t *value = json_object_get(row, key);
    if (!value)
        return true;
    json_t *name = json_is_array(value) ? json_array_get(value, 0) : value;
    json_int_t at[2] = {0, 0};
    bool good = json_is_string(name) && (!json_is_array(value) || json_array_size(value) == 3);
    for (size_t i = 0; i < 2 && good && json_is_array(value); i++) {
        json_t *number = json_array_get(value, i + 1);
        at[i] = json_integer_value(number);
        good = json_is_integer(number) && at[i] >= 0 && at[i] < 16;
    }
    if (!good)
        return fail_at(reading, row, key, "must be a skin, or [skin, column, row]");
    int32_t layer = layer_of(reading, json_string_value(name));
    if (layer < 0)
        return fail_at(reading, row, key, "names a skin that does not exist");
    for (uint32_t face = 0; face < 6; face++)
        if (faces >> face & 1u) {
            shape->tiles[face] = (uint16_t)layer;
            shape->origins[face] = (uint8_t)(at[0] | at[1] << 4);
        }
    return true;
}

static bool read_faces(Reading *reading, json_t *row, CraftyModelShape *shape)
{
    /* Models look along -z; those that follow override those before. */
    static const struct {
        const char *key;
        uint32_t faces;
    } rows[] = {{"all", 63},
                {"sides", 1u << CN_FACE_NEG_X | 1u << CN_FACE_POS_X},
                {"front", 1u << CN_FACE_NEG_Z},
                {"back", 1u << CN_FACE_POS_Z},
                {"top", 1u << CN_FACE_POS_Y},
                {"bottom", 1u << CN_FACE_NEG_Y}};
    for (uint32_t i = 0; i < CN_COUNT_OF(rows); i++)
        if (!read_face(reading, row, rows[i].key, rows[i].faces, shape))
            return false;
    return true;
}

static bool read_color(Reading *reading, json_t *row, uint8_t color[3])
{
    json_t *value = json_object_get(row, "color");
    if (!value || parse_color(json_string_value(value), color))
        return true;
    return fail_at(reading, row, "color", "must be a color like \"#E9A63A\"");
}

static bool read_conditions(Reading *reading, json_t *row, CraftyModelBox *box)
{
    json_t *when = json_object_get(row, "when"), *variants = json_object_get(row, "variants"),
           *each;
    size_t i;
    if (when) {
        uint32_t word = 0;
        if (!crafty_data_word(&reading->data, row, "when", condition_words,
                              CN_COUNT_OF(condition_words), &word))
            return false;
        box->conditions = (uint8_t)(1u << word);
    }
    if (variants && !json_is_array(variants))
        return fail_at(reading, row, "variants", "must be an array");
    json_array_foreach(variants, i, each)
    {
        json_int_t number = json_integer_value(each);
        if (!json_is_integer(each) || number < 0 || number >= CRAFTY_MODEL_MAX_VARIANTS)
            return fail_at(reading, row, "variants", "must be whole numbers from 0 to 7");
        box->variants |= (uint8_t)(1u << number);
    }
    return true;
}

static float texels_of(const Reading *reading, float pixels)
{
    float texels = cn_roundf(pixels * (float)reading->texels);
    return texels < 1 ? 1 : texels > MAX_TEXELS ? MAX_TEXELS : texels;
}

/* A unit block whose lower corner has as many texels as the box shows, scaled to its size. */
static void place_box(const Reading *reading, CnVec3 from, CnVec3 size, CraftyModelBox *box)
{
    CnVec3 texels = {texels_of(reading, size.x), texels_of(reading, size.y),
                     texels_of(reading, size.z)};
    box->shape.high[0] = (uint8_t)texels.x;
    box->shape.high[1] = (uint8_t)texels.y;
    box->shape.high[2] = (uint8_t)texels.z;
    /* In blocks: the unit block has 16 texels. */
    CnVec3 scale = {size.x / texels.x, size.y / texels.y, size.z / texels.z};
    box->place = cn_affine_from_trs(cn_vec3_scale(from, 1.0f / 16), (CnQuat){0, 0, 0, 1}, scale);
}

static bool read_box(Reading *reading, json_t *row)
{
    static const char *const keys[] = {"part",  "from",     "size", "color",  "all",
                                       "sides", "front",    "back", "top",    "bottom",
                                       "when",  "variants", "glow", "tinted", NULL};
    CraftyCreatureModel *model = reading->model;
    if (!crafty_data_keys(&reading->data, row, keys))
        return false;
    if (model->box_count == CRAFTY_MODEL_MAX_BOXES)
        return crafty_data_fail(&reading->data, "a model has at most %u boxes",
                                CRAFTY_MODEL_MAX_BOXES);
    CraftyModelBox box = {0};
    CnVec3 from = {0, 0, 0}, size = {0, 0, 0};
    for (uint32_t i = 0; i < 6; i++)
        box.shape.tiles[i] = CRAFTY_MODEL_NO_TILE;
    if (!find_part(reading, row, "part", &box.part) ||
        !read_vector(reading, row, "from", MAX_PIXELS, &from) ||
        !read_vector(reading, row, "size", MAX_PIXELS, &size) ||
        !read_color(reading, row, box.shape.tint) || !read_faces(reading, row, &box.shape) ||
        !read_float(reading, row, "glow", 0, 1, &box.shape.glow) ||
        !read_conditions(reading, row, &box))
        return false;
    json_t *tinted = json_object_get(row, "tinted");
    if (tinted && !json_is_boolean(tinted))
        return fail_at(reading, row, "tinted", "must be true or false");
    if (!(size.x >= 0 && size.y >= 0 && size.z >= 0) || size.x + size.y + size.z <= 0)
        return fail_at(reading, row, "size", "must not be negative, nor all 0");
    box.is_tinted = json_is_true(tinted);
    place_box(reading, from, size, &box);
    model->boxes[model->box_count++] = box;
    return true;
}

/* ---- Animations ---- */

/* [seconds, x, y, z], ascending. */
static bool read_keys(Reading *reading, json_t *row, CraftyModelTrack *track)
{
    json_t *keys = json_object_get(row, "keys"), *key;
    size_t i;
    if (!keys)
        return true;
    if (json_array_size(keys) < 1 || json_array_size(keys) > CRAFTY_MODEL_MAX_KEYS)
        return fail_at(reading, row, "keys", "must be an array of 1 to 8 keys");
    json_array_foreach(keys, i, key)
    {
        float numbers[4];
        bool good = json_array_size(key) == 4;
        for (size_t k = 0; k < 4 && good; k++) {
            double number = json_number_value(json_array_get(key, k));
            good = json_is_number(json_array_get(key, k)) && number >= -720 && number <= 720;
            numbers[k] = (float)number;
        }
        if (!good || (i > 0 && numbers[0] <= track->key_times[i - 1]))
            return fail_at(reading, row, "keys", "must be [seconds, x, y, z], ascending");
        track->key_times[i] = numbers[0];
        track->keys[i] = cn_vec3(numbers[1], numbers[2], numbers[3]);
    }
    track->key_count = (uint32_t)json_array_size(keys);
    return true;
}

static bool read_track(Reading *reading, json_t *row)
{
    static const char *const keys[] = {"in",   "part", "kind",  "hold", "swing",
                                       "wave", "rate", "phase", "keys", NULL};
    CraftyCreatureModel *model = reading->model;
    if (!crafty_data_keys(&reading->data, row, keys))
        return false;
    if (model->track_count == CRAFTY_MODEL_MAX_TRACKS)
        return crafty_data_fail(&reading->data, "a model has at most %u tracks",
                                CRAFTY_MODEL_MAX_TRACKS);
    CraftyModelTrack track = {.rate = 1};
    uint32_t animation = CRAFTY_ANIMATION_COUNT, kind = 0, wave = 0;
    if (!find_part(reading, row, "part", &track.part) ||
        !crafty_data_word(&reading->data, row, "in", crafty_animation_words, CRAFTY_ANIMATION_COUNT,
                          &animation) ||
        !crafty_data_word(&reading->data, row, "kind", kind_words, CN_COUNT_OF(kind_words),
                          &kind) ||
        !crafty_data_word(&reading->data, row, "wave", wave_words, CN_COUNT_OF(wave_words),
                          &wave) ||
        !read_vector(reading, row, "hold", 360, &track.hold) ||
        !read_vector(reading, row, "swing", 360, &track.swing) ||
        !read_float(reading, row, "rate", 0, 30, &track.rate) ||
        !read_float(reading, row, "phase", -1, 1, &track.phase) || !read_keys(reading, row, &track))
        return false;
    if (animation == CRAFTY_ANIMATION_COUNT)
        return crafty_data_fail(&reading->data, "\"in\" is missing");
    track.animation = (CraftyAnimation)animation;
    track.kind = (CraftyTrackKind)kind;
    track.wave = (CraftyWave)wave;
    model->tracks[model->track_count++] = track;
    return true;
}

/* ---- Models ---- */

static bool read_rows(Reading *reading, json_t *object, const char *key,
                      bool (*read)(Reading *, json_t *))
{
    json_t *rows = json_object_get(object, key), *row;
    size_t i;
    if (!rows)
        return true;
    crafty_data_enter_key(&reading->data, object, key);
    if (!json_is_array(rows))
        return crafty_data_fail(&reading->data, "\"%s\" must be an array", key);
    json_array_foreach(rows, i, row)
    {
        crafty_data_enter(&reading->data, i, false);
        if (!json_is_object(row))
            return crafty_data_fail(&reading->data, "a row of \"%s\" must be an object", key);
        if (!read(reading, row))
            return false;
        crafty_data_leave(&reading->data);
    }
    crafty_data_leave(&reading->data);
    return true;
}

static bool read_tints(Reading *reading, json_t *row)
{
    CraftyCreatureModel *model = reading->model;
    json_t *tints = json_object_get(row, "tints"), *each;
    size_t i;
    model->variant_count = 1;
    if (!tints)
        return true;
    if (json_array_size(tints) < 1 || json_array_size(tints) > CRAFTY_MODEL_MAX_VARIANTS)
        return fail_at(reading, row, "tints", "must be an array of 1 to 8 colors");
    json_array_foreach(
        tints, i,
        each) if (!parse_color(json_string_value(each),
                               model->tints[i])) return fail_at(reading, row, "tints",
                                                                "must be colors like \"#E9A63A\"");
    model->variant_count = (uint32_t)json_array_size(tints);
    return true;
}

static bool read_model(Reading *reading, json_t *row)
{
    static const char *const keys[] = {"name",   "young",  "young_scale", "scale", "stride",
                                       "texels", "height", "radius",      "tints", "parts",
                                       "boxes",  "tracks", NULL};
    CraftyCreatureModels *models = reading->models;
    if (!crafty_data_keys(&reading->data, row, keys))
        return false;
    if (models->count == models->capacity)
        return crafty_data_fail(&reading->data, "there are at most %u models", models->capacity);
    CraftyCreatureModel *model = reading->model = &models->models[models->count];
    *model = (CraftyCreatureModel){
        .scale = 1, .young_scale = 0.5f, .stride = 1.5f, .height = 16, .radius = 16};
    float texels = 1;
    if (!read_name(reading, row, "name", true, model->name) ||
        !read_name(reading, row, "young", false, model->young) ||
        !read_float(reading, row, "scale", 0.1, 8, &model->scale) ||
        !read_float(reading, row, "young_scale", 0.1, 1, &model->young_scale) ||
        !read_float(reading, row, "stride", 0.1, 20, &model->stride) ||
        !read_float(reading, row, "texels", 0.5, 4, &texels) ||
        !read_float(reading, row, "height", 1, 128, &model->height) ||
        !read_float(reading, row, "radius", 1, 128, &model->radius) || !read_tints(reading, row))
        return false;
    if (crafty_creature_model_find(models, model->name))
        return fail_at(reading, row, "name", "is used twice");
    reading->texels = (double)texels;
    models->count++;
    return read_rows(reading, row, "parts", read_part) &&
           read_rows(reading, row, "boxes", read_box) &&
           read_rows(reading, row, "tracks", read_track);
}

/* The young may be a model further below. */
static bool link_young(Reading *reading, json_t *row)
{
    CraftyCreatureModels *models = reading->models;
    const char *name = json_string_value(json_object_get(row, "name"));
    for (uint32_t i = 0; i < models->count; i++) {
        CraftyCreatureModel *model = &models->models[i];
        if (strcmp(model->name, name) != 0 || !model->young[0])
            continue;
        model->young_model = crafty_creature_model_find(models, model->young);
        if (!model->young_model || model->young_model == model)
            return fail_at(reading, row, "young", "must be another model of the file");
    }
    return true;
}

CraftyCreatureModels *crafty_creature_models_create(const CraftyCreatureModelsDesc *desc,
                                                    CnError *error)
{
    static const char *const keys[] = {"$schema", "models", NULL};
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyCreatureModels *models = cn_alloc_zeroed(allocator, sizeof *models);
    uint32_t capacity = desc->max_models ? desc->max_models : CRAFTY_MAX_CREATURE_MODELS;
    if (models)
        models->models = cn_alloc_zeroed(allocator, capacity * sizeof *models->models);
    if (!models || !models->models) {
        cn_free(allocator, models, sizeof *models);
        cn_error_memory(error, "the models of creatures");
        return NULL;
    }
    models->allocator = allocator;
    models->capacity = capacity;
    Reading reading = {.models = models, .has_layers = desc->has_layers};
    if (!crafty_data_open(&reading.data, desc->file, desc->text, error)) {
        crafty_creature_models_destroy(models);
        return NULL;
    }
    json_t *root = reading.data.root;
    bool good = crafty_data_keys(&reading.data, root, keys) &&
                read_rows(&reading, root, "models", read_model) &&
                read_rows(&reading, root, "models", link_young);
    crafty_data_close(&reading.data);
    if (good)
        return models;
    crafty_creature_models_destroy(models);
    return NULL;
}

void crafty_creature_models_destroy(CraftyCreatureModels *models)
{
    if (!models)
        return;
    cn_free(models->allocator, models->models, models->capacity * sizeof *models->models);
    cn_free(models->allocator, models, sizeof *models);
}

uint32_t crafty_creature_models_count(const CraftyCreatureModels *models)
{
    return models->count;
}

const CraftyCreatureModel *crafty_creature_model_at(const CraftyCreatureModels *models,
                                                    uint32_t index)
{
    return &models->models[index];
}

const CraftyCreatureModel *crafty_creature_model_find(const CraftyCreatureModels *models,
                                                      const char *name)
{
    for (uint32_t i = 0; i < models->count; i++)
        if (strcmp(models->models[i].name, name) == 0)
            return &models->models[i];
    return NULL;
}
