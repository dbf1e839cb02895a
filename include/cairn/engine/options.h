/*
 * Command-line options of programs with an engine, such as `program --frames 60 --out image.png`.
 *
 *     int main(int count, char **arguments)
 *     {
 *         const char *model = "assets://fox.glb";
 *         CnOption options[] = {
 *             {"--model", "FILE", "the model to show", CN_OPTION_TEXT, &model, 0, 0}, {0}};
 *         CnEngineDesc desc = {
 *             .title = "Viewer", .preset = cn_preset_deferred, .options = options};
 *         return cn_engine_main(&desc, count, arguments, start, &model); // start loads the model
 *     }
 *
 * The command line overrides the description. --help lists all options. An option of the program
 * replaces the engine's option of the same name.
 */
#ifndef CAIRN_ENGINE_OPTIONS_H
#define CAIRN_ENGINE_OPTIONS_H

#include <cairn/engine/engine.h>

CN_EXTERN_C_BEGIN

typedef enum CnOptionKind {
    CN_OPTION_FLAG,   /* bool */
    CN_OPTION_NUMBER, /* uint64_t */
    CN_OPTION_TEXT,   /* const char * */
    CN_OPTION_LIST    /* const char *[maximum]: may be repeated; fills the entries that are NULL */
} CnOptionKind;

/* An option table ends with an entry without a name. An entry whose name does not start with "--"
 * receives the one positional argument. */
struct CnOption {
    const char *name;     /* "--model" */
    const char *argument; /* "FILE"; NULL for a flag */
    const char *help;
    CnOptionKind kind;
    void *value;
    uint64_t minimum, maximum; /* range of a number; most 0: no upper limit */
};

typedef enum CnOptionsResult {
    CN_OPTIONS_CONTINUE,
    CN_OPTIONS_HELP_PRINTED, /* --help was printed */
    CN_OPTIONS_INVALID       /* an error was printed: exit status 2 */
} CnOptionsResult;

/* Reads the arguments of main into `desc`, whose strings then point into `arguments`. */
CN_API CnOptionsResult cn_engine_read_options(CnEngineDesc *desc, int count, char **arguments);

/* Runs a whole program: reads options, then calls cn_engine_create, `start`, cn_engine_run and
 * cn_engine_destroy. Prints errors. Returns the exit status: 0 for success, 1 for failure, 2 for
 * wrong options. `start` may be NULL. */
typedef bool (*CnEngineStart)(CnEngine *engine, void *user, CnError *error);
CN_API int cn_engine_main(const CnEngineDesc *desc, int count, char **arguments,
                          CnEngineStart start, void *user);

CN_EXTERN_C_END

#endif
