/* A document that a test of glTF builds, and what was imported from it. */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_GLB_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_RENDER_GLB_FIXTURE_H

#include "cmocka_tests.h"
#include "glb_import.h"

#include <cairn/base/log.h>

static GlbImport glb;
static GlbBuilder builder;

static int glb_fixture_start(void **state)
{
    (void)state;
    builder = (GlbBuilder){0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return 0;
}

static int glb_fixture_drop(void **state)
{
    (void)state;
    glb_free(&glb);
    return 0;
}

#define GLTF_TEST(name) cmocka_unit_test_setup_teardown(name, glb_fixture_start, glb_fixture_drop)

#endif
