/*
 * Crash reports: reading what crash_handler.c wrote, and the command `crafty report`.
 *
 * A report is text: lines "key: value", then "stack:" and "log:" with indented lines, then "end".
 * docs/formats.md describes it. Reports come from files, so reading checks everything; one that was
 * cut off is read as far as it goes.
 */
#ifndef CRAFTY_CRASH_CRASH_REPORT_H
#define CRAFTY_CRASH_CRASH_REPORT_H

#include "symbols.h"

#include <cairn/base/array.h>
#include <cairn/base/error.h>
#include <cairn/base/text.h>

#define CRAFTY_REPORT_BYTES (1u << 20) /* at most */
#define CRAFTY_REPORT_LINES 1024u      /* at most, of each list */

typedef struct CraftyReportField {
    CnText key, value;
} CraftyReportField;

/* A place in the code, from the innermost on. */
typedef struct CraftyReportFrame {
    CnText address, module, offset, build_id; /* `address` only, if it is in no module */
} CraftyReportFrame;

/* The texts point into what was read. */
typedef struct CraftyReport {
    CN_ARRAY(CraftyReportField) fields;
    CN_ARRAY(CraftyReportFrame) frames;
    CN_ARRAY(CnText) log;
    bool is_complete;
} CraftyReport;

/* Reads a report. Returns false and an error if it is not one, or when out of memory. */
bool crafty_report_read(CraftyReport *report, CnText text, CnError *error);
void crafty_report_fini(CraftyReport *report);
/* Append it for people, and as JSON. `symbols` may be NULL. Return false when out of memory. */
bool crafty_report_write_text(const CraftyReport *report, const CraftySymbols *symbols,
                              CnTextBuilder *text);
bool crafty_report_write_json(const CraftyReport *report, CnTextBuilder *text);

/* Runs `crafty report [FILE] [--json]`; `arguments` begin with FILE. Without FILE, lists the
 * reports of the user. Returns the exit status. */
int crafty_report_command(const char *program, int count, char **arguments);

#endif
