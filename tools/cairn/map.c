#include "map.h"

#include "crafty/world/blocks.h"
#include "commands.h"
#include "session.h"

#include <cairn/base/console.h>

#include <inttypes.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* There are no chunks farther out. */
#define FARTHEST 16000000
#define MAX_SIZE 4096u
#define GAP 8u

/* At larger scales, erosion is too small to see and would take hours. */
#define ERODED_SCALE 8u

typedef struct Kind {
    const char *name;
    void (*draw)(Map *map);
    bool from_above; /* --scale applies */
} Kind;

/* Block by block if each has a pixel, with trees and houses. */
static void draw_surface(Map *map)
{
    if (map->scale > 1 || !map_draw_roofs(map))
        map_draw_ground(map);
}

/* In the order of the sheet: two rows of three. */
static const Kind kinds[] = {
    {"surface", draw_surface, true},    {"biome", map_draw_biomes, true},
    {"height", map_draw_heights, true}, {"cave", map_draw_caves, false},
    {"ore", map_draw_ores, false},      {"section", map_draw_section, false},
};
#define SHEET_COLUMNS 3u

typedef struct MapOptions {
    const char *kind, *out;
    uint64_t seed;
    uint32_t size, scale;
    int32_t x, y, z;
    bool make_folders;
} MapOptions;

typedef struct Sheet {
    MapColor *pixels;
    uint32_t width, height;
} Sheet;

/* ---- Progress, on a terminal ---- */

typedef struct Progress {
    uint32_t done, count; /* maps */
    int shown;            /* percent */
    bool wanted;
} Progress;

static void show_progress(double part, void *user)
{
    Progress *progress = user;
    int percent = (int)(100 * (progress->done + (part < 1 ? part : 1)) / progress->count);
    if (!progress->wanted || percent == progress->shown)
        return;
    progress->shown = percent;
    fprintf(stderr, "\rcairn map: %d %%", percent);
    fflush(stderr);
}

static void end_progress(const Progress *progress)
{
    if (progress->wanted)
        fprintf(stderr, "\r\033[K");
}

/* ---- Drawing ---- */

static bool is_wanted(const MapOptions *options, const Kind *kind)
{
    return !strcmp(options->kind, "all") || !strcmp(options->kind, kind->name);
}

static uint32_t count_wanted(const MapOptions *options)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(kinds); i++)
        count += is_wanted(options, &kinds[i]);
    return count;
}

static bool make_sheet(const MapOptions *options, Sheet *sheet)
{
    bool is_one = count_wanted(options) == 1;
    uint32_t columns = is_one ? 1 : SHEET_COLUMNS;
    uint32_t rows = is_one ? 1 : (uint32_t)CN_COUNT_OF(kinds) / SHEET_COLUMNS;
    sheet->width = columns * (options->size + GAP) - GAP;
    sheet->height = rows * (options->size + GAP) - GAP;
    sheet->pixels = malloc((size_t)sheet->width * sheet->height * sizeof(MapColor));
    if (!sheet->pixels) {
        fprintf(stderr, "cairn map: not enough memory for an image of %u x %u\n", sheet->width,
                sheet->height);
        return false;
    }
    memset(sheet->pixels, 0xff, (size_t)sheet->width * sheet->height * sizeof(MapColor));
    return true;
}

static void close_world(Map *map)
{
    if (map->scratch)
        cn_generate_scratch_destroy(map->scratch);
    if (map->generator)
        cn_generator_destroy(map->generator);
    cn_block_table_destroy(map->blocks);
    map->blocks = NULL;
    map->scratch = NULL;
    map->generator = NULL;
}

static bool open_world(Map *map, uint64_t seed, bool eroded)
{
    CnError error = {0};
    static const char *const ores[MAP_ORES] = {"diamond_ore",  "emerald_ore", "gold_ore",
                                               "redstone_ore", "lapis_ore",   "iron_ore",
                                               "copper_ore",   "coal_ore"};
    if (map->generator && map->eroded == eroded)
        return true; /* keeping its cached regions */
    close_world(map);
    map->eroded = eroded;
    map->blocks = crafty_blocks_create(NULL, &error);
    if (!map->blocks)
        return report(&error);
    cn_block_table_close(map->blocks);
    CnGeneratorDesc desc = {.blocks = map->blocks, .seed = seed, .no_erosion = !eroded};
    map->generator = cn_generator_create(&desc, &error);
    if (!map->generator ||
        !cn_block_find_all(map->blocks, "the map", ores, MAP_ORES, map->ores, &error))
        return report(&error);
    map->scratch = cn_generate_scratch_create(map->generator);
    if (!map->scratch)
        fprintf(stderr, "cairn map: out of memory\n");
    return map->scratch;
}

static bool draw_sheet(const MapOptions *options, Map *map, const Sheet *sheet)
{
    Progress progress = {
        .count = count_wanted(options), .shown = -1, .wanted = isatty(STDERR_FILENO)};
    bool done = true;
    map->progress = show_progress;
    map->user = &progress;
    map->stride = sheet->width;
    for (uint32_t i = 0; i < CN_COUNT_OF(kinds) && done; i++) {
        if (!is_wanted(options, &kinds[i]))
            continue;
        uint32_t column = progress.done % SHEET_COLUMNS, row = progress.done / SHEET_COLUMNS;
        map->pixels = sheet->pixels + (size_t)column * (options->size + GAP) +
                      (size_t)row * (options->size + GAP) * sheet->width;
        done =
            open_world(map, options->seed, options->scale <= ERODED_SCALE || !kinds[i].from_above);
        if (done)
            kinds[i].draw(map);
        progress.done++;
    }
    close_world(map);
    end_progress(&progress);
    return done;
}

/* Memory from spng is freed by free; returns NULL after a failure. */
static void *encode_sheet(const Sheet *sheet, size_t *size)
{
    void *bytes = NULL;
    int failure = 0;
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {.width = sheet->width,
                               .height = sheet->height,
                               .bit_depth = 8,
                               .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    if (png && !spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1) && !spng_set_ihdr(png, &header) &&
        !spng_encode_image(png, sheet->pixels,
                           (size_t)sheet->width * sheet->height * sizeof(MapColor), SPNG_FMT_PNG,
                           SPNG_ENCODE_FINALIZE))
        bytes = spng_get_png_buffer(png, size, &failure);
    spng_ctx_free(png);
    return bytes;
}

static bool write_sheet(const char *path, const Sheet *sheet)
{
    CnError error = {0};
    size_t size = 0;
    void *bytes = encode_sheet(sheet, &size);
    bool done = bytes ? cn_file_write_all(cn_native_files(), path, bytes, size, &error)
                      : cn_error_memory(&error, "an image");
    free(bytes);
    return done || report(&error);
}

static void print_biomes(const Map *map)
{
    uint64_t all = 0;
    for (int i = 0; i < CN_BIOME_COUNT; i++)
        all += map->biomes[i];
    for (int i = 0; i < CN_BIOME_COUNT; i++) {
        MapColor color = map_biome_color((CnBiome)i);
        if (map->biomes[i])
            cn_print("  #%02x%02x%02x %5.1f %%  %s", color.r, color.g, color.b,
                     100.0 * (double)map->biomes[i] / (double)all, cn_biome_name((CnBiome)i));
    }
}

static bool draw(const MapOptions *options)
{
    Sheet sheet;
    if (!make_sheet(options, &sheet))
        return false;
    Map map = {.size = options->size,
               .scale = (int32_t)options->scale,
               .x = options->x,
               .y = options->y,
               .z = options->z};
    bool done = draw_sheet(options, &map, &sheet) && write_sheet(options->out, &sheet);
    if (done) {
        cn_print("%s: %u x %u pixels, seed %" PRIu64 ", around %d %d", options->out, sheet.width,
                 sheet.height, options->seed, options->x, options->z);
        print_biomes(&map);
    }
    free(sheet.pixels);
    return done;
}

/* ---- Options ---- */

static bool check_options(const MapOptions *options)
{
    if (!options->out) {
        fprintf(stderr, "cairn map: --out FILE.png is required (try cairn map --help)\n");
        return false;
    }
    if (!count_wanted(options)) {
        CnTextBuilder names;
        cn_array_init(&names, NULL);
        for (uint32_t i = 0; i < CN_COUNT_OF(kinds); i++)
            cn_text_append_format(&names, "%s %s", i + 1 < CN_COUNT_OF(kinds) ? "," : " or",
                                  kinds[i].name);
        cn_print_error("cairn map: --kind needs all%s, not \"%s\"", names.count ? names.items : "",
                       options->kind);
        cn_array_fini(&names);
        return false;
    }
    return true;
}

int command_map(int count, char **arguments)
{
    MapOptions options = {.kind = "all", .seed = 1, .size = 512, .scale = 4, .y = -16};
    const Option table[] = {
        {"--out", "FILE.png", "the image to write", OPTION_TEXT, &options.out, 0, 0},
        MAKE_FOLDERS_OPTION(options.make_folders),
        {"--seed", "N", "seed of the world (1)", OPTION_U64, &options.seed, 0, 0},
        {"--size", "N", "width and height of each map in pixels (512)", OPTION_U32, &options.size,
         16, MAX_SIZE},
        {"--kind", "NAME", "surface, biome, height, cave, ore, section, or all on one sheet (all)",
         OPTION_TEXT, &options.kind, 0, 0},
        {"--scale", "N", "blocks per pixel of surface, biome and height (4)", OPTION_U32,
         &options.scale, 1, 256},
        {"--x", "N", "x coordinate of the center (0)", OPTION_I32, &options.x, 0, FARTHEST},
        {"--z", "N", "z coordinate of the center (0)", OPTION_I32, &options.z, 0, FARTHEST},
        {"--y", "N", "height of the cave slice; ore maps show its chunk layer (-16)", OPTION_I32,
         &options.y, 0, 1000},
        {0},
    };
    const Usage usage = {
        "map",
        "--out FILE.png [options]",
        "Draws maps of a generated world, and prints its biomes.\n\n"
        "  surface  from above, with trees and buildings if --scale is 1; north (-z) is up\n"
        "  biome    biomes, in the colors that are printed\n"
        "  height   heights, and depths of the sea\n"
        "  cave     a horizontal slice, one block per pixel\n"
        "  ore      the rarest ore in sixteen layers, one block per pixel\n"
        "  section  a vertical slice, west to east, from the world bottom, one block per pixel",
        table,
        NULL,
        0};
    ParseResult parsed = parse_options(&usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    if (!check_options(&options))
        return 2;
    return prepare_output(options.out, options.make_folders) && draw(&options) ? 0 : 1;
}
