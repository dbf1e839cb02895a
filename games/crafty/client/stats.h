/* Performance statistics: frame times, counters and passes, written as JSON. */
#ifndef CRAFTY_CLIENT_STATS_H
#define CRAFTY_CLIENT_STATS_H

#include "frame_times.h"
#include "terrain.h"

#include <cairn/render.h>

#define CRAFTY_STATS_FRAMES 65536u /* number of most recent frames kept */
#define CRAFTY_STATS_PASSES 192u

typedef struct CraftyPassTime {
    char name[48]; /* copied, because graphs rewrite their names every frame */
    double microseconds;
    uint32_t frames;
} CraftyPassTime;

typedef struct CraftyStats {
    float frame_ms[CRAFTY_STATS_FRAMES];
    uint64_t frames;
    CraftyPassTime passes[CRAFTY_STATS_PASSES];
    uint32_t pass_count;
    CraftyLongestFrames longest;
    double start_ms, first_frame_ms; /* until the world could be drawn, and until the first frame */
    /* Peak memory of the process, of the terrain and on the GPU, in the first and second half of
     * the frames. */
    uint64_t process_peak[2], terrain_peak[2], gpu_peak[2];
} CraftyStats;

/* Call after a frame, while the renderer is idle. */
void crafty_stats_passes(CraftyStats *stats, const CnRenderer *renderer);
void crafty_stats_frame(CraftyStats *stats, double milliseconds);
void crafty_stats_memory(CraftyStats *stats, const CnRenderer *renderer,
                         const CraftyTerrain *terrain, bool second_half);

/* Returns a percentile of the kept frames: share 0.5 is the median, 1 the longest. 0 without
 * frames. */
double crafty_stats_frame_ms(const CraftyStats *stats, double share);
double crafty_stats_last_ms(const CraftyStats *stats); /* of the last frame */

typedef struct CraftyStatsView {
    const char *device, *quality;
    uint32_t width, height, view_distance;
    uint64_t frames; /* all frames, including untimed ones */
    const CnRenderer *renderer;
    const CraftyTerrain *terrain; /* NULL: no world is open */
} CraftyStatsView;
/* Writes a JSON object and a newline. */
bool crafty_stats_write(const CraftyStats *stats, const CraftyStatsView *view, CnTextBuilder *text);

/* Returns the resident memory of the process, or 0 if unknown. */
uint64_t crafty_process_bytes(void);

#endif
