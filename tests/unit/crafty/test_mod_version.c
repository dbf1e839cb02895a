#include "cmocka_tests.h"

#include <crafty/mods/version.h>

static CraftyVersion version(const char *text)
{
    CraftyVersion parsed;
    CnError error = {0};
    if (!crafty_version_parse(&parsed, cn_text(text), &error))
        fail_msg("%s: %s", text, error.message);
    return parsed;
}

static bool in_range(const char *range_text, const char *version_text)
{
    CraftyVersionRange range;
    CraftyVersion parsed = version(version_text);
    CnError error = {0};
    if (!crafty_range_parse(&range, cn_text(range_text), &error))
        fail_msg("%s: %s", range_text, error.message);
    return crafty_range_contains(&range, &parsed);
}

static void expect_in(const char *range, const char *const *inside, const char *const *outside)
{
    for (; *inside; inside++)
        if (!in_range(range, *inside))
            fail_msg("%s should contain %s", range, *inside);
    for (; *outside; outside++)
        if (in_range(range, *outside))
            fail_msg("%s should not contain %s", range, *outside);
}

#define LIST(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define EXPECT(range, inside, outside) expect_in(range, inside, outside)

static void versions_are_written_as_they_were_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0.0.0",        "1.2.3",     "10.20.30",           "1.0.0-alpha.1",
        "1.0.0-0a.b-c", "1.0.0+007", "1.0.0-rc.1+build.5", "999999999.999999999.999999999"};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++) {
        char again[CRAFTY_VERSION_BYTES];
        CraftyVersion parsed = version(texts[i]);
        crafty_version_to_text(&parsed, again);
        assert_string_equal(again, texts[i]);
    }
}

static void other_texts_are_not_versions(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",       "1",      "1.2",       "1.2.3.4",        "v1.2.3",   "01.2.3",        "1.02.3",
        "1.2.03", "1.2.3-", "1.2.3+",    "1.2.3-a..b",     "1.2.3-01", " 1.2.3",        "1.2.3 ",
        "1.2.x",  "-1.2.3", "1.2.3-a_b", "1000000000.0.0", "1..3",     "1.2.3-\xc3\xa4"};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++) {
        CraftyVersion parsed;
        CnError error = {0};
        if (crafty_version_parse(&parsed, cn_text(texts[i]), &error))
            fail_msg("%s was read", texts[i]);
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

/* The example of the specification. */
static void versions_have_the_order_of_the_specification(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1.0.0-1",    "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
        "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
        "1.0.0",      "1.0.1",        "1.1.0",         "1.10.0",
        "2.0.0"};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++)
        for (uint32_t j = 0; j < CN_COUNT_OF(texts); j++) {
            CraftyVersion a = version(texts[i]), b = version(texts[j]);
            int order = crafty_version_compare(&a, &b);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
}

static void builds_are_not_compared(void **state)
{
    (void)state;
    CraftyVersion a = version("1.0.0+a"), b = version("1.0.0+b");
    assert_int_equal(crafty_version_compare(&a, &b), 0);
}

static void a_star_is_every_release(void **state)
{
    (void)state;
    EXPECT("*", LIST("0.0.0", "1.2.3", "9.9.9"), LIST("1.0.0-beta"));
    EXPECT(">=0.0.0", LIST("0.0.0", "1.2.3"), LIST("1.0.0-beta"));
}

static void a_caret_keeps_the_leftmost_number_that_is_not_zero(void **state)
{
    (void)state;
    EXPECT("^1.2.3", LIST("1.2.3", "1.9.0"), LIST("1.2.2", "2.0.0", "2.0.0-a"));
    EXPECT("^1.2", LIST("1.2.0", "1.9.0"), LIST("1.1.9", "2.0.0"));
    EXPECT("^1", LIST("1.0.0", "1.9.9"), LIST("0.9.9", "2.0.0"));
    EXPECT("^0.2.3", LIST("0.2.3", "0.2.9"), LIST("0.2.2", "0.3.0"));
    EXPECT("^0.0.3", LIST("0.0.3"), LIST("0.0.2", "0.0.4"));
    EXPECT("^0.0", LIST("0.0.0", "0.0.9"), LIST("0.1.0"));
    EXPECT("^0", LIST("0.0.0", "0.9.9"), LIST("1.0.0"));
    EXPECT("^x", LIST("0.0.0", "7.0.0"), LIST("7.0.0-a"));
}

static void a_tilde_keeps_the_minor_number(void **state)
{
    (void)state;
    EXPECT("~1.2.3", LIST("1.2.3", "1.2.9"), LIST("1.2.2", "1.3.0"));
    EXPECT("~1.2", LIST("1.2.0", "1.2.9"), LIST("1.1.9", "1.3.0"));
    EXPECT("~1", LIST("1.0.0", "1.9.9"), LIST("2.0.0"));
}

static void missing_parts_and_x_stand_for_all_values(void **state)
{
    (void)state;
    static const char *const ranges[] = {"1.2", "1.2.x", "1.2.*", "=1.2", "1.2.X"};
    for (uint32_t i = 0; i < CN_COUNT_OF(ranges); i++)
        EXPECT(ranges[i], LIST("1.2.0", "1.2.9"), LIST("1.1.9", "1.3.0", "1.3.0-a"));
    EXPECT("1.x", LIST("1.0.0", "1.9.0"), LIST("0.9.0", "2.0.0"));
    EXPECT("1.2.3", LIST("1.2.3", "1.2.3+build"), LIST("1.2.2", "1.2.4"));
}

static void comparisons_include_what_they_say(void **state)
{
    (void)state;
    EXPECT(">1.2.3", LIST("1.2.4"), LIST("1.2.3"));
    EXPECT(">1.2", LIST("1.3.0"), LIST("1.2.9"));
    EXPECT(">1", LIST("2.0.0"), LIST("1.9.9"));
    EXPECT(">=1.2", LIST("1.2.0"), LIST("1.1.9"));
    EXPECT("<1.2.3", LIST("1.2.2"), LIST("1.2.3"));
    EXPECT("<1.2", LIST("1.1.9"), LIST("1.2.0", "1.2.0-a"));
    EXPECT("<=1.2.3", LIST("1.2.3"), LIST("1.2.4"));
    EXPECT("<=1.2", LIST("1.2.9"), LIST("1.3.0"));
    EXPECT("<=*", LIST("1.2.9"), LIST("1.3.0-a"));
}

static void nothing_is_above_or_below_everything(void **state)
{
    (void)state;
    assert_false(in_range(">*", "1.0.0"));
    assert_false(in_range("<*", "1.0.0"));
}

static void all_conditions_of_an_alternative_hold(void **state)
{
    (void)state;
    EXPECT(">=1.0 <2.0", LIST("1.0.0", "1.9.9"), LIST("0.9.9", "2.0.0"));
    EXPECT(" >= 1.0   < 2.0 ", LIST("1.5.0"), LIST("2.0.0"));
}

static void one_alternative_is_enough(void **state)
{
    (void)state;
    EXPECT("^1.2 || 3.x || 5.0.0", LIST("1.3.0", "3.1.4", "5.0.0"),
           LIST("2.0.0", "4.0.0", "5.0.1"));
}

static void a_pre_release_must_be_asked_for(void **state)
{
    (void)state;
    EXPECT("^1.2.3-beta.2", LIST("1.2.3-beta.2", "1.2.3-rc", "1.2.3", "1.4.0"),
           LIST("1.2.3-beta.1", "1.2.4-beta.2"));
    EXPECT(">=1.0.0-0 <2.0.0", LIST("1.0.0-alpha", "1.5.0"), LIST("1.5.0-a", "2.0.0-a"));
}

static void other_texts_are_not_ranges(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",      " ",      "||",  "1 ||",    "|| 1",    "1 | 2",      "1.2-beta",  "^",
        ">=",    "=>1",    "==1", "^~1",     "1.2.3.4", "1,2",        "1.0 - 2.0", "x.1",
        "1.x.3", "latest", "01",  "1.2.3+b", "1.2.3-",  "1000000000", "1.0\t",     "^1.2^1.3"};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++) {
        CraftyVersionRange range;
        CnError error = {0};
        if (crafty_range_parse(&range, cn_text(texts[i]), &error))
            fail_msg("\"%s\" was read", texts[i]);
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

static void too_many_conditions_are_refused(void **state)
{
    (void)state;
    CraftyVersionRange range;
    assert_false(crafty_range_parse(&range, cn_text("1 1 1 1 1 1 1 1 1"), NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_written_as_they_were_read),
        cmocka_unit_test(other_texts_are_not_versions),
        cmocka_unit_test(versions_have_the_order_of_the_specification),
        cmocka_unit_test(builds_are_not_compared),
        cmocka_unit_test(a_star_is_every_release),
        cmocka_unit_test(a_caret_keeps_the_leftmost_number_that_is_not_zero),
        cmocka_unit_test(a_tilde_keeps_the_minor_number),
        cmocka_unit_test(missing_parts_and_x_stand_for_all_values),
        cmocka_unit_test(comparisons_include_what_they_say),
        cmocka_unit_test(nothing_is_above_or_below_everything),
        cmocka_unit_test(all_conditions_of_an_alternative_hold),
        cmocka_unit_test(one_alternative_is_enough),
        cmocka_unit_test(a_pre_release_must_be_asked_for),
        cmocka_unit_test(other_texts_are_not_ranges),
        cmocka_unit_test(too_many_conditions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
