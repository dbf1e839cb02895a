/* --check finds what is not steady. */
#include "engine_fixture.h"

#include <stdlib.h>

static void a_steady_program_passes(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.frames = 200, .check = true});
    add_camera(cn_engine_world(engine), (CnVec3){0, 0, 5});
    add_shape(cn_engine_world(engine), "cube", (CnVec3){0, 0, 0});
    assert_int_equal(cn_engine_run(engine), 0);
    end_engine(engine);
}

static void one_that_changes_its_size_passes(void **state)
{
    (void)state;
    CnEngine *engine =
        make_engine(&(CnEngineDesc){.frames = 300, .check = true, .resize_every = 10});
    add_camera(cn_engine_world(engine), (CnVec3){0, 0, 5});
    assert_int_equal(cn_engine_run(engine), 0);
    end_engine(engine);
}

static void make_objects(CnEngine *engine, void *user)
{
    (void)user;
    for (uint32_t i = 0; i < 100; i++)
        add_shape(cn_engine_world(engine), "cube", (CnVec3){(float)i, 0, 0});
}

static void one_that_grows_does_not(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.frames = 100, .check = true});
    cn_engine_before_frame(engine, make_objects, NULL);
    assert_int_equal(cn_engine_run(engine), 1);
    assert_int_equal(cn_engine_error(engine)->code, CN_ERROR_LIMIT);
    end_engine(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_program_passes),
        cmocka_unit_test(one_that_changes_its_size_passes),
        cmocka_unit_test(one_that_grows_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
