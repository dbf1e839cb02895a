#include "thumbnail.h"

#include <cairn/base/log.h>
#include <cairn/render/material.h>

#define QUALITY 85u

struct CraftyThumbnail {
    CnJobPool *jobs;
    CnPreview *preview;
    CnJob job;
    bool is_encoding;
    uint8_t rgba[CRAFTY_THUMBNAIL_WIDTH * CRAFTY_THUMBNAIL_HEIGHT * 4];
    CnU8Array jpeg; /* of the job while it is encoding */
    CnError error;  /* of the job */
};

CraftyThumbnail *crafty_thumbnail_create(CnJobPool *jobs, CnError *error)
{
    CraftyThumbnail *thumbnail = cn_alloc_zeroed(cn_system_allocator(), sizeof *thumbnail);
    if (!thumbnail) {
        cn_error_memory(error, "the picture of the world");
        return NULL;
    }
    thumbnail->jobs = jobs;
    cn_array_init(&thumbnail->jpeg, cn_system_allocator());
    thumbnail->preview =
        cn_preview_create(NULL, CRAFTY_THUMBNAIL_WIDTH, CRAFTY_THUMBNAIL_HEIGHT, error);
    if (thumbnail->preview)
        return thumbnail;
    crafty_thumbnail_destroy(thumbnail);
    return NULL;
}

void crafty_thumbnail_destroy(CraftyThumbnail *thumbnail)
{
    if (!thumbnail)
        return;
    if (thumbnail->is_encoding)
        cn_job_wait(thumbnail->jobs, thumbnail->job);
    cn_preview_destroy(thumbnail->preview);
    cn_array_fini(&thumbnail->jpeg);
    cn_free(cn_system_allocator(), thumbnail, sizeof *thumbnail);
}

CnPreview *crafty_thumbnail_preview(CraftyThumbnail *thumbnail)
{
    return thumbnail->preview;
}

void crafty_thumbnail_request(CraftyThumbnail *thumbnail)
{
    if (!thumbnail->is_encoding)
        cn_preview_request(thumbnail->preview);
}

bool crafty_thumbnail_is_under_way(const CraftyThumbnail *thumbnail)
{
    return thumbnail->is_encoding || cn_preview_is_requested(thumbnail->preview);
}

static void encode(void *data, uint32_t lane)
{
    (void)lane;
    CraftyThumbnail *thumbnail = data;
    CnImage image = {CRAFTY_THUMBNAIL_WIDTH, CRAFTY_THUMBNAIL_HEIGHT, thumbnail->rgba,
                     cn_system_allocator()};
    thumbnail->error = (CnError){0};
    cn_image_encode_jpeg(&image, QUALITY, &thumbnail->jpeg, &thumbnail->error);
}

static bool take_encoded(CraftyThumbnail *thumbnail, CnText *jpeg)
{
    cn_job_wait(thumbnail->jobs, thumbnail->job); /* it is done; makes its result visible */
    thumbnail->is_encoding = false;
    if (thumbnail->error.code != CN_OK) {
        CN_LOG_WARNING("crafty", "the picture of the world: %s", thumbnail->error.message);
        return false;
    }
    *jpeg = (CnText){(const char *)thumbnail->jpeg.items, thumbnail->jpeg.count};
    return true;
}

bool crafty_thumbnail_frame(CraftyThumbnail *thumbnail, CnText *jpeg)
{
    if (thumbnail->is_encoding)
        return cn_job_is_done(thumbnail->jobs, thumbnail->job) && take_encoded(thumbnail, jpeg);
    if (cn_preview_take(thumbnail->preview, thumbnail->rgba)) {
        thumbnail->is_encoding = true;
        thumbnail->job =
            cn_job_submit(thumbnail->jobs, &(CnJobDesc){.run = encode, .data = thumbnail});
    }
    return false;
}
