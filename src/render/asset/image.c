#include "render/decode/decoder.h"

#include <cairn/render/material.h>

#include <spng.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Deflate compresses at most 1032 bytes into one: a small file that claims more is a decompression
 * bomb. */
#define PNG_MAX_PER_BYTE 1040u
/* An image of a single color compresses to about 500 pixels per byte. */
#define JPEG_MAX_PER_BYTE 4096u
/* Each scan of a progressive JPEG visits all pixels; encoders write about ten. */
#define JPEG_MAX_SCANS 64u
/* Limit of text and profile chunks in a PNG, which are not used. */
#define CHUNK_BYTES (16u << 20)
#define COMPRESSION 6

static bool refuse(CnError *error, CnErrorCode code, const char *name, const char *what)
{
    return cn_error_set_at(error, code, name, 0, 0, "%s", what);
}

/* Checks the size that a file declares, before anything is decoded. */
static bool check_size(uint64_t width, uint64_t height, const CnBudget *budget, const char *name,
                       CnError *error)
{
    if (width > 0 && height > 0 && width <= CN_MAX_IMAGE_SIZE && height <= CN_MAX_IMAGE_SIZE)
        return width * height <= budget->image_pixels ||
               cn_budget_refuse(error, budget, name, "image_pixels", width * height,
                                budget->image_pixels);
    return cn_error_set_at(
        error, CN_ERROR_LIMIT, name, 0, 0,
        "the image size %llu x %llu is out of range; width and height must be 1 to %u",
        (unsigned long long)width, (unsigned long long)height, CN_MAX_IMAGE_SIZE);
}

static bool make_pixels(CnImage *image, uint32_t width, uint32_t height, CnAllocator *allocator,
                        const char *name, CnError *error)
{
    *image = (CnImage){.width = width, .height = height, .allocator = allocator};
    image->pixels = cn_alloc(allocator, (size_t)width * height * 4);
    return image->pixels || refuse(error, CN_ERROR_MEMORY, name, "no memory for the image");
}

/* ---- PNG ---- */

static bool png_fails(int result, const char *name, CnError *error)
{
    CnErrorCode code = result == SPNG_EMEM ? CN_ERROR_MEMORY : CN_ERROR_FORMAT;
    return cn_error_set_at(error, code, name, 0, 0, "cannot read the PNG: %s",
                           spng_strerror(result));
}

static bool read_png_header(spng_ctx *png, const CnImageReadDesc *desc, struct spng_ihdr *header,
                            CnError *error)
{
    const char *name = desc->name;
    int result = spng_set_image_limits(png, INT32_MAX, INT32_MAX); /* our own limits apply */
    if (result == 0)
        result = spng_set_chunk_limits(png, CHUNK_BYTES, CHUNK_BYTES);
    if (result == 0)
        result = spng_set_crc_action(png, SPNG_CRC_ERROR, SPNG_CRC_ERROR);
    if (result == 0)
        result = spng_set_png_buffer(png, desc->bytes, desc->size);
    if (result == 0)
        result = spng_get_ihdr(png, header);
    if (result != 0)
        return png_fails(result, name, error);
    if (!check_size(header->width, header->height, desc->budget, name, error))
        return false;
    static const uint8_t channels[] = {1, 0, 3, 1, 2, 0, 4};
    uint64_t bits = (uint64_t)header->bit_depth * channels[header->color_type % 7];
    uint64_t packed = (bits * header->width + 7) / 8 * header->height;
    return packed <= ((uint64_t)desc->size + 64) * PNG_MAX_PER_BYTE ||
           refuse(error, CN_ERROR_FORMAT, name,
                  "the PNG is truncated: its size does not fit its dimensions");
}

static bool read_png(const CnImageReadDesc *desc, CnImage *image, CnError *error)
{
    const char *name = desc->name;
    spng_ctx *png = spng_ctx_new(0);
    if (!png)
        return refuse(error, CN_ERROR_MEMORY, name, "no memory for the image");
    struct spng_ihdr header = {0};
    bool is_read = read_png_header(png, desc, &header, error) &&
                   make_pixels(image, header.width, header.height, desc->allocator, name, error);
    if (is_read) {
        int result = spng_decode_image(png, image->pixels, (size_t)header.width * header.height * 4,
                                       SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
        is_read = result == 0 || png_fails(result, name, error);
    }
    spng_ctx_free(png);
    return is_read;
}

/* ---- JPEG ---- */

static bool jpeg_fails(tjhandle jpeg, const char *name, CnError *error)
{
    return cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0, "cannot read the JPEG: %s",
                           tjGetErrorStr2(jpeg));
}

/* Counts the scans: segments with their lengths, and after each start of a scan compressed data up
 * to the next marker. Stops at the end of the data or where it makes no sense, as the decoder will.
 */
static uint32_t count_scans(const uint8_t *bytes, size_t size)
{
    enum { STUFFED = 0x00, RESTART = 0xD0, END = 0xD9, START_OF_SCAN = 0xDA, FILL = 0xFF };
    uint32_t scans = 0;
    size_t at = 2; /* after the start of the image */
    while (at + 4 <= size && scans <= JPEG_MAX_SCANS) {
        const uint8_t marker = bytes[at + 1];
        const bool is_marker = bytes[at] == 0xFF && marker != STUFFED && marker != FILL &&
                               (marker < RESTART || marker >= END);
        if (!is_marker) {
            at++;
            continue;
        }
        if (marker == END)
            break;
        scans += marker == START_OF_SCAN;
        at += 2 + ((size_t)bytes[at + 2] << 8 | bytes[at + 3]);
    }
    return scans;
}

static bool decode_jpeg(tjhandle jpeg, const CnImageReadDesc *desc, CnImage *image, CnError *error)
{
    const uint8_t *bytes = desc->bytes;
    const unsigned long size = (unsigned long)desc->size;
    const char *name = desc->name;
    int width = 0, height = 0, sampling, colors;
    if (tjDecompressHeader3(jpeg, bytes, size, &width, &height, &sampling, &colors) != 0)
        return jpeg_fails(jpeg, name, error);
    if (!check_size((uint64_t)width, (uint64_t)height, desc->budget, name, error))
        return false;
    if ((uint64_t)width * (uint64_t)height > (uint64_t)size * JPEG_MAX_PER_BYTE)
        return refuse(error, CN_ERROR_FORMAT, name,
                      "the JPEG is truncated: its size does not fit its dimensions");
    if (count_scans(bytes, size) > JPEG_MAX_SCANS)
        return cn_error_set_at(error, CN_ERROR_LIMIT, name, 0, 0,
                               "the JPEG has more than %u scans; save it anew", JPEG_MAX_SCANS);
    if (!make_pixels(image, (uint32_t)width, (uint32_t)height, desc->allocator, name, error))
        return false;
    /* The flags limit the time that a small file can take. */
    return tjDecompress2(jpeg, bytes, size, image->pixels, width, width * 4, height, TJPF_RGBA,
                         TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING) == 0 ||
           jpeg_fails(jpeg, name, error);
}

static bool read_jpeg(const CnImageReadDesc *desc, CnImage *image, CnError *error)
{
    tjhandle jpeg = tjInitDecompress();
    if (!jpeg)
        return refuse(error, CN_ERROR_MEMORY, desc->name, "no memory for the image");
    bool is_read = decode_jpeg(jpeg, desc, image, error);
    tjDestroy(jpeg);
    return is_read;
}

/* ---- WebP ---- */

/* A few bytes can describe an image of one color and any size, at most 16383 x 16383, so that only
 * the budget limits pixels. The decoder takes time that is linear in pixels and bytes. */
static bool read_webp(const CnImageReadDesc *desc, CnImage *image, CnError *error)
{
    const char *name = desc->name;
    WebPBitstreamFeatures features;
    VP8StatusCode status = WebPGetFeatures(desc->bytes, desc->size, &features);
    if (status != VP8_STATUS_OK)
        return refuse(error, CN_ERROR_FORMAT, name,
                      status == VP8_STATUS_NOT_ENOUGH_DATA
                          ? "cannot read the WebP: it is truncated"
                          : "cannot read the WebP: its header is invalid");
    if (features.has_animation)
        return refuse(error, CN_ERROR_UNSUPPORTED, name,
                      "the WebP is an animation; save a single image instead");
    if (!check_size((uint64_t)features.width, (uint64_t)features.height, desc->budget, name,
                    error) ||
        !make_pixels(image, (uint32_t)features.width, (uint32_t)features.height, desc->allocator,
                     name, error))
        return false;
    return WebPDecodeRGBAInto(desc->bytes, desc->size, image->pixels,
                              (size_t)image->width * image->height * 4, features.width * 4) ||
           refuse(error, CN_ERROR_FORMAT, name,
                  "cannot read the WebP: its data is damaged or truncated");
}

/* ---- All formats ---- */

static bool starts_with(const CnImageReadDesc *desc, const char *start, size_t size)
{
    return desc->size >= size && memcmp(desc->bytes, start, size) == 0;
}

bool cni_render_image_decode(const CnImageReadDesc *desc, CnImage *image, CnError *error)
{
    *image = (CnImage){.allocator = desc->allocator};
    bool is_read;
    if (starts_with(desc, "\x89PNG", 4))
        is_read = read_png(desc, image, error);
    else if (starts_with(desc, "\xFF\xD8\xFF", 3))
        is_read = read_jpeg(desc, image, error);
    else if (starts_with(desc, "RIFF", 4) && desc->size >= 12 &&
             !memcmp((const char *)desc->bytes + 8, "WEBP", 4))
        is_read = read_webp(desc, image, error);
    else
        is_read = refuse(error, CN_ERROR_FORMAT, desc->name,
                         "the image is neither a PNG, nor a JPEG, nor a WebP");
    if (!is_read)
        cn_image_free(image);
    return is_read;
}

bool cn_image_read(const CnImageReadDesc *from, CnImage *image, CnError *error)
{
    CN_ASSERT(from && image, "%s: desc or image is NULL", __func__);
    CnImageReadDesc desc = *from;
    if (!desc.budget)
        desc.budget = cn_budget_of(CN_ORIGIN_USER);
    return desc.budget->origin == CN_ORIGIN_FOREIGN ? cni_render_decode_image(&desc, image, error)
                                                    : cni_render_image_decode(&desc, image, error);
}

void cn_image_free(CnImage *image)
{
    cn_free(image->allocator, image->pixels, (size_t)image->width * image->height * 4);
    *image = (CnImage){.allocator = image->allocator};
}

static bool is_opaque(const CnImage *image)
{
    size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++)
        if (image->pixels[i * 4 + 3] != 255)
            return false;
    return true;
}

/* `row` has space for the widest row. */
static int encode_row(spng_ctx *png, const uint8_t *pixels, uint32_t width, bool opaque,
                      uint8_t *row)
{
    if (!opaque)
        return spng_encode_row(png, pixels, (size_t)width * 4);
    for (uint32_t x = 0; x < width; x++)
        memcpy(row + (size_t)x * 3, pixels + (size_t)x * 4, 3);
    return spng_encode_row(png, row, (size_t)width * 3);
}

static int encode(spng_ctx *png, const CnImage *image, uint8_t *row)
{
    bool opaque = is_opaque(image);
    struct spng_ihdr header = {.width = image->width,
                               .height = image->height,
                               .bit_depth = 8,
                               .color_type = (uint8_t)(opaque ? SPNG_COLOR_TYPE_TRUECOLOR
                                                              : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA)};
    int result = spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    if (result == 0)
        result = spng_set_option(png, SPNG_IMG_COMPRESSION_LEVEL, COMPRESSION);
    if (result == 0)
        result = spng_set_ihdr(png, &header);
    if (result == 0)
        result = spng_encode_image(png, NULL, 0, SPNG_FMT_PNG,
                                   SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
    for (uint32_t y = 0; y < image->height && result == 0; y++)
        result = encode_row(png, image->pixels + (size_t)y * image->width * 4, image->width, opaque,
                            row);
    return result == SPNG_EOI ? 0 : result;
}

bool cn_image_write(const CnImage *image, CnFileSystem *files, const char *path, CnError *error)
{
    CN_ASSERT(image, "%s: image is NULL", __func__);
    if (!check_size(image->width, image->height, cn_budget_of(CN_ORIGIN_TRUSTED), path, error))
        return false;
    size_t row_bytes = (size_t)image->width * 3, size = 0;
    uint8_t *row = cn_alloc(image->allocator, row_bytes);
    spng_ctx *png = row ? spng_ctx_new(SPNG_CTX_ENCODER) : NULL;
    int result = png ? encode(png, image, row) : SPNG_EMEM;
    void *bytes = result == 0 ? spng_get_png_buffer(png, &size, &result) : NULL;
    bool is_written;
    if (bytes)
        is_written = cn_file_write_all(files, path, bytes, size, error);
    else
        is_written = cn_error_set_at(error, CN_ERROR_MEMORY, path, 0, 0, "cannot write the PNG: %s",
                                     spng_strerror(result));
    free(bytes); /* allocated by the library */
    spng_ctx_free(png);
    cn_free(image->allocator, row, row_bytes);
    return is_written;
}

bool cn_image_encode_jpeg(const CnImage *image, uint32_t quality, CnU8Array *bytes, CnError *error)
{
    CN_ASSERT(image && bytes, "%s: an argument is NULL", __func__);
    CN_ASSERT(quality >= 1 && quality <= 100, "a quality of %u is out of range", quality);
    if (!check_size(image->width, image->height, cn_budget_of(CN_ORIGIN_TRUSTED), "JPEG", error))
        return false;
    int width = (int)image->width, height = (int)image->height;
    unsigned long size = tjBufSize(width, height, TJSAMP_420);
    tjhandle jpeg = cn_array_reserve(bytes, size) ? tjInitCompress() : NULL;
    bool done =
        jpeg && tjCompress2(jpeg, image->pixels, width, width * 4, height, TJPF_RGBA, &bytes->items,
                            &size, TJSAMP_420, (int)quality, TJFLAG_NOREALLOC) == 0;
    if (done)
        bytes->count = (uint32_t)size;
    else
        cn_error_set(error, CN_ERROR_MEMORY, "cannot write the JPEG: %s",
                     jpeg ? tjGetErrorStr2(jpeg) : "no memory");
    if (jpeg)
        tjDestroy(jpeg);
    return done;
}
