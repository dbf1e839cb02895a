#include "cmocka_tests.h"
#include "random.h"
#include "voxel/generate/terrain.h"

#include <cairn/base/cpu.h>
#include <cairn/base/math.h>

#include <string.h>

static CnBiome biome_at(float temperature, float humidity, float special)
{
    return cn_biome_blend(temperature, humidity, special).biome;
}

static void biomes_follow_the_cascade_of_thresholds(void **state)
{
    (void)state;
    static const struct {
        float temperature, humidity;
        CnBiome biome;
    } climates[] = {
        {-0.61f, 0, CN_BIOME_ROCKY_MOUNTAINS},     {-0.60f, 0.9f, CN_BIOME_SNOWY_MOUNTAINS},
        {-0.43f, -0.9f, CN_BIOME_SNOWY_MOUNTAINS}, {-0.42f, 0.25f, CN_BIOME_SNOWY_PLAINS},
        {-0.16f, 0.26f, CN_BIOME_TAIGA},           {-0.15f, 0.43f, CN_BIOME_SWAMP},
        {0.31f, 0.42f, CN_BIOME_FOREST},           {0.31f, 0.02f, CN_BIOME_GRASSY_PLAINS},
        {0.32f, 0.23f, CN_BIOME_JUNGLE},           {0.32f, 0.22f, CN_BIOME_SAVANNA},
        {0.90f, -0.27f, CN_BIOME_SAVANNA},         {0.90f, -0.28f, CN_BIOME_DESERT},
    };
    for (size_t i = 0; i < CN_COUNT_OF(climates); i++)
        assert_int_equal(biome_at(climates[i].temperature, climates[i].humidity, 0),
                         climates[i].biome);
}

static void the_special_channel_overrides_the_climate(void **state)
{
    (void)state;
    assert_int_equal(biome_at(0.5f, 0, 0.6f), CN_BIOME_BADLANDS);
    assert_int_equal(biome_at(0, 0, 0.6f), CN_BIOME_CHERRY_GROVE);
    assert_int_equal(biome_at(-0.5f, 0, 0.6f), CN_BIOME_SNOWY_MOUNTAINS);
    assert_int_equal(biome_at(-0.5f, 0, 0.9f), CN_BIOME_MUSHROOM_FIELDS);
    assert_int_equal(biome_at(0.5f, 0, 0.9f), CN_BIOME_MUSHROOM_FIELDS);
}

static void special_biomes_do_not_blend(void **state)
{
    (void)state;
    assert_true(cn_biome_blend(0.32f, 0, 0.6f).blend == 0);
    assert_true(cn_biome_blend(0.32f, 0, 0).blend > 0.49f);
}

static void blends_rise_to_a_half_at_the_border_with_the_other_biome(void **state)
{
    (void)state;
    const CnBiomeBlend far = cn_biome_blend(0.1f, -0.4f, 0);
    const CnBiomeBlend near = cn_biome_blend(0.315f, -0.4f, 0);
    const CnBiomeBlend beyond = cn_biome_blend(0.325f, -0.4f, 0);
    const CnBiomeBlend wetter = cn_biome_blend(0.1f, 0.015f, 0);
    assert_int_equal(far.biome, CN_BIOME_GRASSY_PLAINS);
    assert_true(far.blend == 0);
    assert_int_equal(near.other, CN_BIOME_DESERT);
    assert_true(near.blend > 0.4f && near.blend <= 0.5f);
    assert_int_equal(beyond.other, CN_BIOME_GRASSY_PLAINS);
    assert_int_equal(wetter.other, CN_BIOME_FOREST);
}

/* A random climate, at the border in one of two cases. */
static float random_climate(TestRandom *random)
{
    static const float borders[] = {-0.60f, -0.42f, -0.15f, 0.32f, 0.25f, 0.02f,
                                    0.42f,  -0.28f, 0.22f,  0.48f, 0.76f, 0.12f};
    if (test_random_chance(random, 50))
        return borders[test_random_below(random, CN_COUNT_OF(borders))];
    return (float)(test_random_unit(random) * 2.4 - 1.2);
}

static void arrays_give_the_blends_of_single_climates_on_every_path(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static float t[COUNT], h[COUNT], s[COUNT], blends[COUNT];
    static int32_t biomes[COUNT], others[COUNT];
    TestRandom random = {1};
    for (int i = 0; i < COUNT; i++) {
        t[i] = random_climate(&random);
        h[i] = random_climate(&random);
        s[i] = random_climate(&random);
    }
    const CnSimdPath before = cn_simd_path();
    for (int path = 0; path < CN_SIMD_PATH_COUNT; path++) {
        if (!cn_simd_force((CnSimdPath)path))
            continue;
        cni_voxel_biome_blends(COUNT, t, h, s, biomes, others, blends);
        for (int i = 0; i < COUNT; i++) {
            const CnBiomeBlend one = cn_biome_blend(t[i], h[i], s[i]);
            assert_int_equal(one.biome, biomes[i]);
            assert_int_equal(one.other, others[i]);
            assert_true(one.blend == blends[i]);
        }
    }
    cn_simd_force(before);
}

static float scale_at(float temperature, float humidity, float special)
{
    float scale, swamp;
    cni_voxel_biome_scales(1, &temperature, &humidity, &special, &scale, &swamp);
    return scale;
}

static void scales_of_heights_have_no_steps(void **state)
{
    (void)state;
    TestRandom random = {2};
    for (int i = 0; i < 20000; i++) {
        const float t = random_climate(&random), h = random_climate(&random),
                    s = random_climate(&random);
        const float step = 1e-3f, here = scale_at(t, h, s);
        assert_true(cn_fabsf(here - scale_at(t + step, h, s)) < 0.02f);
        assert_true(cn_fabsf(here - scale_at(t, h + step, s)) < 0.02f);
        assert_true(cn_fabsf(here - scale_at(t, h, s + step)) < 0.02f);
    }
}

static void rocky_mountains_are_highest_and_swamps_lowest(void **state)
{
    (void)state;
    assert_true(cn_fabsf(scale_at(-0.9f, 0, 0) - 1.7f) < 1e-5f);
    assert_true(cn_fabsf(scale_at(0.1f, 0.9f, 0) - 0.4f) < 1e-5f);
    TestRandom random = {3};
    for (int i = 0; i < 5000; i++) {
        const float scale =
            scale_at(random_climate(&random), random_climate(&random), random_climate(&random));
        assert_true(scale > 0.3999f && scale < 1.7001f);
    }
}

static void every_biome_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < CN_BIOME_COUNT; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(cn_biome_name((CnBiome)i), cn_biome_name((CnBiome)k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(biomes_follow_the_cascade_of_thresholds),
        cmocka_unit_test(the_special_channel_overrides_the_climate),
        cmocka_unit_test(special_biomes_do_not_blend),
        cmocka_unit_test(blends_rise_to_a_half_at_the_border_with_the_other_biome),
        cmocka_unit_test(arrays_give_the_blends_of_single_climates_on_every_path),
        cmocka_unit_test(scales_of_heights_have_no_steps),
        cmocka_unit_test(rocky_mountains_are_highest_and_swamps_lowest),
        cmocka_unit_test(every_biome_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
