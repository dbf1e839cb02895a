/* Command-line options as tables, which drive parsing, error messages and --help. */
#ifndef TOOLS_CAIRN_OPTIONS_H
#define TOOLS_CAIRN_OPTIONS_H

#include <cairn/base/console.h>
#include <cairn/base/text.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum OptionKind {
    OPTION_FLAG,
    OPTION_U32,
    OPTION_U64,
    OPTION_I32, /* from -most to most */
    OPTION_TEXT,
    OPTION_LIST
} OptionKind;

#define MAX_LIST 256u

typedef struct OptionList {
    const char *items[MAX_LIST];
    uint32_t count;
} OptionList;

/* A table ends with an option without a name. */
typedef struct Option {
    const char *name;     /* "--ticks" */
    const char *argument; /* "N"; NULL for a flag */
    const char *help;
    OptionKind kind;
    void *value;          /* bool, uint32_t, uint64_t, int32_t, const char *, OptionList */
    uint64_t least, most; /* of numbers; most 0: the range of the type */
} Option;

typedef struct Usage {
    const char *name;     /* "run" */
    const char *synopsis; /* "[SCENE | --demo NAME] [options]" */
    const char *text;     /* description, with line breaks */
    const Option *options;
    OptionList *files; /* where free arguments go; NULL: none allowed */
    uint32_t max_files;
} Usage;

typedef enum ParseResult { PARSE_GO_ON, PARSE_HELPED, PARSE_FAILED } ParseResult;

/* Parses options, and prints help to stdout or an error to stderr. `arguments` follow the command's
 * name. */
ParseResult parse_options(const Usage *usage, int count, char **arguments);

#endif
