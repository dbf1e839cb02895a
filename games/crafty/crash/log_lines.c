#include "log_lines.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <stdatomic.h>

/* Process-wide, like the log. The mutex of the log lets one thread write at a time. */
static char lines[CRAFTY_LOG_LINES][CRAFTY_LOG_LINE_BYTES];
static atomic_uint line_count; /* ever written */
static int sink;

static void keep_line(const CnLogRecord *record, void *user)
{
    (void)user;
    unsigned number = atomic_load_explicit(&line_count, memory_order_relaxed);
    char *line = lines[number % CRAFTY_LOG_LINES];
    cn_format(line, CRAFTY_LOG_LINE_BYTES, "[%7.3f] %s %s: %s", cn_seconds(record->time_ns),
              cn_log_level_name(record->level), record->module, record->message);
    for (char *at = line; *at; at++) /* tabs and line breaks */
        if ((unsigned char)*at < 0x20)
            *at = ' ';
    atomic_store_explicit(&line_count, number + 1, memory_order_release);
}

bool crafty_log_lines_begin(void)
{
    if (!sink)
        sink = cn_log_add_sink(&(CnLogSink){.write = keep_line, .level = CN_LOG_LEVEL_INFO});
    return sink != 0;
}

void crafty_log_lines_each(void (*line)(const char *text, void *user), void *user)
{
    unsigned count = atomic_load_explicit(&line_count, memory_order_acquire);
    unsigned kept =
        count < CRAFTY_LOG_LINES ? count : CRAFTY_LOG_LINES - 1; /* one may be changing */
    for (unsigned i = count - kept; i < count; i++)
        line(lines[i % CRAFTY_LOG_LINES], user);
}
