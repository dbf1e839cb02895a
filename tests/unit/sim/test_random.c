#include "cmocka_tests.h"
#include "guards.h"

#include "sim/philox.h"
#include <cairn/sim/random.h>

#include <math.h>

static CnRandom fixed(void)
{
    return cn_random_make(2011, "test");
}

/* ---- The generator ---- */

/* The vectors its authors publish for philox2x64-10. */
static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    static const struct {
        uint64_t counter[2], key, words[2];
    } answers[] = {
        {{0, 0}, 0, {0xca00a0459843d731u, 0x66c24222c9a845b5u}},
        {{UINT64_MAX, UINT64_MAX}, UINT64_MAX, {0x65b021d60cd8310fu, 0x4d02f3222f86df20u}},
        {{0x243f6a8885a308d3u, 0x13198a2e03707344u},
         0xa4093822299f31d0u,
         {0x0a5e742c2997341cu, 0xb0f883d38000de5du}},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(answers); i++) {
        CniSimPhilox words =
            cni_sim_philox(answers[i].key, answers[i].counter[0], answers[i].counter[1]);
        assert_int_equal(words.first, answers[i].words[0]);
        assert_int_equal(words.second, answers[i].words[1]);
    }
}

static void a_generator_and_cn_random_at_take_different_words(void **state)
{
    (void)state;
    CnRandom random = {0};
    assert_int_equal(cn_random_u64(&random), 0x66c24222c9a845b5u);
    assert_int_equal(cn_random_at(0, 0, 0), 0xca00a0459843d731u);
    assert_int_equal(cn_random_at(0xa4093822299f31d0u, 0x243f6a8885a308d3u, 0x13198a2e03707344u),
                     0x0a5e742c2997341cu);
}

static void a_draw_takes_one_number(void **state)
{
    (void)state;
    CnRandom random = fixed();
    cn_random_u64(&random);
    assert_int_equal(random.counter, 1);
    cn_random_u32(&random);
    cn_random_f32(&random);
    cn_random_f64(&random);
    cn_random_bool(&random, 0);
    cn_random_bool(&random, 1);
    cn_random_below(&random, 6);
    cn_random_range(&random, INT64_MIN, INT64_MAX);
    assert_int_equal(random.counter, 8);
    assert_int_equal(random.key, fixed().key);
}

static void a_copy_goes_on_with_the_same_numbers(void **state)
{
    (void)state;
    CnRandom random = fixed();
    cn_random_skip(&random, 12345);
    CnRandom copy = random;
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(cn_random_u64(&random), cn_random_u64(&copy));
}

static void skipping_is_like_drawing(void **state)
{
    (void)state;
    CnRandom drawn = fixed(), skipped = fixed();
    for (uint32_t i = 0; i < 1000; i++)
        cn_random_u64(&drawn);
    cn_random_skip(&skipped, 1000);
    uint64_t next = cn_random_u64(&drawn);
    assert_int_equal(cn_random_u64(&skipped), next);
    cn_random_skip(&skipped, (uint64_t)-1);
    assert_int_equal(cn_random_u64(&skipped), next);
}

/* ---- Keys ---- */

/* Like independent fair bits: 64 * count of them, half of which differ, give or take 5 sigma; and
 * no number comes twice. */
static void assert_unrelated(CnRandom a, CnRandom b)
{
    enum { COUNT = 10000 };
    uint32_t differing = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t x = cn_random_u64(&a), y = cn_random_u64(&b);
        assert_true(x != y);
        differing += (uint32_t)__builtin_popcountll(x ^ y);
    }
    double sigma = sqrt(64.0 * COUNT) / 2;
    if (fabs(differing - 32.0 * COUNT) > 5 * sigma)
        fail_msg("%u of %u bits differ", differing, 64u * COUNT);
}

static void names_and_seeds_make_unrelated_generators(void **state)
{
    (void)state;
    static const char *const names[] = {"", "a", "b", "aa", "weather", "weathes", "Weather"};
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        for (uint32_t k = 0; k < i; k++)
            assert_unrelated(cn_random_make(1, names[i]), cn_random_make(1, names[k]));
        assert_unrelated(cn_random_make(1, names[i]), cn_random_make(2, names[i]));
        assert_unrelated(cn_random_make(0, names[i]), cn_random_make(UINT64_MAX, names[i]));
    }
}

static void the_same_seed_and_name_make_the_same_generator(void **state)
{
    (void)state;
    CnRandom a = cn_random_make(99, "ore"), b = cn_random_make(99, "ore");
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(a.counter, 0);
}

static void a_generator_is_unrelated_to_itself_shifted(void **state)
{
    (void)state;
    for (uint64_t shift = 1; shift <= 64; shift *= 2) {
        CnRandom later = fixed();
        cn_random_skip(&later, shift);
        assert_unrelated(fixed(), later);
    }
}

static void forks_are_unrelated(void **state)
{
    (void)state;
    uint64_t key = fixed().key;
    assert_unrelated(cn_random_fork(key, 0, 0), cn_random_fork(key, 1, 0));
    assert_unrelated(cn_random_fork(key, 0, 0), cn_random_fork(key, 0, 1));
    assert_unrelated(cn_random_fork(key, 1, 0), cn_random_fork(key, 0, 1));
    assert_unrelated(cn_random_fork(key, 0, 0), fixed());
    assert_unrelated(cn_random_fork(key, 0, 0), cn_random_fork(key + 1, 0, 0));
}

static void both_indices_count(void **state)
{
    (void)state;
    uint64_t here = cn_random_at(1, 2, 3);
    assert_int_equal(cn_random_at(1, 2, 3), here);
    assert_true(cn_random_at(1, 3, 2) != here);
    assert_true(cn_random_at(1, 2, 4) != here);
    assert_true(cn_random_at(1, 4, 3) != here);
    assert_true(cn_random_at(2, 2, 3) != here);
    assert_true(cn_random_at(1, 2, 3 | (uint64_t)1 << 63) != here);
    assert_true(cn_random_at(1, 2 | (uint64_t)1 << 63, 3) != here);
}

/* ---- Even distribution ---- */

#define MOST_BINS 1000u

/* Chi-square of `draws` numbers in `bins` bins lies within 6 sigma of its mean: too even is as
 * suspicious as too uneven. */
static void assert_even(const uint32_t *counts, uint32_t bins, uint32_t draws)
{
    double expected = (double)draws / bins, chi_square = 0;
    for (uint32_t i = 0; i < bins; i++)
        chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    double mean = bins - 1, most = mean + 6 * sqrt(2 * mean) + 12;
    double least = mean - 6 * sqrt(2 * mean);
    if (chi_square > most || chi_square < least)
        fail_msg("chi-square of %u bins is %.1f, not %.1f to %.1f", bins, chi_square, least, most);
}

static void numbers_below_n_are_even(void **state)
{
    (void)state;
    static const uint32_t limits[] = {2, 3, 6, 7, 10, 64, 100, 999, 1000};
    for (uint32_t k = 0; k < CN_COUNT_OF(limits); k++) {
        uint32_t counts[MOST_BINS] = {0};
        CnRandom random = fixed();
        for (uint32_t i = 0; i < 200000; i++) {
            uint64_t number = cn_random_below(&random, limits[k]);
            assert_true(number < limits[k]);
            counts[number]++;
        }
        assert_even(counts, limits[k], 200000);
    }
}

/* Without rejection, 2^64 numbers fall unevenly on 3 * 2^62 results: those that leave 0 when
 * divided by 3 get two each, the others one. */
static void large_limits_are_even_too(void **state)
{
    (void)state;
    uint32_t counts[3] = {0}, taken = 30000;
    CnRandom random = fixed();
    for (uint32_t i = 0; i < taken; i++)
        counts[cn_random_below(&random, (uint64_t)3 << 62) % 3]++;
    assert_even(counts, 3, taken);
    /* A quarter is rejected: numbers taken for each result are 4/3. */
    assert_true(fabs((double)random.counter / taken - 4.0 / 3) < 0.03);
}

/* By the definition: x is left out when x * n mod 2^64 < 2^64 mod n. */
static void rejection_is_exactly_lemires(void **state)
{
    (void)state;
    static const uint64_t limits[] = {1,
                                      2,
                                      3,
                                      5,
                                      1000003,
                                      (uint64_t)1 << 32,
                                      (uint64_t)1 << 63,
                                      ((uint64_t)1 << 63) + 1,
                                      ((uint64_t)3 << 62) + 1,
                                      UINT64_MAX - 1,
                                      UINT64_MAX};
    for (uint32_t k = 0; k < CN_COUNT_OF(limits); k++) {
        uint64_t n = limits[k];
        uint64_t remainder = (uint64_t)(((unsigned __int128)1 << 64) % n);
        CnRandom random = fixed(), raw = fixed();
        for (uint32_t i = 0; i < 2000; i++) {
            unsigned __int128 product;
            do
                product = (unsigned __int128)cn_random_u64(&raw) * n;
            while ((uint64_t)product < remainder);
            assert_int_equal(cn_random_below(&random, n), (uint64_t)(product >> 64));
            assert_int_equal(random.counter, raw.counter);
        }
    }
}

static void below_one_is_zero(void **state)
{
    (void)state;
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(cn_random_below(&random, 1), 0);
}

static void below_zero_is_a_wrong_call(void **state)
{
    (void)state;
    CnRandom random = fixed();
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_random_below(&random, 0));
#else
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(cn_random_below(&random, 0), 0);
#endif
}

static void every_bit_is_set_half_of_the_time(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    uint32_t counts[3][64] = {0};
    CnRandom random = fixed();
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t x = cn_random_u64(&random), y = cn_random_at(5, i, 0), z = cn_random_at(5, 0, i);
        for (uint32_t bit = 0; bit < 64; bit++) {
            counts[0][bit] += (x >> bit & 1) != 0;
            counts[1][bit] += (y >> bit & 1) != 0;
            counts[2][bit] += (z >> bit & 1) != 0;
        }
    }
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t bit = 0; bit < 64; bit++)
            assert_true(fabs(counts[k][bit] - COUNT / 2.0) < 6 * sqrt(COUNT) / 2);
}

/* ---- Ranges ---- */

static void a_range_has_both_ends(void **state)
{
    (void)state;
    uint32_t counts[7] = {0};
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 70000; i++) {
        int64_t number = cn_random_range(&random, -3, 3);
        assert_true(number >= -3 && number <= 3);
        counts[number + 3]++;
    }
    assert_even(counts, 7, 70000);
}

static void a_range_of_one_is_that_one(void **state)
{
    (void)state;
    CnRandom random = fixed();
    assert_true(cn_random_range(&random, 5, 5) == 5);
    assert_true(cn_random_range(&random, INT64_MIN, INT64_MIN) == INT64_MIN);
    assert_true(cn_random_range(&random, INT64_MAX, INT64_MAX) == INT64_MAX);
}

static void the_widest_ranges_work(void **state)
{
    (void)state;
    uint32_t negative = 0;
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 10000; i++) {
        negative += cn_random_range(&random, INT64_MIN, INT64_MAX) < 0;
        assert_true(cn_random_range(&random, INT64_MIN + 1, INT64_MAX) > INT64_MIN);
        assert_true(cn_random_range(&random, INT64_MIN, -1) < 0);
        assert_true(cn_random_range(&random, 0, INT64_MAX) >= 0);
    }
    assert_in_range(negative, 4700, 5300);
}

static void an_empty_range_is_a_wrong_call(void **state)
{
    (void)state;
    CnRandom random = fixed();
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_random_range(&random, 1, 0));
    EXPECT_GUARD(cn_random_f32_range(&random, 1, 0));
    EXPECT_GUARD(cn_random_f32_range(&random, 0, INFINITY));
    EXPECT_GUARD(cn_random_f32_range(&random, NAN, 1));
#else
    assert_true(cn_random_range(&random, 1, 0) == 1);
    assert_true(cn_random_f32_range(&random, 1, 0) == 1);
    assert_true(cn_random_f32_range(&random, 0, INFINITY) == 0);
    assert_true(cn_random_f32_range(&random, -INFINITY, 0) == -INFINITY);
    assert_true(isnan(cn_random_f32_range(&random, NAN, 1)));
    assert_true(cn_random_f32_range(&random, 1, NAN) == 1);
#endif
}

/* ---- Floats ---- */

static void floats_are_from_0_to_below_1_and_even(void **state)
{
    (void)state;
    uint32_t counts[2][100] = {0};
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 200000; i++) {
        float single = cn_random_f32(&random);
        double twice = cn_random_f64(&random);
        assert_true(single >= 0 && single < 1 && twice >= 0 && twice < 1);
        counts[0][(uint32_t)((double)single * 100)]++;
        counts[1][(uint32_t)(twice * 100)]++;
    }
    assert_even(counts[0], 100, 200000);
    assert_even(counts[1], 100, 200000);
}

static void floats_use_all_bits_of_their_mantissas(void **state)
{
    (void)state;
    uint32_t odd_singles = 0, odd_doubles = 0;
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 1000; i++) {
        odd_singles += (uint32_t)(cn_random_f32(&random) * 0x1p24f) & 1;
        odd_doubles += ((uint64_t)(cn_random_f64(&random) * 0x1p53) & 1) != 0;
    }
    assert_in_range(odd_singles, 400, 600);
    assert_in_range(odd_doubles, 400, 600);
}

static void a_range_of_floats_never_gives_its_end(void **state)
{
    (void)state;
    static const float ranges[][2] = {{0, 1},
                                      {1, 0x1.000002p0f}, /* neighbors: half would round up */
                                      {0x1p24f, 0x1p24f + 4},
                                      {-1, 1},
                                      {-0x1.fffffep127f, 0x1.fffffep127f},
                                      {0, 0x1p-149f}};
    CnRandom random = fixed();
    for (uint32_t k = 0; k < CN_COUNT_OF(ranges); k++)
        for (uint32_t i = 0; i < 2000; i++) {
            float value = cn_random_f32_range(&random, ranges[k][0], ranges[k][1]);
            assert_true(value >= ranges[k][0] && value < ranges[k][1]);
        }
    assert_true(cn_random_f32_range(&random, 4, 4) == 4);
}

static void a_range_of_floats_is_even(void **state)
{
    (void)state;
    uint32_t counts[50] = {0};
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 100000; i++)
        counts[(uint32_t)((cn_random_f32_range(&random, -10, 15) + 10) * 2)]++;
    assert_even(counts, 50, 100000);
}

static uint32_t hits_of(double probability, uint32_t tries)
{
    CnRandom random = fixed();
    uint32_t hits = 0;
    for (uint32_t i = 0; i < tries; i++)
        hits += cn_random_bool(&random, probability);
    return hits;
}

static void a_bool_is_true_as_often_as_requested(void **state)
{
    (void)state;
    assert_in_range(hits_of(0.25, 100000), 24000, 26000);
    assert_in_range(hits_of(0.001, 100000), 40, 160);
    assert_int_equal(hits_of(0, 10000), 0);
    assert_int_equal(hits_of(-1, 10000), 0);
    assert_int_equal(hits_of((double)NAN, 10000), 0);
    assert_int_equal(hits_of(1, 10000), 10000);
    assert_int_equal(hits_of(2, 10000), 10000);
}

/* ---- Directions ---- */

static void unit_vectors_have_length_one(void **state)
{
    (void)state;
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 20000; i++) {
        CnVec2 a = cn_random_unit2(&random);
        CnVec3 b = cn_random_unit3(&random);
        double a2 = (double)a.x * (double)a.x + (double)a.y * (double)a.y;
        double b2 =
            (double)b.x * (double)b.x + (double)b.y * (double)b.y + (double)b.z * (double)b.z;
        assert_true(fabs(a2 - 1) < 3e-7 && fabs(b2 - 1) < 3e-7);
    }
}

static void directions_in_the_plane_are_even(void **state)
{
    (void)state;
    uint32_t counts[36] = {0};
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 72000; i++) {
        CnVec2 v = cn_random_unit2(&random);
        double turn = atan2((double)v.y, (double)v.x) / (2 * 3.14159265358979323846) + 0.5;
        counts[(uint32_t)(turn * 36) % 36]++;
    }
    assert_even(counts, 36, 72000);
}

/* Slices of a sphere have areas like their heights, along every axis (Archimedes). */
static void directions_in_space_are_even(void **state)
{
    (void)state;
    uint32_t counts[3][20] = {0}, octants[8] = {0};
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 80000; i++) {
        CnVec3 v = cn_random_unit3(&random);
        const float axes[3] = {v.x, v.y, v.z};
        for (uint32_t axis = 0; axis < 3; axis++) {
            uint32_t slice = (uint32_t)((axes[axis] + 1) * 10);
            counts[axis][slice < 20 ? slice : 19]++;
        }
        octants[(v.x > 0) + (v.y > 0) * 2 + (v.z > 0) * 4]++;
    }
    for (uint32_t axis = 0; axis < 3; axis++)
        assert_even(counts[axis], 20, 80000);
    assert_even(octants, 8, 80000);
}

/* ---- Arrays ---- */

static void a_shuffle_keeps_every_item(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    uint32_t items[COUNT], seen[COUNT] = {0}, in_place = 0;
    CnRandom random = fixed();
    for (uint32_t i = 0; i < COUNT; i++)
        items[i] = i;
    cn_random_shuffle(&random, items, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        seen[items[i]]++;
        in_place += items[i] == i;
    }
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(seen[i], 1);
    assert_true(in_place < 10);
    assert_int_equal(random.counter, COUNT - 1);
}

static void every_order_is_equally_likely(void **state)
{
    (void)state;
    uint32_t counts[64] = {0}, orders[24], n = 0;
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 48000; i++) {
        uint32_t items[] = {0, 1, 2, 3};
        cn_random_shuffle(&random, items, 4);
        counts[items[0] + items[1] * 4 + items[2] * 16]++;
    }
    for (uint32_t i = 0; i < 64; i++)
        if (counts[i]) {
            assert_true(n < 24);
            orders[n++] = counts[i];
        }
    assert_int_equal(n, 24);
    assert_even(orders, 24, 48000);
}

static void shuffling_nothing_takes_no_number(void **state)
{
    (void)state;
    uint32_t item = 7;
    CnRandom random = fixed();
    cn_random_shuffle(&random, NULL, 0);
    cn_random_shuffle(&random, &item, 1);
    assert_int_equal(random.counter, 0);
    assert_int_equal(item, 7);
}

static void a_pick_is_any_of_the_items(void **state)
{
    (void)state;
    static const uint32_t items[] = {10, 20, 30, 40, 50};
    uint32_t counts[5] = {0};
    CnRandom random = fixed();
    for (uint32_t i = 0; i < 50000; i++) {
        uint32_t item = cn_random_pick(&random, items, 5);
        assert_true(item % 10 == 0 && item >= 10 && item <= 50);
        counts[item / 10 - 1]++;
    }
    assert_even(counts, 5, 50000);
}

static void picking_from_nothing_is_a_wrong_call(void **state)
{
    (void)state;
    CnRandom random = fixed();
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_random_pick(&random, NULL, 0));
#else
    assert_int_equal(cn_random_pick(&random, NULL, 0), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(a_generator_and_cn_random_at_take_different_words),
        cmocka_unit_test(a_draw_takes_one_number),
        cmocka_unit_test(a_copy_goes_on_with_the_same_numbers),
        cmocka_unit_test(skipping_is_like_drawing),
        cmocka_unit_test(names_and_seeds_make_unrelated_generators),
        cmocka_unit_test(the_same_seed_and_name_make_the_same_generator),
        cmocka_unit_test(a_generator_is_unrelated_to_itself_shifted),
        cmocka_unit_test(forks_are_unrelated),
        cmocka_unit_test(both_indices_count),
        cmocka_unit_test(numbers_below_n_are_even),
        cmocka_unit_test(large_limits_are_even_too),
        cmocka_unit_test(rejection_is_exactly_lemires),
        cmocka_unit_test(below_one_is_zero),
        cmocka_unit_test(below_zero_is_a_wrong_call),
        cmocka_unit_test(every_bit_is_set_half_of_the_time),
        cmocka_unit_test(a_range_has_both_ends),
        cmocka_unit_test(a_range_of_one_is_that_one),
        cmocka_unit_test(the_widest_ranges_work),
        cmocka_unit_test(an_empty_range_is_a_wrong_call),
        cmocka_unit_test(floats_are_from_0_to_below_1_and_even),
        cmocka_unit_test(floats_use_all_bits_of_their_mantissas),
        cmocka_unit_test(a_range_of_floats_never_gives_its_end),
        cmocka_unit_test(a_range_of_floats_is_even),
        cmocka_unit_test(a_bool_is_true_as_often_as_requested),
        cmocka_unit_test(unit_vectors_have_length_one),
        cmocka_unit_test(directions_in_the_plane_are_even),
        cmocka_unit_test(directions_in_space_are_even),
        cmocka_unit_test(a_shuffle_keeps_every_item),
        cmocka_unit_test(every_order_is_equally_likely),
        cmocka_unit_test(shuffling_nothing_takes_no_number),
        cmocka_unit_test(a_pick_is_any_of_the_items),
        cmocka_unit_test(picking_from_nothing_is_a_wrong_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
