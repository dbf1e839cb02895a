/*
 * The last lines of the log, for crash reports. A sink of the log keeps them in static memory, from
 * which a signal handler can read them without a lock.
 */
#ifndef CRAFTY_CRASH_LOG_LINES_H
#define CRAFTY_CRASH_LOG_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define CRAFTY_LOG_LINES 64u
#define CRAFTY_LOG_LINE_BYTES 240u /* longer lines are cut off */

/* Starts keeping lines, of level info and above. Returns false if the log has no place for another
 * sink. Further calls do nothing. */
bool crafty_log_lines_begin(void);
/* Calls `line` for the last lines, oldest first. Lines have no control characters.
 * Async-signal-safe if `line` is; a line that is being written meanwhile may be garbled. */
void crafty_log_lines_each(void (*line)(const char *text, void *user), void *user);

#endif
