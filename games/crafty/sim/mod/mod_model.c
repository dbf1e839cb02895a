/* Models of creatures of mods: tables in the form of data/creature_models.json. */
#include "mods_internal.h"

#include "crafty/world/creature_models.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MODELS 64u /* of all mods */
#define OWN_NAME "own" /* models are found by the creature that has them */

/* Replaces the name of a texture of the mod by its layer. */
static bool resolve_skin(CnLuaCall *call, json_t *name)
{
    const char *text = json_string_value(name);
    const CraftyModTexture *texture;
    char layer[16];
    if (!text)
        return true; /* the reader of models checks types */
    if (text[0] == '#')
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"model\": a skin is the name of a texture");
    if (!crafty_mod_texture(call, text, &texture))
        return false;
    if (!texture)
        return true;
    cn_format(layer, sizeof layer, "#%u", texture->layer);
    return json_string_set(name, layer) == 0 || cn_error_memory(call->error, "a model");
}

static bool resolve_box(CnLuaCall *call, json_t *box)
{
    static const char *const faces[] = {"all", "sides", "front", "back", "top", "bottom"};
    bool good = true;
    for (uint32_t i = 0; i < CN_COUNT_OF(faces) && good; i++) {
        json_t *face = json_object_get(box, faces[i]);
        good = resolve_skin(call, json_is_array(face) ? json_array_get(face, 0) : face);
    }
    return good;
}

static bool resolve_skins(CnLuaCall *call, json_t *model)
{
    json_t *box;
    size_t i;
    bool good = true;
    json_array_foreach(json_object_get(model, "boxes"), i, box)
    {
        good = good && resolve_box(call, box);
    }
    return good;
}

/* The position of the call is added to errors, so file and line of the JSON are left out. */
static CraftyCreatureModels *read_model(CnLuaCall *call, json_t *model)
{
    CraftyMods *mods = ((CraftyModState *)call->user)->mods;
    CraftyCreatureModels *models = NULL;
    CnError error = {0};
    json_t *root = json_pack("{s:[O]}", "models", model);
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (text)
        models =
            crafty_creature_models_create(&(CraftyCreatureModelsDesc){.allocator = mods->allocator,
                                                                      .file = "model",
                                                                      .text = cn_text(text),
                                                                      .max_models = 1,
                                                                      .has_layers = true},
                                          &error);
    if (!text || error.code == CN_ERROR_MEMORY)
        cn_error_memory(call->error, "a model");
    else if (!models)
        cn_error_set(call->error, error.code, "\"model\": %s", error.message);
    free(text);
    json_decref(root);
    return models;
}

static bool add_model(CnLuaCall *call, const char *creature, json_t *model)
{
    CraftyMods *mods = ((CraftyModState *)call->user)->mods;
    CraftyModModel added = {0};
    if (mods->models.count == MAX_MODELS)
        return cn_error_set(call->error, CN_ERROR_LIMIT, "mods have at most %u models", MAX_MODELS);
    if (json_object_get(model, "name"))
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"model\": its name is that of the creature");
    if (!resolve_skins(call, model))
        return false;
    if (json_object_set_new(model, "name", json_string(OWN_NAME)) != 0)
        return cn_error_memory(call->error, "a model");
    added.models = read_model(call, model);
    cn_copy_text(added.creature, sizeof added.creature, cn_text(creature));
    if (!added.models)
        return false;
    if (cn_array_push(&mods->models, added))
        return true;
    crafty_creature_models_destroy(added.models);
    return cn_error_memory(call->error, "a model");
}

bool crafty_mod_creature_model(CnLuaCall *call, json_t *row)
{
    const char *creature = json_string_value(json_object_get(row, "name"));
    json_t *model = json_object_get(row, "model");
    if (!json_is_object(model) || !creature)
        return true;
    if (!add_model(call, creature, model))
        return false;
    json_object_del(row, "model"); /* then it is the creature's name */
    return true;
}

const CraftyCreatureModel *crafty_mods_model(const CraftyMods *mods, const char *creature)
{
    for (uint32_t i = 0; i < mods->models.count; i++)
        if (strcmp(mods->models.items[i].creature, creature) == 0)
            return crafty_creature_model_at(mods->models.items[i].models, 0);
    return NULL;
}

void crafty_mods_models_fini(CraftyMods *mods)
{
    for (uint32_t i = 0; i < mods->models.count; i++)
        crafty_creature_models_destroy(mods->models.items[i].models);
    cn_array_fini(&mods->models);
}
