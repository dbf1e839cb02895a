/* What the program knows about its own formats: for editors. */
#include "commands.h"
#include "session.h"

#include <stdio.h>

typedef bool (*Describe)(CnWorld *world, CnTextBuilder *text, CnError *error);

static bool put_text(const CnTextBuilder *text, const char *path)
{
    CnError error = {0};
    if (path)
        return cn_file_write_all(cn_native_files(), path, text->items, text->count, &error) ||
               report(&error);
    return fwrite(text->items, 1, text->count, stdout) == text->count && fflush(stdout) == 0;
}

/* Makes an empty scene, with all that could be in one, and describes that. */
static int describe(const Usage *usage, SessionDesc *desc, const char **out, Describe make,
                    int count, char **arguments)
{
    ParseResult parsed = parse_options(usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    Session session;
    CnError error = {0};
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    bool done = session_begin(&session, desc);
    if (done && !make(cn_sim_world(session.sim), &text, &error))
        done = report(&error);
    session_end(&session);
    done = done && put_text(&text, *out);
    cn_array_fini(&text);
    return done ? 0 : 1;
}

#define DESCRIBE_OPTIONS(desc, out)                                                                \
    {                                                                                              \
        {"--out", "FILE", "write it there instead of printing it", OPTION_TEXT, &(out), 0, 0},     \
            {"--plugin",                                                                           \
             "FILE",                                                                               \
             "a shared library whose components belong to it; may be repeated",                    \
             OPTION_LIST,                                                                          \
             &(desc).plugins,                                                                      \
             0,                                                                                    \
             0},                                                                                   \
            {0},                                                                                   \
    }

int command_schema(int count, char **arguments)
{
    SessionDesc desc = SESSION_DEFAULTS;
    const char *out = NULL;
    const Option table[] = DESCRIBE_OPTIONS(desc, out);
    const Usage usage = {"schema",
                         "[--out FILE]",
                         "Prints the JSON schema of scene and prefab files, with which editors "
                         "complete and check them.",
                         table,
                         NULL,
                         0};
    return describe(&usage, &desc, &out, cn_scene_schema, count, arguments);
}

int command_annotations(int count, char **arguments)
{
    SessionDesc desc = SESSION_DEFAULTS;
    const char *out = NULL;
    const Option table[] = DESCRIBE_OPTIONS(desc, out);
    const Usage usage = {"annotations",
                         "[--out FILE]",
                         "Prints cairn.lua: what scripts see, with types, for Lua language "
                         "servers.",
                         table,
                         NULL,
                         0};
    return describe(&usage, &desc, &out, cn_script_annotations, count, arguments);
}
