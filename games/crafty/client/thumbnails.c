#include "thumbnails.h"

#define NONE UINT32_MAX

typedef struct Picture {
    char path[CN_STORE_PATH_BYTES];
    int64_t played_ms; /* of the state that it shows */
    uint64_t frame;    /* in which it was last asked for; 0: unused */
    bool is_read;
    CnTexture texture; /* null: the world has no picture */
} Picture;

struct CraftyThumbnails {
    CnAllocator *allocator;
    Picture pictures[CRAFTY_THUMBNAILS];
    uint64_t frame;
    uint32_t reading; /* index; NONE: none */
};

CraftyThumbnails *crafty_thumbnails_create(CnAllocator *allocator, CnError *error)
{
    CraftyThumbnails *thumbnails = cn_alloc_zeroed(allocator, sizeof *thumbnails);
    if (!thumbnails) {
        cn_error_memory(error, "the thumbnails");
        return NULL;
    }
    thumbnails->allocator = allocator;
    thumbnails->frame = 2; /* unused places have frame 0 */
    thumbnails->reading = NONE;
    return thumbnails;
}

static void drop(Picture *picture, CnEngine *engine)
{
    if (picture->texture.id)
        cn_texture_destroy(cn_engine_renderer(engine), picture->texture);
    *picture = (Picture){0};
}

void crafty_thumbnails_destroy(CraftyThumbnails *thumbnails, CnEngine *engine)
{
    if (!thumbnails)
        return;
    for (uint32_t i = 0; i < CRAFTY_THUMBNAILS; i++)
        drop(&thumbnails->pictures[i], engine);
    cn_free(thumbnails->allocator, thumbnails, sizeof *thumbnails);
}

static Picture *find(CraftyThumbnails *thumbnails, const CraftyWorldEntry *entry)
{
    for (uint32_t i = 0; i < CRAFTY_THUMBNAILS; i++) {
        Picture *picture = &thumbnails->pictures[i];
        if (picture->frame && picture->played_ms == entry->played_ms &&
            !strcmp(picture->path, entry->path))
            return picture;
    }
    return NULL;
}

/* Returns a place without a texture, not asked for in this frame; NULL if there is none. The
 * textures of other places are dropped between frames. */
static Picture *find_free(CraftyThumbnails *thumbnails)
{
    for (uint32_t i = 0; i < CRAFTY_THUMBNAILS; i++) {
        Picture *picture = &thumbnails->pictures[i];
        if (i != thumbnails->reading && !picture->texture.id &&
            picture->frame + 1 < thumbnails->frame)
            return picture;
    }
    return NULL;
}

CnTexture crafty_thumbnails_get(CraftyThumbnails *thumbnails, const CraftyWorldEntry *entry)
{
    Picture *picture = find(thumbnails, entry);
    if (!picture && (picture = find_free(thumbnails))) {
        *picture = (Picture){.played_ms = entry->played_ms};
        cn_copy_text(picture->path, sizeof picture->path, cn_text(entry->path));
    }
    if (!picture)
        return (CnTexture){0};
    picture->frame = thumbnails->frame;
    return picture->texture;
}

/* Keeps some places free: drops the texture that was not drawn for the longest time. */
static void make_room(CraftyThumbnails *thumbnails, CnEngine *engine)
{
    uint32_t used = 0, oldest = NONE;
    for (uint32_t i = 0; i < CRAFTY_THUMBNAILS; i++) {
        const Picture *picture = &thumbnails->pictures[i];
        used += picture->texture.id != 0;
        if (picture->texture.id && picture->frame + 1 < thumbnails->frame &&
            (oldest == NONE || picture->frame < thumbnails->pictures[oldest].frame))
            oldest = i;
    }
    if (used >= CRAFTY_THUMBNAILS * 3 / 4 && oldest != NONE)
        drop(&thumbnails->pictures[oldest], engine);
}

static void take(CraftyThumbnails *thumbnails, CraftyWorldTask *task, CnEngine *engine)
{
    CnImage image;
    if (thumbnails->reading == NONE || !crafty_world_task_take_thumbnail(task, &image))
        return;
    Picture *picture = &thumbnails->pictures[thumbnails->reading];
    picture->is_read = true;
    thumbnails->reading = NONE;
    if (image.pixels) /* without memory for the texture, the world is shown without a picture */
        picture->texture = cn_texture_create(
            cn_engine_renderer(engine),
            &(CnTextureDesc){.name = "thumbnail", .image = &image, .clamp = true}, NULL);
    cn_image_free(&image);
}

void crafty_thumbnails_frame(CraftyThumbnails *thumbnails, CraftyWorldTask *task, CnEngine *engine)
{
    take(thumbnails, task, engine);
    make_room(thumbnails, engine);
    for (uint32_t i = 0; i < CRAFTY_THUMBNAILS && thumbnails->reading == NONE; i++) {
        Picture *picture = &thumbnails->pictures[i];
        if (picture->frame == thumbnails->frame && !picture->is_read &&
            crafty_world_task_read_thumbnail(task, picture->path))
            thumbnails->reading = i;
    }
    thumbnails->frame++;
}
