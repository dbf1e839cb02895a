/*
 * Previews: small copies of the image without the user interface, for example of a saved game. The
 * GPU scales the image down, and the copy is read back some frames later: no frame waits for it.
 *
 *     CnPreview *preview = cn_preview_create(NULL, 160, 90, &error);
 *     CnPreviewOptions options = {.preview = preview};
 *     cn_renderer_add_feature(renderer, &cn_feature_preview, &options, &error); // before UI
 *
 *     uint8_t rgba[160 * 90 * 4];
 *     cn_preview_request(preview);        // the next frame is copied
 *     if (cn_preview_take(preview, rgba)) // a few frames later
 *         write_thumbnail(rgba);
 *
 * The preview shows the middle of the image if that has another shape. While nothing is requested,
 * the feature adds no pass. One thread requests and takes, and the render thread copies; neither
 * waits for the other.
 */
#ifndef CAIRN_RENDER_PREVIEW_H
#define CAIRN_RENDER_PREVIEW_H

#include <cairn/render/features.h>

CN_EXTERN_C_BEGIN

#define CN_PREVIEW_MAX_SIZE 1024u /* pixels, width and height */

typedef struct CnPreview CnPreview;

/* Returns NULL and an error if a size is 0 or too large, or when out of memory. */
CN_API CnPreview *cn_preview_create(CnAllocator *allocator /* NULL: system allocator */,
                                    uint32_t width, uint32_t height, CnError *error);
/* Remove the feature first. NULL is ignored. */
CN_API void cn_preview_destroy(CnPreview *preview);
/* Requests a copy of the next frame that is drawn. Does nothing while a copy is under way or has
 * not been taken. */
CN_API void cn_preview_request(CnPreview *preview);
/* Returns whether a copy was requested and has not been taken. */
CN_API bool cn_preview_is_requested(const CnPreview *preview);
/* Writes a complete copy: rows from the top, 4 bytes per pixel: R, G, B and 255, sRGB. Returns
 * false if there is none. */
CN_API bool cn_preview_take(CnPreview *preview, uint8_t *rgba);

typedef struct CnPreviewOptions {
    CnPreview
        *preview; /* required; must outlive the feature; one feature at a time draws into it */
    CnToneMapOptions tone_map; /* as that of the image */
} CnPreviewOptions;
/* "Preview": reads hdr and exposure as they are for Tone map, after which it is added. */
CN_API extern const CnFeatureType cn_feature_preview;

CN_EXTERN_C_END

#endif
