/*
 * The picture of a saved world for lists: 160 x 90, without HUD and menus, as a JPEG. The GPU
 * scales a frame down, and a job compresses it; no frame waits.
 *
 *     CraftyThumbnail *thumbnail = crafty_thumbnail_create(jobs, &error);
 *     shown.preview = crafty_thumbnail_preview(thumbnail); // for crafty_preset
 *     crafty_thumbnail_request(thumbnail);
 *     if (crafty_thumbnail_frame(thumbnail, &jpeg)) // in before_frame
 *         crafty_save_set_thumbnail(save, jpeg.data, jpeg.size, &error);
 */
#ifndef CRAFTY_CLIENT_THUMBNAIL_H
#define CRAFTY_CLIENT_THUMBNAIL_H

#include <cairn/base/job.h>
#include <cairn/base/text.h>
#include <cairn/render/preview.h>

#define CRAFTY_THUMBNAIL_WIDTH 160u
#define CRAFTY_THUMBNAIL_HEIGHT 90u

typedef struct CraftyThumbnail CraftyThumbnail;

/* `jobs` must outlive the thumbnail. Returns NULL and an error when out of memory. */
CraftyThumbnail *crafty_thumbnail_create(CnJobPool *jobs, CnError *error);
/* Waits for its job. Remove the features that draw it first. NULL is ignored. */
void crafty_thumbnail_destroy(CraftyThumbnail *thumbnail);
CnPreview *crafty_thumbnail_preview(CraftyThumbnail *thumbnail);

/* Requests a picture of the next frame; does nothing while one is under way. */
void crafty_thumbnail_request(CraftyThumbnail *thumbnail);
bool crafty_thumbnail_is_under_way(const CraftyThumbnail *thumbnail);
/* Returns whether a picture is complete, once. `jpeg` is valid until the next call. */
bool crafty_thumbnail_frame(CraftyThumbnail *thumbnail, CnText *jpeg);

#endif
