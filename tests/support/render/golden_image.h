/*
 * Reviewed reference images: tests/golden/render/images/NAME.png. At most 0.1 % of the pixels may
 * differ by more than 2/255, and an image of a single color fails. CAIRN_UPDATE_GOLDEN=1 writes the
 * images; review each of them.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_GOLDEN_IMAGE_H
#define CAIRN_TESTS_SUPPORT_RENDER_GOLDEN_IMAGE_H

#include "render_fixture.h"

/* Compares the last draw of the fixture. On failure, the image and the difference are written to
 * $TMPDIR/cairn-golden. */
void assert_golden_image(const char *name, const RenderFixture *fixture);
void assert_golden_pixels(const char *name, const uint8_t *rgba, uint32_t width, uint32_t height);

#endif
