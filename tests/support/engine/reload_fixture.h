/* An engine with hot reload whose project is a temporary folder. */
#ifndef CAIRN_TESTS_SUPPORT_ENGINE_RELOAD_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_ENGINE_RELOAD_FIXTURE_H

#include "engine_fixture.h"
#include "scratch.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/script.h>
#include <stdio.h>
#include <string.h>

#define RELOAD_TRIES 2000u /* frames until a change must have had its effect */

typedef struct ReloadFixture {
    Scratch scratch;
    CnHeap *heap;
    CnEngine *engine;
    CnScene *scene;
} ReloadFixture;

static inline void reload_write(const ReloadFixture *fixture, const char *name, const char *text)
{
    FILE *file = fopen(scratch_path(&fixture->scratch, name), "w"); /* without waiting for a disk */
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline void reload_begin_files(ReloadFixture *fixture)
{
    *fixture = (ReloadFixture){0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&fixture->scratch);
    fixture->heap = cn_heap_create(NULL, NULL);
}

/* Starts the engine when files are there; `desc` may be NULL. Loads main.json. */
static inline void reload_begin_engine(ReloadFixture *fixture, const CnEngineDesc *desc)
{
    CnError error = {0};
    CnEngineDesc all = desc ? *desc : (CnEngineDesc){0};
    all.allocator = cn_heap_tag(fixture->heap, "engine");
    all.project = fixture->scratch.folder;
    if (all.hot_reload == CN_SWITCH_DEFAULT)
        all.hot_reload = CN_SWITCH_ON;
    fixture->engine = make_engine(&all);
    fixture->scene = cn_engine_load(fixture->engine, "project://main.json", &error);
    if (!fixture->scene)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static inline void reload_end(ReloadFixture *fixture)
{
    end_engine(fixture->engine);
    assert_int_equal(cn_heap_stats(fixture->heap).live_blocks, 0);
    cn_heap_destroy(fixture->heap);
    scratch_fini(&fixture->scratch);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

/* Runs frames until the condition holds. */
static inline void reload_run_until(ReloadFixture *fixture, bool (*holds)(ReloadFixture *),
                                    const char *what)
{
    for (uint32_t i = 0; i < RELOAD_TRIES; i++) {
        run_frames(fixture->engine, 1);
        if (holds(fixture))
            return;
        cn_clock_sleep_ns(5000000);
    }
    fail_msg("%s: not within %u frames", what, RELOAD_TRIES);
}

/* Runs frames for longer than it takes until a change is reported. */
static inline void reload_run_some(ReloadFixture *fixture)
{
    for (uint32_t i = 0; i < 60; i++) {
        run_frames(fixture->engine, 1);
        cn_clock_sleep_ns(5000000);
    }
}

/* Returns the only error that stands; its code is CN_OK without one. */
static inline CnError reload_error(const ReloadFixture *fixture)
{
    CnError errors[4] = {0};
    if (cn_engine_errors(fixture->engine, errors, CN_COUNT_OF(errors)) > 1)
        fail_msg("several errors: %s; %s", errors[0].message, errors[1].message);
    return errors[0];
}

static inline bool reload_has_error(ReloadFixture *fixture)
{
    return reload_error(fixture).code != CN_OK;
}

static inline bool reload_has_no_error(ReloadFixture *fixture)
{
    return reload_error(fixture).code == CN_OK;
}

static inline void reload_wait_error(ReloadFixture *fixture, const char *file, int line)
{
    reload_run_until(fixture, reload_has_error, file);
    CnError error = reload_error(fixture);
    if (strcmp(error.file, file) || error.line != line)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static inline CnEntity reload_object(const ReloadFixture *fixture, const char *path)
{
    CnEntity found = cn_object_find(cn_scene_world(fixture->scene), path);
    if (cn_entity_is_null(found))
        fail_msg("there is no %s", path);
    return found;
}

static inline CnVec3 reload_position(const ReloadFixture *fixture, const char *path)
{
    return cn_get(cn_scene_world(fixture->scene), reload_object(fixture, path), CnTransform)
        ->position;
}

#endif
