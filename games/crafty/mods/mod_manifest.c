#include "mod_manifest.h"

#include "crafty/world/data_reader.h"

#include <cairn/base/json_size.h>

#include <stdlib.h>
#include <string.h>

#define MAX_VALUES 512u
#define MAX_DEPTH 3u
#define MAX_AUTHORS 16u

typedef struct Permission {
    const char *name, *text;
} Permission;

static const Permission permissions[CRAFTY_MOD_PERMISSION_COUNT] = {
    [CRAFTY_MOD_MAY_BLOCKS] = {"blocks", "changes blocks of the world and what chests contain"},
    [CRAFTY_MOD_MAY_PLAYERS] = {"players",
                                "moves, heals and hurts players and changes their items"},
    [CRAFTY_MOD_MAY_CREATURES] = {"creatures", "creates, changes and removes creatures and drops"},
    [CRAFTY_MOD_MAY_CHAT] = {"chat", "reads what players say and writes to them"},
    [CRAFTY_MOD_MAY_COMMANDS] = {"commands", "adds commands to the chat"},
    [CRAFTY_MOD_MAY_WORLD] = {"world", "changes time, weather and rules of the world"},
    [CRAFTY_MOD_MAY_STORAGE] = {"storage", "keeps data of its own in the world"},
};

const char *crafty_mod_permission_name(CraftyModPermission permission)
{
    return permissions[permission].name;
}

const char *crafty_mod_permission_text(CraftyModPermission permission)
{
    return permissions[permission].text;
}

bool crafty_mod_name_valid(CnText name)
{
    if (name.size == 0 || name.size >= CRAFTY_MOD_NAME_BYTES || name.data[0] < 'a' ||
        name.data[0] > 'z')
        return false;
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return true;
}

/* ---- Texts ---- */

/* Text for people: no control characters and nothing else that a terminal would need escaped. */
static bool is_plain(CnText text, size_t capacity)
{
    char escaped[CRAFTY_MOD_DESCRIPTION_BYTES];
    return text.size < capacity && !memchr(text.data, 0, text.size) &&
           strlen(cn_text_escape(text, escaped, sizeof escaped)) == text.size &&
           memcmp(escaped, text.data, text.size) == 0;
}

static bool copy_plain(CraftyDataReader *reader, const json_t *value, const char *key, char *text,
                       size_t capacity)
{
    CnText read = {json_string_value(value), json_string_length(value)};
    if (json_is_string(value) && read.size > 0 && is_plain(read, capacity))
        return cn_copy_text(text, capacity, read);
    return crafty_data_fail(reader,
                            "\"%s\" must be a text of 1 to %zu bytes without control characters",
                            key, capacity - 1);
}

/* The text stays unchanged if there is no such key. */
static bool read_plain(CraftyDataReader *reader, const char *key, char *text, size_t capacity)
{
    json_t *value = json_object_get(reader->root, key);
    if (!value)
        return true;
    crafty_data_enter_key(reader, reader->root, key);
    bool done = copy_plain(reader, value, key, text, capacity);
    crafty_data_leave(reader);
    return done;
}

static bool add_author(CraftyDataReader *reader, const json_t *value, char *authors)
{
    char author[CRAFTY_MOD_AUTHORS_BYTES];
    size_t size = strlen(authors);
    if (!copy_plain(reader, value, "authors", author, sizeof author))
        return false;
    return cn_format(authors + size, CRAFTY_MOD_AUTHORS_BYTES - size, "%s%s", size ? ", " : "",
                     author) ||
           crafty_data_fail(reader, "the authors together have more than %u bytes",
                            CRAFTY_MOD_AUTHORS_BYTES - 1);
}

/* Calls `read` for each element of a list of at most `most` elements, which may be missing. */
static bool read_list(CraftyDataReader *reader, const char *key, uint32_t most,
                      bool (*read)(CraftyDataReader *reader, const json_t *value, void *user),
                      void *user)
{
    json_t *list = json_object_get(reader->root, key);
    if (!list)
        return true;
    crafty_data_enter_key(reader, reader->root, key);
    if (!json_is_array(list) || json_array_size(list) > most)
        return crafty_data_fail(reader, "\"%s\" must be a list of at most %u elements", key, most);
    for (size_t i = 0; i < json_array_size(list); i++) {
        crafty_data_enter(reader, i, false);
        if (!read(reader, json_array_get(list, i), user))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

static bool read_author(CraftyDataReader *reader, const json_t *value, void *user)
{
    return add_author(reader, value, user);
}

static bool read_permission(CraftyDataReader *reader, const json_t *value, void *user)
{
    uint32_t *bits = user;
    const char *word = json_string_value(value);
    char known[128] = "";
    for (uint32_t i = 0; i < CRAFTY_MOD_PERMISSION_COUNT; i++) {
        size_t size = strlen(known);
        cn_format(known + size, sizeof known - size, "%s%s", i ? ", " : "", permissions[i].name);
        if (!word || strcmp(word, permissions[i].name) != 0)
            continue;
        if (*bits >> i & 1u)
            return crafty_data_fail(reader, "the permission \"%s\" is listed twice", word);
        *bits |= 1u << i;
        return true;
    }
    return crafty_data_fail(reader, "there is no permission \"%s\"; there are %s", word ? word : "",
                            known);
}

/* ---- Versions ---- */

static bool fail_with(CraftyDataReader *reader, const CnError *cause)
{
    return crafty_data_fail(reader, "%s", cause->message);
}

static bool read_version(CraftyDataReader *reader, CraftyModManifest *manifest)
{
    CnError cause = {0};
    json_t *value = json_object_get(reader->root, "version");
    crafty_data_enter_key(reader, reader->root, "version");
    CnText text = {json_string_value(value), json_string_length(value)};
    if (!json_is_string(value))
        return crafty_data_fail(reader, "\"version\" is missing, such as \"1.0.0\"");
    if (!crafty_version_parse(&manifest->version, text, &cause))
        return fail_with(reader, &cause);
    crafty_version_to_text(&manifest->version, manifest->version_text);
    crafty_data_leave(reader);
    return true;
}

/* The range must be a text; the reader is at it. */
static bool copy_range(CraftyDataReader *reader, const json_t *value, CraftyVersionRange *range)
{
    CnError cause = {0};
    CnText text = {json_string_value(value), json_string_length(value)};
    if (!json_is_string(value))
        return crafty_data_fail(reader, "a range of versions is a text, such as \"^1.2\"");
    return crafty_range_parse(range, text, &cause) || fail_with(reader, &cause);
}

static bool read_game(CraftyDataReader *reader, CraftyVersionRange *range)
{
    json_t *value = json_object_get(reader->root, "game");
    cn_copy_text(range->text, sizeof range->text, cn_text("*"));
    if (!value)
        return true;
    crafty_data_enter_key(reader, reader->root, "game");
    bool done = copy_range(reader, value, range);
    crafty_data_leave(reader);
    return done;
}

/* ---- Relations ---- */

static bool check_relation(CraftyDataReader *reader, const CraftyModManifest *manifest,
                           const char *name)
{
    if (!crafty_mod_name_valid(cn_text(name)))
        return crafty_data_fail(reader, "\"%.40s\" is not the name of a mod: [a-z][a-z0-9_]{0,31}",
                                name);
    if (strcmp(name, manifest->name) == 0)
        return crafty_data_fail(reader, "a mod cannot name itself here");
    for (uint32_t i = 0; i < manifest->relation_count; i++)
        if (strcmp(manifest->relations[i].name, name) == 0)
            return crafty_data_fail(reader, "\"%s\" is named twice", name);
    return manifest->relation_count < CRAFTY_MOD_MAX_RELATIONS ||
           crafty_data_fail(reader, "a mod names at most %u others", CRAFTY_MOD_MAX_RELATIONS);
}

static bool read_relations(CraftyDataReader *reader, const char *key, CraftyModRelationKind kind,
                           CraftyModManifest *manifest)
{
    json_t *object = json_object_get(reader->root, key), *value;
    const char *name;
    size_t number = 0;
    if (!object)
        return true;
    crafty_data_enter_key(reader, reader->root, key);
    if (!json_is_object(object))
        return crafty_data_fail(reader, "\"%s\" must be an object {\"name\": \"range\"}", key);
    json_object_foreach(object, name, value)
    {
        CraftyModRelation *relation = &manifest->relations[manifest->relation_count];
        crafty_data_enter(reader, number++, true);
        if (!check_relation(reader, manifest, name) || !copy_range(reader, value, &relation->range))
            return false;
        relation->kind = kind;
        cn_copy_text(relation->name, sizeof relation->name, cn_text(name));
        manifest->relation_count++;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

static int compare_relations(const void *a, const void *b)
{
    return strcmp(((const CraftyModRelation *)a)->name, ((const CraftyModRelation *)b)->name);
}

/* ---- The whole ---- */

static bool read_name(CraftyDataReader *reader, CraftyModManifest *manifest)
{
    json_t *value = json_object_get(reader->root, "name");
    CnText name = {json_string_value(value), json_string_length(value)};
    crafty_data_enter_key(reader, reader->root, "name");
    if (!json_is_string(value))
        return crafty_data_fail(reader, "\"name\" is missing");
    if (!crafty_mod_name_valid(name))
        return crafty_data_fail(reader,
                                "\"name\" must be 1 to %u of a-z, 0-9 and _, and begin with a "
                                "letter",
                                CRAFTY_MOD_NAME_BYTES - 1);
    cn_copy_text(manifest->name, sizeof manifest->name, name);
    cn_copy_text(manifest->title, sizeof manifest->title, name);
    crafty_data_leave(reader);
    return true;
}

static bool read_all(CraftyDataReader *reader, CraftyModManifest *manifest)
{
    static const char *const keys[] = {
        "$schema",   "name",        "title", "version",      "description",
        "authors",   "license",     "game",  "dependencies", "optional_dependencies",
        "conflicts", "permissions", NULL};
    if (!crafty_data_keys(reader, reader->root, keys) || !read_name(reader, manifest) ||
        !read_version(reader, manifest) || !read_game(reader, &manifest->game) ||
        !read_plain(reader, "title", manifest->title, sizeof manifest->title) ||
        !read_plain(reader, "description", manifest->description, sizeof manifest->description) ||
        !read_plain(reader, "license", manifest->license, sizeof manifest->license) ||
        !read_list(reader, "authors", MAX_AUTHORS, read_author, manifest->authors) ||
        !read_list(reader, "permissions", CRAFTY_MOD_PERMISSION_COUNT, read_permission,
                   &manifest->permissions) ||
        !read_relations(reader, "dependencies", CRAFTY_MOD_NEEDS, manifest) ||
        !read_relations(reader, "optional_dependencies", CRAFTY_MOD_OPTIONAL, manifest) ||
        !read_relations(reader, "conflicts", CRAFTY_MOD_CONFLICTS_WITH, manifest))
        return false;
    qsort(manifest->relations, manifest->relation_count, sizeof *manifest->relations,
          compare_relations);
    return true;
}

static bool check_size(const char *file, CnText text, CnError *error)
{
    CnJsonSize size = cn_json_measure(text);
    if (text.size <= CRAFTY_MOD_MAX_BYTES && size.values <= MAX_VALUES && size.depth <= MAX_DEPTH)
        return true;
    return cn_error_set_at(error, CN_ERROR_LIMIT, file, 1, 1,
                           "the file is too large; at most %u bytes, %u values and %u levels are "
                           "read",
                           CRAFTY_MOD_MAX_BYTES, MAX_VALUES, MAX_DEPTH);
}

bool crafty_mod_manifest_read(CraftyModManifest *manifest, const char *file, CnText text,
                              CnError *error)
{
    CraftyDataReader reader;
    CraftyModManifest *read = cn_alloc_zeroed(cn_system_allocator(), sizeof *read);
    if (!read)
        return cn_error_memory(error, "%s", file);
    bool done = check_size(file, text, error) && crafty_data_open(&reader, file, text, error);
    if (done) {
        done = read_all(&reader, read);
        crafty_data_close(&reader);
    }
    if (done)
        *manifest = *read;
    cn_free(cn_system_allocator(), read, sizeof *read);
    return done;
}
