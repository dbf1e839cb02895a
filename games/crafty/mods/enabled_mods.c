#include "enabled_mods.h"

#include "crafty/world/data_reader.h"

#include <string.h>

#define FILE_VERSION 1

/* ---- The list ---- */

static uint32_t find(const CraftyEnabledMods *enabled, const char *name)
{
    uint32_t index = 0;
    while (index < enabled->count && strcmp(enabled->names[index], name) < 0)
        index++;
    return index;
}

bool crafty_enabled_mods_has(const CraftyEnabledMods *enabled, const char *name)
{
    uint32_t index = find(enabled, name);
    return index < enabled->count && strcmp(enabled->names[index], name) == 0;
}

bool crafty_enabled_mods_add(CraftyEnabledMods *enabled, const char *name)
{
    uint32_t index = find(enabled, name);
    if (crafty_enabled_mods_has(enabled, name))
        return true;
    if (enabled->count == CRAFTY_ENABLED_MODS_MAX)
        return false;
    memmove(enabled->names[index + 1], enabled->names[index],
            (enabled->count - index) * sizeof enabled->names[0]);
    cn_copy_text(enabled->names[index], CRAFTY_MOD_NAME_BYTES, cn_text(name));
    enabled->count++;
    return true;
}

void crafty_enabled_mods_remove(CraftyEnabledMods *enabled, const char *name)
{
    uint32_t index = find(enabled, name);
    if (!crafty_enabled_mods_has(enabled, name))
        return;
    enabled->count--;
    memmove(enabled->names[index], enabled->names[index + 1],
            (enabled->count - index) * sizeof enabled->names[0]);
}

/* ---- The file ---- */

static bool read_names(CraftyDataReader *reader, CraftyEnabledMods *enabled)
{
    json_t *list = json_object_get(reader->root, "enabled");
    crafty_data_enter_key(reader, reader->root, "enabled");
    if (!json_is_array(list))
        return crafty_data_fail(reader, "\"enabled\" must be a list of names of mods");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        CnText name = {json_string_value(value), json_string_length(value)};
        crafty_data_enter(reader, i, false);
        if (!json_is_string(value) || !crafty_mod_name_valid(name))
            return crafty_data_fail(reader, "this is not the name of a mod");
        if (!crafty_enabled_mods_add(enabled, name.data))
            return crafty_data_fail(reader, "more than %u mods are enabled",
                                    CRAFTY_ENABLED_MODS_MAX);
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

static bool read_all(CraftyDataReader *reader, CraftyEnabledMods *enabled)
{
    static const char *const keys[] = {"version", "enabled", NULL};
    json_t *version = json_object_get(reader->root, "version");
    if (!crafty_data_keys(reader, reader->root, keys))
        return false;
    crafty_data_enter_key(reader, reader->root, "version");
    if (json_integer_value(version) != FILE_VERSION)
        return crafty_data_fail(reader, "\"version\" must be %d: use a newer version of Crafty",
                                FILE_VERSION);
    crafty_data_leave(reader);
    return read_names(reader, enabled);
}

bool crafty_enabled_mods_read(CraftyEnabledMods *enabled, const char *file, CnText text,
                              CnError *error)
{
    CraftyDataReader reader;
    CraftyEnabledMods read = {0};
    enabled->count = 0;
    if (!crafty_data_open(&reader, file, text, error))
        return false;
    bool done = read_all(&reader, &read);
    crafty_data_close(&reader);
    if (done)
        *enabled = read;
    return done;
}

bool crafty_enabled_mods_load(CraftyEnabledMods *enabled, CnFileSystem *files, const char *path,
                              CnError *error)
{
    CnFileBytes bytes;
    CnError problem = {0};
    enabled->count = 0;
    if (!cn_file_read_all(files, path, NULL, &bytes, &problem))
        return problem.code == CN_ERROR_NOT_FOUND ||
               cn_error_set(error, problem.code, "%s", problem.message);
    bool done = crafty_enabled_mods_read(enabled, path,
                                         (CnText){(const char *)bytes.data, bytes.size}, error);
    cn_file_bytes_free(&bytes);
    return done;
}

bool crafty_enabled_mods_save(const CraftyEnabledMods *enabled, CnFileSystem *files,
                              const char *path, CnError *error)
{
    CnTextBuilder text;
    cn_array_init(&text, cn_system_allocator());
    bool done = cn_text_append_format(&text, "{\"version\": %d, \"enabled\": [", FILE_VERSION);
    for (uint32_t i = 0; i < enabled->count && done; i++)
        done = cn_text_append_format(&text, "%s\"%s\"", i ? ", " : "", enabled->names[i]);
    done = (done && cn_text_append(&text, cn_text("]}\n"))) ||
           cn_error_memory(error, "the list of enabled mods");
    done = done && cn_file_make_folder_of(files, path, error) &&
           cn_file_write_all(files, path, text.items, text.count, error);
    cn_array_fini(&text);
    return done;
}
