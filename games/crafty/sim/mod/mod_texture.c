/* Textures and skins of mods. */
#include "mods_internal.h"

#include "crafty/world/item_tiles.h"
#include "crafty/world/items.h"
#include "crafty/world/skin_tiles.h"

#include <cairn/voxel/tiles.h>

#include <string.h>

/* ---- Textures ---- */

static const CraftyModTexture *find_texture(const CraftyMods *mods, const char *name)
{
    for (uint32_t i = 0; i < mods->textures.count; i++)
        if (strcmp(mods->textures.items[i]->name, name) == 0)
            return mods->textures.items[i];
    return NULL;
}

/* Writes the path; false: the mod has no such file. */
static bool find_file(const CraftyModState *mod, const char *name, CraftyModTexture *texture,
                      uint64_t *size_bytes)
{
    const CraftyModSource *source = mod->source;
    CnFileInfo info = {0};
    CnError ignored = {0};
    if (!source->files || strchr(name, ':') || !crafty_item_name_valid(cn_text(name)) ||
        !cn_format(texture->name, sizeof texture->name, "%s:%s", source->name, name) ||
        !cn_format(texture->path, sizeof texture->path, "%s/textures/%s.png", source->folder, name))
        return false;
    if (!source->files->info(source->files, texture->path, &info, &ignored) || info.is_directory)
        return false;
    *size_bytes = info.size_bytes;
    return true;
}

/* Gives it the next layer. Returns NULL when out of memory. */
static const CraftyModTexture *add_texture(CraftyMods *mods, const CraftyModTexture *texture)
{
    CraftyModTexture *copy = cn_alloc(mods->allocator, sizeof *copy);
    if (!copy || !cn_array_push(&mods->textures, copy)) {
        cn_free(mods->allocator, copy, sizeof *copy);
        return NULL;
    }
    *copy = *texture;
    copy->layer = (uint16_t)(crafty_tile_count + mods->textures.count - 1);
    return copy;
}

static bool has_room(const CraftyMods *mods)
{
    return crafty_tile_count + mods->textures.count < CN_TILE_MAX;
}

bool crafty_mod_texture(CnLuaCall *call, const char *name, const CraftyModTexture **texture)
{
    const CraftyModState *mod = call->user;
    CraftyMods *mods = mod->mods;
    uint64_t size_bytes = 0;
    CraftyModTexture found = {.files = mod->source->files, .mod = mod->index};
    *texture = NULL;
    if (!find_file(mod, name, &found, &size_bytes))
        return true;
    *texture = find_texture(mods, found.name);
    if (*texture)
        return true;
    if (size_bytes > CRAFTY_MOD_TEXTURE_BYTES)
        return cn_error_set(call->error, CN_ERROR_LIMIT,
                            "textures/%s.png has %llu bytes; textures have at most %u", name,
                            (unsigned long long)size_bytes, CRAFTY_MOD_TEXTURE_BYTES);
    if (!has_room(mods))
        return cn_error_set(call->error, CN_ERROR_LIMIT,
                            "textures/%s.png: all mods together have at most %u textures", name,
                            CN_TILE_MAX - crafty_tile_count);
    *texture = add_texture(mods, &found);
    return *texture || cn_error_memory(call->error, "a texture");
}

/* ---- Textures that nothing uses yet ---- */

typedef struct Listing {
    const CraftyModState *mod;
    uint32_t left;
    bool failed;
} Listing;

static bool visit_texture(const char *file, bool is_directory, void *user)
{
    Listing *listing = user;
    CraftyMods *mods = listing->mod->mods;
    const CraftyModState *mod = listing->mod;
    char name[CRAFTY_MOD_KEY_BYTES];
    uint64_t size_bytes = 0;
    CraftyModTexture found = {.files = mod->source->files, .mod = mod->index};
    size_t size = strlen(file);
    if (is_directory || size < 5 || strcmp(file + size - 4, ".png") != 0 ||
        !cn_copy_text(name, sizeof name, (CnText){file, size - 4}) ||
        !find_file(mod, name, &found, &size_bytes) || find_texture(mods, found.name) ||
        size_bytes > CRAFTY_MOD_TEXTURE_BYTES)
        return true;
    if (listing->left == 0 || !has_room(mods))
        return false;
    listing->left--;
    listing->failed = !add_texture(mods, &found);
    return !listing->failed;
}

/* Folders list their files in byte order, so the layers are the same everywhere. */
bool crafty_mods_list_textures(CraftyMods *mods, CnError *error)
{
    for (uint32_t i = 0; i < mods->count; i++) {
        const CraftyModSource *source = mods->list[i].source;
        char folder[CN_LUA_PATH_BYTES];
        Listing listing = {.mod = &mods->list[i], .left = CRAFTY_MOD_SPARE_TEXTURES};
        CnError ignored = {0}; /* a mod need not have such a folder */
        if (mods->list[i].is_disabled || !source->files || !source->files->list ||
            !cn_format(folder, sizeof folder, "%s/textures", source->folder))
            continue;
        source->files->list(source->files, folder, visit_texture, &listing, &ignored);
        if (listing.failed)
            return cn_error_memory(error, "the textures of mods");
    }
    return true;
}

bool crafty_mod_no_texture(CnLuaCall *call, const char *key, const char *name, const char *what)
{
    char escaped[CRAFTY_MOD_KEY_BYTES * 2];
    return cn_error_set(call->error, CN_ERROR_NOT_FOUND,
                        "\"%s\": the mod has no file textures/%s.png, and there is no %s of this "
                        "name",
                        key, cn_text_escape(cn_text(name), escaped, sizeof escaped), what);
}

uint32_t crafty_mods_texture_count(const CraftyMods *mods)
{
    return mods->textures.count;
}

const CraftyModTexture *crafty_mods_texture(const CraftyMods *mods, uint32_t index)
{
    return index < mods->textures.count ? mods->textures.items[index] : NULL;
}

const CraftyModSource *crafty_mods_find_source(const CraftyMods *mods, const char *name)
{
    for (uint32_t i = 0; i < mods->count; i++)
        if (strcmp(mods->list[i].source->name, name) == 0)
            return mods->list[i].source;
    return NULL;
}

/* ---- Pictures of items ---- */

/* An item without a tile has the texture of its own name, if there is one. */
bool crafty_mod_item_tile(CnLuaCall *call, json_t *row)
{
    const CraftyModTexture *texture;
    json_t *given = json_object_get(row, "tile");
    const char *name = json_string_value(given ? given : json_object_get(row, "name"));
    const char *colon = name && !given ? strchr(name, ':') : NULL;
    if (!name || ((CraftyModState *)call->user)->source->is_standard)
        return true; /* the reader of items checks types */
    if (!crafty_mod_texture(call, colon ? colon + 1 : name, &texture))
        return false;
    if (texture) {
        char tile[16];
        cn_format(tile, sizeof tile, "#%u", texture->layer); /* item_tiles.h */
        return json_object_set_new(row, "tile", json_string(tile)) == 0 ||
               cn_error_memory(call->error, "an item");
    }
    return !given || (name[0] != '#' && crafty_item_tile(name) >= 0) ||
           crafty_mod_no_texture(call, "tile", name, "picture of an item");
}

/* ---- Skins of creatures ---- */

static bool add_skin(CnLuaCall *call, const char *creature, const char *replaced, json_t *value)
{
    CraftyMods *mods = ((CraftyModState *)call->user)->mods;
    const CraftyModTexture *texture;
    const char *name = json_string_value(value);
    CraftyModSkin skin = {.replaced = CRAFTY_MOD_ALL_SKINS};
    int32_t layer = replaced ? crafty_skin_tile(replaced) : 0;
    char escaped[CRAFTY_MOD_KEY_BYTES * 2];
    if (!name)
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"skin\" must be the name of a texture, or a table of such names");
    if (layer < 0)
        return cn_error_set(call->error, CN_ERROR_NOT_FOUND,
                            "\"skin\": no standard creature has a skin \"%s\"",
                            cn_text_escape(cn_text(replaced), escaped, sizeof escaped));
    if (!crafty_mod_texture(call, name, &texture))
        return false;
    int32_t standard = texture ? texture->layer : crafty_skin_tile(name);
    if (standard < 0)
        return crafty_mod_no_texture(call, "skin", name, "skin of a standard creature");
    if (replaced)
        skin.replaced = (uint16_t)layer;
    skin.layer = (uint16_t)standard;
    cn_copy_text(skin.creature, sizeof skin.creature, cn_text(creature));
    return cn_array_push(&mods->skins, skin) || cn_error_memory(call->error, "a skin");
}

bool crafty_mod_creature_skin(CnLuaCall *call, json_t *row)
{
    const char *creature = json_string_value(json_object_get(row, "name")), *key;
    json_t *skin = json_object_get(row, "skin"), *value;
    bool good = true;
    if (!skin || !creature)
        return true;
    if (json_is_object(skin)) {
        json_object_foreach(skin, key, value)
        {
            good = good && add_skin(call, creature, key, value);
        }
    } else
        good = add_skin(call, creature, NULL, skin);
    json_object_del(row, "skin");
    return good;
}

uint16_t crafty_mods_skin(const CraftyMods *mods, const char *creature, uint16_t layer)
{
    uint16_t shown = layer;
    for (uint32_t i = 0; i < mods->skins.count; i++) {
        const CraftyModSkin *skin = &mods->skins.items[i];
        if (strcmp(skin->creature, creature) != 0)
            continue;
        if (skin->replaced == layer)
            return skin->layer;
        if (skin->replaced == CRAFTY_MOD_ALL_SKINS)
            shown = skin->layer;
    }
    return shown;
}

bool crafty_mods_has_skin(const CraftyMods *mods, const char *creature)
{
    for (uint32_t i = 0; i < mods->skins.count; i++)
        if (strcmp(mods->skins.items[i].creature, creature) == 0)
            return true;
    return false;
}
