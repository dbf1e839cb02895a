/*
 * The error overlay: shows errors with file and line at the bottom of the image, as long as they
 * stand.
 *
 *     static CnErrorOverlay overlay; // 7 KiB
 *     overlay.count = cn_script_errors(world, overlay.errors, CN_ERROR_OVERLAY_MAX); // each frame
 *     if (cn_error_overlay_is_shown(&overlay))
 *         cn_error_overlay_draw(canvas, &overlay);
 *
 * A person can hide what is shown; an error that was not there then shows the overlay again.
 *
 * Texts from outside are escaped, and long ones are wrapped. What does not fit is counted.
 */
#ifndef CAIRN_UI_ERROR_OVERLAY_H
#define CAIRN_UI_ERROR_OVERLAY_H

#include <cairn/base/error.h>
#include <cairn/render/canvas.h>

CN_EXTERN_C_BEGIN

#define CN_ERROR_OVERLAY_MAX 16u

typedef struct CnErrorOverlay {
    CnError errors[CN_ERROR_OVERLAY_MAX]; /* filled by the program */
    uint32_t count;
    char hint[48]; /* at the end of the title, such as "F4 hides this"; "": none */

    /* Written by cn_error_overlay_hide. */
    uint64_t hidden[CN_ERROR_OVERLAY_MAX]; /* hashes of errors */
    uint32_t hidden_count;
} CnErrorOverlay;

/* Returns whether there are errors that were not hidden. */
CN_API bool cn_error_overlay_is_shown(const CnErrorOverlay *overlay);
/* Hides the errors of now, or with `hidden` false shows all errors again. */
CN_API void cn_error_overlay_hide(CnErrorOverlay *overlay, bool hidden);
/* Draws all errors at the bottom of the canvas, in up to two thirds of its height; draws nothing
 * without errors. */
CN_API void cn_error_overlay_draw(CnCanvas *canvas, const CnErrorOverlay *overlay);

CN_EXTERN_C_END

#endif
