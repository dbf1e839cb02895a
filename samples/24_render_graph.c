/*
 * 24: the render graph of a frame.
 *
 * Passes declare what they read and write. In every frame, the graph culls and orders the passes,
 * shares memory and inserts barriers. This sample renders the gallery with all features and writes
 * the passes of its last frame to out/render_graph.svg, or to the file given by --graph; F3
 * displays them while it runs.
 */
#include <cairn/engine.h>

#include <stdio.h>
#include <sys/stat.h>

/* The renderer is idle after a frame was submitted, so its state can be read. */
static void count_passes(CnEngine *engine, void *user)
{
    CnGraphStats *stats = user;
    *stats = cn_graph_stats(cn_renderer_graph(cn_engine_renderer(engine)));
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    return cn_engine_load(engine, "scenes/gallery/main.json", error) &&
           cn_engine_after_frame(engine, count_passes, user);
}

int main(int count, char **arguments)
{
    CnGraphStats stats = {0};
    mkdir("out", 0777);
    CnEngineDesc desc = {.title = "Render graph",
                         .preset = cn_preset_deferred,
                         .render = {.sky = {.kind = CN_SKY_ATMOSPHERE},
                                    .point_spot_lights = CN_SWITCH_ON,
                                    .bloom = CN_SWITCH_ON,
                                    .dof = CN_SWITCH_ON,
                                    .auto_exposure = CN_SWITCH_ON},
                         .graph_path = "out/render_graph.svg"};
    int status = cn_engine_main(&desc, count, arguments, start, &stats);
    if (stats.passes)
        printf("%u passes, %u of them culled, %u barriers\n", stats.passes, stats.culled_passes,
               stats.barriers);
    return status;
}
