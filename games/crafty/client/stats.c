#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Collecting ---- */

static CraftyPassTime *pass_of(CraftyStats *stats, const char *name)
{
    for (uint32_t i = 0; i < stats->pass_count; i++)
        if (!strncmp(stats->passes[i].name, name, sizeof stats->passes[i].name - 1))
            return &stats->passes[i];
    if (stats->pass_count == CRAFTY_STATS_PASSES)
        return NULL;
    CraftyPassTime *pass = &stats->passes[stats->pass_count++];
    cn_format(pass->name, sizeof pass->name, "%s", name);
    return pass;
}

void crafty_stats_passes(CraftyStats *stats, const CnRenderer *renderer)
{
    const CnGraph *graph = cn_renderer_graph(renderer);
    CnGraphPassInfo info;
    for (uint32_t i = 0; graph && cn_graph_pass_info(graph, i, &info); i++) {
        CraftyPassTime *pass = info.is_culled ? NULL : pass_of(stats, info.name);
        if (!pass)
            continue;
        pass->microseconds += (double)info.microseconds;
        pass->frames++;
    }
}

void crafty_stats_frame(CraftyStats *stats, double milliseconds)
{
    stats->frame_ms[stats->frames++ % CRAFTY_STATS_FRAMES] = (float)milliseconds;
}

uint64_t crafty_process_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void keep_most(uint64_t *most, uint64_t bytes)
{
    *most = bytes > *most ? bytes : *most;
}

void crafty_stats_memory(CraftyStats *stats, const CnRenderer *renderer,
                         const CraftyTerrain *terrain, bool second_half)
{
    CnVoxelsStats voxels = crafty_terrain_stats(terrain).voxels;
    keep_most(&stats->process_peak[second_half], crafty_process_bytes());
    keep_most(&stats->terrain_peak[second_half],
              voxels.block_bytes + voxels.light_bytes + voxels.mesh_bytes + voxels.other_bytes);
    keep_most(&stats->gpu_peak[second_half], cn_gpu_stats(cn_renderer_gpu(renderer)).used_bytes);
}

/* ---- Reporting ---- */

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double crafty_stats_frame_ms(const CraftyStats *stats, double share)
{
    size_t count =
        stats->frames < CRAFTY_STATS_FRAMES ? (size_t)stats->frames : CRAFTY_STATS_FRAMES;
    float *sorted = count ? malloc(count * sizeof *sorted) : NULL;
    if (!sorted)
        return 0;
    memcpy(sorted, stats->frame_ms, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    size_t index = (size_t)(share * (double)(count - 1) + 0.5);
    double result = (double)sorted[index < count ? index : count - 1];
    free(sorted);
    return result;
}

double crafty_stats_last_ms(const CraftyStats *stats)
{
    return stats->frames ? (double)stats->frame_ms[(stats->frames - 1) % CRAFTY_STATS_FRAMES] : 0;
}

static void write_peaks(const char *name, const uint64_t peaks[2], CnTextBuilder *text)
{
    cn_text_append_format(
        text, "  \"%s\": {\"first_half\": %" PRIu64 ", \"second_half\": %" PRIu64 "},\n", name,
        peaks[0], peaks[1]);
}

static void write_counts(const CraftyStatsView *view, CnTextBuilder *text)
{
    CraftyTerrainStats terrain = {0};
    if (view->terrain)
        terrain = crafty_terrain_stats(view->terrain);
    CnGpuStats gpu = cn_gpu_stats(cn_renderer_gpu(view->renderer));
    cn_text_append_format(text, "  \"draw_calls\": %" PRIu64 ",\n  \"gpu_draws\": %" PRIu64 ",\n",
                          gpu.draw_calls, terrain.view.draws);
    cn_text_append_format(text, "  \"quads\": %" PRIu64 ",\n  \"drawn_quads\": %" PRIu64 ",\n",
                          terrain.view.quads, terrain.view.drawn_quads);
    cn_text_append_format(text,
                          "  \"chunks\": %" PRIu32 ",\n  \"drawn_chunks\": %" PRIu32
                          ",\n  \"far_tiles\": %" PRIu32 ",\n",
                          terrain.view.chunks, terrain.view.drawn_chunks, terrain.view.far_tiles);
    cn_text_append_format(
        text,
        "  \"waiting_bytes\": %" PRIu64 ",\n  \"refused_meshes\": %" PRIu64
        ",\n  \"gpu_bytes\": %" PRIu64 ",\n  \"validation_messages\": %" PRIu64 ",\n",
        terrain.view.waiting_bytes, terrain.view.refused, gpu.used_bytes, gpu.validation_messages);
}

bool crafty_stats_write(const CraftyStats *stats, const CraftyStatsView *view, CnTextBuilder *text)
{
    cn_text_append_format(text, "{\n  \"device\": \"%s\",\n  \"quality\": \"%s\",\n", view->device,
                          view->quality);
    cn_text_append_format(text,
                          "  \"width\": %" PRIu32 ",\n  \"height\": %" PRIu32
                          ",\n  \"view_distance\": %" PRIu32 ",\n  \"frames\": %" PRIu64 ",\n",
                          view->width, view->height, view->view_distance, view->frames);
    cn_text_append_format(text, "  \"start_ms\": %.1f,\n  \"first_frame_ms\": %.1f,\n",
                          stats->start_ms, stats->first_frame_ms);
    cn_text_append_format(text, "  \"frame_ms\": {\"p50\": %.3f, \"p99\": %.3f, \"max\": %.3f},\n",
                          crafty_stats_frame_ms(stats, 0.5), crafty_stats_frame_ms(stats, 0.99),
                          crafty_stats_frame_ms(stats, 1));
    write_counts(view, text);
    write_peaks("process_peak_bytes", stats->process_peak, text);
    write_peaks("terrain_peak_bytes", stats->terrain_peak, text);
    write_peaks("gpu_peak_bytes", stats->gpu_peak, text);
    cn_text_append_format(text, "  \"longest_frames\": ");
    crafty_longest_frames_write(&stats->longest, text);
    cn_text_append_format(text, ",\n  \"pass_us\": {");
    for (uint32_t i = 0; i < stats->pass_count; i++)
        cn_text_append_format(text, "%s\n    \"%s\": %.1f", i ? "," : "", stats->passes[i].name,
                              stats->passes[i].microseconds / stats->passes[i].frames);
    return cn_text_append_format(text, "\n  }\n}\n");
}
