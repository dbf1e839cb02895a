/* Fonts built into the library. */
#ifndef CAIRN_SRC_RENDER_TEXT_FONT_EMBEDDED_H
#define CAIRN_SRC_RENDER_TEXT_FONT_EMBEDDED_H

#include <cairn/base/api.h>

extern const uint8_t cni_render_font_sans[] __attribute__((visibility("hidden")));
extern const uint8_t cni_render_font_sans_end[] __attribute__((visibility("hidden")));
extern const uint8_t cni_render_font_mono[] __attribute__((visibility("hidden")));
extern const uint8_t cni_render_font_mono_end[] __attribute__((visibility("hidden")));

#endif
