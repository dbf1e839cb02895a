#include "thumbnail_cache.h"

#define NONE UINT32_MAX

typedef struct Picture {
    char path[CN_STORE_PATH_BYTES];
    int64_t played_ms; /* of the state that it shows */
    uint64_t frame;    /* in which it was last asked for; 0: unused */
    bool is_read;
    CnTexture texture; /* null: the world has no picture */
} Picture;

struct CraftyThumbnailCache {
    CnAllocator *allocator;
    Picture pictures[CRAFTY_THUMBNAIL_CACHE];
    uint64_t frame;
    uint32_t reading; /* index; NONE: none */
};

CraftyThumbnailCache *crafty_thumbnail_cache_create(CnAllocator *allocator, CnError *error)
{
    CraftyThumbnailCache *cache = cn_alloc_zeroed(allocator, sizeof *cache);
    if (!cache) {
        cn_error_memory(error, "the thumbnails");
        return NULL;
    }
    cache->allocator = allocator;
    cache->frame = 2; /* unused places have frame 0 */
    cache->reading = NONE;
    return cache;
}

static void drop(Picture *picture, CnEngine *engine)
{
    if (picture->texture.id)
        cn_texture_destroy(cn_engine_renderer(engine), picture->texture);
    *picture = (Picture){0};
}

void crafty_thumbnail_cache_destroy(CraftyThumbnailCache *cache, CnEngine *engine)
{
    if (!cache)
        return;
    for (uint32_t i = 0; i < CRAFTY_THUMBNAIL_CACHE; i++)
        drop(&cache->pictures[i], engine);
    cn_free(cache->allocator, cache, sizeof *cache);
}

static Picture *find(CraftyThumbnailCache *cache, const CraftyWorldEntry *entry)
{
    for (uint32_t i = 0; i < CRAFTY_THUMBNAIL_CACHE; i++) {
        Picture *picture = &cache->pictures[i];
        if (picture->frame && picture->played_ms == entry->played_ms &&
            !strcmp(picture->path, entry->path))
            return picture;
    }
    return NULL;
}

/* Returns a place without a texture, not asked for in this frame; NULL if there is none. The
 * textures of other places are dropped between frames. */
static Picture *find_free(CraftyThumbnailCache *cache)
{
    for (uint32_t i = 0; i < CRAFTY_THUMBNAIL_CACHE; i++) {
        Picture *picture = &cache->pictures[i];
        if (i != cache->reading && !picture->texture.id && picture->frame + 1 < cache->frame)
            return picture;
    }
    return NULL;
}

CnTexture crafty_thumbnail_cache_get(CraftyThumbnailCache *cache, const CraftyWorldEntry *entry)
{
    Picture *picture = find(cache, entry);
    if (!picture && (picture = find_free(cache))) {
        *picture = (Picture){.played_ms = entry->played_ms};
        cn_copy_text(picture->path, sizeof picture->path, cn_text(entry->path));
    }
    if (!picture)
        return (CnTexture){0};
    picture->frame = cache->frame;
    return picture->texture;
}

/* Keeps some places free: drops the texture that was not drawn for the longest time. */
static void make_room(CraftyThumbnailCache *cache, CnEngine *engine)
{
    uint32_t used = 0, oldest = NONE;
    for (uint32_t i = 0; i < CRAFTY_THUMBNAIL_CACHE; i++) {
        const Picture *picture = &cache->pictures[i];
        used += picture->texture.id != 0;
        if (picture->texture.id && picture->frame + 1 < cache->frame &&
            (oldest == NONE || picture->frame < cache->pictures[oldest].frame))
            oldest = i;
    }
    if (used >= CRAFTY_THUMBNAIL_CACHE * 3 / 4 && oldest != NONE)
        drop(&cache->pictures[oldest], engine);
}

static void take(CraftyThumbnailCache *cache, CraftyWorldTask *task, CnEngine *engine)
{
    CnImage image;
    if (cache->reading == NONE || !crafty_world_task_take_thumbnail(task, &image))
        return;
    Picture *picture = &cache->pictures[cache->reading];
    picture->is_read = true;
    cache->reading = NONE;
    if (image.pixels) /* without memory for the texture, the world is shown without a picture */
        picture->texture = cn_texture_create(
            cn_engine_renderer(engine),
            &(CnTextureDesc){.name = "thumbnail", .image = &image, .clamp = true}, NULL);
    cn_image_free(&image);
}

void crafty_thumbnail_cache_frame(CraftyThumbnailCache *cache, CraftyWorldTask *task,
                                  CnEngine *engine)
{
    take(cache, task, engine);
    make_room(cache, engine);
    for (uint32_t i = 0; i < CRAFTY_THUMBNAIL_CACHE && cache->reading == NONE; i++) {
        Picture *picture = &cache->pictures[i];
        if (picture->frame == cache->frame && !picture->is_read &&
            crafty_world_task_read_thumbnail(task, picture->path))
            cache->reading = i;
    }
    cache->frame++;
}
