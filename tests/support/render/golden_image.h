/*
 * Pictures that were looked at: tests/golden/render/images/NAME.png. At most 0.1 % of the pixels
 * may differ by more than 2/255, and a picture of one color is none. CAIRN_UPDATE_GOLDEN=1 writes
 * them: look at each.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_GOLDEN_IMAGE_H
#define CAIRN_TESTS_SUPPORT_RENDER_GOLDEN_IMAGE_H

#include "render_fixture.h"

/* The last draw of the fixture. On a difference the picture and what differs lie in
 * $TMPDIR/cairn-golden. */
void assert_golden_image(const char *name, const RenderFixture *fixture);
void assert_golden_pixels(const char *name, const uint8_t *rgba, uint32_t width, uint32_t height);

#endif
