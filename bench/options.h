/*
 * Command-line options of the benchmarks as a table, which drives parsing, error messages and
 * --help:
 *
 *     const BenchOption options[] = {BENCH_OPTION_JSON(&json),
 *                                    BENCH_OPTION_NUMBER("--runs", "frames", &runs, 1, 999)};
 *     bench_read_options(&(BenchUsage){"bench_x", "Measures x.", options, 2, NULL}, argc, argv);
 */
#ifndef CAIRN_BENCH_OPTIONS_H
#define CAIRN_BENCH_OPTIONS_H

#include <cairn/base/text.h>

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum BenchOptionKind {
    BENCH_FLAG,
    BENCH_NUMBER,
    BENCH_CHOICE,
    BENCH_SIZE,
    BENCH_TEXT
} BenchOptionKind;

typedef struct BenchOption {
    const char *name;     /* "--runs" */
    const char *argument; /* "N"; NULL for a flag */
    const char *help;
    BenchOptionKind kind;
    void *value;              /* bool, uint32_t, const char *, uint32_t[2]; holds the default */
    uint32_t least, most;     /* of numbers, and of each side of a size */
    const char *const *names; /* of a choice, ends with NULL */
} BenchOption;

#define BENCH_OPTION_FLAG(name_, help_, value_)                                                    \
    {                                                                                              \
        .name = name_, .help = help_, .kind = BENCH_FLAG, .value = value_                          \
    }
#define BENCH_OPTION_JSON(value_)                                                                  \
    BENCH_OPTION_FLAG("--json", "print one JSON object per line instead of a table", value_)
#define BENCH_OPTION_NUMBER(name_, help_, value_, least_, most_)                                   \
    {                                                                                              \
        .name = name_, .argument = "N", .help = help_, .kind = BENCH_NUMBER, .value = value_,      \
        .least = least_, .most = most_                                                             \
    }
#define BENCH_OPTION_CHOICE(name_, argument_, help_, value_, names_)                               \
    {                                                                                              \
        .name = name_, .argument = argument_, .help = help_, .kind = BENCH_CHOICE,                 \
        .value = value_, .names = names_                                                           \
    }

#define BENCH_OPTION_TEXT(name_, argument_, help_, value_)                                         \
    {                                                                                              \
        .name = name_, .argument = argument_, .help = help_, .kind = BENCH_TEXT, .value = value_   \
    }

typedef struct BenchUsage {
    const char *program, *about;
    const BenchOption *options;
    uint32_t option_count;
    const char *notes; /* printed at the end of --help; NULL: none */
} BenchUsage;

static inline void bench_print_option(const BenchOption *option)
{
    char left[64];
    snprintf(left, sizeof left, "%s %s", option->name, option->argument ? option->argument : "");
    printf("  %-14s %s", left, option->help);
    if (option->kind == BENCH_NUMBER)
        printf(", %u to %u", option->least, option->most);
    uint32_t number = option->kind == BENCH_NUMBER ? *(const uint32_t *)option->value : 0;
    const char *name = option->kind == BENCH_CHOICE ? *(const char **)option->value : NULL;
    if (number)
        printf(" (default %u)", number);
    else if (name)
        printf(" (default %s)", name);
    else if (option->kind == BENCH_SIZE)
        printf(" (default %ux%u)", ((const uint32_t *)option->value)[0],
               ((const uint32_t *)option->value)[1]);
    printf("\n");
}

static inline void bench_print_help(const BenchUsage *usage)
{
    printf("Usage: %s [options]\n\n%s\n\n", usage->program, usage->about);
    for (uint32_t i = 0; i < usage->option_count; i++)
        bench_print_option(&usage->options[i]);
    printf("  %-14s print this help\n", "--help");
    if (usage->notes)
        printf("\n%s\n", usage->notes);
    for (uint32_t i = 0; i < usage->option_count; i++) {
        const BenchOption *option = &usage->options[i];
        if (option->kind != BENCH_CHOICE)
            continue;
        printf("\n%s of %s:\n", option->argument, option->name);
        for (const char *const *name = option->names; *name; name++)
            printf("  %s\n", *name);
    }
}

static inline bool bench_take_number(const BenchOption *option, const char *text, uint32_t *number,
                                     const char *end)
{
    char *stop;
    errno = 0;
    unsigned long value = strtoul(text, &stop, 10);
    bool is_number = *text >= '0' && *text <= '9' && stop == end && !errno;
    if (!is_number || value < option->least || value > option->most)
        return false;
    *number = (uint32_t)value;
    return true;
}

static inline bool bench_take_value(const BenchOption *option, const char *text)
{
    const char *x = strchr(text, 'x'), *end = text + strlen(text);
    uint32_t *numbers = option->value;
    if (option->kind == BENCH_TEXT) {
        *(const char **)option->value = text;
        return *text;
    }
    if (option->kind == BENCH_NUMBER)
        return bench_take_number(option, text, numbers, end);
    if (option->kind == BENCH_SIZE)
        return x && bench_take_number(option, text, &numbers[0], x) &&
               bench_take_number(option, x + 1, &numbers[1], end);
    for (const char *const *name = option->names; *name; name++)
        if (strcmp(*name, text) == 0) {
            *(const char **)option->value = *name;
            return true;
        }
    return false;
}

/* Reports a value that is not allowed, and ends the program with status 2. */
static inline _Noreturn void bench_reject(const BenchUsage *usage, const BenchOption *option,
                                          const char *text)
{
    fprintf(stderr, "%s: %s needs ", usage->program, option->name);
    if (option->kind == BENCH_CHOICE)
        fprintf(stderr, "one of the names that --help lists");
    else if (option->kind == BENCH_TEXT)
        fprintf(stderr, "a text");
    else
        fprintf(stderr, "%s from %u to %u",
                option->kind == BENCH_SIZE ? "WIDTHxHEIGHT, each" : "a number", option->least,
                option->most);
    fprintf(stderr, text ? ", not \"%s\"; see --help\n" : "; see --help\n", text);
    exit(2);
}

/* Reads the options. Ends the program after --help and after an invalid option. */
static inline void bench_read_options(const BenchUsage *usage, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            bench_print_help(usage);
            exit(0);
        }
        const BenchOption *option = usage->options, *end = option + usage->option_count;
        while (option < end && strcmp(option->name, argv[i]) != 0)
            option++;
        if (option == end) {
            fprintf(stderr, "%s: unknown option \"%s\"; see --help\n", usage->program, argv[i]);
            exit(2);
        }
        if (option->kind == BENCH_FLAG)
            *(bool *)option->value = true;
        else if (++i == argc || !bench_take_value(option, argv[i]))
            bench_reject(usage, option, i < argc ? argv[i] : NULL);
    }
}

#endif
