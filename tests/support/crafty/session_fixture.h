/*
 * A world in a scratch file and its session, for tests of one world: include it once.
 *
 *     open_session();                 // opens or creates the file
 *     put((CnCell){8, 300, 8}, "glowstone");
 *     write_save();                   // durable
 *     close_session();
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_SESSION_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_SESSION_FIXTURE_H

#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/replay/session.h>

#define SESSION_SEED 77u
#define SESSION_FLUSH_MS 60000u

static Scratch scratch;
static const char *path; /* of the world */
static CraftySave *save;
static CraftySession *session;

static inline void begin_scratch(void)
{
    scratch_init(&scratch);
    path = scratch_path(&scratch, "Home.crafty");
}

static inline void open_session(void)
{
    CnError error = {0};
    save = crafty_save_open(&(CraftySaveDesc){.path = path, .seed = SESSION_SEED}, &error);
    if (!save)
        fail_msg("%s", error.message);
    CraftySessionDesc desc = {.start = {.viewer = CRAFTY_VIEWER_WALKS, .hours = 12},
                              .finds_spawn = true,
                              .threads = 1,
                              .save = save};
    session = crafty_session_create(&desc, &error);
    if (!session)
        fail_msg("%s", error.message);
}

static inline void close_session(void)
{
    crafty_session_destroy(session);
    crafty_save_close(save);
    session = NULL;
    save = NULL;
}

static inline int end_session(void **state)
{
    (void)state;
    close_session();
    scratch_fini(&scratch);
    return 0;
}

static inline CnVoxels *voxels(void)
{
    return crafty_world_voxels(crafty_session_world(session));
}

static inline void write_save(void)
{
    CnError error = {0};
    if (!crafty_save_write(save, crafty_session_world(session), crafty_session_sim(session),
                           &error) ||
        !crafty_save_flush(save, SESSION_FLUSH_MS, &error))
        fail_msg("%s", error.message);
}

static inline void put(CnCell cell, const char *name)
{
    CnEdit edit = {.player = 1,
                   .kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = cn_block_find(cn_voxels_blocks(voxels()), name)};
    assert_true(cn_voxels_edit(voxels(), &edit, NULL));
}

#endif
