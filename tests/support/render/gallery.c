#include "gallery.h"

static void check(bool done, const CnError *error)
{
    char text[512];
    if (!done)
        fail_msg("%s", cn_error_text(error, text, sizeof text));
}

void gallery_open(Gallery *gallery)
{
    CnError error = {0};
    *gallery = (Gallery){0};
    gallery->vfs = cn_vfs_create(NULL, &error);
    check(gallery->vfs &&
              cn_vfs_mount_project(gallery->vfs, "scenes/gallery", CN_ORIGIN_TRUSTED, &error),
          &error);
    gallery->world = cn_world_create(NULL, NULL);
    gallery->outbox = cn_outbox_create(NULL, NULL);
    check(cn_scene_add(gallery->world, &error), &error);
    check(cn_extract_add(gallery->world, gallery->outbox, &error), &error);
    check(cn_scene_read(gallery->world, cn_vfs_files(gallery->vfs), "project://main.json",
                        &gallery->file, &error),
          &error);
    cn_outbox_begin(gallery->outbox, 0, 0);
    check(cn_world_update(gallery->world, 1.0f / 60, &error), &error);
    cn_outbox_publish(gallery->outbox);
    assert_true(cn_outbox_acquire(gallery->outbox, &gallery->pair));
}

void gallery_close(Gallery *gallery)
{
    cn_outbox_release(gallery->outbox);
    cn_outbox_destroy(gallery->outbox);
    cn_scene_file_free(&gallery->file);
    cn_world_destroy(gallery->world);
    cn_vfs_destroy(gallery->vfs);
}

CnFileSystem *gallery_files(const Gallery *gallery)
{
    return cn_vfs_files(gallery->vfs);
}

void gallery_show(const Gallery *gallery, CnRenderer *renderer)
{
    CnError error = {0};
    check(cn_materials_read(renderer, "project://main.json", cn_text(gallery->file.materials),
                            cn_text(gallery->file.pipelines), &error),
          &error);
    for (uint32_t i = 1; i <= cn_asset_count(gallery->world); i++)
        assert_true(cn_renderer_set_asset(renderer, i, cn_asset_name(gallery->world, i)));
}

const CnRenderSnapshot *gallery_snapshot(const Gallery *gallery)
{
    return &gallery->pair.current->render;
}
