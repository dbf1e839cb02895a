/* Contact sheets of spectrograms: what a sound looks like. Above, the level in time; below, the
 * spectrum in time, 0 to 16 kHz on a scale that gives low frequencies more room. */
#include "output.h"

#include <cairn/base/math.h>

#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE_W 200u
#define TILE_H 132u
#define TITLE_H 12u
#define LEVEL_H 24u
#define SPECTRUM_H 92u
#define FFT 1024u

struct Sheet {
    uint32_t columns, rows, used, width, height;
    uint8_t *pixels; /* RGB */
};

Sheet *sheet_create(uint32_t tiles, uint32_t columns)
{
    Sheet *sheet = calloc(1, sizeof *sheet);
    if (!sheet)
        return NULL;
    sheet->columns = columns;
    sheet->rows = (tiles + columns - 1) / columns;
    sheet->width = columns * TILE_W;
    sheet->height = sheet->rows * TILE_H;
    sheet->pixels = malloc((size_t)sheet->width * sheet->height * 3);
    if (sheet->pixels)
        memset(sheet->pixels, 12, (size_t)sheet->width * sheet->height * 3);
    return sheet;
}

void sheet_destroy(Sheet *sheet)
{
    if (!sheet)
        return;
    free(sheet->pixels);
    free(sheet);
}

static void put_pixel(Sheet *sheet, uint32_t x, uint32_t y, float r, float g, float b)
{
    if (x >= sheet->width || y >= sheet->height || !sheet->pixels)
        return;
    uint8_t *pixel = sheet->pixels + 3 * ((size_t)y * sheet->width + x);
    pixel[0] = (uint8_t)(255 * r);
    pixel[1] = (uint8_t)(255 * g);
    pixel[2] = (uint8_t)(255 * b);
}

/* ---- Letters: 3 x 5 pixels, in the bits of an octal number of five rows ---- */

static uint32_t glyph(char c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    static const uint32_t rows[] = {025755, 065656, 034443, 065556, 074647, 074644, 034553, 055755,
                                    072227, 011152, 055655, 044447, 057755, 065555, 025552, 065644,
                                    025573, 065655, 034216, 072222, 055557, 055522, 055775, 055255,
                                    055222, 071247, 075557, 026227, 061247, 061216, 055711, 074616,
                                    034757, 071222, 075757, 075716, 000002, 000007, 000700};
    const char *at = strchr(letters, c);
    return c && at ? rows[at - letters] : 0;
}

static void draw_text(Sheet *sheet, uint32_t x, uint32_t y, const char *text)
{
    for (; *text; text++, x += 4) {
        uint32_t bits = glyph(*text);
        for (uint32_t i = 0; i < 15; i++)
            if (bits >> (14 - i) & 1)
                put_pixel(sheet, x + i % 3, y + i / 3, 0.9f, 0.9f, 0.85f);
    }
}

/* ---- Spectrum ---- */

/* In place, radix 2. */
static void transform(float *re, float *im)
{
    for (uint32_t i = 1, j = 0; i < FFT; i++) {
        uint32_t bit = FFT >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            float a = re[i], b = im[i];
            re[i] = re[j], im[i] = im[j];
            re[j] = a, im[j] = b;
        }
    }
    for (uint32_t size = 2; size <= FFT; size *= 2) {
        for (uint32_t k = 0; k < size / 2; k++) {
            float s, c;
            cn_sincosf(-2 * CN_PIF * (float)k / (float)size, &s, &c);
            for (uint32_t i = k; i < FFT; i += size) {
                uint32_t j = i + size / 2;
                float a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
                re[j] = re[i] - a, im[j] = im[i] - b;
                re[i] += a, im[i] += b;
            }
        }
    }
}

static void spectrum_at(const Signal *signal, uint32_t center, float power[FFT / 2])
{
    float re[FFT], im[FFT] = {0};
    for (uint32_t i = 0; i < FFT; i++) {
        int64_t frame = (int64_t)center + i - FFT / 2;
        float window = 0.5f - 0.5f * cn_cosf(2 * CN_PIF * (float)i / FFT);
        re[i] = frame >= 0 && frame < signal->frames ? window * signal->samples[frame] : 0;
    }
    transform(re, im);
    for (uint32_t i = 0; i < FFT / 2; i++)
        power[i] = re[i] * re[i] + im[i] * im[i];
}

static void draw_column(Sheet *sheet, uint32_t x, uint32_t top, const float power[FFT / 2])
{
    for (uint32_t y = 0; y < SPECTRUM_H; y++) {
        float part = 1 - (float)y / SPECTRUM_H, hz = 16000 * part * part;
        uint32_t bin = (uint32_t)(hz / (SOUNDS_RATE_F / FFT));
        float db = 4.3429448f * cn_logf(power[bin < FFT / 2 ? bin : FFT / 2 - 1] + 1e-9f);
        float v = (db + 42) / 80;
        v = v < 0 ? 0 : v > 1 ? 1 : v;
        put_pixel(sheet, x, top + y, v * v, v * v * v * 0.9f + 0.1f * v,
                  0.15f + 0.75f * v * (1 - v) + 0.1f * v);
    }
}

static void draw_level(Sheet *sheet, uint32_t x, uint32_t top, const Signal *signal, uint32_t first,
                       uint32_t count)
{
    float peak = 0;
    for (uint32_t i = first; i < first + count && i < signal->frames; i++)
        peak = cn_fabsf(signal->samples[i]) > peak ? cn_fabsf(signal->samples[i]) : peak;
    uint32_t half = (uint32_t)(peak * LEVEL_H / 2);
    for (uint32_t y = LEVEL_H / 2 - half; y <= LEVEL_H / 2 + half && y < LEVEL_H; y++)
        put_pixel(sheet, x, top + y, 0.45f, 0.8f, 0.6f);
}

void sheet_add(Sheet *sheet, const Signal *signal, const char *title)
{
    uint32_t x0 = sheet->used % sheet->columns * TILE_W, y0 = sheet->used / sheet->columns * TILE_H;
    uint32_t width = TILE_W - 4;
    char text[64];
    sheet->used++;
    snprintf(text, sizeof text, "%s %.2fs", title, (double)signal->frames / (double)SOUNDS_RATE);
    draw_text(sheet, x0 + 2, y0 + 3, text);
    for (uint32_t x = 0; x < width; x++) {
        float power[FFT / 2];
        uint32_t first = (uint32_t)((uint64_t)signal->frames * x / width);
        uint32_t next = (uint32_t)((uint64_t)signal->frames * (x + 1) / width);
        draw_level(sheet, x0 + x, y0 + TITLE_H, signal, first, next - first);
        spectrum_at(signal, (first + next) / 2, power);
        draw_column(sheet, x0 + x, y0 + TITLE_H + LEVEL_H + 2, power);
    }
}

bool sheet_write(const Sheet *sheet, const char *path)
{
    FILE *file = fopen(path, "wb");
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {.width = sheet->width,
                               .height = sheet->height,
                               .bit_depth = 8,
                               .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    bool ok = file && png && !spng_set_png_file(png, file) && !spng_set_ihdr(png, &header) &&
              !spng_encode_image(png, sheet->pixels, (size_t)sheet->width * sheet->height * 3,
                                 SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    spng_ctx_free(png);
    if (file && fclose(file))
        ok = false;
    if (!ok)
        fprintf(stderr, "sounds: cannot write %s\n", path);
    return ok;
}
