#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const Usage *usage)
{
    cn_print("usage: cairn %s %s", usage->name, usage->synopsis);
    printf("\n");
    puts(usage->text);
    if (usage->options[0].name)
        printf("\noptions:\n");
    for (const Option *option = usage->options; option->name; option++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", option->name,
                 option->argument ? option->argument : "");
        cn_print("  %-22s %s", left, option->help);
    }
    cn_print("  %-22s %s", "--help", "print this help");
}

static ParseResult usage_error(const Usage *usage, const char *what, const char *about)
{
    cn_print_error("cairn %s: %s%s%s (try cairn %s --help)", usage->name, what, about ? " " : "",
                   about ? about : "", usage->name);
    return PARSE_FAILED;
}

static ParseResult missing_value(const Usage *usage, const Option *option)
{
    cn_print_error("cairn %s: %s needs a value: %s %s (try cairn %s --help)", usage->name,
                   option->name, option->name, option->argument, usage->name);
    return PARSE_FAILED;
}

static bool read_number(const Usage *usage, const Option *option, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, strncmp(text, "0x", 2) ? 10 : 16);
    uint64_t most = option->most                 ? option->most
                    : option->kind == OPTION_U32 ? UINT32_MAX
                                                 : UINT64_MAX;
    bool is_number = *text >= '0' && *text <= '9' && !*end && !errno;
    if (!is_number || number < option->least || number > most) {
        cn_print_error("cairn %s: %s needs a number from %" PRIu64 " to %" PRIu64 ", not \"%s\"",
                       usage->name, option->name, option->least, most, text);
        return false;
    }
    if (option->kind == OPTION_U32)
        *(uint32_t *)option->value = (uint32_t)number;
    else
        *(uint64_t *)option->value = number;
    return true;
}

static bool read_signed(const Usage *usage, const Option *option, const char *text)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10), most = (long long)option->most;
    const char *digits = text + (*text == '-');
    bool is_number = *digits >= '0' && *digits <= '9' && !*end && !errno;
    if (!is_number || number < -most || number > most) {
        cn_print_error("cairn %s: %s needs a number from %lld to %lld, not \"%s\"", usage->name,
                       option->name, -most, most, text);
        return false;
    }
    *(int32_t *)option->value = (int32_t)number;
    return true;
}

static bool take_value(const Usage *usage, const Option *option, const char *text)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)option->value = true;
        return true;
    case OPTION_TEXT:
        *(const char **)option->value = text;
        return true;
    case OPTION_LIST: {
        OptionList *list = option->value;
        if (list->count == MAX_LIST) {
            cn_print_error("cairn %s: %s may be given at most %u times", usage->name, option->name,
                           MAX_LIST);
            return false;
        }
        list->items[list->count++] = text;
        return true;
    }
    case OPTION_I32:
        return read_signed(usage, option, text);
    default:
        return read_number(usage, option, text);
    }
}

static const Option *find_option(const Usage *usage, const char *name, size_t length)
{
    for (const Option *option = usage->options; option->name; option++)
        if (strlen(option->name) == length && !strncmp(option->name, name, length))
            return option;
    return NULL;
}

ParseResult parse_options(const Usage *usage, int count, char **arguments)
{
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        if (!strcmp(argument, "--help") || !strcmp(argument, "-h")) {
            print_help(usage);
            return PARSE_HELPED;
        }
        if (argument[0] != '-' || !argument[1]) {
            if (!usage->files || usage->files->count == usage->max_files)
                return usage_error(usage, "unexpected argument", argument);
            usage->files->items[usage->files->count++] = argument;
            continue;
        }
        const char *equals = strchr(argument, '=');
        size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
        const Option *option = find_option(usage, argument, length);
        if (!option)
            return usage_error(usage, "unknown option", argument);
        const char *value = equals ? equals + 1 : NULL;
        if (option->kind == OPTION_FLAG && value)
            return usage_error(usage, "no value is allowed in", argument);
        if (option->kind != OPTION_FLAG && !value) {
            if (++i == count)
                return missing_value(usage, option);
            value = arguments[i];
        }
        if (!take_value(usage, option, value))
            return PARSE_FAILED;
    }
    return PARSE_GO_ON;
}
