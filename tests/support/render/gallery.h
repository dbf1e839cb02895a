/*
 * The scene scenes/gallery, read from its file, for tests and benchmarks of the renderer.
 *
 *     Gallery gallery;
 *     gallery_open(&gallery);                                        // renderers need its files
 *     ...
 *     gallery_show(&gallery, renderer);                              // materials, names
 *     CnFrameDesc frame = {.current = gallery_snapshot(&gallery), ...};
 *     cn_renderer_draw(renderer, &frame, &error);
 *     gallery_close(&gallery);
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_GALLERY_H
#define CAIRN_TESTS_SUPPORT_RENDER_GALLERY_H

#include "cmocka_tests.h"

#include <cairn/render.h>
#include <cairn/scene.h>
#include <cairn/vfs.h>

typedef struct Gallery {
    CnVfs *vfs;
    CnWorld *world;
    CnOutbox *outbox;
    CnSceneFile file;
    CnSnapshotPair pair;
} Gallery;

/* Fails the test if a file cannot be read. */
void gallery_open(Gallery *gallery);
void gallery_close(Gallery *gallery);
CnFileSystem *gallery_files(const Gallery *gallery);
void gallery_show(const Gallery *gallery, CnRenderer *renderer);
const CnRenderSnapshot *gallery_snapshot(const Gallery *gallery);

#endif
