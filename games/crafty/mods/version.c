#include "version.h"

#include <string.h>

/* ---- Versions ---- */

typedef struct Cursor {
    const char *at, *end;
} Cursor;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_identifier_char(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

static bool accept(Cursor *cursor, char c)
{
    if (cursor->at == cursor->end || *cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

/* A number without leading zeros. */
static bool read_number(Cursor *cursor, uint32_t *number)
{
    const char *start = cursor->at;
    uint32_t value = 0;
    while (cursor->at < cursor->end && is_digit(*cursor->at)) {
        value = value * 10 + (uint32_t)(*cursor->at++ - '0');
        if (value > CRAFTY_VERSION_MAX)
            return false;
    }
    *number = value;
    return cursor->at > start && (*start != '0' || cursor->at == start + 1);
}

/* Identifiers separated by dots; numeric ones have no leading zeros, unless in a build. */
static bool read_identifiers(Cursor *cursor, bool is_build, char text[CRAFTY_VERSION_BYTES])
{
    const char *start = cursor->at;
    do {
        const char *first = cursor->at;
        bool is_numeric = true;
        while (cursor->at < cursor->end && is_identifier_char(*cursor->at))
            is_numeric = is_digit(*cursor->at++) && is_numeric;
        if (cursor->at == first ||
            (!is_build && is_numeric && *first == '0' && cursor->at > first + 1))
            return false;
    } while (accept(cursor, '.'));
    return cn_copy_text(text, CRAFTY_VERSION_BYTES, (CnText){start, (size_t)(cursor->at - start)});
}

bool crafty_version_parse(CraftyVersion *version, CnText text, CnError *error)
{
    CraftyVersion read = {0};
    Cursor cursor = {text.data, text.data + text.size};
    bool valid = text.size < CRAFTY_VERSION_BYTES && read_number(&cursor, &read.major) &&
                 accept(&cursor, '.') && read_number(&cursor, &read.minor) &&
                 accept(&cursor, '.') && read_number(&cursor, &read.patch) &&
                 (!accept(&cursor, '-') || read_identifiers(&cursor, false, read.prerelease)) &&
                 (!accept(&cursor, '+') || read_identifiers(&cursor, true, read.build));
    if (!valid || cursor.at != cursor.end)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "\"%.*s\" is not a version: it has the form 1.2.3 or 1.2.3-beta.1, of "
                            "at most %u characters",
                            (int)(text.size < 64 ? text.size : 64), text.data,
                            CRAFTY_VERSION_BYTES - 1);
    *version = read;
    return true;
}

void crafty_version_to_text(const CraftyVersion *version, char text[CRAFTY_VERSION_BYTES])
{
    cn_format(text, CRAFTY_VERSION_BYTES, "%u.%u.%u%s%s%s%s", version->major, version->minor,
              version->patch, version->prerelease[0] ? "-" : "", version->prerelease,
              version->build[0] ? "+" : "", version->build);
}

/* ---- Order ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_cores(const CraftyVersion *a, const CraftyVersion *b)
{
    int order = compare_numbers(a->major, b->major);
    if (order == 0)
        order = compare_numbers(a->minor, b->minor);
    return order ? order : compare_numbers(a->patch, b->patch);
}

static bool is_numeric(CnText text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!is_digit(text.data[i]))
            return false;
    return true;
}

/* Numbers precede words; numbers have no leading zeros, so the longer one is larger. */
static int compare_identifiers(CnText a, CnText b)
{
    bool a_numeric = is_numeric(a), b_numeric = is_numeric(b);
    if (a_numeric != b_numeric)
        return a_numeric ? -1 : 1;
    if (a_numeric && a.size != b.size)
        return compare_numbers(a.size, b.size);
    return cn_text_compare(a, b);
}

static int compare_prereleases(CnText a, CnText b)
{
    CnText first, second;
    if (a.size == 0 || b.size == 0) /* a release follows its pre-releases */
        return (a.size == 0) - (b.size == 0);
    for (;;) {
        bool has_first = cn_text_split(&a, '.', &first);
        bool has_second = cn_text_split(&b, '.', &second);
        if (!has_first || !has_second)
            return has_first - has_second;
        int order = compare_identifiers(first, second);
        if (order)
            return order;
    }
}

int crafty_version_compare(const CraftyVersion *a, const CraftyVersion *b)
{
    int order = compare_cores(a, b);
    return order ? order : compare_prereleases(cn_text(a->prerelease), cn_text(b->prerelease));
}

/* ---- Ranges ---- */

typedef enum BoundKind {
    AT_LEAST,
    ABOVE,
    AT_MOST,
    BELOW,
    BELOW_CORE, /* also of every pre-release: the end of ^, ~ and x */
    EQUAL,
    NEVER
} BoundKind;

typedef struct Bound {
    BoundKind kind;
    CraftyVersion version;
} Bound;

/* The bounds of one alternative; a condition becomes at most two. */
typedef struct Bounds {
    Bound items[16];
    uint32_t count;
} Bounds;

/* A version of which trailing parts may be missing. */
typedef struct Partial {
    CraftyVersion version;
    uint32_t parts; /* 0 to 3 */
} Partial;

static bool add(Bounds *bounds, BoundKind kind, CraftyVersion version)
{
    if (bounds->count == CN_COUNT_OF(bounds->items))
        return false;
    bounds->items[bounds->count++] = (Bound){kind, version};
    return true;
}

static bool add_before(Bounds *bounds, uint32_t major, uint32_t minor, uint32_t patch)
{
    return add(bounds, BELOW_CORE, (CraftyVersion){.major = major, .minor = minor, .patch = patch});
}

static bool is_wildcard(char c)
{
    return c == 'x' || c == 'X' || c == '*';
}

/* After a wildcard, only wildcards follow. */
static bool read_partial(Cursor *cursor, Partial *partial)
{
    uint32_t *const numbers[] = {&partial->version.major, &partial->version.minor,
                                 &partial->version.patch};
    bool ended = false;
    *partial = (Partial){0};
    for (uint32_t i = 0; i < 3; i++) {
        if (i > 0 && !accept(cursor, '.'))
            return true;
        if (cursor->at < cursor->end && is_wildcard(*cursor->at)) {
            cursor->at++;
            ended = true;
        } else if (ended || !read_number(cursor, numbers[i])) {
            return false;
        } else {
            partial->parts++;
        }
    }
    return ended || !accept(cursor, '-') ||
           read_identifiers(cursor, false, partial->version.prerelease);
}

/* All versions with these parts. */
static bool add_parts(Bounds *bounds, const Partial *partial)
{
    const CraftyVersion *version = &partial->version;
    if (partial->parts == 0)
        return true;
    return add(bounds, AT_LEAST, *version) &&
           (partial->parts == 1 ? add_before(bounds, version->major + 1, 0, 0)
                                : add_before(bounds, version->major, version->minor + 1, 0));
}

static bool add_caret(Bounds *bounds, const Partial *partial)
{
    const CraftyVersion *version = &partial->version;
    if (partial->parts == 0)
        return true;
    if (!add(bounds, AT_LEAST, *version))
        return false;
    if (version->major > 0 || partial->parts == 1)
        return add_before(bounds, version->major + 1, 0, 0);
    if (version->minor > 0 || partial->parts == 2)
        return add_before(bounds, 0, version->minor + 1, 0);
    return add_before(bounds, 0, 0, version->patch + 1);
}

/* The first version after all those with these parts. */
static CraftyVersion after_parts(const Partial *partial)
{
    const CraftyVersion *version = &partial->version;
    return partial->parts == 1
               ? (CraftyVersion){.major = version->major + 1}
               : (CraftyVersion){.major = version->major, .minor = version->minor + 1};
}

/* An operator and a version. */
static bool add_comparison(Bounds *bounds, const char *operator, const Partial * partial)
{
    bool is_full = partial->parts == 3, is_any = partial->parts == 0;
    if (strcmp(operator, ">=") == 0)
        return is_any || add(bounds, AT_LEAST, partial->version);
    if (strcmp(operator, "<=") == 0)
        return is_any || (is_full ? add(bounds, AT_MOST, partial->version)
                                  : add(bounds, BELOW_CORE, after_parts(partial)));
    if (is_any)
        return add(bounds, NEVER, partial->version);
    if (strcmp(operator, ">") == 0)
        return is_full ? add(bounds, ABOVE, partial->version)
                       : add(bounds, AT_LEAST, after_parts(partial));
    return add(bounds, is_full ? BELOW : BELOW_CORE, partial->version);
}

static void skip_blanks(Cursor *cursor)
{
    while (accept(cursor, ' '))
        ;
}

static bool read_condition(Cursor *cursor, Bounds *bounds)
{
    char operator[3] = "";
    Partial partial;
    for (uint32_t i = 0; i < 2 && cursor->at < cursor->end && strchr("=<>^~", *cursor->at); i++)
        operator[i] = * cursor->at++;
    skip_blanks(cursor);
    if (!read_partial(cursor, &partial))
        return false;
    if (strcmp(operator, "^") == 0)
        return add_caret(bounds, &partial);
    if (strcmp(operator, "~") == 0)
        return add_parts(bounds, &partial);
    if (!operator[0] || strcmp(operator, "=") == 0)
        return partial.parts == 3 ? add(bounds, EQUAL, partial.version)
                                  : add_parts(bounds, &partial);
    bool is_known = operator[0] == '<' || operator[0] == '>';
    return is_known && (!operator[1] || operator[1] == '=') &&
           add_comparison(bounds, operator, & partial);
}

/* Reads up to "||" or the end. */
static bool read_alternative(Cursor *cursor, Bounds *bounds)
{
    bounds->count = 0;
    skip_blanks(cursor);
    do {
        if (!read_condition(cursor, bounds))
            return false;
        const char *end = cursor->at;
        skip_blanks(cursor);
        if (cursor->at == cursor->end || *cursor->at == '|')
            return true;
        if (cursor->at == end)
            return false; /* conditions are separated by blanks */
    } while (true);
}

static bool holds(const Bound *bound, const CraftyVersion *version)
{
    int order = crafty_version_compare(version, &bound->version);
    switch (bound->kind) {
    case AT_LEAST:
        return order >= 0;
    case ABOVE:
        return order > 0;
    case AT_MOST:
        return order <= 0;
    case BELOW:
        return order < 0;
    case BELOW_CORE:
        return compare_cores(version, &bound->version) < 0;
    case EQUAL:
        return order == 0;
    case NEVER:
    default:
        return false;
    }
}

/* A pre-release must be asked for. */
static bool all_hold(const Bounds *bounds, const CraftyVersion *version)
{
    bool is_wanted = !version->prerelease[0];
    for (uint32_t i = 0; i < bounds->count; i++) {
        const Bound *bound = &bounds->items[i];
        if (!holds(bound, version))
            return false;
        is_wanted = is_wanted ||
                    (bound->version.prerelease[0] && compare_cores(&bound->version, version) == 0);
    }
    return is_wanted;
}

/* Reads a range and finds out whether it contains the version. */
static bool evaluate(CnText text, const CraftyVersion *version, bool *contains)
{
    Cursor cursor = {text.data, text.data + text.size};
    Bounds bounds;
    *contains = false;
    do {
        if (!read_alternative(&cursor, &bounds))
            return false;
        *contains = *contains || all_hold(&bounds, version);
    } while (accept(&cursor, '|') && accept(&cursor, '|'));
    return cursor.at == cursor.end && cursor.at[-1] != '|';
}

bool crafty_range_parse(CraftyVersionRange *range, CnText text, CnError *error)
{
    bool contains;
    if (text.size > 0 && text.size < CRAFTY_RANGE_BYTES && !memchr(text.data, 0, text.size) &&
        evaluate(text, &(CraftyVersion){0}, &contains)) {
        cn_copy_text(range->text, sizeof range->text, text);
        return true;
    }
    return cn_error_set(
        error, CN_ERROR_FORMAT,
        "\"%.*s\" is not a range of versions, such as \"^1.2\", \"~1.2.3\", \">=1.0 "
        "<2.0\", \"1.x\" or \"*\"",
        (int)(text.size < 64 ? text.size : 64), text.data);
}

bool crafty_range_contains(const CraftyVersionRange *range, const CraftyVersion *version)
{
    bool contains = false;
    return evaluate(cn_text(range->text), version, &contains) && contains;
}
