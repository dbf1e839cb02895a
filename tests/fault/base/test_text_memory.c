/* Every allocation of builders and names fails once: they stay as they were and leak nothing. */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include <cairn/base/text.h>

static bool build_text(CnAllocator *allocator, void *user)
{
    (void)user;
    CnTextBuilder builder;
    cn_array_init(&builder, allocator);
    bool ok = true;
    for (uint32_t i = 0; ok && i < 50; i++) {
        ok = i % 2 ? cn_text_append(&builder, cn_text("abcd"))
                   : cn_text_append_format(&builder, "%04u", i);
        assert_int_equal(builder.count, (ok ? i + 1 : i) * 4);
        if (builder.items)
            assert_int_equal(strlen(builder.items), builder.count);
    }
    cn_array_fini(&builder);
    return ok;
}

static void a_builder_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(build_text, NULL) >= 5);
}

static bool intern_names(CnAllocator *allocator, void *user)
{
    (void)user;
    CnNames names;
    cn_names_init(&names, allocator);
    char text[64];
    bool ok = true;
    for (uint32_t i = 0; ok && i < 300; i++) {
        cn_format(text, sizeof text, "a name of some length with number %u", i);
        CnName name = cn_name(&names, text);
        ok = name.id != 0;
        assert_int_equal(names.texts.count, ok ? i + 1 : i);
        assert_int_equal(cn_name_find(&names, cn_text(text)).id, name.id);
    }
    for (uint32_t i = 0; i < names.texts.count; i++) {
        cn_format(text, sizeof text, "a name of some length with number %u", i);
        assert_int_equal(cn_name_find(&names, cn_text(text)).id, i + 1);
        assert_string_equal(cn_name_text(&names, (CnName){i + 1}), text);
    }
    cn_names_fini(&names);
    return ok;
}

static void names_survive_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(intern_names, NULL) >= 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_builder_survives_every_failed_allocation),
        cmocka_unit_test(names_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
