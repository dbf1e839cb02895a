/* What frames cost: times, counts, passes; and all of it as JSON. */
#ifndef CRAFTY_CLIENT_STATS_H
#define CRAFTY_CLIENT_STATS_H

#include "frame_times.h"
#include "land.h"

#include <cairn/render.h>

#define CRAFTY_STATS_FRAMES 65536u /* the last ones are kept */
#define CRAFTY_STATS_PASSES 192u

typedef struct CraftyPassTime {
    char name[48]; /* graphs write theirs anew each frame */
    double microseconds;
    uint32_t frames;
} CraftyPassTime;

typedef struct CraftyStats {
    float frame_ms[CRAFTY_STATS_FRAMES];
    uint64_t frames;
    CraftyPassTime passes[CRAFTY_STATS_PASSES];
    uint32_t pass_count;
    CraftyLongestFrames longest;
    double start_ms, first_picture_ms; /* until the world could be drawn, and was */
    /* The most memory of the process, of the land and on the GPU, in the first and in the second half of the frames. */
    uint64_t process_peak[2], land_peak[2], gpu_peak[2];
} CraftyStats;

/* After a frame, while the renderer rests. */
void crafty_stats_passes(CraftyStats *stats, const CnRenderer *renderer);
void crafty_stats_frame(CraftyStats *stats, double milliseconds);
void crafty_stats_memory(CraftyStats *stats, const CnRenderer *renderer, const CraftyLand *land,
                         bool second_half);

/* Of the frames that are kept: share 0.5 is the median, 1 the longest. 0 without frames. */
double crafty_stats_frame_ms(const CraftyStats *stats, double share);
double crafty_stats_last_ms(const CraftyStats *stats); /* of the last frame */

typedef struct CraftyStatsView {
    const char *device, *quality;
    uint32_t width, height, view_distance;
    uint64_t frames; /* all of them, also those whose times do not count */
    const CnRenderer *renderer;
    const CraftyLand *land;
} CraftyStatsView;
/* One object, with a new line at its end. */
bool crafty_stats_write(const CraftyStats *stats, const CraftyStatsView *view, CnTextBuilder *text);

#endif
