/* The data of the built-in fonts; cmake/fonts.cmake sets their path. */
#include "render/text/font_embedded.h"

#define FONT(name, file)                                                                           \
    __asm__(".section .rodata\n"                                                                   \
            ".balign 16\n"                                                                         \
            ".globl " #name "\n.hidden " #name "\n" #name ":\n"                                    \
            ".incbin \"" CAIRN_DEJAVU "/" file "\"\n"                                              \
            ".globl " #name "_end\n.hidden " #name "_end\n" #name "_end:\n"                        \
            ".byte 0\n"                                                                            \
            ".previous\n")

FONT(cni_render_font_sans, "DejaVuSans.ttf");
FONT(cni_render_font_mono, "DejaVuSansMono.ttf");
