#include "crash_folder.h"

#include <cairn/base/file.h>
#include <cairn/base/text.h>

#include <stdlib.h>
#include <unistd.h>

bool crafty_crash_folder(char path[CRAFTY_CRASH_PATH_BYTES], CnError *error)
{
    CnFileSystem *files = cn_native_files();
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool has_state = state && state[0] == '/', has_home = home && home[0] == '/';
    if (!has_state && !has_home)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "neither XDG_STATE_HOME nor HOME is an absolute path; set one");
    bool fits = has_state ? cn_format(path, CRAFTY_CRASH_PATH_BYTES, "%s/crafty/crashes", state)
                          : cn_format(path, CRAFTY_CRASH_PATH_BYTES,
                                      "%s/.local/state/crafty/crashes", home);
    if (!fits)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the path of the folder of crash reports has more than %u bytes",
                            CRAFTY_CRASH_PATH_BYTES - 1);
    return files->make_folder(files, path, error);
}

/* ---- Dates ---- */

typedef struct Date {
    uint32_t year, month, day, hour, minute, second;
} Date;

/* gmtime_r is not async-signal-safe. Counts days from March 1st of year 0, so that leap days come
 * last. */
static Date date_of(time_t seconds)
{
    uint64_t all = seconds > 0 ? (uint64_t)seconds : 0;
    uint32_t of_day = (uint32_t)(all % 86400);
    uint64_t days = all / 86400 + 719468, era = days / 146097, of_era = days % 146097;
    uint64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    uint64_t of_year = of_era - (365 * year + year / 4 - year / 100),
             month = (5 * of_year + 2) / 153;
    bool is_next = month >= 10; /* January and February */
    return (Date){.year = (uint32_t)(era * 400 + year + is_next),
                  .month = (uint32_t)(is_next ? month - 9 : month + 3),
                  .day = (uint32_t)(of_year - (153 * month + 2) / 5 + 1),
                  .hour = of_day / 3600,
                  .minute = of_day / 60 % 60,
                  .second = of_day % 60};
}

static char *put_number(char *text, uint32_t number, uint32_t digits)
{
    for (uint32_t i = digits; i > 0; i--, number /= 10)
        text[i - 1] = (char)('0' + number % 10);
    return text + digits;
}

void crafty_date(time_t seconds, char text[CRAFTY_DATE_BYTES])
{
    Date date = date_of(seconds);
    const uint32_t numbers[] = {date.month, date.day, date.hour, date.minute, date.second};
    char *at = put_number(text, date.year, 4);
    for (uint32_t i = 0; i < CN_COUNT_OF(numbers); i++) {
        *at++ = "-- ::"[i];
        at = put_number(at, numbers[i], 2);
    }
    for (const char *rest = " UTC"; *rest;)
        *at++ = *rest++;
    *at = '\0';
}

/* ---- Names ---- */

void crafty_crash_name(const char *program, char name[CRAFTY_CRASH_NAME_BYTES])
{
    Date date = date_of(time(NULL));
    cn_format(name, CRAFTY_CRASH_NAME_BYTES, "%s-%04u%02u%02u-%02u%02u%02u-%ld", program, date.year,
              date.month, date.day, date.hour, date.minute, date.second, (long)getpid());
}

bool crafty_crash_path(const char *folder, const char *name, const char *suffix,
                       char path[CRAFTY_CRASH_PATH_BYTES])
{
    return cn_format(path, CRAFTY_CRASH_PATH_BYTES, "%s/%s%s", folder, name, suffix);
}
