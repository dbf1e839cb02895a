/* Crafty, a voxel sandbox. */
#include "crafty/crash/crash_report.h"
#include "crafty/crash/log_lines.h"
#include "crafty/crash/recover.h"
#include "crafty/replay/verify.h"
#include "game.h"

#include "crafty/mod_command/mod_command.h"
#include "crafty/world_command/world_command.h"

#include <cairn/base/console.h>

#include <stdio.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>

/* CPU rasterisers allocate and free memory for each draw; keep malloc from returning it to the
 * system every time. Memory that the game allocates at the start comes straight from the system in
 * zeroed pages. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
}
#else
static void keep_memory(void)
{
}
#endif

int main(int count, char **arguments)
{
    if (count > 1 && !strcmp(arguments[1], "world"))
        return crafty_world_command(count - 1, arguments + 1);
    if (count > 1 && !strcmp(arguments[1], "mod"))
        return crafty_mod_command(count - 1, arguments + 1);
    if (count > 1 && !strcmp(arguments[1], "report"))
        return crafty_report_command("crafty", count - 2, arguments + 2);
    if ((count == 3 || count == 4) &&
        !strcmp(arguments[1], "recover")) /* started by crafty_recovery_start */
        return crafty_recover("crafty", arguments[2], arguments[3]);
    crafty_log_lines_begin();
    CraftyOptions options;
    CnOptionsResult result = crafty_options_read(&options, count, arguments);
    if (result == CN_OPTIONS_HELP_PRINTED) {
        cn_print("or: crafty world ACTION    list, back up, check and repair worlds; see crafty "
                 "world --help");
        cn_print("or: crafty mod ACTION      list, write, check, enable and pack mods; see crafty "
                 "mod --help");
    }
    if (result != CN_OPTIONS_CONTINUE)
        return result == CN_OPTIONS_HELP_PRINTED ? 0 : 2;
    if (options.verifies)
        return crafty_verify(&(CraftyVerifyDesc){.program = "crafty",
                                                 .path = options.replay,
                                                 .threads = options.engine.threads,
                                                 .mods = options.mods,
                                                 .no_mods = options.no_mods});
    CnError error = {0};
    Crafty *crafty = crafty_create(&options, &error);
    if (!crafty) {
        char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
        cn_print_error("%s", cn_error_text(&error, text, sizeof text));
        return 1;
    }
    keep_memory();
    int status = crafty_run(crafty);
    crafty_destroy(crafty);
    return status;
}
