/* Crafty, a voxel sandbox. */
#include "game.h"

#include <stdio.h>

#ifdef __GLIBC__
#include <malloc.h>

/* Rasterisers on CPUs take and give back memory for each draw: it is not to go back to the system each time. What a game
 * takes to begin with comes fresh from the system, in pages that are cleared when they are used. */
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
    CraftyOptions options;
    CnOptionsResult result = crafty_options_read(&options, count, arguments);
    if (result != CN_OPTIONS_GO_ON)
        return result == CN_OPTIONS_HELPED ? 0 : 2;
    CnError error = {0};
    Crafty *crafty = crafty_create(&options, &error);
    if (!crafty) {
        char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
        fprintf(stderr, "%s\n", cn_error_text(&error, text, sizeof text));
        return 1;
    }
    keep_memory();
    int status = crafty_run(crafty);
    crafty_destroy(crafty);
    return status;
}
