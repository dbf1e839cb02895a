/*
 * Crash reports and files of sessions: any text is read or refused; a report that is read can be
 * printed, without control characters.
 */
#include "fuzz_surface.h"

#include <crafty/crash/crash_report.h>
#include <crafty/crash/session_file.h>

#include <string.h>

static const char *const words[] = {"Crafty crash report 1\n",
                                    "Crafty session 1\n",
                                    "stack:\n",
                                    "log:\n",
                                    "end\n",
                                    "path: /w\n",
                                    "attempt: x\n",
                                    "world: ",
                                    "  0 0x1 crafty 0x2 ab\n",
                                    "tick: 1\n",
                                    "program: ",
                                    "started: ",
                                    "\xc3\xa4",
                                    "\x1b[31m",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "Crafty crash report 1\nprogram: crafty\nworld: Home \"x\"\ntick: 7\n"
                         "signal: SIGSEGV 11\nstack:\n  0 0x1234 crafty 0x34 abcd\n  1 0x99\n"
                         "log:\n  [  0.100] info gpu: device\nend\n");
    fuzz_add_text(seeds, "Crafty session 1\nprogram: crafty\nstarted: 2026-01-01 00:00:00 UTC\n"
                         "world: Home\npath: /home/a/w.crafty\nattempt: 2026\n");
}

static void check_printed(const CraftyReport *report)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    FUZZ_CHECK(crafty_report_write_text(report, NULL, &text) &&
               crafty_report_write_json(report, &text));
    FUZZ_CHECK(cn_text_is_utf8((CnText){text.items, text.count}));
    for (uint32_t i = 0; i < text.count; i++)
        FUZZ_CHECK((unsigned char)text.items[i] >= 0x20 || text.items[i] == '\n');
    cn_array_fini(&text);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CraftyReport report;
    CraftySessionInfo info;
    CnError error = {0};
    bool is_report = crafty_report_read(&report, (CnText){(const char *)bytes, size}, &error);
    FUZZ_CHECK(is_report || error.code != CN_OK);
    if (is_report) {
        check_printed(&report);
        crafty_report_fini(&report);
    }
    error = (CnError){0};
    bool is_session = crafty_session_info_read(&info, (const char *)bytes, size, &error);
    FUZZ_CHECK(is_session ? info.path[0] == '/' : error.code != CN_OK);
    return is_report || is_session;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .words = words, .add_seeds = add_seeds, .run = run};
