/* The picture of a world. */
#include "check.h"

#include <turbojpeg.h>

#define WIDTH 160
#define HEIGHT 90
#define MAX_BYTES (1u << 20)

bool crafty_thumbnail_check(const uint8_t *bytes, size_t size, CnError *error)
{
    unsigned char pixels[WIDTH * HEIGHT * 3];
    int width = 0, height = 0, sampling, colors;
    if (size == 0 || size > MAX_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT, "the picture has %zu bytes", size);
    tjhandle decoder = tjInitDecompress();
    if (!decoder)
        return cn_error_memory(error, "a JPEG decoder");
    bool is_jpeg = tjDecompressHeader3(decoder, bytes, (unsigned long)size, &width, &height,
                                       &sampling, &colors) == 0;
    bool fits = is_jpeg && width == WIDTH && height == HEIGHT;
    bool done = fits && tjDecompress2(decoder, bytes, (unsigned long)size, pixels, WIDTH, 0, HEIGHT,
                                      TJPF_RGB, 0) == 0;
    tjDestroy(decoder);
    if (is_jpeg && !fits)
        return cn_error_set(error, CN_ERROR_FORMAT, "the picture has %d x %d pixels, not %d x %d",
                            width, height, WIDTH, HEIGHT);
    return done || cn_error_set(error, CN_ERROR_FORMAT, "the picture is not a JPEG");
}
