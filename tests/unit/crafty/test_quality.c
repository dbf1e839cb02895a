/* Levels of quality, and effects by name. */
#include "cmocka_tests.h"

#include <crafty/client/quality.h>

#include <string.h>

static void a_cpu_gets_the_light_settings(void **state)
{
    (void)state;
    assert_int_equal(crafty_quality_for(CN_GPU_KIND_CPU), CRAFTY_LOW);
    assert_int_equal(crafty_quality_for(CN_GPU_KIND_DISCRETE), CRAFTY_ULTRA);
}

static void more_quality_is_never_less_of_anything(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < CRAFTY_QUALITY_COUNT; i++) {
        CraftySettings less = crafty_settings((CraftyQuality)(i - 1));
        CraftySettings more = crafty_settings((CraftyQuality)i);
        assert_int_equal(less.effects & ~more.effects, 0);
        assert_true(more.view_distance >= less.view_distance && more.far_edge >= less.far_edge);
        assert_true(more.shadow_size >= less.shadow_size && more.width >= less.width);
    }
}

static void every_effect_is_switched_by_its_name(void **state)
{
    (void)state;
    CraftySettings settings = {0};
    for (uint32_t i = 0; crafty_effect_name(i); i++) {
        assert_true(crafty_effects_switch(&settings, crafty_effect_name(i), true, NULL));
        assert_int_equal(settings.effects, (2u << i) - 1);
    }
    assert_int_equal(settings.effects, CRAFTY_ALL_EFFECTS);
    assert_true(crafty_effects_switch(&settings, "all", false, NULL));
    assert_int_equal(settings.effects, 0);
}

static void an_unknown_effect_changes_nothing(void **state)
{
    (void)state;
    CraftySettings settings = {.effects = CRAFTY_FOG};
    CnError error = {0};
    assert_false(crafty_effects_switch(&settings, "clouds,nonsense", true, &error));
    assert_int_equal(settings.effects, CRAFTY_FOG);
    assert_non_null(strstr(error.message, "nonsense"));
}

static void every_quality_is_found_by_its_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_QUALITY_COUNT; i++) {
        CraftyQuality quality = CRAFTY_QUALITY_COUNT;
        assert_true(crafty_quality_parse(crafty_quality_name((CraftyQuality)i), &quality));
        assert_int_equal(quality, i);
    }
}

static void low_leaves_the_light_path_for_shadows(void **state)
{
    (void)state;
    CraftySettings settings = crafty_settings(CRAFTY_LOW);
    assert_true(crafty_uses_baked_lighting(&settings));
    assert_true(crafty_effects_switch(&settings, "bloom", true, NULL));
    assert_true(crafty_uses_baked_lighting(&settings));
    assert_true(crafty_effects_switch(&settings, "shadows", true, NULL));
    assert_false(crafty_uses_baked_lighting(&settings));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_leaves_the_light_path_for_shadows),
        cmocka_unit_test(a_cpu_gets_the_light_settings),
        cmocka_unit_test(more_quality_is_never_less_of_anything),
        cmocka_unit_test(every_effect_is_switched_by_its_name),
        cmocka_unit_test(an_unknown_effect_changes_nothing),
        cmocka_unit_test(every_quality_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
