/* The settings of a recording, which come from a file of unknown origin. */
#include "session.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ENTITIES 4000000u
#define ENTITIES_WITHOUT_OPTION 100000u /* a small file must not demand gigabytes */

bool session_settings(const SessionDesc *desc, char *text, size_t text_bytes)
{
    if (desc->demo)
        return cn_format(text, text_bytes, "demo=%s entities=%u hand=%" PRIu64, desc->demo,
                         desc->entities, desc->hand);
    char path[PATH_MAX];
    return realpath(desc->scene, path) &&
           cn_format(text, text_bytes, "seed=%" PRIu64 " trust=%d scene=%s", desc->seed,
                     desc->trust_scripts, path);
}

/* Takes "NAME=VALUE" and the space after it from the front of the text. */
static bool take_value(CnText *text, const char *name, CnText *value)
{
    CnText rest = *text, word;
    if (!cn_text_split(&rest, ' ', &word) || !cn_text_starts_with(word, cn_text(name)))
        return false;
    size_t bytes = strlen(name);
    *value = (CnText){word.data + bytes, word.size - bytes};
    *text = rest;
    return true;
}

static bool take_number(CnText *text, const char *name, uint64_t most, uint64_t *number)
{
    CnText value;
    if (!take_value(text, name, &value) || !value.size)
        return false;
    *number = 0;
    for (size_t i = 0; i < value.size; i++) {
        char c = value.data[i];
        uint64_t digit = (uint64_t)(c - '0');
        if (c < '0' || c > '9' || digit > most || *number > (most - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return true;
}

static bool read_demo(RecordedSettings *settings, CnText text)
{
    CnText name;
    uint64_t entities, hand;
    if (!take_value(&text, "demo=", &name) ||
        !take_number(&text, "entities=", MAX_ENTITIES, &entities) ||
        !take_number(&text, "hand=", UINT64_MAX, &hand))
        return false;
    settings->is_demo = true;
    settings->entities = (uint32_t)entities;
    return entities > 0 && cn_copy_text(settings->name, sizeof settings->name, name);
}

static bool read_scene(RecordedSettings *settings, CnText text)
{
    uint64_t trust;
    if (!take_number(&text, "seed=", UINT64_MAX, &settings->seed) ||
        !take_number(&text, "trust=", 1, &trust) || !cn_text_starts_with(text, cn_text("scene=")))
        return false;
    settings->has_trusted_scripts = trust == 1;
    CnText path = {text.data + strlen("scene="), text.size - strlen("scene=")};
    return path.size && cn_copy_text(settings->name, sizeof settings->name, path);
}

bool recorded_settings_read(RecordedSettings *settings, const char *text)
{
    *settings = (RecordedSettings){0};
    return read_demo(settings, cn_text(text)) || read_scene(settings, cn_text(text));
}

bool session_from_settings(SessionDesc *desc, const RecordedSettings *settings, CnError *error)
{
    if (settings->is_demo) {
        uint32_t allowed = desc->entities ? desc->entities : ENTITIES_WITHOUT_OPTION;
        if (settings->entities > allowed)
            return cn_error_set(error, CN_ERROR_LIMIT,
                                "it was recorded with %u entities; use --entities %u to allow them",
                                settings->entities, settings->entities);
        desc->demo = settings->name;
        desc->entities = settings->entities;
        return true;
    }
    desc->seed = settings->seed;
    desc->scene = desc->scene ? desc->scene : settings->name;
    char escaped[512];
    if (settings->has_trusted_scripts && !desc->trust_scripts)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "it was recorded with trusted scripts, which may read and write files "
                            "and start programs; use --trust-scripts if you trust those of %s",
                            cn_text_escape(cn_text(desc->scene), escaped, sizeof escaped));
    desc->trust_scripts = settings->has_trusted_scripts;
    return true;
}
