/*
 * Options of programs with an engine: `program --headless --frames 60 --out picture.png`.
 *
 *     const char *model = "assets://fox.glb";
 *     CnEngineDesc desc = {.title = "Viewer", .preset = cn_preset_deferred,
 *                          .options = (CnOption[]){{"--model", "FILE", "what is shown", CN_OPTION_TEXT, &model}, {0}}};
 *     return cn_engine_main(&desc, count, arguments, start, NULL);
 *
 * What the command line says wins over the description. --help lists everything. An option of the program takes the
 * place of the engine's of the same name.
 */
#ifndef CAIRN_ENGINE_OPTIONS_H
#define CAIRN_ENGINE_OPTIONS_H

#include <cairn/engine/engine.h>

CN_EXTERN_C_BEGIN

typedef enum CnOptionKind {
    CN_OPTION_FLAG,   /* bool */
    CN_OPTION_NUMBER, /* uint64_t */
    CN_OPTION_TEXT    /* const char * */
} CnOptionKind;

/* Tables end with an option without a name. A name without "--" is for the one argument that is no option. */
struct CnOption {
    const char *name;     /* "--model" */
    const char *argument; /* "FILE"; NULL for a flag */
    const char *help;
    CnOptionKind kind;
    void *value;
    uint64_t least, most; /* of numbers; most 0: what fits */
};

typedef enum CnOptionsResult {
    CN_OPTIONS_GO_ON,
    CN_OPTIONS_HELPED, /* --help was printed */
    CN_OPTIONS_WRONG   /* a complaint was printed: exit status 2 */
} CnOptionsResult;

/* `count` and `arguments` are those of main. Changes `desc`; its texts are the arguments. */
CN_API CnOptionsResult cn_engine_read_options(CnEngineDesc *desc, int count, char **arguments);

/* A whole program: options, cn_engine_create, `start`, cn_engine_run, cn_engine_destroy. Errors are printed. Returns
 * the exit status: 0 done, 1 failed, 2 wrong options. `start` may be NULL. */
typedef bool (*CnEngineStart)(CnEngine *engine, void *user, CnError *error);
CN_API int cn_engine_main(const CnEngineDesc *desc, int count, char **arguments,
                          CnEngineStart start, void *user);

CN_EXTERN_C_END

#endif
