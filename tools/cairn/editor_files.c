/* Descriptions of the file and script formats, for editors. */
#include "commands.h"
#include "session.h"

#include <stdio.h>

typedef struct Output {
    const char *path; /* NULL: standard output */
    bool make_folders;
} Output;

typedef bool (*Describe)(CnWorld *world, CnTextBuilder *text, CnError *error);

static bool put_text(const CnTextBuilder *text, const char *path)
{
    CnError error = {0};
    if (path)
        return cn_file_write_all(cn_native_files(), path, text->items, text->count, &error) ||
               report(&error);
    return fwrite(text->items, 1, text->count, stdout) == text->count && fflush(stdout) == 0;
}

/* Creates an empty scene with all plugins, and describes it. */
static int describe(const Usage *usage, SessionDesc *desc, const Output *output, Describe make,
                    int count, char **arguments)
{
    ParseResult parsed = parse_options(usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    if (!prepare_output(output->path, output->make_folders))
        return 1;
    Session session;
    CnError error = {0};
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    bool done = session_begin(&session, desc);
    if (done && !make(cn_sim_world(session.sim), &text, &error))
        done = report(&error);
    session_end(&session);
    done = done && put_text(&text, output->path);
    cn_array_fini(&text);
    return done ? 0 : 1;
}

#define DESCRIBE_OPTIONS(desc, output)                                                             \
    {                                                                                              \
        {"--out",                                                                                  \
         "FILE",                                                                                   \
         "write to this file instead of standard output",                                          \
         OPTION_TEXT,                                                                              \
         &(output).path,                                                                           \
         0,                                                                                        \
         0},                                                                                       \
            MAKE_FOLDERS_OPTION((output).make_folders),                                            \
            {"--plugin",                                                                           \
             "FILE",                                                                               \
             "load a library or a Lua file whose components to include; may be repeated",          \
             OPTION_LIST,                                                                          \
             &(desc).plugins,                                                                      \
             0,                                                                                    \
             0},                                                                                   \
            {0},                                                                                   \
    }

int command_schema(int count, char **arguments)
{
    SessionDesc desc = SESSION_DEFAULTS;
    Output output = {0};
    const Option table[] = DESCRIBE_OPTIONS(desc, output);
    const Usage usage = {"schema",
                         "[--out FILE]",
                         "Prints the JSON schema of scene and prefab files, for completion and "
                         "validation in editors.",
                         table,
                         NULL,
                         0};
    return describe(&usage, &desc, &output, cn_scene_schema, count, arguments);
}

int command_components(int count, char **arguments)
{
    SessionDesc desc = SESSION_DEFAULTS;
    Output output = {0};
    const Option table[] = DESCRIBE_OPTIONS(desc, output);
    const Usage usage = {"components",
                         "[--out FILE]",
                         "Prints a reference of all components in Markdown: their fields with "
                         "types, defaults and units.",
                         table,
                         NULL,
                         0};
    return describe(&usage, &desc, &output, cn_reflection_reference, count, arguments);
}

int command_annotations(int count, char **arguments)
{
    SessionDesc desc = SESSION_DEFAULTS;
    Output output = {0};
    const Option table[] = DESCRIBE_OPTIONS(desc, output);
    const Usage usage = {"annotations",
                         "[--out FILE]",
                         "Prints cairn.lua: the scripting interface with types, for Lua language "
                         "servers.",
                         table,
                         NULL,
                         0};
    return describe(&usage, &desc, &output, cn_script_annotations, count, arguments);
}
