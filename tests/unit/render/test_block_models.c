/* The list of block models. */
#include "render_fixture.h"

#include <cairn/render/block_models.h>

static CnBlockModels *make(void)
{
    CnError error = {0};
    CnBlockModels *models = cn_block_models_create(NULL, &error);
    assert_non_null(models);
    return models;
}

static void parts_are_published_at_the_end(void **state)
{
    (void)state;
    CnBlockModels *models = make();
    cn_block_models_begin(models);
    assert_non_null(cn_block_models_add(models, CN_MODEL_LAYER_WORLD, 3));
    assert_non_null(cn_block_models_add(models, CN_MODEL_LAYER_HAND, 2));
    assert_int_equal(cn_block_models_stats(models).parts, 0);
    cn_block_models_end(models);
    assert_int_equal(cn_block_models_stats(models).parts, 5);
    cn_block_models_destroy(models);
}

static void a_new_list_replaces_the_last_one(void **state)
{
    (void)state;
    CnBlockModels *models = make();
    for (uint32_t i = 4; i-- > 0;) {
        cn_block_models_begin(models);
        for (uint32_t j = 0; j < i; j++)
            assert_non_null(cn_block_models_add(models, CN_MODEL_LAYER_WORLD, 1));
        cn_block_models_end(models);
        assert_int_equal(cn_block_models_stats(models).parts, i);
    }
    cn_block_models_destroy(models);
}

static void too_many_parts_are_refused_and_counted(void **state)
{
    (void)state;
    CnBlockModels *models = make();
    cn_block_models_begin(models);
    assert_non_null(cn_block_models_add(models, CN_MODEL_LAYER_WORLD, CN_MODEL_MAX_PARTS));
    assert_null(cn_block_models_add(models, CN_MODEL_LAYER_WORLD, 1));
    assert_null(cn_block_models_add(models, CN_MODEL_LAYER_HAND, UINT32_MAX));
    assert_non_null(cn_block_models_add(models, CN_MODEL_LAYER_HAND, 1));
    assert_int_equal(cn_block_models_stats(models).refused, 1 + (uint64_t)UINT32_MAX);
    cn_block_models_destroy(models);
}

static void the_feature_needs_a_list(void **state)
{
    (void)state;
    RenderFixture fixture;
    CnError error = {0};
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    assert_null(cn_renderer_add_feature(fixture.renderer, &cn_feature_block_models, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_published_at_the_end),
        cmocka_unit_test(a_new_list_replaces_the_last_one),
        cmocka_unit_test(too_many_parts_are_refused_and_counted),
        cmocka_unit_test(the_feature_needs_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
