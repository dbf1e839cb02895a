/*
 * 07: observing a simulation from another thread.
 *
 * One thread runs the ticks of scenes/swarm. Another thread reads their snapshots at its own pace
 * through the outbox: it gets the two newest snapshots and draws an interpolation of them. Neither
 * thread ever waits for the other. The last read comes after the last tick, so the image is always
 * the same.
 *
 * Boids gather around the pointer, a button scares them, and 75 ticks later they are drawn as
 * comets, colored by direction, in out/swarm.png.
 */
#include "swarm/swarm.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <spng.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WIDTH = 1280, HEIGHT = 720, BOIDS = 8000, TICKS = 720, SCARE = 75, TAIL = 24 };

#define SEEN 180.0f /* world units from left to right; the image is centered on the torus */

typedef struct Film {
    CnOutbox *outbox;
    float size;          /* of the torus */
    float *light;        /* r, g, b summed per pixel */
    uint64_t tick;       /* that was read last */
    atomic_bool stopped; /* no more ticks will come */
} Film;

/* ---- Drawing ---- */

/* The hue encodes the direction, without computing an angle: three cosines, a third of a turn
 * apart. */
static void color_of(float x, float y, float rgb[3])
{
    float length = cn_sqrtf(x * x + y * y) + 1e-6f;
    x /= length, y /= length;
    rgb[0] = 0.55f + 0.45f * x;
    rgb[1] = 0.45f + 0.40f * (-0.5f * x + 0.866f * y);
    rgb[2] = 0.60f + 0.40f * (-0.5f * x - 0.866f * y);
}

/* A comet has a bright head and a tail of fading dots. Each dot is soft and has a finite radius. */
static void add_dot(Film *film, float x, float y, const float rgb[3], float bright)
{
    for (int py = (int)y - 2; py <= (int)y + 3; py++)
        for (int px = (int)x - 2; px <= (int)x + 3; px++) {
            float dx = (float)px - x, dy = (float)py - y, part = 1 - (dx * dx + dy * dy) / 6;
            if (part <= 0 || px < 0 || py < 0 || px >= WIDTH || py >= HEIGHT)
                continue;
            float *to = film->light + ((size_t)py * WIDTH + (size_t)px) * 3;
            for (int c = 0; c < 3; c++)
                to[c] += rgb[c] * bright * part * part;
        }
}

static void add_comet(Film *film, float x, float y, float dx, float dy)
{
    float rgb[3];
    color_of(dx, dy, rgb);
    for (int i = 0; i < TAIL; i++) {
        float left = 1 - (float)i / TAIL;
        add_dot(film, x - dx * (float)i, y - dy * (float)i, rgb, i ? left * left * 0.45f : 1.8f);
    }
}

static void draw(Film *film, const CnSnapshotPair *pair, float alpha)
{
    const CnRenderSnapshot *now = &pair->current->render;
    const CnRenderSnapshot *before = pair->previous ? &pair->previous->render : NULL;
    const float scale = WIDTH / SEEN;
    const float left = 0.5f * (film->size - SEEN),
                top = 0.5f * (film->size - SEEN * HEIGHT / WIDTH);
    CnSnapshotMatch match;
    cn_snapshot_match_init(&match, cn_system_allocator());
    memset(film->light, 0, sizeof(float) * WIDTH * HEIGHT * 3);
    if (cn_snapshot_match(&match, before, now))
        for (uint32_t i = 0; i < now->item_count; i++) {
            uint32_t from = match.previous.items[i];
            if (from == CN_NO_MATCH)
                continue;
            CnRenderItem item;
            cn_render_item_lerp(&before->items[from], &now->items[i], alpha, &item);
            float dx = now->items[i].position.x - before->items[from].position.x,
                  dy = now->items[i].position.y - before->items[from].position.y;
            add_comet(film, (item.position.x - left) * scale, (item.position.y - top) * scale,
                      dx * scale, dy * scale);
        }
    cn_snapshot_match_fini(&match);
}

/* The consumer's thread. */
static void *watch(void *user)
{
    Film *film = user;
    bool last;
    do {
        last = atomic_load(&film->stopped);
        CnSnapshotPair pair;
        if (cn_outbox_acquire(film->outbox, &pair)) {
            draw(film, &pair, 0.5f); /* a game takes alpha from CnTimingInfo */
            film->tick = pair.current->render.tick;
            cn_outbox_release(film->outbox);
        }
    } while (!last);
    return NULL;
}

/* ---- The image ---- */

static bool write_png(const char *path, const float *light)
{
    uint8_t *rgb = malloc((size_t)WIDTH * HEIGHT * 3);
    FILE *file = rgb ? fopen(path, "wb") : NULL;
    if (!file) {
        cn_print_error("cannot write %s: %s", path, strerror(errno));
        free(rgb);
        return false;
    }
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 3; i++) {
        static const float ground[3] = {0.020f, 0.028f, 0.055f};
        float value = ground[i % 3] + light[i] * 1.3f;
        rgb[i] = (uint8_t)(255 * value / (0.6f + value) + 0.5f);
    }
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {
        .width = WIDTH, .height = HEIGHT, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    bool done = png && !spng_set_png_file(png, file) && !spng_set_ihdr(png, &header) &&
                !spng_set_option(png, SPNG_IMG_COMPRESSION_LEVEL, 9) &&
                !spng_set_option(png, SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_NONE) &&
                !spng_encode_image(png, rgb, (size_t)WIDTH * HEIGHT * 3, SPNG_FMT_PNG,
                                   SPNG_ENCODE_FINALIZE);
    spng_ctx_free(png);
    done &= fclose(file) == 0;
    free(rgb);
    if (!done)
        cn_print_error("cannot write %s", path);
    return done;
}

static bool run_ticks(CnSim *sim, CnError *error)
{
    CnInputSource hand = cn_sim_input(sim);
    cn_input_mouse_move(hand, 0.5f, 0.5f, 0, 0);
    if (!cn_sim_tick_n(sim, TICKS - SCARE, error))
        return false;
    cn_input_mouse_button(hand, CN_MOUSE_LEFT, true);
    return cn_sim_tick_n(sim, SCARE, error);
}

int main(void)
{
    CnError error = {0};
    CnSim *sim = cn_sim_create(&(CnSimDesc){.seed = 5}, &error);
    if (!sim || !swarm_add(sim, &(SwarmDesc){BOIDS}, &error)) {
        fprintf(stderr, "07_swarm_film: %s\n", error.message);
        return 1;
    }
    Film film = {.outbox = cn_sim_outbox(sim),
                 .size = cn_resource(cn_sim_world(sim), SwarmSettings)->size,
                 .light = calloc((size_t)WIDTH * HEIGHT, 3 * sizeof(float))};
    pthread_t watcher;
    if (!film.light || pthread_create(&watcher, NULL, watch, &film)) {
        fprintf(stderr, "07_swarm_film: out of memory or threads\n");
        return 1;
    }
    bool done = run_ticks(sim, &error);
    atomic_store(&film.stopped, true);
    pthread_join(watcher, NULL);
    if (!done)
        fprintf(stderr, "07_swarm_film: %s\n", error.message);
    mkdir("out", 0777);
    done = done && write_png("out/swarm.png", film.light);
    if (done)
        printf("last tick read: %" PRIu64 " of %d\nimage: out/swarm.png\n", film.tick, TICKS);
    free(film.light);
    cn_sim_destroy(sim);
    return done ? 0 : 1;
}
