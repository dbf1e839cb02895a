/*
 * Writes a report when the program crashes (SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL), then lets
 * the signal have its default action, such as a core dump.
 *
 *     crafty_crash_handler_begin(&(CraftyCrashHandlerDesc){.program = "crafty", .path = path},
 * &error); crafty_crash_handler_set_world("Home"); crafty_crash_handler_set_tick(tick);  // after
 * each tick crafty_crash_handler_end();           // removes the file, which is empty
 *
 * The file of the report is created at the beginning, and everything that can be found out before
 * a crash is; the handler uses only async-signal-safe functions and static memory. It runs on a
 * stack of its own in the thread that begins, and on the stack of the thread elsewhere. Reports
 * contain nothing of the environment or the command line. One at a time in a process.
 */
#ifndef CRAFTY_CRASH_CRASH_HANDLER_H
#define CRAFTY_CRASH_CRASH_HANDLER_H

#include <cairn/base/error.h>

#define CRAFTY_CRASH_TEXT_BYTES 160u /* of what the setters take; longer texts are cut off */

typedef struct CraftyCrashHandlerDesc {
    const char *program;
    const char *path; /* of the report; must not exist */
    /* Called by the handler after the report is written, to write what is pending elsewhere.
     * Async-signal-safe. May be NULL. */
    void (*flush)(void *user);
    void *user;
} CraftyCrashHandlerDesc;

bool crafty_crash_handler_begin(const CraftyCrashHandlerDesc *desc, CnError *error);
void crafty_crash_handler_end(void);

void crafty_crash_handler_set_world(const char *name);
/* Name and driver of the device that draws. */
void crafty_crash_handler_set_gpu(const char *text);
void crafty_crash_handler_set_tick(uint64_t tick);

/* For tests of crash reports: if the environment variable CRAFTY_TEST_CRASH is "SIGNAL@TICK", with
 * segv, abrt, bus, fpe, ill or kill as SIGNAL, raises this signal as soon as `tick` reaches TICK.
 */
void crafty_crash_test(uint64_t tick);

#endif
