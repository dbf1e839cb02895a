#include "cmocka_tests.h"
#include "guards.h"

#include <cairn/base/text.h>

static CnNames names;

static int make_names(void **state)
{
    (void)state;
    cn_names_init(&names, NULL);
    return 0;
}

static int drop_names(void **state)
{
    (void)state;
    cn_names_fini(&names);
    return 0;
}

static void the_same_text_gives_the_same_name(void **state)
{
    (void)state;
    CnName grass = cn_name(&names, "grass");
    assert_true(cn_name_equal(grass, cn_name(&names, "grass")));
    assert_false(cn_name_equal(grass, cn_name(&names, "stone")));
    assert_true(cn_name_equal(grass, cn_name_from_text(&names, (CnText){"grassland", 5})));
}

static void names_are_numbered_from_one_in_order_of_first_use(void **state)
{
    (void)state;
    assert_int_equal(cn_name(&names, "c").id, 1);
    assert_int_equal(cn_name(&names, "a").id, 2);
    assert_int_equal(cn_name(&names, "c").id, 1);
    assert_int_equal(cn_name(&names, "b").id, 3);
}

static void the_empty_text_is_the_empty_name(void **state)
{
    (void)state;
    assert_int_equal(cn_name(&names, "").id, 0);
    assert_int_equal(cn_name(&names, NULL).id, 0);
    assert_string_equal(cn_name_text(&names, (CnName){0}), "");
    assert_int_equal(names.texts.count, 0);
}

static void find_does_not_intern(void **state)
{
    (void)state;
    assert_int_equal(cn_name_find(&names, cn_text("grass")).id, 0);
    assert_int_equal(names.texts.count, 0);
    cn_name(&names, "grass");
    assert_int_equal(cn_name_find(&names, cn_text("grass")).id, 1);
    assert_int_equal(cn_name_find(&names, cn_text("gras")).id, 0);
}

static void the_text_is_a_copy_that_never_moves(void **state)
{
    (void)state;
    char text[] = "grass";
    CnName grass = cn_name(&names, text);
    const char *copy = cn_name_text(&names, grass);
    text[0] = 'x';
    for (int i = 0; i < 5000; i++) {
        char other[16];
        cn_format(other, sizeof other, "other %d", i);
        assert_int_equal(cn_name(&names, other).id, i + 2);
    }
    assert_ptr_equal(cn_name_text(&names, grass), copy);
    assert_string_equal(copy, "grass");
    for (int i = 0; i < 5000; i++) {
        char other[16];
        cn_format(other, sizeof other, "other %d", i);
        assert_int_equal(cn_name_find(&names, cn_text(other)).id, i + 2);
        assert_string_equal(cn_name_text(&names, (CnName){(uint32_t)i + 2}), other);
    }
}

static void bytes_after_a_zero_count(void **state)
{
    (void)state;
    CnName a = cn_name_from_text(&names, (CnText){"x\0a", 3});
    CnName b = cn_name_from_text(&names, (CnText){"x\0b", 3});
    assert_false(cn_name_equal(a, b));
}

static void a_very_long_name_is_kept_whole(void **state)
{
    (void)state;
    static char text[100001];
    memset(text, 'n', sizeof text - 1);
    CnName name = cn_name(&names, text);
    assert_string_equal(cn_name_text(&names, name), text);
}

#ifdef CN_GUARDS
static void a_name_of_another_table_is_a_wrong_call(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_name_text(&names, (CnName){5}));
}
#endif

#define NAMES_TEST(name) cmocka_unit_test_setup_teardown(name, make_names, drop_names)

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMES_TEST(the_same_text_gives_the_same_name),
        NAMES_TEST(names_are_numbered_from_one_in_order_of_first_use),
        NAMES_TEST(the_empty_text_is_the_empty_name),
        NAMES_TEST(find_does_not_intern),
        NAMES_TEST(the_text_is_a_copy_that_never_moves),
        NAMES_TEST(bytes_after_a_zero_count),
        NAMES_TEST(a_very_long_name_is_kept_whole),
#ifdef CN_GUARDS
        NAMES_TEST(a_name_of_another_table_is_a_wrong_call),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
