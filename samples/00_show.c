/*
 * 00: a visual demo: two galaxies pass through each other.
 *
 * Every star is an entity with a position, a velocity and a color; two heavy cores attract them. A
 * core swallows stars that come too close: an event is sent, a command destroys the star, and a jet
 * of sparks is spawned, which burn out. There are 120,000 stars and six systems, and no library is
 * used except Cairn and one for writing the image.
 *
 * In a terminal, the program plays the animation there. It writes the last frame to
 * out/galaxies.png.
 */
#include <cairn/base/console.h>
#include <cairn/ecs.h>

#include <errno.h>
#include <math.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Velocity, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Color, (f32, r), (f32, g), (f32, b));
CN_COMPONENT(Core, (f32, mass), (u32, number));
CN_COMPONENT(Spark, (f32, seconds_left));
CN_COMPONENT(Swallowed, (vec3, at), (u32, core));
CN_COMPONENT(Cores, (vec3, at, 2), (f32, mass, 2)); /* resource: current positions of the cores */
CN_COMPONENT(Dice, (u64, state));                   /* resource: random numbers */

static float roll(Dice *dice) /* from -1 to 1 */
{
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (float)(int32_t)(dice->state >> 32) * (1.0f / 2147483648.0f);
}

#define SOFTNESS 0.004f /* keeps the attraction near a core finite */

/* ---- Systems ---- */

CN_SYSTEM(locate_cores, (read, Position, p), (read, Core, core))
{
    Cores *cores = cn_resource_mut(context->world, Cores);
    for (uint32_t i = 0; i < count; i++) {
        cores->at[core[i].number] = (CnVec3){p[i].x, p[i].y, p[i].z};
        cores->mass[core[i].number] = core[i].mass;
    }
}

CN_SYSTEM(pull, (read, Position, p), (write, Velocity, v))
{
    const Cores cores = *cn_resource(context->world, Cores);
    for (int c = 0; c < 2; c++) {
        const CnVec3 at = cores.at[c];
        const float strength = cores.mass[c] * context->dt;
        for (uint32_t i = 0; i < count; i++) {
            float x = at.x - p[i].x, y = at.y - p[i].y, z = at.z - p[i].z;
            float square = x * x + y * y + z * z + SOFTNESS;
            float k = strength / (square * sqrtf(square));
            v[i].x += x * k;
            v[i].y += y * k;
            v[i].z += z * k;
        }
    }
}

/* The halos of the galaxies slow down their cores, so the galaxies stay together. */
CN_SYSTEM(brake, (read, Core, core), (write, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++) {
        float keep = 1 - 0.45f * core[i].mass * context->dt;
        v[i].x *= keep, v[i].y *= keep, v[i].z *= keep;
    }
}

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * context->dt;
        p[i].y += v[i].y * context->dt;
        p[i].z += v[i].z * context->dt;
    }
}

static void swallow(CnSystemContext *context)
{
    const Cores *cores = cn_resource(context->world, Cores);
    CnChannel *swallowed = cn_channel(context->world, Swallowed);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        const Position *p = cn_column_const(&view, Position);
        for (uint32_t i = 0; i < view.count; i++)
            for (uint32_t c = 0; c < 2; c++) {
                float x = p[i].x - cores->at[c].x, y = p[i].y - cores->at[c].y,
                      z = p[i].z - cores->at[c].z;
                if (x * x + y * y + z * z > 0.00012f)
                    continue;
                cn_defer_destroy(context->commands, view.entities[i]);
                cn_send(swallowed, Swallowed, {.at = cores->at[c], .core = c});
                break;
            }
    }
}

static void shine(CnSystemContext *context)
{
    CnChannel *channel = cn_channel(context->world, Swallowed);
    Dice *dice = cn_resource_mut(context->world, Dice);
    const Swallowed *events = cn_events(channel, Swallowed);
    for (uint32_t i = 0; i < cn_event_count(channel); i++)
        for (int s = 0; s < 6; s++) {
            float up = s & 1 ? 1.0f : -1.0f;
            cn_defer_spawn(context->commands,
                           cn_with(Position, {events[i].at.x, events[i].at.y, events[i].at.z}),
                           cn_with(Velocity, {roll(dice) * 0.15f, up * (1.6f + roll(dice) * 0.4f),
                                              roll(dice) * 0.15f}),
                           cn_with(Color, {0.25f, 0.45f, 1.0f}),
                           cn_with(Spark, {0.8f + roll(dice) * 0.4f}));
        }
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        Spark *spark = cn_column(&view, Spark);
        for (uint32_t i = 0; i < view.count; i++)
            if ((spark[i].seconds_left -= context->dt) <= 0)
                cn_defer_destroy(context->commands, view.entities[i]);
    }
}

/* ---- The world ---- */

/* A flat disc of stars on circular orbits, tilted. */
static void add_galaxy(CnWorld *world, uint32_t number, CnVec3 at, CnVec3 drift, float tilt,
                       uint32_t stars, Color inner, Color outer)
{
    const float mass = number ? 0.65f : 1.0f, radius = number ? 0.75f : 1.0f;
    Dice *dice = cn_resource_mut(world, Dice);
    Position *p = malloc(stars * sizeof *p);
    Velocity *v = malloc(stars * sizeof *v);
    Color *color = malloc(stars * sizeof *color);
    if (!p || !v || !color) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (uint32_t i = 0; i < stars;) {
        float x = roll(dice), y = roll(dice), square = x * x + y * y;
        if (square > 1 || square < 0.004f)
            continue;
        float dense = square * 0.5f + 0.5f * sqrtf(square) * square; /* denser towards the center */
        x *= dense / sqrtf(square) * radius, y *= dense / sqrtf(square) * radius;
        float distance = sqrtf(x * x + y * y), soft = distance * distance + SOFTNESS;
        float speed = distance * sqrtf(mass / (soft * sqrtf(soft)));
        float height = roll(dice) * roll(dice) * 0.03f;
        float flat = sqrtf(1 - tilt * tilt);
        p[i] =
            (Position){at.x + x, at.y + y * flat - height * tilt, at.z + y * tilt + height * flat};
        v[i] = (Velocity){drift.x - y / distance * speed, drift.y + x / distance * speed * flat,
                          drift.z + x / distance * speed * tilt};
        float mix = fminf(distance / radius, 1), bright = 0.6f + 0.4f * roll(dice);
        color[i] = (Color){(inner.r + (outer.r - inner.r) * mix) * bright,
                           (inner.g + (outer.g - inner.g) * mix) * bright,
                           (inner.b + (outer.b - inner.b) * mix) * bright};
        i++;
    }
    cn_spawn_many(world, stars, NULL, cn_with_array(Position, p), cn_with_array(Velocity, v),
                  cn_with_array(Color, color));
    cn_spawn(world, cn_with(Position, {at.x, at.y, at.z}),
             cn_with(Velocity, {drift.x, drift.y, drift.z}), cn_with(Color, {30, 26, 20}),
             cn_with(Core, {mass, number}));
    free(p);
    free(v);
    free(color);
}

static CnWorld *build_world(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    cn_resource_set(world, Dice, {42});
    cn_resource_set(world, Cores, {.mass = {0}});
    cn_id(world, Spark);
    cn_system(world, locate_cores, .stage = CN_STAGE_PRE_UPDATE, .access = {cn_writes(Cores)});
    cn_system(world, pull, .stage = CN_STAGE_UPDATE, .access = {cn_reads(Cores)});
    cn_system(world, brake, .stage = CN_STAGE_UPDATE, .after = {"pull"});
    cn_system(world, move, .stage = CN_STAGE_UPDATE, .after = {"brake"});
    CnSystemDesc swallowing = {
        .name = "swallow",
        .run = swallow,
        .stage = CN_STAGE_POST_UPDATE,
        .query = {.all = {cn_reads(Position)}, .none = {cn_tag(Core), cn_tag(Spark)}},
        .access = {cn_reads(Cores), cn_writes(Swallowed)}};
    CnSystemDesc shining = {.name = "shine",
                            .run = shine,
                            .stage = CN_STAGE_POST_UPDATE,
                            .query = {.all = {cn_writes(Spark)}},
                            .access = {cn_reads(Swallowed), cn_writes(Dice)},
                            .after = {"swallow"}};
    cn_system_add(world, &swallowing, NULL);
    cn_system_add(world, &shining, NULL);
    add_galaxy(world, 0, (CnVec3){-0.8f, -0.3f, 0}, (CnVec3){0.18f, 0.12f, 0}, 0.35f, 75000,
               (Color){1.0f, 0.75f, 0.45f}, (Color){0.35f, 0.5f, 1.0f});
    add_galaxy(world, 1, (CnVec3){0.9f, 0.4f, 0.1f}, (CnVec3){-0.25f, -0.2f, 0}, -0.75f, 45000,
               (Color){1.0f, 0.55f, 0.35f}, (Color){0.9f, 0.3f, 0.55f});
    return world;
}

/* ---- The image ---- */

typedef struct Image {
    int width, height;
    float *light; /* r, g, b summed per pixel */
    uint8_t *rgb;
} Image;

static Image image_create(int width, int height)
{
    size_t pixels = (size_t)width * (size_t)height;
    Image image = {width, height, calloc(pixels, 3 * sizeof(float)), malloc(pixels * 3)};
    if (!image.light || !image.rgb) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return image;
}

static void image_free(Image *image)
{
    free(image->light);
    free(image->rgb);
}

/* Spreads part of the light over its surroundings with a few passes of a moving average in each
 * direction. */
static void glow(Image *image, int radius, float part)
{
    size_t width = (size_t)image->width, height = (size_t)image->height;
    float *soft = malloc(width * height * 3 * sizeof *soft);
    float *line = malloc((width > height ? width : height) * sizeof *line);
    if (!soft || !line) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    memcpy(soft, image->light, width * height * 3 * sizeof *soft);
    for (int pass = 0; pass < 6; pass++) {
        size_t lines = pass % 2 ? width : height, length = pass % 2 ? height : width;
        size_t step = pass % 2 ? width * 3 : 3, across = pass % 2 ? 3 : width * 3;
        for (size_t l = 0; l < lines * 3; l++) {
            float *at = soft + l / 3 * across + l % 3, sum = 0;
            for (size_t i = 0; i < length; i++)
                line[i] = at[i * step];
            for (int i = -radius; i < (int)length; i++) {
                if (i + radius < (int)length)
                    sum += line[i + radius];
                if (i - radius - 1 >= 0)
                    sum -= line[i - radius - 1];
                if (i >= 0)
                    at[(size_t)i * step] = sum / (float)(2 * radius + 1);
            }
        }
    }
    for (size_t i = 0; i < width * height * 3; i++)
        image->light[i] += soft[i] * part;
    free(soft);
    free(line);
}

/* Adds every star's light to the pixels around it, then maps light to colors. */
static void draw(CnWorld *world, Image *image, float exposure)
{
    CnQueryDesc desc = {.all = {cn_reads(Position), cn_reads(Color)}};
    const float scale = (float)image->height * 0.30f;
    memset(image->light, 0, (size_t)image->width * (size_t)image->height * 3 * sizeof(float));
    CnChunkView view;
    CnQuery *stars = cn_query_acquire(world, &desc, NULL);
    for (CnQueryIter it = cn_query_iter(stars); cn_query_next(&it, &view);) {
        const Position *p = cn_column_const(&view, Position);
        const Color *c = cn_column_const(&view, Color);
        for (uint32_t i = 0; i < view.count; i++) {
            float near = 1 / (1 + p[i].z * 0.18f);
            float fx = p[i].x * near * scale + (float)image->width * 0.5f - 0.5f;
            float fy = -p[i].y * near * scale + (float)image->height * 0.5f - 0.5f;
            if (!(fx >= 0 && fy >= 0 && fx < (float)(image->width - 1) &&
                  fy < (float)(image->height - 1)))
                continue;
            int x = (int)fx, y = (int)fy;
            float right = fx - (float)x, down = fy - (float)y;
            const float part[4] = {(1 - right) * (1 - down), right * (1 - down), (1 - right) * down,
                                   right * down};
            for (int k = 0; k < 4; k++) {
                float *to = image->light +
                            ((size_t)(y + k / 2) * (size_t)image->width + (size_t)(x + k % 2)) * 3;
                to[0] += c[i].r * part[k];
                to[1] += c[i].g * part[k];
                to[2] += c[i].b * part[k];
            }
        }
    }
    cn_query_release(stars);
    glow(image, 1 + image->height / 240, 2.0f);
    glow(image, 1 + image->height / 40, 1.2f);
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height * 3; i++) {
        float light = image->light[i] * exposure;
        image->rgb[i] = (uint8_t)(255.0f * light / (1 + light) + 0.5f);
    }
}

static bool write_png(const char *path, const Image *image)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        cn_print_error("cannot write %s: %s", path, strerror(errno));
        return false;
    }
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {.width = (uint32_t)image->width,
                               .height = (uint32_t)image->height,
                               .bit_depth = 8,
                               .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    bool done =
        png && !spng_set_png_file(png, file) && !spng_set_ihdr(png, &header) &&
        !spng_encode_image(png, image->rgb, (size_t)image->width * (size_t)image->height * 3,
                           SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    spng_ctx_free(png);
    done &= fclose(file) == 0;
    if (!done)
        cn_print_error("cannot write %s", path);
    return done;
}

/* Two pixels per character cell: the upper half block in one color, the background in the other. */
static void show_in_terminal(const Image *image)
{
    printf("\033[H");
    for (int y = 0; y + 1 < image->height; y += 2) {
        for (int x = 0; x < image->width; x++) {
            const uint8_t *a = image->rgb + ((size_t)y * (size_t)image->width + (size_t)x) * 3;
            const uint8_t *b = a + (size_t)image->width * 3;
            printf("\033[38;2;%u;%u;%um\033[48;2;%u;%u;%um▀", a[0], a[1], a[2], b[0], b[1], b[2]);
        }
        printf("\033[0m\n");
    }
    fflush(stdout);
}

/* ---- The animation ---- */

enum { TICKS = 300 };

static const char help[] =
    "usage: 00_show [--ticks N] [--out FILE.png]\n"
    "Two galaxies of 120,000 stars pass through each other. In a terminal, the animation "
    "plays there.\n"
    "The last frame is written to out/galaxies.png, or to the file given by --out.\n";

int main(int argc, char **argv)
{
    int ticks = TICKS;
    const char *out = "out/galaxies.png";
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            fputs(help, stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--ticks") && i + 1 < argc && atoi(argv[i + 1]) > 0) {
            ticks = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "--out") && i + 1 < argc) {
            out = argv[++i];
        } else {
            cn_print_error("00_show: unknown option '%s'", argv[i]);
            fputs(help, stderr);
            return 2;
        }
    }
    if (!strncmp(out, "out/", 4))
        mkdir("out", 0777);
    CnWorld *world = build_world();
    bool terminal = isatty(STDOUT_FILENO);
    struct winsize size = {.ws_col = 80, .ws_row = 24};
    if (terminal)
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    Image screen = image_create(size.ws_col > 20 ? size.ws_col : 80,
                                (size.ws_row > 10 ? size.ws_row - 2 : 22) * 2);
    if (terminal)
        printf("\033[2J\033[?25l");
    uint64_t spent_ns = 0, worst_ns = 0;
    for (int tick = 0; tick < ticks; tick++) {
        uint64_t start = cn_clock_ns();
        cn_world_update(world, 0.01f, NULL);
        uint64_t tick_ns = cn_clock_ns() - start;
        spent_ns += tick_ns;
        worst_ns = tick_ns > worst_ns ? tick_ns : worst_ns;
        if (terminal && tick % 2 == 0) {
            draw(world, &screen, 0.05f);
            show_in_terminal(&screen);
            uint64_t used = cn_clock_ns() - start;
            if (used < 33000000)
                cn_clock_sleep_ns(33000000 - used);
        } else if (!terminal && tick % 60 == 59) {
            printf("tick %d of %d, %u entities\n", tick + 1, ticks, cn_entity_count(world));
        }
    }
    if (terminal)
        printf("\033[?25h");
    Image poster = image_create(1280, 720);
    draw(world, &poster, 0.55f);
    bool written = write_png(out, &poster);
    printf("%u entities, %.2f ms a tick on average, %.2f ms at most (%s)\n", cn_entity_count(world),
           (double)spent_ns * 1e-6 / ticks, (double)worst_ns * 1e-6,
           cn_simd_path_name(cn_simd_path()));
    if (written)
        cn_print("image: %s", out);
    image_free(&poster);
    image_free(&screen);
    cn_world_destroy(world);
    return written ? 0 : 1;
}
