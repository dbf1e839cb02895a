#include "mod_sounds.h"

#include "crafty/world/items.h"

#include <cairn/base/array.h>
#include <cairn/base/log.h>

#include <string.h>

typedef struct Loaded {
    char path[CN_LUA_PATH_BYTES];
    CnFileBytes bytes; /* until it is decoded */
    CnSound sound;
    bool exists, failed;
} Loaded;

struct CraftyModSounds {
    CnAllocator *allocator;
    CnAudio *audio;
    const CraftyMods *mods;
    CN_ARRAY(Loaded *) loaded;
};

CraftyModSounds *crafty_mod_sounds_create(CnAllocator *allocator, CnAudio *audio,
                                          const CraftyMods *mods, CnError *error)
{
    allocator = allocator ? allocator : cn_system_allocator();
    CraftyModSounds *sounds = cn_alloc_zeroed(allocator, sizeof *sounds);
    if (!sounds) {
        cn_error_memory(error, "the sounds of mods");
        return NULL;
    }
    sounds->allocator = allocator;
    sounds->audio = audio;
    sounds->mods = mods;
    sounds->loaded.allocator = allocator;
    return sounds;
}

void crafty_mod_sounds_destroy(CraftyModSounds *sounds)
{
    if (!sounds)
        return;
    for (uint32_t i = 0; i < sounds->loaded.count; i++) {
        Loaded *each = sounds->loaded.items[i];
        if (each->sound.id)
            cn_sound_destroy(sounds->audio, each->sound);
        cn_file_bytes_free(&each->bytes);
        cn_free(sounds->allocator, each, sizeof *each);
    }
    cn_array_fini(&sounds->loaded);
    cn_free(sounds->allocator, sounds, sizeof *sounds);
}

/* ---- Loading ---- */

static bool read_file(CnFileSystem *files, const char *path, CnAllocator *allocator,
                      CnFileBytes *bytes, CnError *error)
{
    CnFileInfo info;
    if (!files->info(files, path, &info, error))
        return false;
    if (info.size_bytes > CRAFTY_MOD_SOUND_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the file has %llu bytes; sounds of mods have at most %u",
                            (unsigned long long)info.size_bytes, CRAFTY_MOD_SOUND_BYTES);
    return cn_file_read_all(files, path, allocator, bytes, error);
}

static void load(CraftyModSounds *sounds, CnFileSystem *files, Loaded *loaded)
{
    CnError error = {0};
    CnBudget budget;
    if (read_file(files, loaded->path, sounds->allocator, &loaded->bytes, &error)) {
        budget = *(loaded->bytes.budget ? loaded->bytes.budget : cn_budget_of(CN_ORIGIN_FOREIGN));
        budget.sound_bytes = CRAFTY_MOD_SAMPLE_BYTES;
        loaded->sound = cn_sound_read_background(sounds->audio, loaded->bytes.data,
                                                 loaded->bytes.size, loaded->path, &budget, &error);
    }
    loaded->failed = loaded->sound.id == 0;
    if (loaded->failed)
        CN_LOG_WARNING("mods", "the sound %s is silent: %s", loaded->path, error.message);
}

static bool is_there(CnFileSystem *files, const char *path)
{
    CnFileInfo info;
    CnError ignored = {0};
    return files->info(files, path, &info, &ignored) && !info.is_directory;
}

static Loaded *find(const CraftyModSounds *sounds, const char *path)
{
    for (uint32_t i = 0; i < sounds->loaded.count; i++)
        if (strcmp(sounds->loaded.items[i]->path, path) == 0)
            return sounds->loaded.items[i];
    return NULL;
}

/* Also remembers that there is no such file, so that it is not searched for again. Returns NULL if
 * the name cannot be that of a file, there are too many, or when out of memory. */
static Loaded *get(CraftyModSounds *sounds, const char *mod, const char *name)
{
    const CraftyModSource *source = crafty_mods_find_source(sounds->mods, mod);
    char path[CN_LUA_PATH_BYTES];
    if (!source || !source->files || strchr(name, ':') || !crafty_item_name_valid(cn_text(name)) ||
        !cn_format(path, sizeof path, "%s/sounds/%s.ogg", source->folder, name))
        return NULL;
    Loaded *loaded = find(sounds, path);
    if (loaded || sounds->loaded.count == CRAFTY_MOD_SOUNDS)
        return loaded;
    loaded = cn_alloc_zeroed(sounds->allocator, sizeof *loaded);
    if (!loaded || !cn_array_push(&sounds->loaded, loaded)) {
        cn_free(sounds->allocator, loaded, sizeof *loaded);
        return NULL;
    }
    memcpy(loaded->path, path, sizeof path);
    loaded->exists = is_there(source->files, path);
    if (loaded->exists)
        load(sounds, source->files, loaded);
    return loaded;
}

/* The bytes are needed until the sound is decoded. */
static void release_bytes(CraftyModSounds *sounds, Loaded *loaded)
{
    if (loaded->bytes.data && !cn_sound_is_loading(sounds->audio, loaded->sound)) {
        cn_file_bytes_free(&loaded->bytes);
        loaded->bytes = (CnFileBytes){0};
    }
}

CnSound crafty_mod_sounds_get(CraftyModSounds *sounds, const char *mod, const char *name)
{
    Loaded *loaded = get(sounds, mod, name);
    if (!loaded)
        return (CnSound){0};
    release_bytes(sounds, loaded);
    return loaded->sound;
}

bool crafty_mod_sounds_has(CraftyModSounds *sounds, const char *mod, const char *name)
{
    const Loaded *loaded = get(sounds, mod, name);
    return loaded && loaded->exists;
}

uint32_t crafty_mod_sounds_failed(const CraftyModSounds *sounds)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < sounds->loaded.count; i++)
        failed += sounds->loaded.items[i]->failed;
    return failed;
}
